// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// comm.exchange: constraints (C3) and (C4); then the assembly of collectives.

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @from_shards_a_dim_out_of_range(%input: tensor<8x4xf32>) {
  // (C3) both layouts are valid for shape.
  // expected-error @+1 {{'comm.exchange' op 'from': shard(2) of axis 'y': dim 2 is out of range, the tensor has rank 2 (dims 0..1)}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<4x8xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(2)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_names_an_unknown_axis(%input: tensor<8x4xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.exchange' op 'to': unknown axis 'w' (the mesh has x, y, z)}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<4x8xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["w" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @shape_of_another_rank(%input: tensor<8x4xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.exchange' op 'from': shard(1) of axis 'y': dim 1 is out of range, the tensor has rank 1 (dims 0..0)}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<4x8xf32> of [256] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
dtensor.mesh @other ["x" = 2, "y" = 4]
func.func @from_is_on_another_mesh(%input: tensor<8x4xf32>) {
  // (C3) on the mesh of the collective.
  // expected-error @+1 {{'comm.exchange' op 'from' is a layout on @other, the collective on @mesh}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<4x8xf32> of [16, 16] from #dtensor.layout<@other, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
dtensor.mesh @other ["x" = 2, "y" = 4]
func.func @to_is_on_another_mesh(%input: tensor<8x4xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.exchange' op 'to' is a layout on @other, the collective on @mesh}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<4x8xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@other, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @from_is_partial(%input: tensor<8x16xf32>) {
  // (C3) not partial on the axes.
  // expected-error @+1 {{'comm.exchange' op must not be partial (reduce first)}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<8x16xf32> -> tensor<4x8xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = partial(sum)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_is_partial(%input: tensor<8x4xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.exchange' op must not be partial (reduce first)}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<16x8xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = partial(max), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @operand_is_not_the_local_shape_of_from(%input: tensor<4x8xf32>) {
  // (C4) operand and result have the local shapes.
  // expected-error @+1 {{'comm.exchange' op 'from' has the local type 'tensor<8x4xf32>', got 'tensor<4x8xf32>'}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<4x8xf32> -> tensor<4x8xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @result_is_not_the_local_shape_of_to(%input: tensor<8x4xf32>) {
  // (C4)
  // expected-error @+1 {{'comm.exchange' op 'to' has the local type 'tensor<4x8xf32>', got 'tensor<8x4xf32>'}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<8x4xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @shape_does_not_divide(%input: tensor<9x4xf32>) {
  // (C4) Sizes that do not divide have no one local shape.
  // expected-error @+1 {{'comm.exchange' op 'from' has the local type 'tensor<?x4xf32>', got 'tensor<9x4xf32>'}}
  %result = comm.exchange %input over @mesh["x", "y"] : tensor<9x4xf32> -> tensor<4x8xf32> of [17, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @unknown_reduce_op(%input: tensor<8xf32>) {
  // expected-error @+1 {{unknown reduce op 'mean' (one of sum, product, min, max, umin, umax, avg, band, bor, bxor)}}
  %result = comm.all_reduce mean %input over @mesh["x"] : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @axis_without_quotes(%input: tensor<8xf32>) {
  // expected-error @+1 {{expected string}}
  %result = comm.all_gather %input over @mesh[x] dim 0 : tensor<8xf32> -> tensor<16xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @mesh_is_a_string(%input: tensor<8xf32>) {
  // expected-error @+1 {{invalid kind of attribute specified}}
  %result = comm.all_gather %input over "mesh"["x"] dim 0 : tensor<8xf32> -> tensor<16xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @part_of_size_zero(%input: tensor<8xf32>) {
  // expected-error @+1 {{sizes of a part of axis "y" must be at least 1}}
  %result = comm.slice %input over @mesh["y":(1)0] dim 0 : tensor<8xf32> -> tensor<2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @layout_is_a_symbol(%input: tensor<8xf32>) {
  // expected-error @+1 {{invalid kind of attribute specified}}
  %result = comm.exchange %input over @mesh["x"] : tensor<8xf32> -> tensor<8xf32> of [8] from @mesh to @mesh
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @ranked_tensors_only(%input: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified}}
  %result = comm.all_reduce sum %input over @mesh["x"] : tensor<*xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @axes_of_another_kind(%input: tensor<8xf32>) {
  // expected-error @+1 {{'comm.slice' op attribute 'axes' failed to satisfy constraint: array of axes}}
  %result = "comm.slice"(%input) <{mesh = @mesh, axes = ["x"], dim = 0 : i64}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}
