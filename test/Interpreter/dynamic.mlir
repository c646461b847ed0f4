// Sizes that the program computes: a shape is what a value has, not its type.
// RUN: interpret-program %s | FileCheck %s
// RUN: interpret-program %s --entry shapes | FileCheck %s --check-prefix=SHAPES

// The first 1 + 1 rows of 0..8, squared by a product with their transpose.
// CHECK: result0: 2x2 f32: 5 14 14 50
// CHECK: result1: 2x3 f32: 0 2 4 6 8 10
func.func @main(%a: tensor<3x3xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = arith.addi %c1, %c1 : index
  %rows = tensor.extract_slice %a[0, 0] [%n, 3] [1, 1] : tensor<3x3xf32> to tensor<?x3xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%rows, %rows : tensor<?x3xf32>, tensor<?x3xf32>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %whole = tensor.cast %0 : tensor<?x?xf32> to tensor<2x2xf32>
  %sum = arith.addf %rows, %rows : tensor<?x3xf32>
  %1 = tensor.cast %sum : tensor<?x3xf32> to tensor<2x3xf32>
  return %whole, %1 : tensor<2x2xf32>, tensor<2x3xf32>
}

// SHAPES: result0: 6 f32: 0 1 2 3 4 5
// SHAPES: result1: 3x2 f32: 0 1 2 3 4 5
// SHAPES: result2: 3x3 f32: 0 1 2 3 4 5 7 7 7
// SHAPES: result3: 4x3 f32: 0 1 2 3 4 5 0 1 2 3 4 5
// SHAPES: result4: 2 f32: 7 7
func.func @shapes(%a: tensor<2x3xf32>) -> (tensor<6xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<4x3xf32>, tensor<2xf32>) {
  %seven = arith.constant 7.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.cast %a : tensor<2x3xf32> to tensor<?x3xf32>
  %flat = tensor.collapse_shape %d [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  %0 = tensor.cast %flat : tensor<?xf32> to tensor<6xf32>
  %c3 = tensor.dim %a, %c1 : tensor<2x3xf32>
  %pairs = tensor.expand_shape %flat [[0, 1]] output_shape [%c3, 2] : tensor<?xf32> into tensor<?x2xf32>
  %1 = tensor.cast %pairs : tensor<?x2xf32> to tensor<3x2xf32>
  %padded = tensor.pad %d low[0, 0] high[%c1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %seven : f32
  } : tensor<?x3xf32> to tensor<?x3xf32>
  %2 = tensor.cast %padded : tensor<?x3xf32> to tensor<3x3xf32>
  %twice = tensor.concat dim(0) %d, %a : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  %3 = tensor.cast %twice : tensor<?x3xf32> to tensor<4x3xf32>
  %n = tensor.dim %d, %c0 : tensor<?x3xf32>
  %splat = tensor.splat %seven[%n] : tensor<?xf32>
  %4 = tensor.cast %splat : tensor<?xf32> to tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<6xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<4x3xf32>, tensor<2xf32>
}
