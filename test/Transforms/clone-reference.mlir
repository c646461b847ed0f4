// RUN: %dtensor-opt %s --dtensor-clone-reference | FileCheck %s
//
// The unsharded form of each public program stands beside it, without layouts.

dtensor.mesh @mesh ["x" = 2]

// CHECK: func.func @public_function_gains_a_reference
// CHECK-SAME: dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>
func.func @public_function_gains_a_reference(
    %a: tensor<4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  // CHECK: dtensor.constrain
  %0 = dtensor.constrain %a : tensor<4xf32> to #dtensor.layout<@mesh, []>
  %1 = math.exp %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK: func.func private @private_function_gains_none
func.func private @private_function_gains_none(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// CHECK: func.func private @public_function_gains_a_reference.reference(%[[A:.*]]: tensor<4xf32> {dtensor.name = "a"}) -> (tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})
// CHECK-SAME: attributes {dtensor.reference_of = "public_function_gains_a_reference"}
// CHECK-NEXT: math.exp %[[A]] : tensor<4xf32>
// CHECK-NOT: @private_function_gains_none.reference
