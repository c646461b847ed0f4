// RUN: %dtensor-opt %s --dtensor-expand-factories --verify-diagnostics

dtensor.mesh @mesh ["x" = 2]
dtensor.mesh @other ["x" = 4]

func.func @which_mesh(%input: tensor<4xf32>) -> tensor<4xf32> {
  // (C1)
  // expected-error @+1 {{'dtensor.full_tensor' op names no mesh, and neither its function's layouts nor the module say which; write `dtensor.full_tensor %value on @mesh`}}
  %whole = dtensor.full_tensor %input : tensor<4xf32>
  return %whole : tensor<4xf32>
}
