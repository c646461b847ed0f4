// RUN: %dtensor-opt %s --dtensor-propagate --dtensor-insert-redistributions --convert-dtensor-to-comm | FileCheck %s
//
// Dimensions that do not divide become `?`; collectives say what of.

dtensor.mesh @mesh ["x" = 4]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#whole = #dtensor.layout<@mesh, []>

// CHECK-LABEL: func.func @uneven_dimension_is_dynamic
// CHECK-SAME: (%arg0: tensor<?x4xf32> {dtensor.global_type = tensor<7x4xf32>,
// CHECK-SAME: -> (tensor<?x4xf32> {dtensor.global_type = tensor<7x4xf32>,
func.func @uneven_dimension_is_dynamic(%a: tensor<7x4xf32> {dtensor.layout = #rows}) -> tensor<7x4xf32> {
  // CHECK: %[[N:.*]] = comm.local_extent 7 over @mesh["x"] : index
  // CHECK: %[[TWO:.*]] = arith.constant 2.0
  // CHECK: %[[C:.*]] = tensor.splat %[[TWO]][%[[N]]] : tensor<?x4xf32>
  // CHECK: arith.mulf %arg0, %[[C]] : tensor<?x4xf32>
  %c = arith.constant dense<2.0> : tensor<7x4xf32>
  %0 = arith.mulf %a, %c : tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}

// CHECK-LABEL: func.func @collective_on_unequal_pieces_has_a_frame
func.func @collective_on_unequal_pieces_has_a_frame(%a: tensor<7x4xf32> {dtensor.layout = #rows})
    -> (tensor<7x4xf32> {dtensor.layout = #whole}) {
  // CHECK-NEXT: comm.all_gather %arg0 over @mesh["x"] dim 0 : tensor<?x4xf32> -> tensor<7x4xf32> of [7, 4]
  // CHECK-SAME: from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return %a : tensor<7x4xf32>
}

// CHECK-LABEL: func.func @slices_and_reshapes_take_extents
func.func @slices_and_reshapes_take_extents(%a: tensor<7x6xf32> {dtensor.layout = #rows}) -> tensor<7x1x2xf32> {
  // CHECK: %[[N:.*]] = comm.local_extent 7
  // CHECK: %[[S:.*]] = tensor.extract_slice %arg0[0, 2] [%[[N]], 2] [1, 1] : tensor<?x6xf32> to tensor<?x2xf32>
  // CHECK: %[[M:.*]] = comm.local_extent 7
  // CHECK: tensor.expand_shape %[[S]] {{\[\[}}0], [1, 2]] output_shape [%[[M]], 1, 2] : tensor<?x2xf32> into tensor<?x1x2xf32>
  %0 = tensor.extract_slice %a[0, 2] [7, 2] [1, 1] : tensor<7x6xf32> to tensor<7x2xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [7, 1, 2] : tensor<7x2xf32> into tensor<7x1x2xf32>
  return %1 : tensor<7x1x2xf32>
}
