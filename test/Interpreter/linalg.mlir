// Named structured ops on 0, 1, 2, ...: answers by hand.
// RUN: interpret-program %s --entry matmul | FileCheck %s --check-prefix=MATMUL
// RUN: interpret-program %s --entry batch_matmul | FileCheck %s --check-prefix=BATCH
// RUN: interpret-program %s --entry shapes | FileCheck %s --check-prefix=SHAPES
// RUN: interpret-program %s --entry reduce | FileCheck %s --check-prefix=REDUCE
// RUN: interpret-program %s --entry map | FileCheck %s --check-prefix=MAP
// RUN: interpret-program %s --entry integers | FileCheck %s --check-prefix=INTEGERS
// RUN: interpret-program %s --entry conv | FileCheck %s --check-prefix=CONV
// RUN: interpret-program %s --entry nothing | FileCheck %s --check-prefix=NOTHING

// [[0,1,2],[3,4,5]] x [[0,1],[2,3],[4,5]], and the same on top of 10 and with
// the second factor transposed.
// MATMUL: result0: 2x2 f32: 10 13 28 40
// MATMUL: result1: 2x2 f32: 20 23 38 50
// MATMUL: result2: 2x2 f32: 5 14 14 50
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>)
    -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c10 = arith.constant 10.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %zero = linalg.fill ins(%c0 : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %ten = linalg.fill ins(%c10 : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%ten : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// [[0,1]] x [[0],[1]] = 1, [[2,3]] x [[2],[3]] = 13.
// BATCH: result0: 2x1x1 f64: 1 13
func.func @batch_matmul(%a: tensor<2x1x2xf64>, %b: tensor<2x2x1xf64>) -> tensor<2x1x1xf64> {
  %zero = arith.constant dense<0.0> : tensor<2x1x1xf64>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x1x2xf64>, tensor<2x2x1xf64>) outs(%zero : tensor<2x1x1xf64>) -> tensor<2x1x1xf64>
  return %0 : tensor<2x1x1xf64>
}

// SHAPES: result0: 3x2 f32: 0 3 1 4 2 5
// SHAPES: result1: 2x2x3 f32: 0 1 2 3 4 5 0 1 2 3 4 5
func.func @shapes(%a: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x2x3xf32>) {
  %e0 = tensor.empty() : tensor<3x2xf32>
  %e1 = tensor.empty() : tensor<2x2x3xf32>
  %0 = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%e0 : tensor<3x2xf32>) permutation = [1, 0]
  %1 = linalg.broadcast ins(%a : tensor<2x3xf32>) outs(%e1 : tensor<2x2x3xf32>) dimensions = [0]
  return %0, %1 : tensor<3x2xf32>, tensor<2x2x3xf32>
}

// Sums of rows, products and maxima of columns.
// REDUCE: result0: 2 f32: 3 12
// REDUCE: result1: 3 f32: 0 4 10
// REDUCE: result2: 3 f32: 3 4 5
func.func @reduce(%a: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<2x3xf32>) outs(%zero : tensor<2xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.mulf } ins(%a : tensor<2x3xf32>) outs(%one : tensor<3xf32>) dimensions = [0]
  %2 = linalg.reduce { arith.maximumf } ins(%a : tensor<2x3xf32>) outs(%low : tensor<3xf32>) dimensions = [0]
  return %0, %1, %2 : tensor<2xf32>, tensor<3xf32>, tensor<3xf32>
}

// MAP: result0: 4 f32: 0 2 6 12
func.func @map(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.map { arith.mulf } ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
  %1 = linalg.add ins(%0, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// 100 * 100 three times in i8: 30000 = 117 * 256 + 48. Widened to i32 first:
// 30000.
// INTEGERS: result0: 1x1 i8: 48
// INTEGERS: result1: 1x1 i32: 30000
func.func @integers() -> (tensor<1x1xi8>, tensor<1x1xi32>) {
  %a = arith.constant dense<100> : tensor<1x3xi8>
  %b = arith.constant dense<100> : tensor<3x1xi8>
  %z8 = arith.constant dense<0> : tensor<1x1xi8>
  %z32 = arith.constant dense<0> : tensor<1x1xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<1x3xi8>, tensor<3x1xi8>) outs(%z8 : tensor<1x1xi8>) -> tensor<1x1xi8>
  %1 = linalg.matmul ins(%a, %b : tensor<1x3xi8>, tensor<3x1xi8>) outs(%z32 : tensor<1x1xi32>) -> tensor<1x1xi32>
  return %0, %1 : tensor<1x1xi8>, tensor<1x1xi32>
}

// 0*0 + 1*1, 1*0 + 2*1, ...: a map that adds two loops; the maxima of pairs.
// CONV: result0: 4 f32: 1 2 3 4
// CONV: result1: 1x2x2x1 f32: 5 7 13 15
func.func @conv(%a: tensor<5xf32>, %k: tensor<2xf32>, %image: tensor<1x4x4x1xf32>)
    -> (tensor<4xf32>, tensor<1x2x2x1xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.conv_1d ins(%a, %k : tensor<5xf32>, tensor<2xf32>) outs(%zero : tensor<4xf32>) -> tensor<4xf32>
  %low = arith.constant dense<0xFF800000> : tensor<1x2x2x1xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %1 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%image, %window : tensor<1x4x4x1xf32>, tensor<2x2xf32>)
       outs(%low : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  return %0, %1 : tensor<4xf32>, tensor<1x2x2x1xf32>
}

// A product without terms is its init; a tensor without elements has none.
// NOTHING: result0: 2x2 f32: 7 7 7 7
// NOTHING: result1: 0x2 f32:{{$}}
func.func @nothing(%a: tensor<2x0xf32>, %b: tensor<0x2xf32>) -> (tensor<2x2xf32>, tensor<0x2xf32>) {
  %seven = arith.constant dense<7.0> : tensor<2x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x0xf32>, tensor<0x2xf32>) outs(%seven : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = math.exp %b : tensor<0x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<0x2xf32>
}
