// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s

// #dtensor.layout: each placement, order, openness and type that is allowed.
// What is written is what is printed.

dtensor.mesh @mesh ["x" = 4, "y" = 2, "z" = 6, "one" = 1]

// CHECK: func.func private @no_entry_replicates(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})
func.func private @no_entry_replicates(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})

// CHECK: func.func private @shard_one_dim(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>})
func.func private @shard_one_dim(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>})

// CHECK: func.func private @shard_two_dims(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>})
func.func private @shard_two_dims(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>})

// CHECK: func.func private @replicate_pins(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = replicate, "y" = shard(0)]>})
func.func private @replicate_pins(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = replicate, "y" = shard(0)]>})

// CHECK: func.func private @partial_and_shard(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0), "x" = partial(sum)]>})
func.func private @partial_and_shard(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0), "x" = partial(sum)]>})

// CHECK: func.func private @partial_on_two_axes(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max), "y" = partial(max)]>})
func.func private @partial_on_two_axes(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max), "y" = partial(max)]>})

// CHECK: func.func private @sum_mixes_with_avg(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum), "y" = partial(avg), "z" = partial(sum)]>})
func.func private @sum_mixes_with_avg(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum), "y" = partial(avg), "z" = partial(sum)]>})

// CHECK: func.func private @two_axes_nest_in_mesh_order(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>})
func.func private @two_axes_nest_in_mesh_order(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>})

// CHECK: func.func private @two_axes_nest_in_list_order(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(0)]>})
func.func private @two_axes_nest_in_list_order(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(0)]>})

// CHECK: func.func private @three_axes_on_one_dim(tensor<48xi64> {dtensor.layout = #dtensor.layout<@mesh, ["z" = shard(0), "x" = shard(0), "y" = shard(0)]>})
func.func private @three_axes_on_one_dim(tensor<48xi64> {dtensor.layout = #dtensor.layout<@mesh, ["z" = shard(0), "x" = shard(0), "y" = shard(0)]>})

// CHECK: func.func private @axis_of_size_one(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["one" = shard(0)]>})
func.func private @axis_of_size_one(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["one" = shard(0)]>})

// CHECK: func.func private @sizes_that_do_not_divide(tensor<5x1xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>})
func.func private @sizes_that_do_not_divide(tensor<5x1xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>})

// CHECK: func.func private @empty_dims(tensor<0x3xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
func.func private @empty_dims(tensor<0x3xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})

// CHECK: func.func private @rank_0_replicated(tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = replicate]>})
func.func private @rank_0_replicated(tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = replicate]>})

// CHECK: func.func private @rank_0_partial(tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>})
func.func private @rank_0_partial(tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>})

// CHECK: func.func private @rank_0_open(tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, [...]>})
func.func private @rank_0_open(tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, [...]>})

// CHECK: func.func private @major_part(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)2 = shard(0)]>})
func.func private @major_part(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)2 = shard(0)]>})

// CHECK: func.func private @minor_part(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(2)2 = shard(0)]>})
func.func private @minor_part(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(2)2 = shard(0)]>})

// CHECK: func.func private @middle_part(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["z":(1)3 = shard(0), "z":(3)2 = shard(1)]>})
func.func private @middle_part(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["z":(1)3 = shard(0), "z":(3)2 = shard(1)]>})

// CHECK: func.func private @parts_on_two_dims(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(2)2 = shard(0), "x":(1)2 = shard(1)]>})
func.func private @parts_on_two_dims(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(2)2 = shard(0), "x":(1)2 = shard(1)]>})

// CHECK: func.func private @parts_in_reverse_order(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(2)2 = shard(0), "x":(1)2 = shard(0)]>})
func.func private @parts_in_reverse_order(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(2)2 = shard(0), "x":(1)2 = shard(0)]>})

// CHECK: func.func private @parts_of_every_placement(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)2 = partial(min), "x":(2)2 = replicate, "z":(2)3 = shard(1)]>})
func.func private @parts_of_every_placement(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)2 = partial(min), "x":(2)2 = replicate, "z":(2)3 = shard(1)]>})

// CHECK: func.func private @open(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [...]>})
func.func private @open(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [...]>})

// CHECK: func.func private @open_after_entries(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), ...]>})
func.func private @open_after_entries(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), ...]>})

