// RUN: %dtensor-opt %s --dtensor-insert-redistributions --verify-diagnostics
//
// Layouts must be there.

dtensor.mesh @mesh ["x" = 2]

func.func @no_layouts(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'math.exp' op operand 0 has no layout; run dtensor-propagate directly before}}
  %0 = math.exp %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
