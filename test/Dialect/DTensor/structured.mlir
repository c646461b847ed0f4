// RUN: %dtensor-opt %s --verify-roundtrip | FileCheck %s
// RUN: %dtensor-opt %s --emit-bytecode | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt %s --mlir-print-op-generic | %dtensor-opt | FileCheck %s

// Every structured op, with the options that it may carry.

// CHECK-LABEL: func.func @lines
func.func @lines(%a: tensor<4x8xf32>, %i: tensor<4x8xi32>, %e: tensor<4x8xf32>, %f: tensor<4x8xi32>,
                 %g: tensor<4x3xf32>, %h: tensor<4x3xi64>) {
  // CHECK: dtensor.scan sum dim 1 ins(%arg0 : tensor<4x8xf32>) outs(%arg2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = dtensor.scan sum dim 1 ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: dtensor.scan umax exclusive reverse dim 0 ins(%arg1 : tensor<4x8xi32>) outs(%arg3 : tensor<4x8xi32>) -> tensor<4x8xi32>
  %1 = dtensor.scan umax exclusive reverse dim 0 ins(%i : tensor<4x8xi32>) outs(%f : tensor<4x8xi32>) -> tensor<4x8xi32>
  // CHECK: dtensor.sort dim 1 ins(%arg0 : tensor<4x8xf32>) outs(%arg2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = dtensor.sort dim 1 ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: dtensor.sort dim 0 descending ins(%arg1, %arg0 : tensor<4x8xi32>, tensor<4x8xf32>) outs(%arg3, %arg2 : tensor<4x8xi32>, tensor<4x8xf32>) -> tensor<4x8xi32>, tensor<4x8xf32>
  %3:2 = dtensor.sort dim 0 descending ins(%i, %a : tensor<4x8xi32>, tensor<4x8xf32>) outs(%f, %e : tensor<4x8xi32>, tensor<4x8xf32>) -> tensor<4x8xi32>, tensor<4x8xf32>
  // CHECK: dtensor.top_k dim 1 ins(%arg0 : tensor<4x8xf32>) outs(%arg4, %arg5 : tensor<4x3xf32>, tensor<4x3xi64>) -> tensor<4x3xf32>, tensor<4x3xi64>
  %4:2 = dtensor.top_k dim 1 ins(%a : tensor<4x8xf32>) outs(%g, %h : tensor<4x3xf32>, tensor<4x3xi64>) -> tensor<4x3xf32>, tensor<4x3xi64>
  return
}

// CHECK-LABEL: func.func @positions
func.func @positions(%table: tensor<9x6xf32>, %ids: tensor<2x3x1xi32>, %rows: tensor<2x3x6xf32>) {
  // CHECK: dtensor.gather dims [0] ins(%arg0, %arg1 : tensor<9x6xf32>, tensor<2x3x1xi32>) outs(%arg2 : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  %0 = dtensor.gather dims [0] ins(%table, %ids : tensor<9x6xf32>, tensor<2x3x1xi32>) outs(%rows : tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
  // CHECK: dtensor.scatter dims [0] ins(%arg2, %arg1 : tensor<2x3x6xf32>, tensor<2x3x1xi32>) outs(%arg0 : tensor<9x6xf32>) -> tensor<9x6xf32>
  %1 = dtensor.scatter dims [0] ins(%rows, %ids : tensor<2x3x6xf32>, tensor<2x3x1xi32>) outs(%table : tensor<9x6xf32>) -> tensor<9x6xf32>
  // CHECK: dtensor.scatter product dims [0] ins
  %2 = dtensor.scatter product dims [0] ins(%rows, %ids : tensor<2x3x6xf32>, tensor<2x3x1xi32>) outs(%table : tensor<9x6xf32>) -> tensor<9x6xf32>
  return
}

// CHECK-LABEL: func.func @windows
func.func @windows(%a: tensor<4x9xf32>, %e: tensor<4x5xf32>) {
  // CHECK: dtensor.reduce_window max window [1, 3] strides [1, 2] dilations [1, 1] low [0, 1] high [0, 1] ins(%arg0 : tensor<4x9xf32>) outs(%arg1 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %0 = dtensor.reduce_window max window [1, 3] strides [1, 2] dilations [1, 1] low [0, 1] high [0, 1] ins(%a : tensor<4x9xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x4x8xbf16>, %k: tensor<2x5x8xbf16>, %v: tensor<2x5x3xbf16>, %o: tensor<2x4x3xbf16>) {
  // CHECK: dtensor.attention ins(%arg0, %arg1, %arg2 : tensor<2x4x8xbf16>, tensor<2x5x8xbf16>, tensor<2x5x3xbf16>) outs(%arg3 : tensor<2x4x3xbf16>) -> tensor<2x4x3xbf16>
  %0 = dtensor.attention ins(%q, %k, %v : tensor<2x4x8xbf16>, tensor<2x5x8xbf16>, tensor<2x5x3xbf16>) outs(%o : tensor<2x4x3xbf16>) -> tensor<2x4x3xbf16>
  // CHECK: dtensor.attention causal scale 5.000000e-01 ins
  %1 = dtensor.attention causal scale 0.5 ins(%q, %k, %v : tensor<2x4x8xbf16>, tensor<2x5x8xbf16>, tensor<2x5x3xbf16>) outs(%o : tensor<2x4x3xbf16>) -> tensor<2x4x3xbf16>
  return
}

// CHECK-LABEL: func.func @bits
func.func @bits() {
  // CHECK: dtensor.rng_bits seed -7 : tensor<4xi64>
  %0 = dtensor.rng_bits seed -7 : tensor<4xi64>
  return
}
