// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// #dtensor.layout on arguments and results: constraints (C1) to (C6).

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C1)
// expected-error @+1 {{argument 0 of @unknown_mesh: unknown mesh @grid (declare it with `dtensor.mesh`)}}
func.func private @unknown_mesh(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@grid, []>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C1)
// expected-error @+1 {{result 0 of @unknown_mesh_of_a_result: unknown mesh @grid (declare it with `dtensor.mesh`)}}
func.func private @unknown_mesh_of_a_result() -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@grid, ["x" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C1) A function is no mesh.
// expected-error @+1 {{argument 0 of @name_of_no_mesh: @name_of_no_mesh is no dtensor.mesh but a func.func}}
func.func private @name_of_no_mesh(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@name_of_no_mesh, []>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C2) every axis is one of the mesh.
// expected-error @+1 {{argument 0 of @unknown_axis: unknown axis 'w' (the mesh has x, y, z)}}
func.func private @unknown_axis(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["w" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C2)
// expected-error @+1 {{result 0 of @unknown_axis_of_a_pin: unknown axis 'w' (the mesh has x, y, z)}}
func.func private @unknown_axis_of_a_pin() -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["w" = replicate, ...]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C2)
// expected-error @+1 {{argument 0 of @name_of_no_axis: unknown axis 'd-p' (the mesh has x, y, z)}}
func.func private @name_of_no_axis(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["d-p" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C2) parts divide the axis.
// expected-error @+1 {{argument 0 of @part_does_not_divide: part 'x:(1)3' does not divide axis 'x' of size 4; 1 * 3 must be positive and divide it}}
func.func private @part_does_not_divide(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)3 = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C2)
// expected-error @+1 {{argument 0 of @part_begins_between: part 'z:(4)1' does not divide axis 'z' of size 6; 4 * 1 must be positive and divide it}}
func.func private @part_begins_between(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["z":(4)1 = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C2)
// expected-error @+1 {{result 0 of @part_ends_beyond: part 'x:(2)4' does not divide axis 'x' of size 4; 2 * 4 must be positive and divide it}}
func.func private @part_ends_beyond() -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(2)4 = partial(sum)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C2) A product beyond 2^63 divides nothing.
// expected-error @+1 {{argument 0 of @part_of_huge_size: part 'x:(4294967296)4294967296' does not divide axis 'x' of size 4}}
func.func private @part_of_huge_size(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(4294967296)4294967296 = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C3) no axis is used twice.
// expected-error @+1 {{argument 0 of @axis_twice_on_two_dims: axis 'x' is used twice in one layout; name each axis once}}
func.func private @axis_twice_on_two_dims(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "x" = shard(1)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C3)
// expected-error @+1 {{result 0 of @axis_twice_on_one_dim: axis 'x' is used twice in one layout; name each axis once}}
func.func private @axis_twice_on_one_dim() -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0), "x" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C3)
// expected-error @+1 {{argument 0 of @axis_sharded_and_pinned: axis 'x' is used twice in one layout; name each axis once}}
func.func private @axis_sharded_and_pinned(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "x" = replicate]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C3)
// expected-error @+1 {{argument 0 of @axis_sharded_and_partial: axis 'x' is used twice in one layout; name each axis once}}
func.func private @axis_sharded_and_partial(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "x" = partial(sum)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C3) nor a part of one.
// expected-error @+1 {{argument 0 of @part_twice: axis 'x:(1)2' is used twice in one layout; name each axis once}}
func.func private @part_twice(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)2 = shard(0), "x":(1)2 = shard(1)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C3)
// expected-error @+1 {{argument 0 of @part_of_a_used_axis: axis parts 'x' and 'x:(2)2' overlap; use each part of an axis once}}
func.func private @part_of_a_used_axis(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "x":(2)2 = shard(1)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C3)
// expected-error @+1 {{argument 0 of @parts_cut_across: parts 'z:(1)2' and 'z:(1)3' of one axis do not nest; cut the axis at sizes that divide each other}}
func.func private @parts_cut_across(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["z":(1)2 = shard(0), "z":(1)3 = shard(1)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C4) dimensions are in range.
// expected-error @+1 {{argument 0 of @dim_is_the_rank: shard(2) of axis 'x': dim 2 is out of range, the tensor has rank 2 (dims 0..1)}}
func.func private @dim_is_the_rank(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(2)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C4)
// expected-error @+1 {{result 0 of @dim_is_negative: shard(-1) of axis 'x': dim -1 is out of range, the tensor has rank 2 (dims 0..1)}}
func.func private @dim_is_negative() -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(-1)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C4)
// expected-error @+1 {{argument 0 of @rank_0_has_no_dim: shard(0) of axis 'x': a rank-0 tensor has no dimension to shard; replicate it}}
func.func private @rank_0_has_no_dim(tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C4) open ones too.
// expected-error @+1 {{argument 0 of @open_dim_is_the_rank: open dim 2 is out of range, the tensor has rank 2}}
func.func private @open_dim_is_the_rank(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [...(0, 2)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C4)
// expected-error @+1 {{argument 0 of @open_dim_is_negative: open dim -1 is out of range, the tensor has rank 2}}
func.func private @open_dim_is_negative(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [...(-1)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C5) one reduce op in a layout.
// expected-error @+1 {{argument 0 of @sum_and_max: layout mixes partial(sum) and partial(max); only sum and avg may be mixed, reduce one of them first}}
func.func private @sum_and_max(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum), "y" = partial(max)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C5) The exception is for sum with avg alone.
// expected-error @+1 {{result 0 of @sum_avg_and_min: layout mixes partial(sum) and partial(min); only sum and avg may be mixed}}
func.func private @sum_avg_and_min() -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum), "y" = partial(avg), "z" = partial(min)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6) the element type has the reduce op.
// expected-error @+1 {{argument 0 of @floats_have_no_umin: partial(umin) is not defined on element type f32; use an op or a type that go together}}
func.func private @floats_have_no_umin(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umin)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6) the element type has the reduce op.
// expected-error @+1 {{argument 0 of @floats_have_no_umax: partial(umax) is not defined on element type f32; use an op or a type that go together}}
func.func private @floats_have_no_umax(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umax)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6) the element type has the reduce op.
// expected-error @+1 {{argument 0 of @floats_have_no_band: partial(band) is not defined on element type f32; use an op or a type that go together}}
func.func private @floats_have_no_band(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(band)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6) the element type has the reduce op.
// expected-error @+1 {{argument 0 of @floats_have_no_bor: partial(bor) is not defined on element type f32; use an op or a type that go together}}
func.func private @floats_have_no_bor(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bor)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6) the element type has the reduce op.
// expected-error @+1 {{argument 0 of @floats_have_no_bxor: partial(bxor) is not defined on element type f32; use an op or a type that go together}}
func.func private @floats_have_no_bxor(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bxor)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6)
// expected-error @+1 {{result 0 of @integers_have_no_avg: partial(avg) is not defined on element type i32}}
func.func private @integers_have_no_avg() -> (tensor<8x8xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6)
// expected-error @+1 {{argument 0 of @booleans_have_no_sum: partial(sum) is not defined on element type i1}}
func.func private @booleans_have_no_sum(tensor<8x8xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6)
// expected-error @+1 {{argument 0 of @booleans_have_no_product: partial(product) is not defined on element type i1}}
func.func private @booleans_have_no_product(tensor<8x8xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(product)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// (C6)
// expected-error @+1 {{argument 0 of @booleans_have_no_avg: partial(avg) is not defined on element type i1}}
func.func private @booleans_have_no_avg(tensor<8x8xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>})
