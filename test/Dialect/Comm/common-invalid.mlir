// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// Collectives of comm: common constraints (C1) and (C2), on every operation.

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_over_unknown_mesh(%input: tensor<8xf32>) {
  // (C1) the mesh is one of the module.
  // expected-error @+1 {{'comm.all_gather' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %result = comm.all_gather %input over @grid["x"] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_over_unknown_mesh(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %result = comm.all_reduce sum %input over @grid["x"] : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @reduce_scatter_over_unknown_mesh(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.reduce_scatter' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %result = comm.reduce_scatter sum %input over @grid["x"] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_to_all_over_unknown_mesh(%input: tensor<8x8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_to_all' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %result = comm.all_to_all %input over @grid["x"] split 0 concat 1 : tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @slice_over_unknown_mesh(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.slice' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %result = comm.slice %input over @grid["x"] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_partial_over_unknown_mesh(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.to_partial' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %result = comm.to_partial sum %input over @grid["x"] : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @exchange_over_unknown_mesh(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.exchange' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %result = comm.exchange %input over @grid["x"] : tensor<8xf32> -> tensor<8xf32> of [8] from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_over_unknown_axis(%input: tensor<8xf32>) {
  // (C1) the axes are those of the mesh.
  // expected-error @+1 {{'comm.all_gather' op unknown axis 'w' (the mesh has x, y, z)}}
  %result = comm.all_gather %input over @mesh["w"] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_over_unknown_axis(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op unknown axis 'w' (the mesh has x, y, z)}}
  %result = comm.all_reduce sum %input over @mesh["w"] : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @reduce_scatter_over_unknown_axis(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.reduce_scatter' op unknown axis 'w' (the mesh has x, y, z)}}
  %result = comm.reduce_scatter sum %input over @mesh["w"] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_to_all_over_unknown_axis(%input: tensor<8x8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_to_all' op unknown axis 'w' (the mesh has x, y, z)}}
  %result = comm.all_to_all %input over @mesh["w"] split 0 concat 1 : tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @slice_over_unknown_axis(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.slice' op unknown axis 'w' (the mesh has x, y, z)}}
  %result = comm.slice %input over @mesh["w"] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_partial_over_unknown_axis(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.to_partial' op unknown axis 'w' (the mesh has x, y, z)}}
  %result = comm.to_partial sum %input over @mesh["w"] : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @exchange_over_unknown_axis(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.exchange' op unknown axis 'w' (the mesh has x, y, z)}}
  %result = comm.exchange %input over @mesh["w"] : tensor<8xf32> -> tensor<8xf32> of [8] from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_over_part_that_does_not_divide(%input: tensor<8xf32>) {
  // (C1) parts divide their axis.
  // expected-error @+1 {{'comm.all_gather' op part 'y:(1)3' does not divide axis 'y' of size 4; 1 * 3 must be positive and divide it}}
  %result = comm.all_gather %input over @mesh["y":(1)3] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_over_an_axis_twice(%input: tensor<8xf32>) {
  // (C1) none is listed twice.
  // expected-error @+1 {{'comm.all_reduce' op axes [#dtensor.axis<"x">, #dtensor.axis<"y">, #dtensor.axis<"x">]: axis 'x' is used twice in one layout; name each axis once}}
  %result = comm.all_reduce sum %input over @mesh["x", "y", "x"] : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @slice_over_a_part_twice(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.slice' op axes [#dtensor.axis<"y":(1)2>, #dtensor.axis<"y":(1)2>]: axis 'y:(1)2' is used twice in one layout; name each axis once}}
  %result = comm.slice %input over @mesh["y":(1)2, "y":(1)2] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_partial_over_overlapping_parts(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.to_partial' op axes [#dtensor.axis<"y">, #dtensor.axis<"y":(1)2>]: axis parts 'y' and 'y:(1)2' overlap; use each part of an axis once}}
  %result = comm.to_partial sum %input over @mesh["y", "y":(1)2] : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @exchange_over_parts_that_cut_across(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.exchange' op axes [#dtensor.axis<"z":(1)2>, #dtensor.axis<"z":(1)3>]: parts 'z:(1)2' and 'z:(1)3' of one axis do not nest; cut the axis at sizes that divide each other}}
  %result = comm.exchange %input over @mesh["z":(1)2, "z":(1)3] : tensor<8xf32> -> tensor<8xf32> of [8] from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @reduce_scatter_over_nothing(%input: tensor<8xf32>) {
  // (C1) at least one is listed.
  // expected-error @+1 {{'comm.reduce_scatter' op needs at least one axis}}
  %result = comm.reduce_scatter sum %input over @mesh[] dim 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_changes_the_element_type(%input: tensor<4xf32>) {
  // (C2) element types are equal.
  // expected-error @+1 {{'comm.all_gather' op operand and result must have one element type, got 'f32' and 'f64'}}
  %result = comm.all_gather %input over @mesh["x"] dim 0 : tensor<4xf32> -> tensor<8xf64>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_changes_the_type(%input: tensor<4xf32>) {
  // (C2)
  // expected-error @+1 {{'comm.all_reduce' op requires the same type for all operands and results}}
  %result = "comm.all_reduce"(%input) <{op = #dtensor<reduce_op sum>, mesh = @mesh, axes = [#dtensor.axis<"x">]}> : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @exchange_changes_the_element_type(%input: tensor<8xi32>) {
  // (C2)
  // expected-error @+1 {{'comm.exchange' op operand and result must have one element type, got 'i32' and 'f32'}}
  %result = comm.exchange %input over @mesh["x"] : tensor<8xi32> -> tensor<8xf32> of [8] from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_of_a_dynamic_shape(%input: tensor<?x8xf32>) {
  // (C2) shapes are static.
  // expected-error @+1 {{'comm.all_reduce' op needs static shapes or a frame (`of [SHAPE] from LAYOUT to LAYOUT`), got 'tensor<?x8xf32>' and 'tensor<?x8xf32>'}}
  %result = comm.all_reduce sum %input over @mesh["x"] : tensor<?x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @slice_to_a_dynamic_shape(%input: tensor<8xf32>) {
  // (C2)
  // expected-error @+1 {{'comm.slice' op needs static shapes or a frame (`of [SHAPE] from LAYOUT to LAYOUT`), got 'tensor<8xf32>' and 'tensor<?xf32>'}}
  %result = comm.slice %input over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<?xf32>
  return
}
