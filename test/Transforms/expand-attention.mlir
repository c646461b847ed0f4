// RUN: %dtensor-opt %s --dtensor-expand-attention | FileCheck %s

// CHECK-LABEL: func.func @heads
// CHECK-NOT: dtensor.attention
// CHECK-DAG: %[[Q:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1], [2], [3]{{\]}} : tensor<2x3x4x8xf16> into tensor<6x4x8xf16>
// CHECK-DAG: arith.extf %[[Q]] : tensor<6x4x8xf16> to tensor<6x4x8xf32>
// CHECK: %[[T:.*]] = linalg.transpose {{.*}} permutation = [0, 2, 1]
// CHECK: %[[S:.*]] = linalg.batch_matmul {{.*}} -> tensor<6x4x5xf32>
// The scale of 8 dimensions, and keys up to one ahead.
// CHECK: linalg.generic {{.*}} ins(%[[S]]
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: linalg.index 1
// CHECK: linalg.index 2
// CHECK: arith.cmpi ule
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: linalg.batch_matmul {{.*}} -> tensor<6x4x7xf32>
// CHECK: arith.divf
// CHECK: arith.truncf %{{.*}} : tensor<6x4x7xf32> to tensor<6x4x7xf16>
// CHECK: tensor.expand_shape {{.*}} into tensor<2x3x4x7xf16>
func.func @heads(%q: tensor<2x3x4x8xf16>, %k: tensor<2x3x5x8xf16>, %v: tensor<2x3x5x7xf16>) -> tensor<2x3x4x7xf16> {
  %e = tensor.empty() : tensor<2x3x4x7xf16>
  %0 = dtensor.attention causal ins(%q, %k, %v : tensor<2x3x4x8xf16>, tensor<2x3x5x8xf16>, tensor<2x3x5x7xf16>) outs(%e : tensor<2x3x4x7xf16>) -> tensor<2x3x4x7xf16>
  return %0 : tensor<2x3x4x7xf16>
}

// CHECK-LABEL: func.func @one_head
// CHECK: tensor.expand_shape %arg0 {{\[}}[0, 1], [2]{{\]}}
// CHECK-NOT: arith.cmpi
// CHECK: tensor.collapse_shape {{.*}} : tensor<1x4x8xf64> into tensor<4x8xf64>
func.func @one_head(%q: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %e = tensor.empty() : tensor<4x8xf64>
  %0 = dtensor.attention scale 3.0 ins(%q, %q, %q : tensor<4x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>) outs(%e : tensor<4x8xf64>) -> tensor<4x8xf64>
  return %0 : tensor<4x8xf64>
}
