// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of positions ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py positions --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py positions --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a0: tensor<3x7xf32>, %b0: tensor<5x7xf32>, %a1: tensor<5x3xf32>, %b1: tensor<5x7xf32>,
                %a2: tensor<2x3xf32>, %b2: tensor<5x7xf32>, %a3: tensor<5x7xf32>, %b3: tensor<5x7xf32>,
                %a4: tensor<7xf32>, %b4: tensor<5x7xf32>, %a5: tensor<5x7xf32>) {
  // expected-remark-re @+1 {{rule ([j, k], [i, k]) -> ([i, k]), need_replication = [i, j]{{$}}}}
  %r0 = tensor.insert_slice %a0 into %b0[1, 0][3, 7][1, 1] : tensor<3x7xf32> into tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, k], [i, j]) -> ([i, j]), need_replication = [j, k]{{$}}}}
  %r1 = tensor.insert_slice %a1 into %b1[0, 2][5, 3][1, 2] : tensor<5x3xf32> into tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([j, l], [i, k]) -> ([i, k]), need_replication = [i, j, k, l]{{$}}}}
  %r2 = tensor.insert_slice %a2 into %b2[3, 1][2, 3][1, 1] : tensor<2x3xf32> into tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r3 = tensor.insert_slice %a3 into %b3[0, 0][5, 7][1, 1] : tensor<5x7xf32> into tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([j], [i, j]) -> ([i, j]), need_replication = [i]{{$}}}}
  %r4 = tensor.insert_slice %a4 into %b4[3, 0][1, 7][1, 1] : tensor<7xf32> into tensor<5x7xf32>
  %p5 = arith.constant 1 : index
  // expected-remark-re @+1 {{rule ([i, k], []) -> ([j, k]), need_replication = [i, j]{{$}}}}
  %r5 = tensor.extract_slice %a5[%p5, 0][3, 7][1, 1] : tensor<5x7xf32> to tensor<3x7xf32>
  return
}
