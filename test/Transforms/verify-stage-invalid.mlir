// RUN: %dtensor-opt %s --dtensor-verify-stage=stage=laid-out --split-input-file --verify-diagnostics
//
// The invariant of stage laid-out.

dtensor.mesh @mesh ["x" = 2]

// expected-error @+1 {{'func.func' op stage laid-out: a tensor has no layout}}
func.func @argument_without_layout(%a: tensor<4xf32>) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

// expected-error @+1 {{'func.func' op stage laid-out: layout #dtensor.layout<@mesh, [...]> is still open}}
func.func @open_layout(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, [...]>}) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

func.func @value_without_layout(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // expected-error @+1 {{'math.exp' op stage laid-out: a tensor has no layout}}
  %0 = math.exp %a : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

func.func @place_of_a_rank() {
  // expected-error @+1 {{'comm.axis_index' op stage laid-out: speaks of ranks in a program of global tensors; write it in one of local tensors (stage local)}}
  %0 = comm.axis_index over @mesh["x"] : index
  return
}
