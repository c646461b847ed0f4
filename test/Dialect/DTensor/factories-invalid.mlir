// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// What factories, dtensor.distribute and dtensor.full_tensor refuse.

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @ones_on_unknown_axis() {
  // (C1)
  // expected-error @+1 {{'dtensor.ones' op unknown axis 'w' (the mesh has x, y)}}
  %made = dtensor.ones : tensor<8xf32> to #dtensor.layout<@mesh, ["w" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @ones_of_dynamic_shape() {
  // (C2)
  // expected-error @+1 {{'dtensor.ones' op makes a tensor of dynamic shape 'tensor<?xf32>'; write its global shape}}
  %made = dtensor.ones : tensor<?xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @ones_of_complex() {
  // (C3)
  // expected-error @+1 {{'dtensor.ones' op makes elements of type 'complex<f32>', which cannot lie on a mesh; use a float or integer type}}
  %made = dtensor.ones : tensor<8xcomplex<f32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @ones_of_integers_with_gradient() {
  // (C4)
  // expected-error @+1 {{'dtensor.ones' op requires a gradient of elements of type 'i32'; only floats have one, leave it out}}
  %made = dtensor.ones requires_grad : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @zeros_on_unknown_axis() {
  // (C1)
  // expected-error @+1 {{'dtensor.zeros' op unknown axis 'w' (the mesh has x, y)}}
  %made = dtensor.zeros : tensor<8xf32> to #dtensor.layout<@mesh, ["w" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @zeros_of_dynamic_shape() {
  // (C2)
  // expected-error @+1 {{'dtensor.zeros' op makes a tensor of dynamic shape 'tensor<?xf32>'; write its global shape}}
  %made = dtensor.zeros : tensor<?xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @zeros_of_complex() {
  // (C3)
  // expected-error @+1 {{'dtensor.zeros' op makes elements of type 'complex<f32>', which cannot lie on a mesh; use a float or integer type}}
  %made = dtensor.zeros : tensor<8xcomplex<f32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @zeros_of_integers_with_gradient() {
  // (C4)
  // expected-error @+1 {{'dtensor.zeros' op requires a gradient of elements of type 'i32'; only floats have one, leave it out}}
  %made = dtensor.zeros requires_grad : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @empty_on_unknown_axis() {
  // (C1)
  // expected-error @+1 {{'dtensor.empty' op unknown axis 'w' (the mesh has x, y)}}
  %made = dtensor.empty : tensor<8xf32> to #dtensor.layout<@mesh, ["w" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @empty_of_dynamic_shape() {
  // (C2)
  // expected-error @+1 {{'dtensor.empty' op makes a tensor of dynamic shape 'tensor<?xf32>'; write its global shape}}
  %made = dtensor.empty : tensor<?xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @empty_of_complex() {
  // (C3)
  // expected-error @+1 {{'dtensor.empty' op makes elements of type 'complex<f32>', which cannot lie on a mesh; use a float or integer type}}
  %made = dtensor.empty : tensor<8xcomplex<f32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @empty_of_integers_with_gradient() {
  // (C4)
  // expected-error @+1 {{'dtensor.empty' op requires a gradient of elements of type 'i32'; only floats have one, leave it out}}
  %made = dtensor.empty requires_grad : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @full_on_unknown_axis() {
  // (C1)
  // expected-error @+1 {{'dtensor.full' op unknown axis 'w' (the mesh has x, y)}}
  %made = dtensor.full(1.0 : f32) : tensor<8xf32> to #dtensor.layout<@mesh, ["w" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @full_of_dynamic_shape() {
  // (C2)
  // expected-error @+1 {{'dtensor.full' op makes a tensor of dynamic shape 'tensor<?xf32>'; write its global shape}}
  %made = dtensor.full(1.0 : f32) : tensor<?xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @full_of_complex() {
  // (C3)
  // expected-error @+1 {{'dtensor.full' op makes elements of type 'complex<f32>', which cannot lie on a mesh; use a float or integer type}}
  %made = dtensor.full(1.0 : f32) : tensor<8xcomplex<f32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @full_of_integers_with_gradient() {
  // (C4)
  // expected-error @+1 {{'dtensor.full' op requires a gradient of elements of type 'i32'; only floats have one, leave it out}}
  %made = dtensor.full(1.0 : f32) requires_grad : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @rand_on_unknown_axis() {
  // (C1)
  // expected-error @+1 {{'dtensor.rand' op unknown axis 'w' (the mesh has x, y)}}
  %made = dtensor.rand seed 1 : tensor<8xf32> to #dtensor.layout<@mesh, ["w" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @rand_of_dynamic_shape() {
  // (C2)
  // expected-error @+1 {{'dtensor.rand' op makes a tensor of dynamic shape 'tensor<?xf32>'; write its global shape}}
  %made = dtensor.rand seed 1 : tensor<?xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @rand_of_complex() {
  // (C3)
  // expected-error @+1 {{'dtensor.rand' op makes elements of type 'complex<f32>', which cannot lie on a mesh; use a float or integer type}}
  %made = dtensor.rand seed 1 : tensor<8xcomplex<f32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @rand_of_integers_with_gradient() {
  // (C4)
  // expected-error @+1 {{'dtensor.rand' op requires a gradient of elements of type 'i32'; only floats have one, leave it out}}
  %made = dtensor.rand seed 1 requires_grad : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @randn_on_unknown_axis() {
  // (C1)
  // expected-error @+1 {{'dtensor.randn' op unknown axis 'w' (the mesh has x, y)}}
  %made = dtensor.randn seed 1 : tensor<8xf32> to #dtensor.layout<@mesh, ["w" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @randn_of_dynamic_shape() {
  // (C2)
  // expected-error @+1 {{'dtensor.randn' op makes a tensor of dynamic shape 'tensor<?xf32>'; write its global shape}}
  %made = dtensor.randn seed 1 : tensor<?xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @randn_of_complex() {
  // (C3)
  // expected-error @+1 {{'dtensor.randn' op makes elements of type 'complex<f32>', which cannot lie on a mesh; use a float or integer type}}
  %made = dtensor.randn seed 1 : tensor<8xcomplex<f32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @randn_of_integers_with_gradient() {
  // (C4)
  // expected-error @+1 {{'dtensor.randn' op requires a gradient of elements of type 'i32'; only floats have one, leave it out}}
  %made = dtensor.randn seed 1 requires_grad : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @full_of_another_type() {
  // (C5)
  // expected-error @+1 {{'dtensor.full' op repeats 1.000000e+00 : f64 in a tensor of element type 'f32'; write a number of that type}}
  %made = dtensor.full(1.0 : f64) : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @full_of_a_tensor() {
  // (C5)
  // expected-error @+1 {{'dtensor.full' op repeats dense<1.000000e+00> : tensor<8xf32> in a tensor of element type 'f32'; write a number of that type}}
  %made = dtensor.full(dense<1.0> : tensor<8xf32>) : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @rand_of_integers() {
  // (C5)
  // expected-error @+1 {{'dtensor.rand' op makes random elements of type 'i32'; use f16, bf16, f32 or f64, and convert them}}
  %made = dtensor.rand seed 1 : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @rand_of_small_floats() {
  // (C5)
  // expected-error @+1 {{'dtensor.rand' op makes random elements of type 'f8E4M3FN'; use f16, bf16, f32 or f64, and convert them}}
  %made = dtensor.rand seed 1 : tensor<8xf8E4M3FN>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @randn_of_integers() {
  // (C5)
  // expected-error @+1 {{'dtensor.randn' op makes random elements of type 'i32'; use f16, bf16, f32 or f64, and convert them}}
  %made = dtensor.randn seed 1 : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @randn_of_small_floats() {
  // (C5)
  // expected-error @+1 {{'dtensor.randn' op makes random elements of type 'f8E4M3FN'; use f16, bf16, f32 or f64, and convert them}}
  %made = dtensor.randn seed 1 : tensor<8xf8E4M3FN>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @distribute_out_of_range(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.distribute' op shard(1) of axis 'x': dim 1 is out of range, the tensor has rank 1 (dims 0..0)}}
  %parts = dtensor.distribute %input : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = shard(1)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @distribute_to_open_layout(%input: tensor<8xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.distribute' op has the open layout #dtensor.layout<@mesh, [...]>; name what every axis does and leave out '...'}}
  %parts = dtensor.distribute %input : tensor<8xf32> to #dtensor.layout<@mesh, [...]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @distribute_from_rank_beyond(%input: tensor<8xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.distribute' op takes the value of rank 8, mesh @mesh has ranks 0..7}}
  %parts = dtensor.distribute %input src_rank 8 : tensor<8xf32> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @distribute_from_negative_rank(%input: tensor<8xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.distribute' op takes the value of rank -1, mesh @mesh has ranks 0..7}}
  %parts = dtensor.distribute %input src_rank -1 : tensor<8xf32> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @full_tensor_on_unknown_mesh(%input: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.full_tensor' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %whole = dtensor.full_tensor %input on @grid : tensor<8xf32>
  return
}
