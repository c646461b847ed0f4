// RUN: %dtensor-opt %s --convert-dtensor-to-comm --verify-diagnostics
//
// What convert-dtensor-to-comm refuses; the labels are those of its
// documentation.

dtensor.mesh @mesh ["x" = 2]

// (C1)
// expected-error @+1 {{'func.func' op a tensor has no layout; run dtensor-insert-redistributions before}}
func.func @no_layout(%a: tensor<8xf32>) {
  return
}
