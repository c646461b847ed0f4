// Conversions between element types, and what 16 and 8 bits hold.
// RUN: interpret-program %s --entry floats | FileCheck %s --check-prefix=FLOATS
// RUN: interpret-program %s --entry integers | FileCheck %s --check-prefix=INTEGERS
// RUN: interpret-program %s --entry between | FileCheck %s --check-prefix=BETWEEN
// RUN: interpret-program %s --entry bits | FileCheck %s --check-prefix=BITS
// RUN: interpret-program %s --entry once | FileCheck %s --check-prefix=ONCE

// 1 + 2^-8 lies between two bf16 and goes to the even one below, 1 + 3 * 2^-8
// to the even one above. 65520 is where f16 ends; 2^-25 is half its smallest
// number; 449 lies beyond f8E4M3FN, 300 between two of its numbers.
// FLOATS: result0: 4 bf16: 1 1.015625 65536 2.980232e-08
// FLOATS: result1: 4 f16: 1.003906 1.011719 inf 0
// FLOATS: result2: 2 f8E4M3FN: nan 288
// FLOATS: result3: 4 f64: 1 1.015625 65536 2.980232e-08
func.func @floats() -> (tensor<4xbf16>, tensor<4xf16>, tensor<2xf8E4M3FN>, tensor<4xf64>) {
  %a = arith.constant dense<[1.00390625, 1.01171875, 65520.0, 2.98023223876953125e-08]> : tensor<4xf32>
  %b = arith.constant dense<[481.0, 300.0]> : tensor<2xf32>
  %0 = arith.truncf %a : tensor<4xf32> to tensor<4xbf16>
  %1 = arith.truncf %a : tensor<4xf32> to tensor<4xf16>
  %2 = arith.truncf %b : tensor<2xf32> to tensor<2xf8E4M3FN>
  %3 = arith.extf %0 : tensor<4xbf16> to tensor<4xf64>
  return %0, %1, %2, %3 : tensor<4xbf16>, tensor<4xf16>, tensor<2xf8E4M3FN>, tensor<4xf64>
}

// INTEGERS: result0: 3 i32: -1 -128 100
// INTEGERS: result1: 3 i32: 255 128 100
// INTEGERS: result2: 2 i8: 44 -1
// INTEGERS: result3: 2 i32: -1 0
// INTEGERS: result4: 2 i32: 1 0
// INTEGERS: result5: 2 i64: 300 -1
func.func @integers() -> (tensor<3xi32>, tensor<3xi32>, tensor<2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi64>) {
  %a = arith.constant dense<[-1, -128, 100]> : tensor<3xi8>
  %b = arith.constant dense<[300, -1]> : tensor<2xi32>
  %c = arith.constant dense<[true, false]> : tensor<2xi1>
  %0 = arith.extsi %a : tensor<3xi8> to tensor<3xi32>
  %1 = arith.extui %a : tensor<3xi8> to tensor<3xi32>
  %2 = arith.trunci %b : tensor<2xi32> to tensor<2xi8>
  %3 = arith.extsi %c : tensor<2xi1> to tensor<2xi32>
  %4 = arith.extui %c : tensor<2xi1> to tensor<2xi32>
  %i = arith.index_cast %b : tensor<2xi32> to tensor<2xindex>
  %5 = arith.index_cast %i : tensor<2xindex> to tensor<2xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi32>, tensor<3xi32>, tensor<2xi8>, tensor<2xi32>, tensor<2xi32>, tensor<2xi64>
}

// BETWEEN: result0: 2 f32: -1 100
// BETWEEN: result1: 2 f32: 255 100
// BETWEEN: result2: 4 i8: -2 2 127 -128
// BETWEEN: result3: 4 i8: 0 2 -1 0
// 2^24 + 1 is no f32; 2^24 + 3 rounds up to the even one.
// BETWEEN: result4: 2 f32: 1.677722e+07 1.677722e+07
// BETWEEN: result5: 2 i1: -1 0
func.func @between() -> (tensor<2xf32>, tensor<2xf32>, tensor<4xi8>, tensor<4xi8>, tensor<2xf32>, tensor<2xi1>) {
  %a = arith.constant dense<[-1, 100]> : tensor<2xi8>
  %b = arith.constant dense<[-2.9, 2.9, 300.0, -300.0]> : tensor<4xf32>
  %c = arith.constant dense<[16777217, 16777219]> : tensor<2xi32>
  %limit = arith.constant dense<16777218.0> : tensor<2xf32>
  %0 = arith.sitofp %a : tensor<2xi8> to tensor<2xf32>
  %1 = arith.uitofp %a : tensor<2xi8> to tensor<2xf32>
  %2 = arith.fptosi %b : tensor<4xf32> to tensor<4xi8>
  %3 = arith.fptoui %b : tensor<4xf32> to tensor<4xi8>
  %4 = arith.sitofp %c : tensor<2xi32> to tensor<2xf32>
  %5 = arith.cmpf olt, %4, %limit : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, tensor<4xi8>, tensor<4xi8>, tensor<2xf32>, tensor<2xi1>
}

// BITS: result0: 2 i32: 1065353216 -2147483648
// BITS: result1: 2 f32: 1 -0
// BITS: result2: 2 i16: 16256 -32768
// BITS: result3: 2 i16: 15360 -32768
func.func @bits() -> (tensor<2xi32>, tensor<2xf32>, tensor<2xi16>, tensor<2xi16>) {
  %a = arith.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, -0.0]> : tensor<2xbf16>
  %c = arith.constant dense<[1.0, -0.0]> : tensor<2xf16>
  %0 = arith.bitcast %a : tensor<2xf32> to tensor<2xi32>
  %1 = tensor.bitcast %0 : tensor<2xi32> to tensor<2xf32>
  %2 = arith.bitcast %b : tensor<2xbf16> to tensor<2xi16>
  %3 = arith.bitcast %c : tensor<2xf16> to tensor<2xi16>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xf32>, tensor<2xi16>, tensor<2xi16>
}

// Every op rounds once: 256 + 1 is 256 in bf16. A product sums 256 ones after
// 256 exactly and rounds at its end (one by one it would stay at 256), and so
// does a reduction.
// ONCE: result0: 1 bf16: 256
// ONCE: result1: 1x1 bf16: 512
// ONCE: result2: scalar bf16: 512
func.func @once() -> (tensor<1xbf16>, tensor<1x1xbf16>, tensor<bf16>) {
  %big = arith.constant dense<256.0> : tensor<1xbf16>
  %one = arith.constant dense<1.0> : tensor<1xbf16>
  %0 = arith.addf %big, %one : tensor<1xbf16>
  %row = arith.constant dense<1.0> : tensor<1x256xbf16>
  %column = arith.constant dense<1.0> : tensor<256x1xbf16>
  %init = arith.constant dense<256.0> : tensor<1x1xbf16>
  %1 = linalg.matmul ins(%row, %column : tensor<1x256xbf16>, tensor<256x1xbf16>) outs(%init : tensor<1x1xbf16>) -> tensor<1x1xbf16>
  %scalar = arith.constant dense<256.0> : tensor<bf16>
  %2 = linalg.reduce { arith.addf } ins(%row : tensor<1x256xbf16>) outs(%scalar : tensor<bf16>) dimensions = [0, 1]
  return %0, %1, %2 : tensor<1xbf16>, tensor<1x1xbf16>, tensor<bf16>
}
