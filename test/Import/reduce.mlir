// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
//
// Reductions.

// CHECK-LABEL: func.func @sum_from_a_constant
func.func @sum_from_a_constant(%a: tensor<2x3xf32>) -> tensor<3xf32> {
  // CHECK: %[[C:.*]] = arith.constant 5.000000e+00 : f32
  // CHECK: %[[START:.*]] = linalg.fill ins(%[[C]] : f32)
  // CHECK: %[[SUM:.*]] = linalg.reduce { arith.addf } ins(%arg0 : tensor<2x3xf32>) outs(%[[START]] : tensor<3xf32>) dimensions = [0]
  // CHECK: return %[[SUM]]
  %c = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @other_combiners
func.func @other_combiners(%a: tensor<2x3xf32>, %b: tensor<2x3xi1>, %u: tensor<2x3xui8>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %z = stablehlo.constant dense<0> : tensor<ui8>
  // CHECK: linalg.reduce { arith.mulf }
  %0 = stablehlo.reduce(%a init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: linalg.reduce { arith.maximumf }
  %1 = stablehlo.reduce(%a init: %one) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: linalg.reduce { arith.minimumf }
  %2 = stablehlo.reduce(%a init: %one) applies stablehlo.minimum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: linalg.reduce { arith.andi }
  %3 = stablehlo.reduce(%b init: %f) applies stablehlo.and across dimensions = [0] : (tensor<2x3xi1>, tensor<i1>) -> tensor<3xi1>
  // CHECK: linalg.reduce { arith.ori } {{.*}} outs(%{{.*}} : tensor<i1>) dimensions = [0, 1]
  %4 = stablehlo.reduce(%b init: %f) applies stablehlo.or across dimensions = [0, 1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<i1>
  // CHECK: linalg.reduce { arith.maxui }
  %5 = stablehlo.reduce(%u init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2xui8>
  return
}

// CHECK-LABEL: func.func @a_value_to_start_from_is_added_at_the_end
func.func @a_value_to_start_from_is_added_at_the_end(%a: tensor<2x3xf32>, %c: tensor<f32>) -> tensor<3xf32> {
  // CHECK: arith.constant -0.000000e+00 : f32
  // CHECK: %[[SUM:.*]] = linalg.reduce { arith.addf }
  // CHECK: %[[C:.*]] = linalg.broadcast ins(%arg1 : tensor<f32>) outs(%{{.*}} : tensor<3xf32>) dimensions = [0]
  // CHECK: arith.addf %[[C]], %[[SUM]] : tensor<3xf32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// As PyTorch/XLA writes `any`: the choice at the end goes, the combiner stays.
// CHECK-LABEL: func.func @a_body_is_imported_op_by_op
func.func @a_body_is_imported_op_by_op(%a: tensor<2x3xi1>) -> tensor<2xi1> {
  %f = sdy.constant dense<false> : tensor<i1>
  // CHECK: linalg.reduce ins(%arg0
  // CHECK: (%[[IN:.*]]: i1, %[[SO_FAR:.*]]: i1) {
  // CHECK: %[[OR:.*]] = arith.ori %[[SO_FAR]], %[[IN]] : i1
  // CHECK: linalg.yield %[[OR]]
  %0 = stablehlo.reduce(%a init: %f) across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
   reducer(%x: tensor<i1> loc("x"), %y: tensor<i1> loc("y"))  {
    %t = sdy.constant dense<true> : tensor<i1>
    %n = sdy.constant dense<false> : tensor<i1>
    %or = stablehlo.or %x, %y : tensor<i1>
    %s = stablehlo.select %or, %t, %n : tensor<i1>, tensor<i1>
    stablehlo.return %s : tensor<i1>
  }
  return %0 : tensor<2xi1>
}

// As JAX writes argmax: several tensors at once.
// CHECK-LABEL: func.func @several_tensors
func.func @several_tensors(%a: tensor<5xf32>, %i: tensor<5xi32>) -> (tensor<f32>, tensor<i32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: %{{.*}}:2 = linalg.reduce ins(%arg0, %arg1 : tensor<5xf32>, tensor<5xi32>) outs(%{{.*}}, %{{.*}} : tensor<f32>, tensor<i32>) dimensions = [0]
  // CHECK: (%[[A:.*]]: f32, %[[I:.*]]: i32, %[[TOP:.*]]: f32, %[[AT:.*]]: i32)
  // CHECK: %[[GT:.*]] = arith.cmpf ogt, %[[TOP]], %[[A]] : f32
  // CHECK: arith.select %[[GT]], %[[TOP]], %[[A]] : f32
  // CHECK: arith.select %[[GT]], %[[AT]], %[[I]] : i32
  %0:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [0] : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%xi: tensor<i32>, %yi: tensor<i32>)  {
    %gt = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %gt, %x, %y : tensor<i1>, tensor<f32>
    %at = stablehlo.select %gt, %xi, %yi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %at : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}
