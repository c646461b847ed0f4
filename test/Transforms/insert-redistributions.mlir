// RUN: %dtensor-opt %s --dtensor-propagate --dtensor-insert-redistributions | FileCheck %s
//
// Every change of layout becomes an operation.

dtensor.mesh @mesh ["x" = 2, "y" = 2]

// CHECK-LABEL: func.func @equal_layouts_need_nothing
func.func @equal_layouts_need_nothing(
    %a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  // CHECK-NOT: dtensor.redistribute
  %0 = math.exp %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @result_is_brought_to_its_annotation
func.func @result_is_brought_to_its_annotation(
    %a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // CHECK: %[[R:.*]] = dtensor.redistribute %arg0 : tensor<8xf32> to #dtensor.layout<@mesh, []>
  // CHECK-NEXT: return %[[R]]
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func.func @users_of_one_layout_share_a_redistribution
// CHECK-COUNT-1: dtensor.redistribute %arg0
// CHECK-NOT: dtensor.redistribute
func.func @users_of_one_layout_share_a_redistribution(
    %a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>},
        tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @constrain_becomes_the_redistribution_it_asks_for
func.func @constrain_becomes_the_redistribution_it_asks_for(
    %a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>}) {
  // CHECK-NOT: dtensor.constrain
  // CHECK: %[[R:.*]] = dtensor.redistribute %arg0 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["x" = shard(1)]>
  // CHECK: math.exp %[[R]]
  %0 = dtensor.constrain %a : tensor<8x8xf32> to #dtensor.layout<@mesh, ["x" = shard(1)]>
  %1 = math.exp %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @written_redistribution_stays
func.func @written_redistribution_stays(
    %a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>}) {
  // CHECK-NEXT: %[[R:.*]] = dtensor.redistribute %arg0 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["y" = shard(0)]>
  // CHECK-NEXT: return %[[R]]
  %0 = dtensor.redistribute %a : tensor<8x8xf32> to #dtensor.layout<@mesh, ["y" = shard(0)]>
  return %0 : tensor<8x8xf32>
}

// What repeats one scalar is made anew where another layout is needed; only
// the part of it that is a contribution takes a step.
// CHECK-LABEL: func.func @splats_are_not_moved
// CHECK-NOT: dtensor.redistribute
// CHECK: return
func.func @splats_are_not_moved(
    %a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>},
        tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = dtensor.constrain %f : tensor<8x8xf32> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  %1 = arith.addf %a, %0 : tensor<8x8xf32>
  return %1, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}
