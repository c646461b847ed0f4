// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
// RUN: dtensor-run %s --entry run --check=interp --random-inputs 3 | FileCheck %s --check-prefix=VALUES

// Slices whose start is data become gathers and scatters at clamped positions.

// CHECK-LABEL: func.func @slice
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<i32>) outs(%{{.*}} : tensor<3x1xi64>)
// CHECK: arith.extsi
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: %[[G:.*]] = dtensor.gather dims [1] ins(%arg0, %[[P]] : tensor<4x8xf32>, tensor<3x1xi64>) outs(%{{.*}} : tensor<3x4xf32>)
// CHECK: linalg.transpose ins(%[[G]] : tensor<3x4xf32>) outs(%{{.*}} : tensor<4x3xf32>) permutation = [1, 0]
func.func @slice(%a: tensor<4x8xf32>, %i: tensor<i32>) -> tensor<4x3xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %c, %i, sizes = [4, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Unsigned starts have no lower bound; two dimensions have positions of two
// numbers.
// CHECK-LABEL: func.func @update
// CHECK: arith.extui
// CHECK-NOT: arith.maxsi
// CHECK: arith.minui
// CHECK: %[[P:.*]] = tensor.concat dim(2)
// CHECK: dtensor.scatter dims [0, 1] ins(%arg1, %[[P]] : tensor<2x3xf32>, tensor<2x3x2xi64>) outs(%arg0 : tensor<4x8xf32>)
func.func @update(%a: tensor<4x8xf32>, %u: tensor<2x3xf32>, %i: tensor<ui32>) -> tensor<4x8xf32> {
  %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<ui32>, tensor<ui32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// What takes all takes it from the start.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: return %arg0, %arg1
func.func @whole(%a: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [4] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Floats in their total order, as integers.
// CHECK-LABEL: func.func @top_k
// CHECK: arith.bitcast %arg0 : tensor<5xf32> to tensor<5xi32>
// CHECK: dtensor.top_k dim 0 ins(%{{.*}} : tensor<5xi32>) outs(%{{.*}}, %{{.*}} : tensor<2xi32>, tensor<2xi32>)
// CHECK: arith.bitcast %{{.*}} : tensor<2xi32> to tensor<2xf32>
func.func @top_k(%a: tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %v, %i = chlo.top_k(%a, k = 2) : tensor<5xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %v, %i : tensor<2xf32>, tensor<2xi32>
}

// VALUES: result0: largest error 0 {{.*}}: ok
// VALUES: result1: {{.*}}: ok
// VALUES: result2: {{.*}}: ok
func.func @run(%a: tensor<4x8xf32>, %u: tensor<2x3xf32>) -> (tensor<4x3xf32>, tensor<4x8xf32>, tensor<4x2xf32>) {
  %c = stablehlo.constant dense<-7> : tensor<i32>
  %i = stablehlo.constant dense<100> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %c, %i, sizes = [4, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  %1 = stablehlo.dynamic_update_slice %a, %u, %i, %c : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %v, %k = chlo.top_k(%a, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0, %1, %v : tensor<4x3xf32>, tensor<4x8xf32>, tensor<4x2xf32>
}
