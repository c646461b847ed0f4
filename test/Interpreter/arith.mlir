// The arith ops, on constants whose answers are known by hand.
// RUN: interpret-program %s --entry floats | FileCheck %s --check-prefix=FLOATS
// RUN: interpret-program %s --entry compare | FileCheck %s --check-prefix=COMPARE
// RUN: interpret-program %s --entry integers | FileCheck %s --check-prefix=INTEGERS
// RUN: interpret-program %s --entry divisions | FileCheck %s --check-prefix=DIVISIONS
// RUN: interpret-program %s --entry bits | FileCheck %s --check-prefix=BITS
// RUN: interpret-program %s --entry scalars | FileCheck %s --check-prefix=SCALARS

// FLOATS: result0: 2 f32: 8 3.5
// FLOATS: result1: 2 f32: 7 -10.5
// FLOATS: result2: 2 f32: 3.75 -24.5
// FLOATS: result3: 2 f32: 15 -0.5
// FLOATS: result4: 2 f32: 0 -3.5
// FLOATS: result5: 2 f32: -7.5 3.5
// The NaN wins in maximumf and loses in maxnumf.
// FLOATS: result6: 4 f32: 2 nan nan 0
// FLOATS: result7: 4 f32: 2 2 1 0
// FLOATS: result8: 4 f32: 1 nan nan -0
func.func @floats() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
                        tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = arith.constant dense<[7.5, -3.5]> : tensor<2xf32>
  %b = arith.constant dense<[0.5, 7.0]> : tensor<2xf32>
  %0 = arith.addf %a, %b : tensor<2xf32>
  %1 = arith.subf %a, %b : tensor<2xf32>
  %2 = arith.mulf %a, %b : tensor<2xf32>
  %3 = arith.divf %a, %b : tensor<2xf32>
  %4 = arith.remf %a, %b : tensor<2xf32>
  %5 = arith.negf %a : tensor<2xf32>
  // 0x7FC00000 is a NaN, 0x80000000 is -0.0.
  %c = arith.constant dense<[0x3F800000, 0x7FC00000, 0x3F800000, 0x80000000]> : tensor<4xf32>
  %d = arith.constant dense<[0x40000000, 0x40000000, 0x7FC00000, 0x00000000]> : tensor<4xf32>
  %6 = arith.maximumf %c, %d : tensor<4xf32>
  %7 = arith.maxnumf %c, %d : tensor<4xf32>
  %8 = arith.minimumf %d, %c : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// 1, 2, NaN against 2, 2, 2.
// COMPARE: result0: 3 i1: -1 0 0
// COMPARE: result1: 3 i1: -1 0 -1
// COMPARE: result2: 3 i1: 0 -1 0
// COMPARE: result3: 3 i1: -1 0 -1
// COMPARE: result4: 3 i1: 0 0 -1
// -1, 1 against 1, 1, signed and unsigned.
// COMPARE: result5: 2 i1: -1 0
// COMPARE: result6: 2 i1: 0 0
// COMPARE: result7: 3 f32: 1 2 2
func.func @compare() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>, tensor<3xf32>) {
  %a = arith.constant dense<[0x3F800000, 0x40000000, 0x7FC00000]> : tensor<3xf32>
  %b = arith.constant dense<2.0> : tensor<3xf32>
  %0 = arith.cmpf olt, %a, %b : tensor<3xf32>
  %1 = arith.cmpf ult, %a, %b : tensor<3xf32>
  %2 = arith.cmpf oeq, %a, %b : tensor<3xf32>
  %3 = arith.cmpf une, %a, %b : tensor<3xf32>
  %4 = arith.cmpf uno, %a, %b : tensor<3xf32>
  %c = arith.constant dense<[-1, 1]> : tensor<2xi32>
  %d = arith.constant dense<1> : tensor<2xi32>
  %5 = arith.cmpi slt, %c, %d : tensor<2xi32>
  %6 = arith.cmpi ult, %c, %d : tensor<2xi32>
  %7 = arith.select %0, %a, %b : tensor<3xi1>, tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>, tensor<3xf32>
}

