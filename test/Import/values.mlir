// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
//
// Constants, conversions, comparisons and choices.

// CHECK-LABEL: func.func @constants
func.func @constants() -> (tensor<f32>, tensor<2x2xf32>, tensor<2xui8>, tensor<3xi1>, tensor<2xbf16>, tensor<f64>) {
  // CHECK: arith.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: arith.constant dense<{{..}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK: arith.constant dense<[-1, 1]> : tensor<2xi8>
  %2 = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  // CHECK: arith.constant dense<true> : tensor<3xi1>
  %3 = stablehlo.constant dense<true> : tensor<3xi1>
  // CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16>
  %4 = stablehlo.constant {foo.bar = 1 : i32} dense<"0x803F0040"> : tensor<2xbf16>
  // CHECK: arith.constant dense<0xFFF0000000000000> : tensor<f64>
  %5 = sdy.constant dense<0xFFF0000000000000> : tensor<f64>
  return %0, %1, %2, %3, %4, %5 : tensor<f32>, tensor<2x2xf32>, tensor<2xui8>, tensor<3xi1>, tensor<2xbf16>, tensor<f64>
}

// CHECK-LABEL: func.func @conversions_of_floats
func.func @conversions_of_floats(%a: tensor<4xf32>, %h: tensor<4xf16>)
    -> (tensor<4xf64>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xui8>, tensor<4xi1>, tensor<4xf32>) {
  // CHECK: arith.extf %arg0 : tensor<4xf32> to tensor<4xf64>
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf64>
  // CHECK: arith.truncf %arg0 : tensor<4xf32> to tensor<4xbf16>
  %1 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xbf16>
  // CHECK: %[[WIDE:.*]] = arith.extf %arg1 : tensor<4xf16> to tensor<4xf32>
  // CHECK: arith.truncf %[[WIDE]] : tensor<4xf32> to tensor<4xbf16>
  %2 = stablehlo.convert %h : (tensor<4xf16>) -> tensor<4xbf16>
  // CHECK: arith.fptosi %arg0 : tensor<4xf32> to tensor<4xi32>
  %3 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK: arith.fptoui %arg0 : tensor<4xf32> to tensor<4xi8>
  %4 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xui8>
  // CHECK: arith.cmpf une, %arg0, %{{.*}} : tensor<4xf32>
  %5 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: return {{.*}}, %arg0 :
  %6 = stablehlo.convert %a : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xf64>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xi32>, tensor<4xui8>, tensor<4xi1>, tensor<4xf32>
}

// CHECK-LABEL: func.func @conversions_of_integers
func.func @conversions_of_integers(%s: tensor<4xi8>, %u: tensor<4xui8>, %b: tensor<4xi1>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xui8>) {
  // CHECK: arith.extsi %arg0
  %0 = stablehlo.convert %s : (tensor<4xi8>) -> tensor<4xi32>
  // CHECK: arith.extui %arg1
  %1 = stablehlo.convert %u : (tensor<4xui8>) -> tensor<4xi32>
  // CHECK: arith.extui %arg2
  %2 = stablehlo.convert %b : (tensor<4xi1>) -> tensor<4xi32>
  // CHECK: arith.sitofp %arg0
  %3 = stablehlo.convert %s : (tensor<4xi8>) -> tensor<4xf32>
  // CHECK: arith.uitofp %arg1
  %4 = stablehlo.convert %u : (tensor<4xui8>) -> tensor<4xf32>
  // CHECK: arith.uitofp %arg2
  %5 = stablehlo.convert %b : (tensor<4xi1>) -> tensor<4xf32>
  // CHECK: arith.cmpi ne, %arg0
  %6 = stablehlo.convert %s : (tensor<4xi8>) -> tensor<4xi1>
  // CHECK: return {{.*}}, %arg0 :
  %7 = stablehlo.convert %s : (tensor<4xi8>) -> tensor<4xui8>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xui8>
}

// CHECK-LABEL: func.func @bitcast_between_types_of_one_width
func.func @bitcast_between_types_of_one_width(%a: tensor<4xf32>) -> tensor<4xi32> {
  // CHECK: arith.bitcast %arg0 : tensor<4xf32> to tensor<4xi32>
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Only NE holds for NaN.
// CHECK-LABEL: func.func @comparisons_of_floats
func.func @comparisons_of_floats(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: arith.cmpf oeq, %arg0, %arg1
  %0 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: arith.cmpf une
  %1 = stablehlo.compare  NE, %a, %b,  FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: arith.cmpf olt
  %2 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: arith.cmpf oge
  %3 = stablehlo.compare GE, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %3 : tensor<4xi1>
}

// CHECK-LABEL: func.func @comparisons_of_integers
func.func @comparisons_of_integers(%a: tensor<4xi32>, %u: tensor<4xui32>, %p: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK: arith.cmpi sgt
  %0 = stablehlo.compare GT, %a, %a, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK: arith.cmpi ule
  %1 = stablehlo.compare LE, %u, %u, UNSIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  // CHECK: arith.cmpi ult
  %2 = stablehlo.compare LT, %p, %p, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %2 : tensor<4xi1>
}

// CHECK-LABEL: func.func @select_by_elements_and_by_one_predicate
func.func @select_by_elements_and_by_one_predicate(%p: tensor<4xi1>, %q: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[FIRST:.*]] = arith.select %arg0, %arg2, %arg3
  %0 = stablehlo.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  // CHECK: %[[ALL:.*]] = linalg.broadcast ins(%arg1 : tensor<i1>) outs(%{{.*}} : tensor<4xi1>) dimensions = [0]
  // CHECK: arith.select %[[ALL]], %[[FIRST]], %arg3
  %1 = stablehlo.select %q, %0, %b : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @select_of_true_and_false_is_the_predicate
func.func @select_of_true_and_false_is_the_predicate(%p: tensor<4xi1>) -> tensor<4xi1> {
  %t = stablehlo.constant dense<true> : tensor<4xi1>
  %f = stablehlo.constant dense<false> : tensor<4xi1>
  // CHECK: return %arg0
  %0 = stablehlo.select %p, %t, %f : tensor<4xi1>, tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: func.func @clamp_is_minimum_of_maximum
func.func @clamp_is_minimum_of_maximum(%lo: tensor<f32>, %x: tensor<4xf32>, %hi: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[LO:.*]] = linalg.broadcast ins(%arg0
  // CHECK: %[[M:.*]] = arith.maximumf %[[LO]], %arg1
  // CHECK: arith.minimumf %[[M]], %arg2
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @barriers_are_nothing
func.func @barriers_are_nothing(%a: tensor<4xf32>, %b: tensor<2xi32>) -> (tensor<4xf32>, tensor<2xi32>) {
  // CHECK-NEXT: return %arg0, %arg1
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<2xi32>
  return %0#0, %0#1 : tensor<4xf32>, tensor<2xi32>
}
