// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// dtensor.constrain and dtensor.redistribute (whose constraints are those of
// #dtensor.layout).

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @constrain_to_unknown_mesh(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.constrain' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %fixed = dtensor.constrain %input : tensor<8xf32> to #dtensor.layout<@grid, [...]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @constrain_to_unknown_axis(%input: tensor<8xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.constrain' op unknown axis 'w' (the mesh has x, y)}}
  %fixed = dtensor.constrain %input : tensor<8xf32> to #dtensor.layout<@mesh, ["w" = replicate, ...]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @constrain_with_axis_twice(%input: tensor<8xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.constrain' op axis 'x' is used twice in one layout; name each axis once}}
  %fixed = dtensor.constrain %input : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = shard(0), "x" = replicate]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @constrain_opens_dim_out_of_range(%input: tensor<8xf32>) {
  // (C4)
  // expected-error @+1 {{'dtensor.constrain' op open dim 1 is out of range, the tensor has rank 1}}
  %fixed = dtensor.constrain %input : tensor<8xf32> to #dtensor.layout<@mesh, [...(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @constrain_mixes_ops(%input: tensor<8xf32>) {
  // (C5)
  // expected-error @+1 {{'dtensor.constrain' op layout mixes partial(min) and partial(max)}}
  %fixed = dtensor.constrain %input : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = partial(min), "y" = partial(max)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @constrain_to_op_without_type(%input: tensor<8xf32>) {
  // (C6)
  // expected-error @+1 {{'dtensor.constrain' op partial(band) is not defined on element type f32}}
  %fixed = dtensor.constrain %input : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = partial(band)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @redistribute_to_unknown_mesh(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.redistribute' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %moved = dtensor.redistribute %input : tensor<8xf32> to #dtensor.layout<@grid, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @redistribute_to_part_that_does_not_divide(%input: tensor<8xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.redistribute' op part 'x:(2)4' does not divide axis 'x' of size 4}}
  %moved = dtensor.redistribute %input : tensor<8xf32> to #dtensor.layout<@mesh, ["x":(2)4 = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @redistribute_with_overlapping_parts(%input: tensor<8xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.redistribute' op axis parts 'x' and 'x:(1)2' overlap; use each part of an axis once}}
  %moved = dtensor.redistribute %input : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = shard(0), "x":(1)2 = partial(sum)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @redistribute_to_dim_out_of_range(%input: tensor<8xf32>) {
  // (C4)
  // expected-error @+1 {{'dtensor.redistribute' op shard(1) of axis 'x': dim 1 is out of range, the tensor has rank 1 (dims 0..0)}}
  %moved = dtensor.redistribute %input : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @redistribute_mixes_ops(%input: tensor<8xf32>) {
  // (C5)
  // expected-error @+1 {{'dtensor.redistribute' op layout mixes partial(sum) and partial(product)}}
  %moved = dtensor.redistribute %input : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = partial(sum), "y" = partial(product)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @redistribute_to_op_without_type(%input: tensor<8xi32>) {
  // (C6)
  // expected-error @+1 {{'dtensor.redistribute' op partial(avg) is not defined on element type i32}}
  %moved = dtensor.redistribute %input : tensor<8xi32> to #dtensor.layout<@mesh, ["x" = partial(avg)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @type_of_the_operand_is_kept(%input: tensor<8xf32>) {
  // expected-error @+1 {{'dtensor.redistribute' op requires the same type for all operands and results}}
  %moved = "dtensor.redistribute"(%input) <{layout = #dtensor.layout<@mesh, []>}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @layout_is_needed(%input: tensor<8xf32>) {
  // expected-error @+1 {{'dtensor.constrain' op requires attribute 'layout'}}
  %fixed = "dtensor.constrain"(%input) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @ranked_tensors_only(%input: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified}}
  %fixed = dtensor.constrain %input : tensor<*xf32> to #dtensor.layout<@mesh, []>
  return
}