// i8 wraps around: 127 + 1, -128 - 1, 100 * 3.
// INTEGERS: result0: 3 i8: -128 -127 103
// INTEGERS: result1: 3 i8: 126 127 97
// INTEGERS: result2: 3 i8: 127 -128 44
// INTEGERS: result3: 3 i8: 127 1 100
// INTEGERS: result4: 3 i8: 127 -128 100
// INTEGERS: result5: 3 i8: 1 -128 3
// INTEGERS: result6: 3 i8: 1 1 3
func.func @integers() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %a = arith.constant dense<[127, -128, 100]> : tensor<3xi8>
  %b = arith.constant dense<[1, 1, 3]> : tensor<3xi8>
  %0 = arith.addi %a, %b : tensor<3xi8>
  %1 = arith.subi %a, %b : tensor<3xi8>
  %2 = arith.muli %a, %b : tensor<3xi8>
  %3 = arith.maxsi %a, %b : tensor<3xi8>
  %4 = arith.maxui %a, %b : tensor<3xi8>
  %5 = arith.minsi %a, %b : tensor<3xi8>
  %6 = arith.minui %a, %b : tensor<3xi8>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// -7 / 2, 7 / -2, the one quotient that overflows; as unsigned: 249 / 2,
// 7 / 254, 128 / 255.
// DIVISIONS: result0: 3 i8: -3 -3 -128
// DIVISIONS: result1: 3 i8: -4 -4 -128
// DIVISIONS: result2: 3 i8: -3 -3 -128
// DIVISIONS: result3: 3 i8: -1 1 0
// DIVISIONS: result4: 3 i8: 124 0 0
// DIVISIONS: result5: 3 i8: 1 7 -128
// DIVISIONS: result6: 3 i8: 125 1 1
func.func @divisions() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %a = arith.constant dense<[-7, 7, -128]> : tensor<3xi8>
  %b = arith.constant dense<[2, -2, -1]> : tensor<3xi8>
  %0 = arith.divsi %a, %b : tensor<3xi8>
  %1 = arith.floordivsi %a, %b : tensor<3xi8>
  %2 = arith.ceildivsi %a, %b : tensor<3xi8>
  %3 = arith.remsi %a, %b : tensor<3xi8>
  %4 = arith.divui %a, %b : tensor<3xi8>
  %5 = arith.remui %a, %b : tensor<3xi8>
  %6 = arith.ceildivui %a, %b : tensor<3xi8>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// BITS: result0: 3 i8: 4 64 0
// BITS: result1: 3 i8: 14 -64 -1
// BITS: result2: 3 i8: 10 -128 -1
// BITS: result3: 3 i8: 48 0 0
// BITS: result4: 3 i8: 3 -2 -1
// BITS: result5: 3 i8: 0 48 0
func.func @bits() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %a = arith.constant dense<[12, -64, -1]> : tensor<3xi8>
  %b = arith.constant dense<[6, 64, 0]> : tensor<3xi8>
  %s = arith.constant dense<[2, 5, 9]> : tensor<3xi8>
  %t = arith.constant dense<[8, 2, 8]> : tensor<3xi8>
  %0 = arith.andi %a, %b : tensor<3xi8>
  %1 = arith.ori %a, %b : tensor<3xi8>
  %2 = arith.xori %a, %b : tensor<3xi8>
  %3 = arith.shli %a, %s : tensor<3xi8>
  %4 = arith.shrsi %a, %s : tensor<3xi8>
  %5 = arith.shrui %a, %t : tensor<3xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// A scalar condition chooses whole tensors; scalars go in and out.
// SCALARS: result0: 2 f32: 0 1
// SCALARS: result1: scalar i1: -1
// SCALARS: result2: scalar f64: 2.5
func.func @scalars(%a: tensor<2xf32>, %x: i64) -> (tensor<2xf32>, i1, f64) {
  %c0 = arith.constant 0 : i64
  %b = arith.constant dense<5.0> : tensor<2xf32>
  %is_zero = arith.cmpi eq, %x, %c0 : i64
  %0 = arith.select %is_zero, %a, %b : tensor<2xf32>
  %half = arith.constant 2.5 : f64
  return %0, %is_zero, %half : tensor<2xf32>, i1, f64
}
