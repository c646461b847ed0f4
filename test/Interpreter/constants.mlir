// Constants in every form that MLIR has for them.
// RUN: interpret-program %s | FileCheck %s

// CHECK: result0: 2 f32: 1 2
// CHECK: result1: 3 i1: -1 -1 -1
// CHECK: result2: 0 f32:{{$}}
// CHECK: result3: scalar i64: -9223372036854775808
// CHECK: result4: scalar i1: -1
// CHECK: result5: scalar f16: 0.333252
// CHECK: result6: 2 f16: inf -2
// CHECK: result7: scalar bf16: 3
func.func @main() -> (tensor<2xf32>, tensor<3xi1>, tensor<0xf32>, i64, i1, f16, tensor<2xf16>, tensor<bf16>) {
  %0 = arith.constant dense_resource<blob> : tensor<2xf32>
  %1 = arith.constant dense<true> : tensor<3xi1>
  %2 = arith.constant dense<> : tensor<0xf32>
  %3 = arith.constant -9223372036854775808 : i64
  %4 = arith.constant true
  %5 = arith.constant 0.33333 : f16
  %6 = arith.constant dense<[0x7C00, -2.0]> : tensor<2xf16>
  %7 = arith.constant dense<3.0> : tensor<bf16>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xf32>, tensor<3xi1>, tensor<0xf32>, i64, i1, f16, tensor<2xf16>, tensor<bf16>
}

{-# dialect_resources: { builtin: { blob: "0x040000000000803F00000040" } } #-}
