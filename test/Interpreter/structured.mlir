// The structured ops of the dtensor dialect, with answers by hand; the compiled
// program gives the same.
// RUN: interpret-program %s | FileCheck %s
// RUN: dtensor-run %s --output-dir %t.out && %python %S/Inputs/structured.py %t.out

dtensor.mesh @mesh ["x" = 2]

// NaN comes last, zeros of both signs stay in their order.
// CHECK: result0: 6 f32: -1 0 -0 2 inf nan
// CHECK: result1: 6 i32: 2 1 4 5 0 3
// Descending NaN comes first, and equal elements still keep their order.
// CHECK: result2: 6 f32: nan inf 2 0 -0 -1
// CHECK: result3: 6 i32: 3 0 5 1 4 2
// false before true
// CHECK: result4: 4 i1: 0 0 -1 -1
// Of 3 1 3 2 the first 3 is at 0.
// CHECK: result5: 2x3 i32: 3 3 2 9 8 7
// CHECK: result6: 2x3 i64: 0 2 3 1 3 0
// Positions -5 and 7 of 3 rows are 0 and 2.
// CHECK: result7: 3x2 i32: 0 1 2 3 4 5
// And dropped where they are put: 10 + 2, twice at row 1.
// CHECK: result8: 3 i32: 10 15 10
// The last update at a place counts.
// CHECK: result9: 3 i32: 10 3 10
// exclusive and reverse
// CHECK: result10: 4 i32: 0 1 3 6
// CHECK: result11: 4 i32: 10 9 7 4
// Windows of 3 by steps of 2 over 1 2 3 4 5 with one element around: 3, 9, 9.
// CHECK: result12: 3 i32: 3 9 9
// Dilated: 1+3, 2+4, 3+5
// CHECK: result13: 3 i32: 4 6 8
func.func @main() -> (tensor<6xf32>, tensor<6xi32>, tensor<6xf32>, tensor<6xi32>, tensor<4xi1>,
                      tensor<2x3xi32>, tensor<2x3xi64>, tensor<3x2xi32>, tensor<3xi32>, tensor<3xi32>,
                      tensor<4xi32>, tensor<4xi32>, tensor<3xi32>, tensor<3xi32>) {
  %a = arith.constant dense<[0x7F800000, 0.0, -1.0, 0x7FC00000, -0.0, 2.0]> : tensor<6xf32>
  %p = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %e6 = tensor.empty() : tensor<6xf32>
  %i6 = tensor.empty() : tensor<6xi32>
  %0:2 = dtensor.sort dim 0 ins(%a, %p : tensor<6xf32>, tensor<6xi32>) outs(%e6, %i6 : tensor<6xf32>, tensor<6xi32>) -> tensor<6xf32>, tensor<6xi32>
  %1:2 = dtensor.sort dim 0 descending ins(%a, %p : tensor<6xf32>, tensor<6xi32>) outs(%e6, %i6 : tensor<6xf32>, tensor<6xi32>) -> tensor<6xf32>, tensor<6xi32>
  %b = arith.constant dense<[true, false, true, false]> : tensor<4xi1>
  %e4 = tensor.empty() : tensor<4xi1>
  %2 = dtensor.sort dim 0 ins(%b : tensor<4xi1>) outs(%e4 : tensor<4xi1>) -> tensor<4xi1>
  %m = arith.constant dense<[[3, 1, 3, 2], [7, 9, -1, 8]]> : tensor<2x4xi32>
  %k0 = tensor.empty() : tensor<2x3xi32>
  %k1 = tensor.empty() : tensor<2x3xi64>
  %3:2 = dtensor.top_k dim 1 ins(%m : tensor<2x4xi32>) outs(%k0, %k1 : tensor<2x3xi32>, tensor<2x3xi64>) -> tensor<2x3xi32>, tensor<2x3xi64>
  %t = arith.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %far = arith.constant dense<[[-5], [1], [7]]> : tensor<3x1xi64>
  %g = tensor.empty() : tensor<3x2xi32>
  %4 = dtensor.gather dims [0] ins(%t, %far : tensor<3x2xi32>, tensor<3x1xi64>) outs(%g : tensor<3x2xi32>) -> tensor<3x2xi32>
  %at = arith.constant dense<[[-5], [1], [1], [3]]> : tensor<4x1xi64>
  %u = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %ten = arith.constant dense<10> : tensor<3xi32>
  %5 = dtensor.scatter sum dims [0] ins(%u, %at : tensor<4xi32>, tensor<4x1xi64>) outs(%ten : tensor<3xi32>) -> tensor<3xi32>
  %6 = dtensor.scatter dims [0] ins(%u, %at : tensor<4xi32>, tensor<4x1xi64>) outs(%ten : tensor<3xi32>) -> tensor<3xi32>
  %s = tensor.empty() : tensor<4xi32>
  %7 = dtensor.scan sum exclusive dim 0 ins(%u : tensor<4xi32>) outs(%s : tensor<4xi32>) -> tensor<4xi32>
  %8 = dtensor.scan sum reverse dim 0 ins(%u : tensor<4xi32>) outs(%s : tensor<4xi32>) -> tensor<4xi32>
  %w = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %zero = arith.constant dense<0> : tensor<3xi32>
  %9 = dtensor.reduce_window sum window [3] strides [2] dilations [1] low [1] high [1] ins(%w : tensor<5xi32>) outs(%zero : tensor<3xi32>) -> tensor<3xi32>
  %10 = dtensor.reduce_window sum window [2] strides [1] dilations [2] low [0] high [0] ins(%w : tensor<5xi32>) outs(%zero : tensor<3xi32>) -> tensor<3xi32>
  return %0#0, %0#1, %1#0, %1#1, %2, %3#0, %3#1, %4, %5, %6, %7, %8, %9, %10
      : tensor<6xf32>, tensor<6xi32>, tensor<6xf32>, tensor<6xi32>, tensor<4xi1>, tensor<2x3xi32>, tensor<2x3xi64>,
        tensor<3x2xi32>, tensor<3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<4xi32>, tensor<3xi32>, tensor<3xi32>
}
