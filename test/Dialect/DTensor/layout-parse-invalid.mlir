// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// #dtensor.layout: types that have no layout, and what the parser refuses.

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{argument 0 of @scalars_have_no_layout: a layout needs a ranked tensor, got 'f32'}}
func.func private @scalars_have_no_layout(f32 {dtensor.layout = #dtensor.layout<@mesh, []>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{argument 0 of @buffers_have_no_layout: a layout needs a ranked tensor, got 'memref<8xf32>'}}
func.func private @buffers_have_no_layout(memref<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{result 0 of @unranked_tensors_have_no_layout: a layout needs a ranked tensor, got 'tensor<*xf32>'}}
func.func private @unranked_tensors_have_no_layout() -> (tensor<*xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{argument 0 of @complex_elements: element type complex<f32> cannot lie on a mesh}}
func.func private @complex_elements(tensor<8xcomplex<f32>> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{result 0 of @index_elements: element type index cannot lie on a mesh}}
func.func private @index_elements() -> (tensor<8xindex> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{unknown placement 'split' (one of shard(dim), replicate, partial(op))}}
func.func private @unknown_placement(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = split(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{unknown reduce op 'mean' (one of sum, product, min, max, umin, umax, avg, band, bor, bxor)}}
func.func private @unknown_reduce_op(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(mean)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{'...' must be the last entry of a layout}}
func.func private @open_before_an_entry(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [..., "x" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{'...' must be the last entry of a layout}}
func.func private @open_twice() -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), ..., ...]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{priority must be at least 0, got -1}}
func.func private @negative_priority(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)], priority = -1>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{sizes of a part of axis "x" must be at least 1}}
func.func private @part_of_size_zero(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)0 = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{sizes of a part of axis "x" must be at least 1}}
func.func private @part_after_size_zero(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(0)2 = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{sizes of a part of axis "x" must be at least 1}}
func.func private @part_of_negative_size(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)-2 = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected '('}}
func.func private @part_without_parentheses(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":2 = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected integer value}}
func.func private @part_without_size(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(2) = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected string}}
func.func private @axis_without_quotes(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [x = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected '='}}
func.func private @axis_without_placement(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x"]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected valid keyword}}
func.func private @placement_is_a_number(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = 0]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected '('}}
func.func private @shard_without_dim(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected integer value}}
func.func private @shard_of_a_name(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(rows)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected '('}}
func.func private @partial_without_op(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected '='}}
func.func private @priority_without_equal(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [], priority 1>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{expected 'priority'}}
func.func private @unknown_keyword_after_the_list(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [], rank = 1>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{invalid kind of attribute specified}}
func.func private @mesh_is_a_string(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<"mesh", []>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6]
// expected-error @+1 {{invalid kind of attribute specified}}
func.func private @mesh_in_another_module(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@outer::@mesh, []>})
