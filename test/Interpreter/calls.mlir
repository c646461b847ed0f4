// Functions: calls, several results, the entry.
// RUN: interpret-program %s | FileCheck %s
// RUN: interpret-program %s --entry pair | FileCheck %s --check-prefix=PAIR

// [0,1,2] + 2 * [0,1,2] twice, each through @pair: (a, b) -> (a + b, a * b).
// CHECK: result0: 3 f32: 0 3 6
// CHECK: result1: 3 f32: 0 9 36
func.func @main(%a: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.addf %a, %a : tensor<3xf32>
  %1:2 = call @pair(%a, %0) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  %2:2 = call @pair(%1#0, %1#0) : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return %1#0, %2#1 : tensor<3xf32>, tensor<3xf32>
}

// PAIR: result0: 3 f32: 0 2 4
// PAIR: result1: 3 f32: 0 1 4
func.func private @pair(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.addf %a, %b : tensor<3xf32>
  %1 = arith.mulf %a, %b : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
