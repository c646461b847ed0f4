// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s
//
// Shardings go through reshapes and slices as far as they can be expressed.

dtensor.mesh @mesh ["x" = 2, "y" = 4]

// The major part of a dimension keeps its axes.
// CHECK-LABEL: func.func @expanded_dimension_is_sharded_in_its_major_part
// CHECK-SAME: -> (tensor<4x3xf32> {dtensor.global_type = tensor<8x3xf32>, dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
// CHECK-NEXT: tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
func.func @expanded_dimension_is_sharded_in_its_major_part(
    %a: tensor<24xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) -> tensor<8x3xf32> {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [8, 3] : tensor<24xf32> into tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// An axis that both parts share is split: y = 4 over 2 and 2 of 4.
// CHECK-LABEL: func.func @axis_is_split_over_two_dimensions
// CHECK-SAME: -> (tensor<1x2xf32> {dtensor.global_type = tensor<2x4xf32>, dtensor.layout = #dtensor.layout<@mesh, ["y":(1)2 = shard(0), "y":(2)2 = shard(1)]>})
func.func @axis_is_split_over_two_dimensions(
    %a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>}) -> tensor<2x4xf32> {
  // CHECK-NOT: comm.
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// And joined again.
// CHECK-LABEL: func.func @parts_of_an_axis_are_joined
// CHECK-SAME: -> (tensor<2xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>})
func.func @parts_of_an_axis_are_joined(
    %a: tensor<2x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y":(1)2 = shard(0), "y":(2)2 = shard(1)]>}) -> tensor<8xf32> {
  // CHECK-NOT: comm.
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A minor part cannot be sharded where the major one is whole: it is gathered.
// CHECK-LABEL: func.func @minor_part_is_gathered
func.func @minor_part_is_gathered(
    %a: tensor<3x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>})
    -> (tensor<24xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // CHECK-NEXT: comm.all_gather %arg0 over @mesh["x"] dim 1
  // CHECK-NEXT: tensor.collapse_shape
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<3x8xf32> into tensor<24xf32>
  return %0 : tensor<24xf32>
}

// Pieces of 2, 2, 1 and 0 rows are no pieces of the joined dimension.
// CHECK-LABEL: func.func @unequal_pieces_are_not_joined
func.func @unequal_pieces_are_not_joined(
    %a: tensor<5x2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>})
    -> (tensor<10xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>}) {
  // CHECK-NEXT: comm.all_gather %arg0 over @mesh["y"] dim 0
  // CHECK-NEXT: tensor.collapse_shape {{.*}} : tensor<5x2xf32> into tensor<10xf32>
  // CHECK-NEXT: comm.slice
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<5x2xf32> into tensor<10xf32>
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: func.func @unequal_pieces_are_not_split
func.func @unequal_pieces_are_not_split(%a: tensor<120xf32>)
    -> (tensor<5x24xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>}) {
  // CHECK-NEXT: tensor.expand_shape
  // CHECK-NEXT: comm.slice
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [5, 24] : tensor<120xf32> into tensor<5x24xf32>
  return %0 : tensor<5x24xf32>
}

// CHECK-LABEL: func.func @axes_on_a_dimension_of_one_move
func.func @axes_on_a_dimension_of_one_move(
    %a: tensor<1x4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  // CHECK-NEXT: comm.all_to_all %arg0 over @mesh["x"] split 1 concat 0 : tensor<?x4x4xf32> -> tensor<1x2x4xf32>
  // CHECK-NEXT: tensor.collapse_shape {{.*}} : tensor<1x2x4xf32> into tensor<2x4xf32>
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<1x4x4xf32> into tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @slice_keeps_the_dimensions_it_takes_whole
// CHECK-SAME: -> (tensor<4x2xf32> {dtensor.global_type = tensor<8x2xf32>, dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
// CHECK-NEXT: tensor.extract_slice %arg0[0, 1] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
func.func @slice_keeps_the_dimensions_it_takes_whole(
    %a: tensor<8x6xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) -> tensor<8x2xf32> {
  %0 = tensor.extract_slice %a[0, 1] [8, 2] [1, 1] : tensor<8x6xf32> to tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// CHECK-LABEL: func.func @sliced_dimension_is_gathered
// CHECK: comm.all_gather
func.func @sliced_dimension_is_gathered(
    %a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) -> tensor<2xf32> {
  %0 = tensor.extract_slice %a[3] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A loop whose index is read is sharded like any other: the body adds where the
// rank's part begins.
// CHECK-LABEL: func.func @index_that_is_read_is_the_global_one
func.func @index_that_is_read_is_the_global_one(
    %a: tensor<8x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>}) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  // CHECK: %[[PLACE:.*]] = comm.axis_index over @mesh["y"] : index
  // CHECK: %[[START:.*]] = arith.muli %[[PLACE]], %{{.*}} : index
  // CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4x1xf32>)
  // CHECK: %[[J:.*]] = linalg.index 1 : index
  // CHECK: arith.addi %[[J]], %[[START]] : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.addf %x, %f : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// RUN: dtensor-run %s --entry slice_keeps_the_dimensions_it_takes_whole --random-inputs 1 --check
// RUN: dtensor-run %s --entry axis_is_split_over_two_dimensions --random-inputs 1 --check
// RUN: dtensor-run %s --entry minor_part_is_gathered --random-inputs 1 --check
// RUN: dtensor-run %s --entry unequal_pieces_are_not_joined --random-inputs 1 --check=interp
// RUN: dtensor-run %s --entry unequal_pieces_are_not_split --random-inputs 1 --check=interp
// RUN: dtensor-run %s --entry axes_on_a_dimension_of_one_move --random-inputs 1 --check=interp
// RUN: dtensor-run %s --entry index_that_is_read_is_the_global_one --random-inputs 1 --check
