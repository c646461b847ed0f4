// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
//
// Elementwise arithmetic by the kind of elements.

// CHECK-LABEL: func.func @floats
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>)
func.func @floats(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[R:.*]] = arith.addf %[[A]], %[[B]] : tensor<4xf32>
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  // CHECK-NEXT: arith.subf %[[R]], %[[B]]
  %1 = stablehlo.subtract %0, %b : tensor<4xf32>
  // CHECK-NEXT: arith.mulf
  %2 = stablehlo.multiply %1, %b : tensor<4xf32>
  // CHECK-NEXT: arith.divf
  %3 = stablehlo.divide %2, %b : tensor<4xf32>
  // CHECK-NEXT: arith.maximumf
  %4 = stablehlo.maximum %3, %b : tensor<4xf32>
  // CHECK-NEXT: arith.minimumf
  %5 = stablehlo.minimum %4, %b : tensor<4xf32>
  // CHECK-NEXT: math.powf
  %6 = stablehlo.power %5, %b : tensor<4xf32>
  // CHECK-NEXT: arith.remf
  %7 = stablehlo.remainder %6, %b : tensor<4xf32>
  // CHECK-NEXT: math.atan2
  %8 = stablehlo.atan2 %7, %b : tensor<4xf32>
  // CHECK-NEXT: arith.negf
  %9 = stablehlo.negate %8 : tensor<4xf32>
  // CHECK-NEXT: math.absf
  %10 = stablehlo.abs %9 : tensor<4xf32>
  // CHECK-NEXT: math.exp %
  %11 = stablehlo.exponential %10 : tensor<4xf32>
  // CHECK-NEXT: math.expm1
  %12 = stablehlo.exponential_minus_one %11 : tensor<4xf32>
  // CHECK-NEXT: math.log %
  %13 = stablehlo.log %12 : tensor<4xf32>
  // CHECK-NEXT: math.log1p
  %14 = stablehlo.log_plus_one %13 : tensor<4xf32>
  // CHECK-NEXT: math.tanh
  %15 = stablehlo.tanh %14 : tensor<4xf32>
  // CHECK-NEXT: math.sqrt
  %16 = stablehlo.sqrt %15 : tensor<4xf32>
  // CHECK-NEXT: math.rsqrt
  %17 = stablehlo.rsqrt %16 : tensor<4xf32>
  // CHECK-NEXT: math.cbrt
  %18 = stablehlo.cbrt %17 : tensor<4xf32>
  // CHECK-NEXT: math.sin %
  %19 = stablehlo.sine %18 : tensor<4xf32>
  // CHECK-NEXT: math.cos %
  %20 = stablehlo.cosine %19 : tensor<4xf32>
  // CHECK-NEXT: math.tan %
  %21 = stablehlo.tan %20 : tensor<4xf32>
  // CHECK-NEXT: math.floor
  %22 = stablehlo.floor %21 : tensor<4xf32>
  // CHECK-NEXT: math.ceil
  %23 = stablehlo.ceil %22 : tensor<4xf32>
  // CHECK-NEXT: math.round %
  %24 = stablehlo.round_nearest_afz %23 : tensor<4xf32>
  // CHECK-NEXT: math.roundeven
  %25 = stablehlo.round_nearest_even %24 : tensor<4xf32>
  // CHECK-NEXT: math.erf
  %26 = chlo.erf %25 : tensor<4xf32> -> tensor<4xf32>
  return %26 : tensor<4xf32>
}

