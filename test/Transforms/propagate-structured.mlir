// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s

// Rules of the structured ops: what stays sharded, and what is brought whole.

dtensor.mesh @mesh ["x" = 2, "y" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#cols = #dtensor.layout<@mesh, ["x" = shard(1)]>

// Lines along dimension 1 lie whole on each rank.
// CHECK-LABEL: func.func @lines
// CHECK-NOT: comm.
// CHECK: dtensor.sort dim 1 ins(%{{.*}} : tensor<4x6xf32>)
// CHECK-NOT: comm.
// CHECK: return
func.func @lines(%a: tensor<8x6xf32> {dtensor.layout = #rows}) -> tensor<8x6xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %0 = dtensor.sort dim 1 ins(%a : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// Along dimension 0 they do not: they are brought together, as other columns.
// CHECK-LABEL: func.func @across_lines
// CHECK: comm.all_to_all %arg0 over @mesh["x"] split 1 concat 0
// CHECK: dtensor.scan sum dim 0 ins(%{{.*}} : tensor<800x300xf32>)
func.func @across_lines(%a: tensor<800x600xf32> {dtensor.layout = #rows}) -> (tensor<800x600xf32> {dtensor.layout = #cols}) {
  %e = tensor.empty() : tensor<800x600xf32>
  %0 = dtensor.scan sum dim 0 ins(%a : tensor<800x600xf32>) outs(%e : tensor<800x600xf32>) -> tensor<800x600xf32>
  return %0 : tensor<800x600xf32>
}

// Ids over x, columns over y: every rank takes its part of what it has.
// CHECK-LABEL: func.func @gather
// CHECK-NOT: comm.
// CHECK: dtensor.gather dims [0] ins(%arg0, %arg1 : tensor<100x8xf32>, tensor<4x1xi32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-NOT: comm.
// CHECK: return
func.func @gather(%table: tensor<100x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(1)]>},
                  %ids: tensor<8x1xi32> {dtensor.layout = #rows}) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = dtensor.gather dims [0] ins(%table, %ids : tensor<100x16xf32>, tensor<8x1xi32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Sharded updates are contributions: the table counts once, and they are summed.
// CHECK-LABEL: func.func @scatter
// CHECK: %[[ONCE:.*]] = comm.to_partial sum %arg2 over @mesh["x"]
// CHECK: %[[PART:.*]] = dtensor.scatter sum dims [0] ins(%arg0, %arg1 : tensor<400000x16xf32>, tensor<400000x1xi32>) outs(%[[ONCE]] : tensor<10x16xf32>)
// CHECK: comm.all_reduce sum %[[PART]] over @mesh["x"]
func.func @scatter(%updates: tensor<800000x16xf32> {dtensor.layout = #rows}, %ids: tensor<800000x1xi32> {dtensor.layout = #rows},
                   %table: tensor<10x16xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<10x16xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %0 = dtensor.scatter sum dims [0] ins(%updates, %ids : tensor<800000x16xf32>, tensor<800000x1xi32>) outs(%table : tensor<10x16xf32>) -> tensor<10x16xf32>
  return %0 : tensor<10x16xf32>
}

// Windows slide over dimension 1 only.
// CHECK-LABEL: func.func @windows
// CHECK-NOT: comm.
// CHECK: dtensor.reduce_window max {{.*}} ins(%{{.*}} : tensor<4x9xf32>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-NOT: comm.
// CHECK: return
func.func @windows(%a: tensor<8x9xf32> {dtensor.layout = #rows}, %init: tensor<8x4xf32> {dtensor.layout = #rows}) -> tensor<8x4xf32> {
  %0 = dtensor.reduce_window max window [1, 3] strides [1, 2] dilations [1, 1] low [0, 0] high [0, 0]
         ins(%a : tensor<8x9xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Heads on every axis: attention needs no communication.
// CHECK-LABEL: func.func @attention
// CHECK-NOT: comm.
// CHECK: linalg.batch_matmul {{.*}} -> tensor<2x16x16xf32>
// CHECK-NOT: comm.
// CHECK: return
func.func @attention(%q: tensor<8x16x64xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>},
                     %k: tensor<8x16x64xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>},
                     %v: tensor<8x16x64xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>}) -> tensor<8x16x64xf32> {
  %e = tensor.empty() : tensor<8x16x64xf32>
  %0 = dtensor.attention causal ins(%q, %k, %v : tensor<8x16x64xf32>, tensor<8x16x64xf32>, tensor<8x16x64xf32>) outs(%e : tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
  return %0 : tensor<8x16x64xf32>
}
