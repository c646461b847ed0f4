// The math ops against NumPy in double precision, rounded to f32.
// RUN: interpret-program %s > %t.txt
// RUN: %python %S/Inputs/math.py %t.txt
// RUN: interpret-program %s --entry rounding | FileCheck %s

func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
                      tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
                      tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %x = arith.constant dense<[0.25, 0.5, 1.5, 3.0]> : tensor<4xf32>
  %y = arith.constant dense<[2.0, -1.0, 0.5, -0.25]> : tensor<4xf32>
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.exp2 %y : tensor<4xf32>
  %2 = math.expm1 %x : tensor<4xf32>
  %3 = math.log %x : tensor<4xf32>
  %4 = math.log2 %x : tensor<4xf32>
  %5 = math.log1p %x : tensor<4xf32>
  %6 = math.sqrt %x : tensor<4xf32>
  %7 = math.rsqrt %x : tensor<4xf32>
  %8 = math.tanh %y : tensor<4xf32>
  %9 = math.erf %y : tensor<4xf32>
  %10 = math.sin %y : tensor<4xf32>
  %11 = math.cos %y : tensor<4xf32>
  %12 = math.powf %x, %y : tensor<4xf32>
  %13 = math.fma %x, %y, %x : tensor<4xf32>
  %14 = math.absf %y : tensor<4xf32>
  %15 = math.atan %y : tensor<4xf32>
  %16 = math.atan2 %x, %y : tensor<4xf32>
  %17 = math.copysign %x, %y : tensor<4xf32>
  %18 = math.cbrt %y : tensor<4xf32>
  %19 = math.log10 %x : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19
      : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
        tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
        tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK: result0: 6 f32: 3 2 1 -0 -1 -2
// CHECK: result1: 6 f32: 2 1 0 -1 -2 -3
// CHECK: result2: 6 f32: 3 2 1 -1 -2 -3
// CHECK: result3: 6 f32: 2 2 0 -0 -2 -2
// CHECK: result4: 6 f32: 2 1 0 -0 -1 -2
// CHECK: result5: 4 i8: 5 5 -128 0
// CHECK: result6: 4 i8: 5 0 0 8
// CHECK: result7: 4 i8: 0 0 7 8
// CHECK: result8: 4 i8: 2 7 1 0
// CHECK: result9: 4 i8: 25 25 0 0
// CHECK: result10: 6 i1: 0 0 0 0 0 0
func.func @rounding() -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>,
                          tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<6xi1>) {
  %x = arith.constant dense<[2.5, 1.5, 0.5, -0.5, -1.5, -2.5]> : tensor<6xf32>
  %i = arith.constant dense<[5, -5, -128, 0]> : tensor<4xi8>
  %two = arith.constant dense<2> : tensor<4xi8>
  %0 = math.ceil %x : tensor<6xf32>
  %1 = math.floor %x : tensor<6xf32>
  %2 = math.round %x : tensor<6xf32>
  %3 = math.roundeven %x : tensor<6xf32>
  %4 = math.trunc %x : tensor<6xf32>
  %5 = math.absi %i : tensor<4xi8>
  %6 = math.ctlz %i : tensor<4xi8>
  %7 = math.cttz %i : tensor<4xi8>
  %8 = math.ctpop %i : tensor<4xi8>
  %9 = math.ipowi %i, %two : tensor<4xi8>
  %10 = math.isnan %x : tensor<6xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<6xi1>
}