// CHECK: func.func private @open_after_part(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)2 = shard(0), ...]>})
func.func private @open_after_part(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x":(1)2 = shard(0), ...]>})

// CHECK: func.func private @open_after_partial(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum), ...]>})
func.func private @open_after_partial(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum), ...]>})

// CHECK: func.func private @open_after_pin(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = replicate, ...]>})
func.func private @open_after_pin(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = replicate, ...]>})

// CHECK: func.func private @open_dims(tensor<8x8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [...(0, 2)]>})
func.func private @open_dims(tensor<8x8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [...(0, 2)]>})

// CHECK: func.func private @open_dim_after_entries(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = replicate, ...(1)]>})
func.func private @open_dim_after_entries(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = replicate, ...(1)]>})

// CHECK: func.func private @priority_of_open(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), ...], priority = 1>})
func.func private @priority_of_open(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), ...], priority = 1>})

// CHECK: func.func private @priority_of_closed(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [], priority = 12>})
func.func private @priority_of_closed(tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, [], priority = 12>})

// CHECK: func.func private @priority_zero_is_the_default(tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
func.func private @priority_zero_is_the_default(tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)], priority = 0>})

// CHECK: func.func private @results_have_layouts() -> (tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}, tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>})
func.func private @results_have_layouts() -> (tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}, tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>})

// CHECK: func.func private @no_annotation(tensor<8xf32>) -> tensor<8xf32>
func.func private @no_annotation(tensor<8xf32>) -> tensor<8xf32>

// Floats have no bitwise and no unsigned ops.
// CHECK-LABEL: func.func private @reduce_ops_of_floats(
// CHECK-SAME: tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>}
// CHECK-SAME: tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(product)]>}
// CHECK-SAME: tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(min)]>}
// CHECK-SAME: tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max)]>}
// CHECK-SAME: tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>}
func.func private @reduce_ops_of_floats(
    tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>},
    tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(product)]>},
    tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(min)]>},
    tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max)]>},
    tensor<2xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>})

// Integers have all ops but avg.
// CHECK-LABEL: func.func private @reduce_ops_of_integers(
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>}
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(product)]>}
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(min)]>}
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max)]>}
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umin)]>}
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umax)]>}
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(band)]>}
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bor)]>}
// CHECK-SAME: tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bxor)]>}
func.func private @reduce_ops_of_integers(
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>},
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(product)]>},
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(min)]>},
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max)]>},
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umin)]>},
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umax)]>},
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(band)]>},
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bor)]>},
    tensor<2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bxor)]>})

// Booleans have neither sum nor product nor avg.
// CHECK-LABEL: func.func private @reduce_ops_of_booleans(
// CHECK-SAME: tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(min)]>}
// CHECK-SAME: tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max)]>}
// CHECK-SAME: tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umin)]>}
// CHECK-SAME: tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umax)]>}
// CHECK-SAME: tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(band)]>}
// CHECK-SAME: tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bor)]>}
// CHECK-SAME: tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bxor)]>}
func.func private @reduce_ops_of_booleans(
    tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(min)]>},
    tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(max)]>},
    tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umin)]>},
    tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umax)]>},
    tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(band)]>},
    tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bor)]>},
    tensor<2xi1> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bxor)]>})

// The width does not matter.
// CHECK-LABEL: func.func private @every_width_reduces(
// CHECK-SAME: tensor<2xf64> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>}
// CHECK-SAME: tensor<2xf16> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>}
// CHECK-SAME: tensor<2xbf16> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>}
// CHECK-SAME: tensor<2xi8> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bxor)]>}
// CHECK-SAME: tensor<2xi16> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umin)]>}
// CHECK-SAME: tensor<2xi64> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>}
func.func private @every_width_reduces(
    tensor<2xf64> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>},
    tensor<2xf16> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>},
    tensor<2xbf16> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(avg)]>},
    tensor<2xi8> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(bxor)]>},
    tensor<2xi16> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(umin)]>},
    tensor<2xi64> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum)]>})

// 8-bit floats are moved, not reduced.
// CHECK: func.func private @small_floats_are_sharded(tensor<8xf8E4M3FN> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
func.func private @small_floats_are_sharded(tensor<8xf8E4M3FN> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
