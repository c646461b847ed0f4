// RUN: %dtensor-opt %s --dtensor-outline-kernels --split-input-file --verify-diagnostics
//
// What cannot be compiled to kernels yet.

func.func @no_structured_op(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{'tensor.cast' op cannot be compiled to a kernel yet}}
  %0 = tensor.cast %a : tensor<2x2xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @computed_scalar(%a: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'linalg.fill' op uses a scalar that is not a constant; this is not compiled yet}}
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}

// -----

func.func @constant_in_a_reduction() -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %c = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error @+1 {{'linalg.reduce' op reads a constant tensor in a reduction; this is not compiled yet}}
  %r = linalg.reduce {arith.addf} ins(%c : tensor<4xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}
