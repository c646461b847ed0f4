// RUN: %dtensor-opt %s --dtensor-normalize | FileCheck %s

// Ops without a sharding rule are written with such that have one.

// CHECK-LABEL: func.func @pad
// CHECK: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<10x4xf32>)
// CHECK: tensor.insert_slice %arg0 into %[[F]][1, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<10x4xf32>
// CHECK-NOT: tensor.pad
func.func @pad(%a: tensor<8x4xf32>) -> tensor<10x4xf32> {
  %0 = tensor.pad %a low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    %z = arith.constant 0.0 : f32
    tensor.yield %z : f32
  } : tensor<8x4xf32> to tensor<10x4xf32>
  return %0 : tensor<10x4xf32>
}

// An element of a tensor is broadcast.
// CHECK-LABEL: func.func @pad_with_element
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<f32>) outs(%{{.*}} : tensor<5xf32>)
// CHECK: tensor.insert_slice %arg0 into %[[F]][0] [4] [1]
func.func @pad_with_element(%a: tensor<4xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %z = tensor.extract %v[] : tensor<f32>
  %0 = tensor.pad %a low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<5xf32>
  return %0 : tensor<5xf32>
}

// What differs by place is no padding of one value.
// CHECK-LABEL: func.func @pad_by_place
// CHECK: tensor.pad
func.func @pad_by_place(%a: tensor<4xindex>) -> tensor<5xindex> {
  %0 = tensor.pad %a low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<4xindex> to tensor<5xindex>
  return %0 : tensor<5xindex>
}

// CHECK-LABEL: func.func @generate
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[K:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK: linalg.yield %[[K]]
func.func @generate() -> tensor<6xi32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i32
    tensor.yield %k : i32
  } : tensor<6xi32>
  return %0 : tensor<6xi32>
}

// CHECK-LABEL: func.func @reshape
// CHECK: tensor.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [2, 3, 4]
// CHECK: %[[L:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<6x4xf32> into tensor<24xf32>
// CHECK: tensor.expand_shape %[[L]] {{\[\[}}0, 1]] output_shape [8, 3]
// CHECK: tensor.collapse_shape %arg1 [] : tensor<1x1xf32> into tensor<f32>
func.func @reshape(%a: tensor<6x4xf32>, %b: tensor<1x1xf32>) -> (tensor<2x3x4xf32>, tensor<8x3xf32>, tensor<f32>) {
  %s0 = arith.constant dense<[2, 3, 4]> : tensor<3xi32>
  %0 = tensor.reshape %a(%s0) : (tensor<6x4xf32>, tensor<3xi32>) -> tensor<2x3x4xf32>
  %s1 = arith.constant dense<[8, 3]> : tensor<2xi32>
  %1 = tensor.reshape %a(%s1) : (tensor<6x4xf32>, tensor<2xi32>) -> tensor<8x3xf32>
  %s2 = arith.constant dense<> : tensor<0xi32>
  %2 = tensor.reshape %b(%s2) : (tensor<1x1xf32>, tensor<0xi32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2x3x4xf32>, tensor<8x3xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @gather
// CHECK: %[[G:.*]] = dtensor.gather dims [0] ins(%arg0, %arg1 : tensor<9x4xf32>, tensor<5x1xi32>) outs(%{{.*}} : tensor<5x4xf32>)
// CHECK: tensor.expand_shape %[[G]] {{\[\[}}0], [1, 2]] output_shape [5, 1, 4]
// CHECK: %[[S:.*]] = tensor.collapse_shape %arg2 {{\[\[}}0], [1, 2]] : tensor<5x1x4xf32> into tensor<5x4xf32>
// CHECK: dtensor.scatter dims [0] ins(%[[S]], %arg1 : tensor<5x4xf32>, tensor<5x1xi32>) outs(%arg0 : tensor<9x4xf32>)
func.func @gather(%a: tensor<9x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x1x4xf32>) -> (tensor<5x1x4xf32>, tensor<9x4xf32>) {
  %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x1x4xf32>
  %1 = tensor.scatter %u into %a[%i] scatter_dims([0]) unique : (tensor<5x1x4xf32>, tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<9x4xf32>
  return %0, %1 : tensor<5x1x4xf32>, tensor<9x4xf32>
}

// The largest element starts from -inf, so that NaN is no start value.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[INF:.*]] = arith.constant 0xFF800000 : f32
// CHECK: linalg.fill ins(%[[INF]] : f32)
// CHECK: arith.maximumf
// CHECK-NOT: maxnumf
// CHECK: math.exp
// CHECK: arith.divf
func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @known
// CHECK-NOT: tensor.dim
// CHECK-NOT: tensor.cast
// CHECK: %[[D:.*]] = arith.constant 8 : index
// CHECK: return %arg0, %[[D]]
func.func @known(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, index) {
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %a, %c1 : tensor<4x8xf32>
  %1 = tensor.cast %a : tensor<4x8xf32> to tensor<4x8xf32>
  return %1, %0 : tensor<4x8xf32>, index
}

// What has a rule of its own stays.
// CHECK-LABEL: func.func @ruled
// CHECK: tensor.reshape
func.func @ruled(%a: tensor<6x4xf32>) -> tensor<24xf32> {
  %s = arith.constant dense<[24]> : tensor<1xi32>
  %0 = tensor.reshape %a(%s) {dtensor.rule = #dtensor.rule<"([i,j],[-])->([ij])">} : (tensor<6x4xf32>, tensor<1xi32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}
