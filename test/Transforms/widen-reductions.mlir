// RUN: %dtensor-opt %s --dtensor-widen-reductions | FileCheck %s

// Running sums and products of 16-bit floats are f32, and rounded once.

// CHECK-LABEL: func.func @reduce
// CHECK: %[[INIT:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<4x8xbf16>) outs(%[[INIT]] : tensor<4xf32>)
// CHECK: ^bb0(%[[X:.*]]: bf16, %[[SUM:.*]]: f32):
// CHECK: %[[W:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK: %[[N:.*]] = arith.addf %[[W]], %[[SUM]] : f32
// CHECK: linalg.yield %[[N]] : f32
// CHECK: arith.truncf %[[S]] : tensor<4xf32> to tensor<4xbf16>
func.func @reduce(%a: tensor<4x8xbf16>) -> tensor<4xbf16> {
  %z = arith.constant dense<0.0> : tensor<4xbf16>
  %0 = linalg.reduce ins(%a : tensor<4x8xbf16>) outs(%z : tensor<4xbf16>) dimensions = [1]
    (%x: bf16, %s: bf16) {
      %n = arith.addf %x, %s : bf16
      linalg.yield %n : bf16
    }
  return %0 : tensor<4xbf16>
}

// What a destination holds before is widened; a fill of unknown extent too.
// CHECK-LABEL: func.func @inits
// CHECK: arith.extf %arg1 : tensor<4xf16> to tensor<4xf32>
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: %[[E:.*]] = tensor.empty(%arg2) : tensor<?xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[E]] : tensor<?xf32>)
func.func @inits(%a: tensor<4x8xf16>, %i: tensor<4xf16>, %n: index, %b: tensor<?x8xf16>) -> (tensor<4xf16>, tensor<?xf16>) {
  %0 = linalg.reduce { arith.mulf } ins(%a : tensor<4x8xf16>) outs(%i : tensor<4xf16>) dimensions = [1]
  %c = arith.constant 0.0 : f16
  %e = tensor.empty(%n) : tensor<?xf16>
  %f = linalg.fill ins(%c : f16) outs(%e : tensor<?xf16>) -> tensor<?xf16>
  %1 = linalg.reduce { arith.addf } ins(%b : tensor<?x8xf16>) outs(%f : tensor<?xf16>) dimensions = [1]
  return %0, %1 : tensor<4xf16>, tensor<?xf16>
}

// Largest elements are exact, f32 is wide enough, products have a step of
// their own.
// CHECK-LABEL: func.func @others
// CHECK-NOT: arith.extf
// CHECK: return
func.func @others(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>, %c: tensor<4x8xf32>) -> (tensor<4xbf16>, tensor<4x4xbf16>, tensor<4xf32>) {
  %m = arith.constant dense<0xFF80> : tensor<4xbf16>
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<4x8xbf16>) outs(%m : tensor<4xbf16>) dimensions = [1]
  %z = arith.constant dense<0.0> : tensor<4x4xbf16>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%z : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %y = arith.constant dense<0.0> : tensor<4xf32>
  %2 = linalg.reduce { arith.addf } ins(%c : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [1]
  return %0, %1, %2 : tensor<4xbf16>, tensor<4x4xbf16>, tensor<4xf32>
}
