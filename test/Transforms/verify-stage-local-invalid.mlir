// RUN: %dtensor-opt %s --dtensor-verify-stage=stage=local --split-input-file --verify-diagnostics
//
// The invariant of stage local.

dtensor.mesh @mesh ["x" = 2]

// expected-error @+1 {{'func.func' op stage local: argument 0 lacks dtensor.layout or dtensor.global_type}}
func.func @argument_is_global(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

// expected-error @+1 {{'func.func' op stage local: argument 0 has type 'tensor<4xf32>', the local type of 'tensor<4xf32>' is 'tensor<2xf32>'}}
func.func @argument_has_another_type(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

func.func @redistribution_is_left(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // expected-error @+1 {{'dtensor.redistribute' op stage local: still speaks of global tensors}}
  %0 = dtensor.redistribute %a : tensor<4xf32> to #dtensor.layout<@mesh, []>
  return
}
