// RUN: %dtensor-opt %s --dtensor-propagate --dtensor-insert-redistributions --convert-dtensor-to-comm | FileCheck %s
//
// Every tensor takes its local shape, every redistribution the collectives
// that the planner chooses.

dtensor.mesh @mesh ["x" = 2, "y" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#columns = #dtensor.layout<@mesh, ["x" = shard(1)]>
#whole = #dtensor.layout<@mesh, []>
#sum = #dtensor.layout<@mesh, ["x" = partial(sum)]>

// CHECK-LABEL: func.func @arguments_and_results_keep_their_global_type
// CHECK-SAME: (%arg0: tensor<4x8xf32> {dtensor.global_type = tensor<8x8xf32>, dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
// CHECK-SAME: -> (tensor<4x8xf32> {dtensor.global_type = tensor<8x8xf32>, dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
func.func @arguments_and_results_keep_their_global_type(%a: tensor<8x8xf32> {dtensor.layout = #rows})
    -> (tensor<8x8xf32> {dtensor.layout = #rows}) {
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4x8xf32>
  // CHECK-NEXT: arith.mulf %arg0, %[[C]] : tensor<4x8xf32>
  %c = arith.constant dense<2.0> : tensor<8x8xf32>
  %0 = arith.mulf %a, %c : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @shard_to_replicate_becomes_all_gather
func.func @shard_to_replicate_becomes_all_gather(%a: tensor<8x8xf32> {dtensor.layout = #columns})
    -> (tensor<8x8xf32> {dtensor.layout = #whole}) {
  // CHECK-NEXT: comm.all_gather %arg0 over @mesh["x"] dim 1 : tensor<8x4xf32> -> tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @replicate_to_shard_becomes_slice
func.func @replicate_to_shard_becomes_slice(%a: tensor<8x8xf32> {dtensor.layout = #whole})
    -> (tensor<8x8xf32> {dtensor.layout = #columns}) {
  // CHECK-NEXT: comm.slice %arg0 over @mesh["x"] dim 1 : tensor<8x8xf32> -> tensor<8x4xf32>
  return %a : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @shard_to_other_dimension_becomes_all_to_all
func.func @shard_to_other_dimension_becomes_all_to_all(%a: tensor<8x8xf32> {dtensor.layout = #rows})
    -> (tensor<8x8xf32> {dtensor.layout = #columns}) {
  // CHECK-NEXT: comm.all_to_all %arg0 over @mesh["x"] split 1 concat 0 : tensor<4x8xf32> -> tensor<8x4xf32>
  return %a : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @partial_to_replicate_becomes_all_reduce
func.func @partial_to_replicate_becomes_all_reduce(%a: tensor<8x8xf32> {dtensor.layout = #sum})
    -> (tensor<8x8xf32> {dtensor.layout = #whole}) {
  // CHECK: comm.all_reduce sum
  return %a : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @partial_to_shard_becomes_reduce_scatter
func.func @partial_to_shard_becomes_reduce_scatter(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #columns}) {
  // CHECK-NEXT: comm.reduce_scatter max %arg0 over @mesh["x"] dim 1 : tensor<8x8xf32> -> tensor<8x4xf32>
  return %a : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @replicate_to_partial_keeps_one_contribution
func.func @replicate_to_partial_keeps_one_contribution(%a: tensor<8x8xf32> {dtensor.layout = #whole})
    -> (tensor<8x8xf32> {dtensor.layout = #sum}) {
  // CHECK-NEXT: comm.to_partial sum %arg0 over @mesh["x"] : tensor<8x8xf32> -> tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @exchanged_axes_become_an_exchange
func.func @exchanged_axes_become_an_exchange(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>}) {
  // CHECK-NEXT: comm.exchange %arg0 over @mesh["x", "y"] permute : tensor<4x4xf32> -> tensor<4x4xf32> of [8, 8] from
  return %a : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @sum_to_average_scales_each_contribution
func.func @sum_to_average_scales_each_contribution(%a: tensor<8x8xf32> {dtensor.layout = #sum})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>}) {
  // CHECK-NEXT: comm.scale sum %arg0 over @mesh["x"] : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// An axis whose parts lie differently moves only the part that changes.
// CHECK-LABEL: func.func @part_of_an_axis_is_scattered
func.func @part_of_an_axis_is_scattered(%a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@parts, ["z":(1)2 = shard(0), "z":(2)2 = partial(sum)]>})
    -> (tensor<8xf32> {dtensor.layout = #dtensor.layout<@parts, ["z" = shard(0)]>}) {
  // CHECK-NEXT: comm.reduce_scatter sum %arg0 over @parts["z":(2)2] dim 0 : tensor<4xf32> -> tensor<2xf32>
  return %a : tensor<8xf32>
}
dtensor.mesh @parts ["z" = 4]

// A second change of layout starts from what the first one made.
// CHECK-LABEL: func.func @redistributions_follow_each_other
func.func @redistributions_follow_each_other(%a: tensor<8x8xf32> {dtensor.layout = #whole})
    -> (tensor<8x8xf32> {dtensor.layout = #whole}) {
  // CHECK-NEXT: comm.slice
  // CHECK-NEXT: comm.all_gather
  %0 = dtensor.constrain %a : tensor<8x8xf32> to #rows
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @a_redistribute_of_a_redistribute
func.func @a_redistribute_of_a_redistribute(%a: tensor<8x8xf32> {dtensor.layout = #rows})
    -> (tensor<8x8xf32> {dtensor.layout = #rows}) {
  // CHECK-NEXT: %[[COLUMNS:.*]] = comm.all_to_all %arg0 over @mesh["x"] split 1 concat 0
  // CHECK-NEXT: comm.all_to_all %[[COLUMNS]] over @mesh["x"] split 0 concat 1
  %0 = dtensor.redistribute %a : tensor<8x8xf32> to #columns
  %1 = dtensor.redistribute %0 : tensor<8x8xf32> to #rows
  return %1 : tensor<8x8xf32>
}
