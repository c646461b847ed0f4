// RUN: %python %source/test/Tools/Inputs/expect.py 1 dtensor-compile %s -o %t.plan 2>&1 | FileCheck %s
// RUN: %python %source/test/Tools/Inputs/expect.py 1 dtensor-run %s --random-inputs 1 2>&1 | FileCheck %s
//
// An op of a dialect that nobody knows is refused by name and place, even
// though attributes of such dialects are not.

// CHECK: driver-invalid.mlir:[[#@LINE+2]]:8: error: 'foo.bar' op belongs to a dialect that is not known here
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "foo.bar"(%a) {baz = #foo.baz<3>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