// In the type of the operand, also where that is small.
// CHECK-LABEL: func.func @logistic_is_one_over_one_plus_exp
func.func @logistic_is_one_over_one_plus_exp(%a: tensor<4xbf16>) -> tensor<4xbf16> {
  // CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<4xbf16>
  // CHECK-DAG: %[[N:.*]] = arith.negf %{{.*}} : tensor<4xbf16>
  // CHECK: %[[E:.*]] = math.exp %[[N]]
  // CHECK: %[[D:.*]] = arith.addf %[[ONE]], %[[E]]
  // CHECK: arith.divf %[[ONE]], %[[D]] : tensor<4xbf16>
  %0 = stablehlo.logistic %a : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @sign_keeps_zero_and_nan
func.func @sign_keeps_zero_and_nan(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[KEEPS:.*]] = arith.cmpf ueq, %arg0, %{{.*}} : tensor<4xf32>
  // CHECK: %[[SIGN:.*]] = math.copysign %{{.*}}, %arg0
  // CHECK: arith.select %[[KEEPS]], %arg0, %[[SIGN]]
  %0 = stablehlo.sign %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @signed_integers
func.func @signed_integers(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: arith.addi
  %0 = stablehlo.add %a, %b : tensor<4xi32>
  // CHECK: arith.maxsi
  %1 = stablehlo.maximum %0, %b : tensor<4xi32>
  // CHECK: arith.minsi
  %2 = stablehlo.minimum %1, %b : tensor<4xi32>
  // CHECK: math.absi
  %3 = stablehlo.abs %2 : tensor<4xi32>
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<4xi32>
  // CHECK: arith.subi %[[ZERO]]
  %4 = stablehlo.negate %3 : tensor<4xi32>
  // CHECK: arith.minsi
  // CHECK: arith.maxsi
  %5 = stablehlo.sign %4 : tensor<4xi32>
  // CHECK: %[[ONES:.*]] = arith.constant dense<-1> : tensor<4xi32>
  // CHECK: arith.xori %{{.*}}, %[[ONES]]
  %6 = stablehlo.not %5 : tensor<4xi32>
  // CHECK: math.ctpop
  %7 = stablehlo.popcnt %6 : tensor<4xi32>
  // CHECK: math.ctlz
  %8 = stablehlo.count_leading_zeros %7 : tensor<4xi32>
  // CHECK: math.ipowi
  %9 = stablehlo.power %8, %b : tensor<4xi32>
  return %9 : tensor<4xi32>
}

// CHECK-LABEL: func.func @unsigned_becomes_signless_with_unsigned_ops
// CHECK-SAME: (%{{.*}}: tensor<4xi8>, %{{.*}}: tensor<4xi8>) -> tensor<4xi8>
func.func @unsigned_becomes_signless_with_unsigned_ops(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  // CHECK: arith.maxui %{{.*}} : tensor<4xi8>
  %0 = stablehlo.maximum %a, %b : tensor<4xui8>
  // CHECK: arith.minui
  %1 = stablehlo.minimum %0, %b : tensor<4xui8>
  // CHECK: arith.divui
  %2 = stablehlo.divide %1, %b : tensor<4xui8>
  // CHECK: arith.remui
  %3 = stablehlo.remainder %2, %b : tensor<4xui8>
  return %3 : tensor<4xui8>
}

// CHECK-LABEL: func.func @on_booleans_add_is_or_and_multiply_is_and
func.func @on_booleans_add_is_or_and_multiply_is_and(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK-NEXT: arith.ori
  %0 = stablehlo.add %a, %b : tensor<4xi1>
  // CHECK-NEXT: arith.andi
  %1 = stablehlo.multiply %0, %b : tensor<4xi1>
  // CHECK-NEXT: arith.ori
  %2 = stablehlo.maximum %1, %b : tensor<4xi1>
  // CHECK-NEXT: arith.andi
  %3 = stablehlo.minimum %2, %b : tensor<4xi1>
  // CHECK-NEXT: arith.xori
  %4 = stablehlo.xor %3, %b : tensor<4xi1>
  // CHECK-NEXT: arith.ori
  %5 = stablehlo.or %4, %b : tensor<4xi1>
  // CHECK-NEXT: arith.andi
  %6 = stablehlo.and %5, %b : tensor<4xi1>
  return %6 : tensor<4xi1>
}

// By zero it gives -1; the smallest integer by -1 gives itself.
// CHECK-LABEL: func.func @division_is_defined_for_every_divisor
func.func @division_is_defined_for_every_divisor(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: %[[ZERO:.*]] = arith.cmpi eq, %arg1, %{{.*}} : tensor<4xi32>
  // CHECK: %[[SMALLEST:.*]] = arith.constant dense<-2147483648> : tensor<4xi32>
  // CHECK: %[[IS:.*]] = arith.cmpi eq, %arg0, %[[SMALLEST]]
  // CHECK: %[[BOTH:.*]] = arith.andi %[[IS]]
  // CHECK: %[[ONE:.*]] = arith.ori %[[ZERO]], %[[BOTH]]
  // CHECK: %[[DIVISOR:.*]] = arith.select %[[ONE]], %{{.*}}, %arg1
  // CHECK: %[[Q:.*]] = arith.divsi %arg0, %[[DIVISOR]]
  // CHECK: arith.select %[[ZERO]], %{{.*}}, %[[Q]]
  %0 = stablehlo.divide %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @division_by_a_harmless_constant_is_one_op
func.func @division_by_a_harmless_constant_is_one_op(%a: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<3>
  %c = stablehlo.constant dense<3> : tensor<4xi32>
  // CHECK-NEXT: %[[Q:.*]] = arith.divsi %arg0, %[[C]]
  %0 = stablehlo.divide %a, %c : tensor<4xi32>
  // CHECK-NEXT: arith.remsi %[[Q]], %[[C]]
  %1 = stablehlo.remainder %0, %c : tensor<4xi32>
  return %1 : tensor<4xi32>
}

// CHECK-LABEL: func.func @shifts_beyond_the_width_shift_everything_out
func.func @shifts_beyond_the_width_shift_everything_out(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: %[[LAST:.*]] = arith.constant dense<31>
  // CHECK: %[[IN:.*]] = arith.cmpi ule, %arg1, %[[LAST]]
  // CHECK: %[[BY:.*]] = arith.select %[[IN]], %arg1, %[[LAST]]
  // CHECK: %[[S:.*]] = arith.shli %arg0, %[[BY]]
  // CHECK: arith.select %[[IN]], %[[S]]
  %0 = stablehlo.shift_left %a, %b : tensor<4xi32>
  // CHECK: arith.shrui
  // CHECK: arith.select
  %1 = stablehlo.shift_right_logical %0, %b : tensor<4xi32>
  // CHECK: %[[R:.*]] = arith.shrsi
  // CHECK-NEXT: return %[[R]]
  %2 = stablehlo.shift_right_arithmetic %1, %b : tensor<4xi32>
  return %2 : tensor<4xi32>
}
