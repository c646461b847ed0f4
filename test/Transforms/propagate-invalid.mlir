// RUN: %dtensor-opt %s --dtensor-propagate --split-input-file --verify-diagnostics
//
// What dtensor-propagate refuses; the labels are those of its documentation.

dtensor.mesh @mesh ["x" = 2]

// (C1)
func.func @dynamic_shape(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'math.exp' op has a tensor of dynamic shape 'tensor<?xf32>'; programs have static global shapes}}
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
  // expected-error @+1 {{'tensor.cast' op has no sharding rule; compute it on every rank with unknown-ops=replicate, or write it as a linalg.generic}}
  %0 = tensor.cast %a : tensor<4x4xf32> to tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

#diagonal = affine_map<(i, j) -> (i + j)>
#all = affine_map<(i, j) -> (i, j)>

// A map that is more than a selection of loops.
func.func @sum_of_loops(%a: tensor<7xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @+1 {{'linalg.generic' op has no sharding rule}}
  %0 = linalg.generic {indexing_maps = [#diagonal, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<7xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
