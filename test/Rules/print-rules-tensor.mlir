// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of tensor ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py tensor --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py tensor --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a0: tensor<5x7xf32>, %b0: tensor<3x7xf32>, %a1: tensor<5x7xf32>, %b1: tensor<5x7xf32>,
                %a2: tensor<5x1x3xf32>, %b2: tensor<5x4x3xf32>, %c2: tensor<5x2x3xf32>, %a3: tensor<4xi32>,
                %b3: tensor<1xi32>, %a4: tensor<5x7xf32>, %a5: tensor<5x7xf32>, %a6: tensor<5x7xf32>,
                %a7: tensor<5x7xf32>, %a8: tensor<5x6x7xf32>, %a10: tensor<5x7xf32>) {
  // expected-remark-re @+1 {{rule ([k, j], [l, j]) -> ([i, j]), need_replication = [i, k, l]{{$}}}}
  %r0 = tensor.concat dim(0) %a0, %b0 : (tensor<5x7xf32>, tensor<3x7xf32>) -> tensor<8x7xf32>
  // expected-remark-re @+1 {{rule ([i, k], [i, l]) -> ([i, j]), need_replication = [j, k, l]{{$}}}}
  %r1 = tensor.concat dim(1) %a1, %b1 : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x14xf32>
  // expected-remark-re @+1 {{rule ([i, l, k], [i, m, k], [i, n, k]) -> ([i, j, k]), need_replication = [j, l, m, n]{{$}}}}
  %r2 = tensor.concat dim(1) %a2, %b2, %c2 : (tensor<5x1x3xf32>, tensor<5x4x3xf32>, tensor<5x2x3xf32>) -> tensor<5x7x3xf32>
  // expected-remark-re @+1 {{rule ([j], [k]) -> ([i]), need_replication = [i, j, k]{{$}}}}
  %r3 = tensor.concat dim(0) %a3, %b3 : (tensor<4xi32>, tensor<1xi32>) -> tensor<5xi32>
  // expected-remark-re @+1 {{rule ([i, k]) -> ([j, k]), need_replication = [i, j]{{$}}}}
  %r4 = tensor.extract_slice %a4[1, 0][3, 7][1, 1] : tensor<5x7xf32> to tensor<3x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, k]), need_replication = [j, k]{{$}}}}
  %r5 = tensor.extract_slice %a5[0, 1][5, 3][1, 2] : tensor<5x7xf32> to tensor<5x3xf32>
  // expected-remark-re @+1 {{rule ([i, k]) -> ([j, l]), need_replication = [i, j, k, l]{{$}}}}
  %r6 = tensor.extract_slice %a6[4, 2][1, 4][1, 1] : tensor<5x7xf32> to tensor<1x4xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r7 = tensor.extract_slice %a7[0, 0][5, 7][1, 1] : tensor<5x7xf32> to tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j, k]) -> ([i, k]), need_replication = [j]{{$}}}}
  %r8 = tensor.extract_slice %a8[0, 2, 0][5, 1, 7][1, 1, 1] : tensor<5x6x7xf32> to tensor<5x7xf32>
  %c9 = arith.constant 0.75 : f32
  // expected-remark-re @+1 {{is made anew for any layout{{$}}}}
  %r9 = tensor.splat %c9 : tensor<5x7xf32>
  // expected-remark-re @+1 {{is made anew for any layout{{$}}}}
  %e10 = tensor.empty() : tensor<5x7xf32>
  %r10 = linalg.copy ins(%a10 : tensor<5x7xf32>) outs(%e10 : tensor<5x7xf32>) -> tensor<5x7xf32>
  return
}
