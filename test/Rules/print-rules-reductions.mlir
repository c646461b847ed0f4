// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of reductions ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py reductions --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py reductions --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a0: tensor<5x7xf32>, %a1: tensor<5x6x7xf32>, %a2: tensor<5x6x7xf32>, %a3: tensor<5x6x7xf32>,
                %a4: tensor<5x7xf32>, %b4: tensor<5xf32>, %a5: tensor<5x7xf32>, %b5: tensor<5x7xi32>,
                %a6: tensor<5x7xf32>, %a7: tensor<5x7xf32>, %a8: tensor<5x7xf32>) {
  %z0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<5xf32>
  %i0 = linalg.fill ins(%z0 : f32) outs(%e0 : tensor<5xf32>) -> tensor<5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i]) -> ([i]), reduction = [j]{{$}}}}
  %r0 = linalg.reduce {arith.addf} ins(%a0 : tensor<5x7xf32>) outs(%i0 : tensor<5xf32>) dimensions = [1]
  %z1 = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<6x7xf32>
  %i1 = linalg.fill ins(%z1 : f32) outs(%e1 : tensor<6x7xf32>) -> tensor<6x7xf32>
  // expected-remark-re @+1 {{rule ([i, j, k], [j, k]) -> ([j, k]), reduction = [i]{{$}}}}
  %r1 = linalg.reduce {arith.addf} ins(%a1 : tensor<5x6x7xf32>) outs(%i1 : tensor<6x7xf32>) dimensions = [0]
  %z2 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<6xf32>
  %i2 = linalg.fill ins(%z2 : f32) outs(%e2 : tensor<6xf32>) -> tensor<6xf32>
  // expected-remark-re @+1 {{rule ([i, j, k], [j]) -> ([j]), reduction = [i, k]{{$}}}}
  %r2 = linalg.reduce {arith.addf} ins(%a2 : tensor<5x6x7xf32>) outs(%i2 : tensor<6xf32>) dimensions = [0, 2]
  %z3 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<f32>
  %i3 = linalg.fill ins(%z3 : f32) outs(%e3 : tensor<f32>) -> tensor<f32>
  // expected-remark-re @+1 {{rule ([i, j, k], []) -> ([]), reduction = [i, j, k]{{$}}}}
  %r3 = linalg.reduce {arith.addf} ins(%a3 : tensor<5x6x7xf32>) outs(%i3 : tensor<f32>) dimensions = [0, 1, 2]
  // expected-remark-re @+1 {{rule ([i, j], [i]) -> ([i]), need_replication = [j]{{$}}}}
  %r4 = linalg.reduce ins(%a4 : tensor<5x7xf32>) outs(%b4 : tensor<5xf32>) dimensions = [1]
  (%in4: f32, %out4: f32) {
    %s4 = arith.subf %out4, %in4 : f32
    linalg.yield %s4 : f32
  }
  %z5 = arith.constant -1.0e4 : f32
  %y5 = arith.constant 0 : i32
  %e5 = tensor.empty() : tensor<5xf32>
  %f5 = tensor.empty() : tensor<5xi32>
  %i5 = linalg.fill ins(%z5 : f32) outs(%e5 : tensor<5xf32>) -> tensor<5xf32>
  %j5 = linalg.fill ins(%y5 : i32) outs(%f5 : tensor<5xi32>) -> tensor<5xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i], [i]) -> ([i], [i]), need_replication = [j]{{$}}}}
  %r5, %s5 = linalg.reduce ins(%a5, %b5 : tensor<5x7xf32>, tensor<5x7xi32>) outs(%i5, %j5 : tensor<5xf32>, tensor<5xi32>) dimensions = [1]
  (%in5: f32, %at5: i32, %best5: f32, %where5: i32) {
    %c5 = arith.cmpf ogt, %in5, %best5 : f32
    %t5 = arith.select %c5, %in5, %best5 : f32
    %u5 = arith.select %c5, %at5, %where5 : i32
    linalg.yield %t5, %u5 : f32, i32
  }
  %z6 = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<7xf32>
  %i6 = linalg.fill ins(%z6 : f32) outs(%e6 : tensor<7xf32>) -> tensor<7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j]) -> ([j]), reduction = [i]{{$}}}}
  %r6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
    iterator_types = ["reduction", "parallel"]} ins(%a6 : tensor<5x7xf32>) outs(%i6 : tensor<7xf32>) {
  ^bb06(%in6: f32, %out6: f32):
    %s6 = arith.mulf %in6, %in6 : f32
    %t6 = arith.addf %s6, %out6 : f32
    linalg.yield %t6 : f32
  } -> tensor<7xf32>
  %z7 = arith.constant 0 : i32
  %o7 = arith.constant 0.0 : f32
  %e7 = tensor.empty() : tensor<5xi32>
  %i7 = linalg.fill ins(%z7 : i32) outs(%e7 : tensor<5xi32>) -> tensor<5xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i]) -> ([i]), reduction = [j]{{$}}}}
  %r7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]} ins(%a7 : tensor<5x7xf32>) outs(%i7 : tensor<5xi32>) {
  ^bb07(%in7: f32, %out7: i32):
    %s7 = arith.cmpf ogt, %in7, %o7 : f32
    %t7 = arith.extui %s7 : i1 to i32
    %u7 = arith.addi %out7, %t7 : i32
    linalg.yield %u7 : i32
  } -> tensor<5xi32>
  %z8 = arith.constant 0.0 : f32
  %y8 = arith.constant -1.0e4 : f32
  %e8 = tensor.empty() : tensor<5xf32>
  %f8 = tensor.empty() : tensor<5xf32>
  %i8 = linalg.fill ins(%z8 : f32) outs(%e8 : tensor<5xf32>) -> tensor<5xf32>
  %j8 = linalg.fill ins(%y8 : f32) outs(%f8 : tensor<5xf32>) -> tensor<5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i], [i]) -> ([i], [i]), need_replication = [j]{{$}}}}
  %r8, %s8 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
    affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a8 : tensor<5x7xf32>) outs(%i8, %j8 : tensor<5xf32>, tensor<5xf32>) {
  ^bb08(%in8: f32, %sum8: f32, %most8: f32):
    %t8 = arith.addf %in8, %sum8 : f32
    %u8 = arith.maximumf %in8, %most8 : f32
    linalg.yield %t8, %u8 : f32, f32
  } -> (tensor<5xf32>, tensor<5xf32>)
  return
}
