// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics
//
// Cases at the edge of what the constraints say: names that spell something
// else, sizes that overflow, values of another mesh, invalid neighbours.

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
sched.program @slab_of_unknown_size on @mesh peak 0 {
  // expected-error @+1 {{'sched.slab' op needs a known size, got 'memref<?xi8>'}}
  %slab = sched.slab : memref<?xi8>
  %view = sched.view %slab at 0 : memref<?xi8> to memref<1xi8>
}

// -----

// expected-error @+1 {{'arith.constant' op attribute 'dtensor.layouts', entry 0: mesh @bad is not valid: bad axis name '1x' (names match [A-Za-z_][A-Za-z0-9_]*)}}
%0 = arith.constant {dtensor.layouts = [#dtensor.layout<@bad, []>]} dense<0.0> : tensor<4xf32>
dtensor.mesh @bad ["1x" = 2]

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
// (C4)
// expected-error @+1 {{open dim 4294967296 is out of range, the tensor has rank 2}}
func.func private @open_dim_beyond_32_bits(tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, [...(4294967296)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
// (C2)
// expected-error @+1 {{unknown axis 'x:(1)2'}}
func.func private @name_that_spells_a_part(tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x:(1)2" = shard(0)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
func.func @all_gather_over_name_that_spells_a_part(%input: tensor<4xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_gather' op unknown axis 'x:(1)2'}}
  %result = comm.all_gather %input over @mesh["x:(1)2"] dim 0 : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
// (C5)
// expected-error @+1 {{layout mixes partial(sum) and partial(max)}}
func.func private @ops_mix_on_axis_of_size_one(tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = partial(sum), "one" = partial(max)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
// (C6)
// expected-error @+1 {{partial(band) is not defined on element type f32}}
func.func private @op_without_type_on_axis_of_size_one(tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["one" = partial(band)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
// expected-error @+1 {{expected integer value}}
func.func private @open_dims_are_listed(tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, [...()]>})

// -----

// (C3)
// expected-error @+1 {{'dtensor.mesh' op 'devices' is empty; list every rank, or leave it out for the order of the ranks}}
dtensor.mesh @devices_empty ["x" = 2] devices = []

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
// expected-error @+1 {{result 0 of @name_of_a_result: attribute 'dtensor.name' has no meaning here}}
func.func private @name_of_a_result() -> (tensor<4xf32> {dtensor.name = "a"})

// -----

// expected-error @+1 {{'dtensor.mesh' op attribute 'dtensor.reference_of' names, on a function, the one it is the unsharded form of, as a string}}
dtensor.mesh @reference_of_a_mesh ["x" = 2] {dtensor.reference_of = "main"}

// -----

// expected-error @+1 {{'func.func' op attribute 'dtensor.reference_of' names, on a function, the one it is the unsharded form of, as a string}}
func.func private @reference_of_a_number() attributes {dtensor.reference_of = 1}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
func.func @all_gather_result_overflows(%input: tensor<4611686018427387904xf32>) {
  // (C4)
  // expected-error @+1 {{'comm.all_gather' op }}
  %result = comm.all_gather %input over @mesh["x"] dim 0 : tensor<4611686018427387904xf32> -> tensor<0xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
func.func @exchange_moves_over_another_axis(%input: tensor<4x8xf32>) {
  // expected-error @+1 {{'comm.exchange' op }}
  %result = comm.exchange %input over @mesh["x"] : tensor<4x8xf32> -> tensor<8x4xf32> of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
func.func @permute_to_many(%input: tensor<4xf32>) {
  // expected-error @+1 {{'comm.exchange' op }}
  %result = comm.exchange %input over @mesh["x"] permute : tensor<4xf32> -> tensor<16xf32> of [16] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
sched.program @view_size_overflows on @mesh peak 0 {
  %slab = sched.slab : memref<64xi8>
  // (C1)
  // expected-error @+1 {{'sched.view' op }}
  %view = sched.view %slab at 0 : memref<64xi8> to memref<4611686018427387904xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
sched.program @input_on_unknown_mesh on @mesh peak 64 {
  %slab = sched.slab : memref<64xi8>
  // (C1)
  // expected-error @+1 {{'sched.input' op has a layout on @nowhere, its program is on @mesh}}
  sched.input "x" %slab : memref<64xi8> global tensor<64xi8> layout #dtensor.layout<@nowhere, []>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2, "one" = 1]
dtensor.mesh @other ["x" = 2]
sched.program @input_on_another_mesh on @mesh peak 64 {
  %slab = sched.slab : memref<64xi8>
  // (C1)
  // expected-error @+1 {{'sched.input' op }}
  sched.input "x" %slab : memref<64xi8> global tensor<256xi8> layout #dtensor.layout<@other, ["x" = shard(0)]>
}

// -----

func.func @gemm_of_a_tensor_and_a_view(%a: tensor<2x4xf32>, %b: memref<4x3xf32>) {
  // (C1)
  // expected-error @+1 {{'sched.gemm' op needs tensors and a result, or views and an output}}
  %result = sched.gemm %a, %b : (tensor<2x4xf32>, memref<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gemm_of_a_view_and_a_tensor(%a: memref<2x4xf32>, %b: tensor<4x3xf32>, %c: memref<2x3xf32>) {
  // (C1)
  // expected-error @+1 {{'sched.gemm' op needs tensors and a result, or views and an output}}
  sched.gemm %a, %b into %c : (memref<2x4xf32>, tensor<4x3xf32>, memref<2x3xf32>) -> ()
  return
}

// -----

func.func @gemm_init_is_not_the_result_type(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %init: tensor<7xi8>) {
  // (C2)
  // expected-error @+1 {{'sched.gemm' op }}
  %result = sched.gemm %a, %b init %init : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<7xi8>) -> tensor<2x3xf32>
  return
}

// -----

// expected-error @+1 {{'func.func' op attribute 'dtensor.local_values' has no value and is for functions}}
func.func private @local_values_with_a_value() attributes {dtensor.local_values = 1}
