// RUN: %dtensor-opt %s --dtensor-propagate --split-input-file --verify-diagnostics
//
// What dtensor-propagate refuses; the labels are those of its documentation.

dtensor.mesh @mesh ["x" = 2]

// (C1)
// expected-error @+1 {{'func.func' op has a tensor of dynamic shape 'tensor<?xf32>'; programs have static global shapes}}
func.func @dynamic_argument(%a: tensor<?xf32>) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

// (C1)
func.func @dynamic_shape(%b: tensor<4xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'tensor.cast' op has a tensor of dynamic shape 'tensor<?xf32>'; programs have static global shapes}}
  %a = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
  %0 = math.exp %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

// (C2)
// expected-error @+1 {{'func.func' op has 2 blocks; propagation takes functions of one block}}
func.func @two_blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

func.func private @callee(%a: tensor<4xf32>) -> tensor<4xf32>

// (C2)
func.func @call(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' op is left after inlining: its callee is external or recursive}}
  %0 = func.call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

dtensor.mesh @one ["x" = 2]
dtensor.mesh @two ["x" = 2]

// (C3)
// expected-note @+2 {{the other layout is here}}
// expected-error @+1 {{'func.func' op has a layout on @two, another is on @one; a function uses one mesh}}
func.func @two_meshes(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@one, []>},
                      %b: tensor<4xf32> {dtensor.layout = #dtensor.layout<@two, []>})
    -> tensor<4xf32> {
  %0 = arith.addf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op has no layouts, and the module has no dtensor.mesh to lay it out on}}
func.func @no_mesh(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @one ["x" = 2]
dtensor.mesh @two ["x" = 2]

// expected-error @+1 {{'func.func' op has no layouts, and the module has more than one dtensor.mesh to lay it out on}}
func.func @mesh_unclear(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

// (C4)
func.func @no_rule(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{'tensor.cast' op has no sharding rule; compute it on every rank with unknown-ops=replicate, or give it one with dtensor.rule}}
  %0 = tensor.cast %a : tensor<4x4xf32> to tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

// (C5)
// expected-error @+1 {{'func.func' op has a tensor of element type 'complex<f32>', which cannot lie on a mesh}}
func.func @complex_elements(%a: tensor<4xcomplex<f32>>) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

#line = affine_map<(i) -> (i)>

// (C6) The body would read this rank's part of the table at a global index.
func.func @captured_tensor(%table: tensor<8xf32>, %i: tensor<8xi32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{'linalg.generic' op uses a tensor of type 'tensor<8xf32>' inside its region that is no operand of it; pass it as one}}
  %0 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%i : tensor<8xi32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: i32, %out: f32):
    %position = arith.index_cast %x : i32 to index
    %value = tensor.extract %table[%position] : tensor<8xf32>
    linalg.yield %value : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
