// RUN: %dtensor-opt %s --dtensor-spmd-pipeline=topology=builtin:h100x8x16 | FileCheck %s
// RUN: %dtensor-opt %s --dtensor-propagate="topology=builtin:h100x8x16 explain=text" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
//
// shardy 23 (README.md): reductions went over slow links as readily as over fast
// ones. Sixteen nodes of eight ranks; ranks of one node differ in ici only.

dtensor.mesh @pod ["dcn" = 16, "ici" = 8]

#whole = #dtensor.layout<@pod, []>

// The contracted dimension lies by one axis in one operand, by the other in the
// other: both could take it, and the fast one is the cheaper.
// WHY: rule ([i, k], [k, j], [i, j]) -> ([i, j]), reduction = [k]; {{.*}}k over ici: {{.*}} us; instead k over dcn: 
// CHECK-LABEL: func.func @shardy_23_either(
// CHECK-NOT: {{all_reduce|reduce_scatter}}{{.*}}"dcn"
func.func @shardy_23_either(%a: tensor<2048x128xf32> {dtensor.layout = #dtensor.layout<@pod, ["dcn" = shard(1)]>},
                            %b: tensor<128x2048xf32> {dtensor.layout = #dtensor.layout<@pod, ["ici" = shard(0)]>})
    -> (tensor<2048x2048xf32> {dtensor.layout = #whole}) {
  %z = arith.constant dense<0.0> : tensor<2048x2048xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2048x128xf32>, tensor<128x2048xf32>) outs(%z : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}

// With rows by dcn, the contraction takes ici, and no sum crosses nodes.
// CHECK-LABEL: func.func @shardy_23(
// CHECK-NOT: comm.all_gather
// CHECK: linalg.matmul {{.*}} -> tensor<4x64xf32>
// CHECK-NEXT: comm.all_reduce sum %{{.*}} over @pod["ici"] : tensor<4x64xf32>
// CHECK-NOT: {{all_reduce|reduce_scatter}}
// CHECK: return
func.func @shardy_23(%a: tensor<64x65536xf32> {dtensor.layout = #dtensor.layout<@pod, ["dcn" = shard(0)]>},
                     %b: tensor<65536x64xf32> {dtensor.layout = #dtensor.layout<@pod, ["ici" = shard(0)]>})
    -> (tensor<64x64xf32> {dtensor.layout = #whole}) {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x65536xf32>, tensor<65536x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
