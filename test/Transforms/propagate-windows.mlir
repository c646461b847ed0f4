// RUN: %dtensor-opt %s --dtensor-print-rules 2>&1 >/dev/null | FileCheck %s --check-prefix=RULE
// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s

// Windows slide over whole dimensions; batch and channels stay sharded.

dtensor.mesh @mesh ["x" = 2]

#batch = #dtensor.layout<@mesh, ["x" = shard(0)]>
#channel = #dtensor.layout<@mesh, ["x" = shard(3)]>
#input = #dtensor.layout<@mesh, ["x" = shard(2)]>

// RULE: rule ([i, p, q, o], [m, n, o, l], [i, j, k, l]) -> ([i, j, k, l]), reduction = [o], need_replication = [j, k, m, n, p, q]
// CHECK-LABEL: func.func @batch
// CHECK-NOT: comm.
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}ins(%arg0, %arg1 : tensor<3x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%{{.*}} : tensor<3x7x7x8xf32>)
// CHECK-NOT: comm.
func.func @batch(%i: tensor<6x9x9x4xf32> {dtensor.layout = #batch}, %k: tensor<3x3x4x8xf32>) -> (tensor<6x7x7x8xf32> {dtensor.layout = #batch}) {
  %z = arith.constant dense<0.0> : tensor<6x7x7x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<6x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%z : tensor<6x7x7x8xf32>) -> tensor<6x7x7x8xf32>
  return %0 : tensor<6x7x7x8xf32>
}

// Input channels are summed over.
// CHECK-LABEL: func.func @channels
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}-> tensor<6x7x7x8xf32>
// CHECK: comm.reduce_scatter sum {{.*}} dim 3
func.func @channels(%i: tensor<6x9x9x4xf32> {dtensor.layout = #channel}, %k: tensor<3x3x4x8xf32> {dtensor.layout = #input}) -> (tensor<6x7x7x8xf32> {dtensor.layout = #channel}) {
  %z = arith.constant dense<0.0> : tensor<6x7x7x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<6x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%z : tensor<6x7x7x8xf32>) -> tensor<6x7x7x8xf32>
  return %0 : tensor<6x7x7x8xf32>
}

// RULE: rule ([i, o, p, l], [m, n], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, k, m, n, o, p]
// CHECK-LABEL: func.func @pool
// CHECK-NOT: comm.
// CHECK: linalg.pooling_nhwc_max {{.*}}-> tensor<6x4x4x2xf32>
// CHECK-NOT: comm.
func.func @pool(%i: tensor<6x8x8x4xf32> {dtensor.layout = #channel}) -> tensor<6x4x4x4xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %z = arith.constant dense<0xFF800000> : tensor<6x4x4x4xf32>
  %0 = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%i, %w : tensor<6x8x8x4xf32>, tensor<2x2xf32>) outs(%z : tensor<6x4x4x4xf32>) -> tensor<6x4x4x4xf32>
  return %0 : tensor<6x4x4x4xf32>
}

// A window of one element slides over nothing.
// RULE: rule ([i, j, k, o], [m, n, o, l], [i, j, k, l]) -> ([i, j, k, l]), reduction = [m, n, o]
// CHECK-LABEL: func.func @single
// CHECK-NOT: comm.
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}-> tensor<6x4x8x8xf32>
// CHECK-NOT: comm.
// CHECK: return
func.func @single(%i: tensor<6x8x8x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>}, %k: tensor<1x1x4x8xf32>) -> tensor<6x8x8x8xf32> {
  %z = arith.constant dense<0.0> : tensor<6x8x8x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<6x8x8x4xf32>, tensor<1x1x4x8xf32>) outs(%z : tensor<6x8x8x8xf32>) -> tensor<6x8x8x8xf32>
  return %0 : tensor<6x8x8x8xf32>
}

// A slice at a computed place, and one put there.
// RULE: rule ([i, k], []) -> ([j, k]), need_replication = [i, j]
// RULE: rule ([j, k], [i, k]) -> ([i, k]), need_replication = [i, j]
// CHECK-LABEL: func.func @slices
// CHECK-NOT: comm.
// CHECK: tensor.extract_slice %arg0[%{{.*}}, 0] [2, 3] [1, 1] : tensor<8x3xf32> to tensor<2x3xf32>
// CHECK: tensor.insert_slice %{{.*}} into %arg0[1, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x3xf32>
// CHECK-NOT: comm.
func.func @slices(%a: tensor<8x6xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>}) -> tensor<8x6xf32> {
  %c2 = arith.constant 2 : index
  %at = arith.muli %c2, %c2 : index
  %0 = tensor.extract_slice %a[%at, 0] [2, 6] [1, 1] : tensor<8x6xf32> to tensor<2x6xf32>
  %1 = tensor.insert_slice %0 into %a[1, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
