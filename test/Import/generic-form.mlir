// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
// RUN: %dtensor-opt %s | %dtensor-opt --dtensor-import-stablehlo | FileCheck %s
//
// The generic form, with properties or attributes, and what dtensor-opt prints
// of a program before its import.

// CHECK: dtensor.mesh @mesh ["x" = 2]
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()

// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<4x8xf32>, %b: tensor<2x8xf32>) -> tensor<4xf32> {
  // CHECK: linalg.transpose ins(%arg1
  // CHECK: linalg.matmul
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  // CHECK: arith.constant dense<1.000000e+00>
  %c = "stablehlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %1 = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2xf32>
  // CHECK: arith.cmpf ogt
  %2 = "stablehlo.compare"(%0, %1) <{comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xi1>
  %3 = "stablehlo.select"(%2, %0, %1) : (tensor<4x2xi1>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  // CHECK: linalg.transpose {{.*}} permutation = [1, 0]
  %4 = "stablehlo.transpose"(%3) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  // CHECK: linalg.reduce { arith.addf }
  %5 = "stablehlo.reduce"(%4, %c) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}
