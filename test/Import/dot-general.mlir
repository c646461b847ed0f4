// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
//
// Matrix products.

// CHECK-LABEL: func.func @matmul_of_bf16_stays_bf16
func.func @matmul_of_bf16_stays_bf16(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>) -> tensor<4x2xbf16> {
  // CHECK: %[[ZERO:.*]] = linalg.fill
  // CHECK: linalg.matmul ins(%arg0, %arg1 : tensor<4x8xbf16>, tensor<8x2xbf16>) outs(%[[ZERO]] : tensor<4x2xbf16>)
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// CHECK-LABEL: func.func @other_contracted_dimensions_are_transposed
func.func @other_contracted_dimensions_are_transposed(%a: tensor<8x4xf32>, %b: tensor<2x8xf32>) -> tensor<4x2xf32> {
  // CHECK: %[[A:.*]] = linalg.transpose ins(%arg0 : tensor<8x4xf32>) {{.*}} permutation = [1, 0]
  // CHECK: %[[B:.*]] = linalg.transpose ins(%arg1 : tensor<2x8xf32>) {{.*}} permutation = [1, 0]
  // CHECK: linalg.matmul ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x2xf32>)
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : (tensor<8x4xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @one_batch_dimension_is_a_batch_matmul
func.func @one_batch_dimension_is_a_batch_matmul(%a: tensor<4x3x8xf32>, %b: tensor<3x8x2xf32>) -> tensor<3x4x2xf32> {
  // CHECK: %[[A:.*]] = linalg.transpose ins(%arg0 : tensor<4x3x8xf32>) {{.*}} permutation = [1, 0, 2]
  // CHECK: linalg.batch_matmul ins(%[[A]], %arg1 : tensor<3x4x8xf32>, tensor<3x8x2xf32>)
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<4x3x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @dimensions_of_size_one_do_not_stand_in_the_way
func.func @dimensions_of_size_one_do_not_stand_in_the_way(%a: tensor<1x6x4x8xf32>, %b: tensor<1x6x8x2xf32>) -> tensor<1x6x4x2xf32> {
  // CHECK: %[[A:.*]] = tensor.collapse_shape %arg0 {{.}}[0, 1], [2], [3]]
  // CHECK: %[[B:.*]] = tensor.collapse_shape %arg1 {{.}}[0, 1], [2], [3]]
  // CHECK: %[[C:.*]] = linalg.batch_matmul ins(%[[A]], %[[B]] : tensor<6x4x8xf32>, tensor<6x8x2xf32>)
  // CHECK: tensor.expand_shape %[[C]] {{.}}[0, 1], [2], [3]] output_shape [1, 6, 4, 2]
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<1x6x4x8xf32>, tensor<1x6x8x2xf32>) -> tensor<1x6x4x2xf32>
  return %0 : tensor<1x6x4x2xf32>
}

// Small floats are summed in f32 and rounded once.
// CHECK-LABEL: func.func @more_dimensions_are_a_contraction
func.func @more_dimensions_are_a_contraction(%a: tensor<3x4x8xbf16>, %b: tensor<8x2xbf16>) -> tensor<3x4x2xbf16> {
  // CHECK: linalg.fill {{.*}} -> tensor<3x4x2xf32>
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x4x8xbf16>, tensor<8x2xbf16>)
  // CHECK: arith.extf
  // CHECK: arith.extf
  // CHECK: arith.mulf %{{.*}} : f32
  // CHECK: arith.addf %{{.*}} : f32
  // CHECK: arith.truncf %[[SUM]] : tensor<3x4x2xf32> to tensor<3x4x2xbf16>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0] : (tensor<3x4x8xbf16>, tensor<8x2xbf16>) -> tensor<3x4x2xbf16>
  return %0 : tensor<3x4x2xbf16>
}

// CHECK-LABEL: func.func @the_widest_type_is_computed_in
func.func @the_widest_type_is_computed_in(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>, %i: tensor<4x8xi8>, %j: tensor<8x2xi8>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  // CHECK: arith.extf %arg0 : tensor<4x8xbf16> to tensor<4x8xf32>
  // CHECK: arith.extf %arg1
  // CHECK: linalg.matmul {{.*}} -> tensor<4x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  // CHECK: arith.extsi %arg2 : tensor<4x8xi8> to tensor<4x8xi32>
  // CHECK: linalg.matmul {{.*}} -> tensor<4x2xi32>
  %1 = stablehlo.dot_general %i, %j, contracting_dims = [1] x [0] : (tensor<4x8xi8>, tensor<8x2xi8>) -> tensor<4x2xi32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// CHECK-LABEL: func.func @vectors
func.func @vectors(%a: tensor<8xf32>, %b: tensor<8x2xf32>) -> (tensor<2xf32>, tensor<f32>) {
  // CHECK: %[[ROW:.*]] = tensor.expand_shape %arg0 {{.}}[0, 1]] output_shape [1, 8]
  // CHECK: %[[P:.*]] = linalg.matmul ins(%[[ROW]], %arg1 : tensor<1x8xf32>, tensor<8x2xf32>)
  // CHECK: tensor.collapse_shape %[[P]] {{.}}[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  %0 = stablehlo.dot %a, %b : (tensor<8xf32>, tensor<8x2xf32>) -> tensor<2xf32>
  // CHECK: linalg.matmul ins({{.*}} : tensor<1x8xf32>, tensor<8x1xf32>)
  %1 = stablehlo.dot %a, %a, precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return %0, %1 : tensor<2xf32>, tensor<f32>
}
