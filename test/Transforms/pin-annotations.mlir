// RUN: %dtensor-opt %s --dtensor-pin-annotations | FileCheck %s
// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s --check-prefix=INLINED
// RUN: dtensor-run %s --random-inputs 1 --check
//
// Layouts of a function that is called become constrain ops in its body, and
// survive inlining there.

dtensor.mesh @mesh ["x" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#columns = #dtensor.layout<@mesh, ["x" = shard(1)]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<4x4xf32> {dtensor.layout =
// INLINED-LABEL: func.func @main
// INLINED-NEXT: comm.all_to_all %arg0 over @mesh["x"] split 1 concat 0
// INLINED-NEXT: math.exp %{{.*}} : tensor<4x2xf32>
// INLINED-NEXT: comm.all_to_all
// INLINED-NEXT: return
// INLINED-NOT: func.func
func.func @main(%a: tensor<4x4xf32> {dtensor.layout = #rows}) -> (tensor<4x4xf32> {dtensor.layout = #rows}) {
  %0 = func.call @exp_of_columns(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func private @exp_of_columns
// CHECK-SAME: (%arg0: tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[A:.*]] = dtensor.constrain %arg0 : tensor<4x4xf32> to #dtensor.layout<@mesh, ["x" = shard(1)]>
// CHECK-NEXT: %[[E:.*]] = math.exp %[[A]]
// CHECK-NEXT: %[[R:.*]] = dtensor.constrain %[[E]] : tensor<4x4xf32> to #dtensor.layout<@mesh, ["x" = shard(1)]>
// CHECK-NEXT: return %[[R]]
func.func private @exp_of_columns(%a: tensor<4x4xf32> {dtensor.layout = #columns}) -> (tensor<4x4xf32> {dtensor.layout = #columns}) {
  %0 = math.exp %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
