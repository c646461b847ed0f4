// The tensor ops on 0, 1, 2, ...: answers by hand.
// RUN: interpret-program %s --entry slices | FileCheck %s --check-prefix=SLICES
// RUN: interpret-program %s --entry shapes | FileCheck %s --check-prefix=SHAPES
// RUN: interpret-program %s --entry pad | FileCheck %s --check-prefix=PAD
// RUN: interpret-program %s --entry make | FileCheck %s --check-prefix=MAKE
// RUN: interpret-program %s --entry elements | FileCheck %s --check-prefix=ELEMENTS

// SLICES: result0: 2x2 f32: 5 6 9 10
// SLICES: result1: 2 f32: 1 9
// SLICES: result2: 3x4 f32: 0 1 2 3 4 0 1 7 8 9 10 11
// SLICES: result3: 3x4 f32: 9 1 9 3 4 5 6 7 9 9 9 11
// SLICES: result4: 1x2 f32: 6 7
func.func @slices(%a: tensor<3x4xf32>, %b: tensor<2xf32>, %at: i64)
    -> (tensor<2x2xf32>, tensor<2xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<1x2xf32>) {
  %0 = tensor.extract_slice %a[1, 1] [2, 2] [1, 1] : tensor<3x4xf32> to tensor<2x2xf32>
  // Every second row, one column, without its dimension.
  %1 = tensor.extract_slice %a[0, 1] [2, 1] [2, 1] : tensor<3x4xf32> to tensor<2xf32>
  %2 = tensor.insert_slice %b into %a[1, 1] [1, 2] [1, 1] : tensor<2xf32> into tensor<3x4xf32>
  %nine = arith.constant dense<9.0> : tensor<2x2xf32>
  %3 = tensor.insert_slice %nine into %a[0, 0] [2, 2] [2, 2] : tensor<2x2xf32> into tensor<3x4xf32>
  // A place that the program computes.
  %one = arith.constant 1 : index
  %two = arith.addi %one, %one : index
  %4 = tensor.extract_slice %a[%one, %two] [1, 2] [1, 1] : tensor<3x4xf32> to tensor<1x2xf32>
  return %0, %1, %2, %3, %4 : tensor<2x2xf32>, tensor<2xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<1x2xf32>
}

// SHAPES: result0: 6 f32: 0 1 2 3 4 5
// SHAPES: result1: 3x2 f32: 0 1 2 3 4 5
// SHAPES: result2: 2x5 f32: 0 1 2 0 1 3 4 5 2 3
// SHAPES: result3: 4x3 f32: 0 1 2 3 4 5 0 1 2 3 4 5
// SHAPES: result4: scalar i64: 3
// SHAPES: result5: 3x2 f32: 0 1 2 3 4 5
func.func @shapes(%a: tensor<2x3xf32>, %b: tensor<2x2xf32>)
    -> (tensor<6xf32>, tensor<3x2xf32>, tensor<2x5xf32>, tensor<4x3xf32>, i64, tensor<3x2xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
  %2 = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
  %3 = tensor.concat dim(0) %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<2x3xf32>
  %4 = arith.index_cast %d : index to i64
  %shape = arith.constant dense<[3, 2]> : tensor<2xi64>
  %5 = tensor.reshape %a(%shape) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<6xf32>, tensor<3x2xf32>, tensor<2x5xf32>, tensor<4x3xf32>, i64, tensor<3x2xf32>
}

// A constant around, and a value that depends on the place.
// PAD: result0: 3x3 f32: 7 0 1 7 2 3 7 7 7
// PAD: result1: 2x4 f32: 0 1 2 3 2 3 12 13
func.func @pad(%a: tensor<2x2xf32>) -> (tensor<3x3xf32>, tensor<2x4xf32>) {
  %c7 = arith.constant 7.0 : f32
  %0 = tensor.pad %a low[0, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c7 : f32
  } : tensor<2x2xf32> to tensor<3x3xf32>
  %1 = tensor.pad %a low[0, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    %ten = arith.constant 10 : index
    %row = arith.muli %i, %ten : index
    %sum = arith.addi %row, %j : index
    %int = arith.index_cast %sum : index to i32
    %v = arith.sitofp %int : i32 to f32
    tensor.yield %v : f32
  } : tensor<2x2xf32> to tensor<2x4xf32>
  return %0, %1 : tensor<3x3xf32>, tensor<2x4xf32>
}

// MAKE: result0: 2 f32: 3 3
// MAKE: result1: 2x2 i32: 0 1 1 2
// MAKE: result2: 2x2 f32: 1 2 3 4
// MAKE: result3: 3 bf16: 1 2 3
// MAKE: result4: 4 i1: -1 0 0 -1
// MAKE: result5: 2 f32: 1 2
// MAKE: result6: 2 f16: 1.5 1.5
func.func @make() -> (tensor<2xf32>, tensor<2x2xi32>, tensor<2x2xf32>, tensor<3xbf16>, tensor<4xi1>, tensor<2xf32>, tensor<2xf16>) {
  %c1 = arith.constant 1.0 : f32
  %c2 = arith.constant 2.0 : f32
  %c3 = arith.constant 3.0 : f32
  %0 = tensor.splat %c3 : tensor<2xf32>
  %1 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %sum = arith.addi %i, %j : index
    %v = arith.index_cast %sum : index to i32
    tensor.yield %v : i32
  } : tensor<2x2xi32>
  %2 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %3 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %4 = arith.constant dense<[true, false, false, true]> : tensor<4xi1>
  %5 = tensor.from_elements %c1, %c2 : tensor<2xf32>
  %6 = arith.constant dense<1.5> : tensor<2xf16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<2x2xi32>, tensor<2x2xf32>, tensor<3xbf16>, tensor<4xi1>, tensor<2xf32>, tensor<2xf16>
}

// ELEMENTS: result0: scalar f32: 5
// ELEMENTS: result1: 2x3 f32: 0 1 5 3 4 5
// ELEMENTS: result2: 2x3 f32: 0 1 2 3 4 5
func.func @elements(%a: tensor<2x3xf32>) -> (f32, tensor<2x3xf32>, tensor<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract %a[%c1, %c2] : tensor<2x3xf32>
  %1 = tensor.insert %0 into %a[%c0, %c2] : tensor<2x3xf32>
  %2 = tensor.cast %a : tensor<2x3xf32> to tensor<2x3xf32>
  return %0, %1, %2 : f32, tensor<2x3xf32>, tensor<2x3xf32>
}
