// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
//
// Ops that move elements.

// CHECK-DAG: #[[REVERSED:.*]] = affine_map<(d0, d1) -> (d0, -d1 + 2)>

// CHECK-LABEL: func.func @reshape_that_joins
func.func @reshape_that_joins(%a: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  // CHECK-NEXT: tensor.collapse_shape %arg0 {{.}}[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %0 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @reshape_that_splits
func.func @reshape_that_splits(%a: tensor<6x4xf32>) -> tensor<2x3x4x1xf32> {
  // CHECK-NEXT: tensor.expand_shape %arg0 {{.}}[0, 1], [2, 3]] output_shape [2, 3, 4, 1]
  %0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<2x3x4x1xf32>
  return %0 : tensor<2x3x4x1xf32>
}

// CHECK-LABEL: func.func @reshape_that_does_both_goes_through_what_they_share
func.func @reshape_that_does_both_goes_through_what_they_share(%a: tensor<4x6x5xf32>) -> tensor<3x8x5xf32> {
  // CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %arg0 {{.}}[0, 1], [2]] : tensor<4x6x5xf32> into tensor<24x5xf32>
  // CHECK-NEXT: tensor.expand_shape %[[C]] {{.}}[0, 1], [2]] output_shape [3, 8, 5]
  %0 = stablehlo.reshape %a : (tensor<4x6x5xf32>) -> tensor<3x8x5xf32>
  return %0 : tensor<3x8x5xf32>
}

// CHECK-LABEL: func.func @reshape_to_and_from_rank_zero
func.func @reshape_to_and_from_rank_zero(%a: tensor<1x1xf32>) -> tensor<1xf32> {
  // CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %arg0 [] : tensor<1x1xf32> into tensor<f32>
  %0 = stablehlo.reshape %a : (tensor<1x1xf32>) -> tensor<f32>
  // CHECK-NEXT: tensor.expand_shape %[[C]] [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %1 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}

// CHECK-LABEL: func.func @reshape_of_an_empty_tensor
func.func @reshape_of_an_empty_tensor(%a: tensor<0x3xf32>) -> tensor<5x0xf32> {
  // CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %arg0 {{.}}[0, 1]] : tensor<0x3xf32> into tensor<0xf32>
  // CHECK-NEXT: tensor.expand_shape %[[C]] {{.}}[0, 1]] output_shape [5, 0]
  %0 = stablehlo.reshape %a : (tensor<0x3xf32>) -> tensor<5x0xf32>
  return %0 : tensor<5x0xf32>
}

// CHECK-LABEL: func.func @broadcast_adds_dimensions
func.func @broadcast_adds_dimensions(%a: tensor<3xf32>) -> tensor<2x3x4xf32> {
  // CHECK: linalg.broadcast ins(%arg0 : tensor<3xf32>) outs(%{{.*}} : tensor<2x3x4xf32>) dimensions = [0, 2]
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @broadcast_drops_dimensions_of_size_one_first
func.func @broadcast_drops_dimensions_of_size_one_first(%a: tensor<1x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[C:.*]] = tensor.collapse_shape %arg0 {{.}}[0, 1]] : tensor<1x3xf32> into tensor<3xf32>
  // CHECK: linalg.broadcast ins(%[[C]] : tensor<3xf32>) outs(%{{.*}} : tensor<2x3xf32>) dimensions = [0]
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @broadcast_in_another_order_transposes
func.func @broadcast_in_another_order_transposes(%a: tensor<3x2xf32>) -> tensor<2x3x4xf32> {
  // CHECK: %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<3x2xf32>) outs(%{{.*}} : tensor<2x3xf32>) permutation = [1, 0]
  // CHECK: linalg.broadcast ins(%[[T]] : tensor<2x3xf32>) outs(%{{.*}} : tensor<2x3x4xf32>) dimensions = [2]
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @broadcast_of_a_constant_is_a_constant
func.func @broadcast_of_a_constant_is_a_constant() -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  // CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<2x3xf32>
  // CHECK: return %[[C]]
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @broadcast_that_changes_nothing_is_nothing
func.func @broadcast_that_changes_nothing_is_nothing(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @transpose
func.func @transpose(%a: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  // CHECK: linalg.transpose ins(%arg0 : tensor<2x3x4xf32>) outs(%{{.*}} : tensor<4x2x3xf32>) permutation = [2, 0, 1]
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] {xla_shape = "f32[4,2,3]{0,1,2}"} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @reverse
func.func @reverse(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[REVERSED]], #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%arg0
  %0 = stablehlo.reverse %a, dims = [1] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @slice
func.func @slice(%a: tensor<4x9xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: tensor.extract_slice %arg0[1, 0] [2, 4] [1, 2] : tensor<4x9xf32> to tensor<2x4xf32>
  %0 = stablehlo.slice %a [1:3, 0:8:2] : (tensor<4x9xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @concatenate
func.func @concatenate(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> tensor<2x8xf32> {
  // CHECK-NEXT: tensor.concat dim(1) %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func.func @pad
func.func @pad(%a: tensor<2x3xf32>) -> tensor<3x5xf32> {
  %c = stablehlo.constant dense<0.5> : tensor<f32>
  // CHECK: %[[C:.*]] = arith.constant 5.000000e-01 : f32
  // CHECK: tensor.pad %arg0 low[0, 2] high[1, 0]
  // CHECK: tensor.yield %[[C]]
  %0 = stablehlo.pad %a, %c, low = [0, 2], high = [1, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// Elements 1 and 2 of 3 stay, at 1 and 3 of what is padding elsewhere.
// CHECK-LABEL: func.func @pad_with_gaps_and_dropped_elements
func.func @pad_with_gaps_and_dropped_elements(%a: tensor<3xf32>, %c: tensor<f32>) -> tensor<6xf32> {
  // CHECK: %[[PADDING:.*]] = linalg.broadcast ins(%arg1 : tensor<f32>) outs(%{{.*}} : tensor<6xf32>)
  // CHECK: %[[KEPT:.*]] = tensor.extract_slice %arg0[1] [2] [1] : tensor<3xf32> to tensor<2xf32>
  // CHECK: tensor.insert_slice %[[KEPT]] into %[[PADDING]][1] [2] [2] : tensor<2xf32> into tensor<6xf32>
  %0 = stablehlo.pad %a, %c, low = [-1], high = [2], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: func.func @iota_counts_along_its_dimension
func.func @iota_counts_along_its_dimension() -> (tensor<2x3xi32>, tensor<4xf32>) {
  // CHECK: linalg.generic
  // CHECK: %[[I:.*]] = linalg.index 1
  // CHECK: arith.index_cast %[[I]] : index to i32
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  // CHECK: linalg.index 0
  // CHECK: arith.sitofp %{{.*}} : i64 to f32
  %1 = stablehlo.iota dim = 0 : tensor<4xf32>
  return %0, %1 : tensor<2x3xi32>, tensor<4xf32>
}
