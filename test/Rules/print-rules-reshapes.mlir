// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of reshapes ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py reshapes --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py reshapes --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a0: tensor<5x7xf32>, %a1: tensor<35xf32>, %a2: tensor<5x6x7xf32>, %a3: tensor<5x4x6xf32>,
                %a4: tensor<4x3x5xf32>, %a5: tensor<30x7xf32>, %a6: tensor<5x24xf32>, %a7: tensor<60xf32>,
                %a8: tensor<1x1xf32>, %a9: tensor<f32>) {
  // expected-remark-re @+1 {{rule ([i, j]) -> ([ij]){{$}}}}
  %r0 = tensor.collapse_shape %a0 [[0, 1]] : tensor<5x7xf32> into tensor<35xf32>
  // expected-remark-re @+1 {{rule ([ij]) -> ([i, j]){{$}}}}
  %r1 = tensor.expand_shape %a1 [[0, 1]] output_shape [5, 7] : tensor<35xf32> into tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j, k]) -> ([ij, k]){{$}}}}
  %r2 = tensor.collapse_shape %a2 [[0, 1], [2]] : tensor<5x6x7xf32> into tensor<30x7xf32>
  // expected-remark-re @+1 {{rule ([i, j, k]) -> ([i, jk]){{$}}}}
  %r3 = tensor.collapse_shape %a3 [[0], [1, 2]] : tensor<5x4x6xf32> into tensor<5x24xf32>
  // expected-remark-re @+1 {{rule ([i, j, k]) -> ([ijk]){{$}}}}
  %r4 = tensor.collapse_shape %a4 [[0, 1, 2]] : tensor<4x3x5xf32> into tensor<60xf32>
  // expected-remark-re @+1 {{rule ([ij, k]) -> ([i, j, k]){{$}}}}
  %r5 = tensor.expand_shape %a5 [[0, 1], [2]] output_shape [5, 6, 7] : tensor<30x7xf32> into tensor<5x6x7xf32>
  // expected-remark-re @+1 {{rule ([i, jk]) -> ([i, j, k]){{$}}}}
  %r6 = tensor.expand_shape %a6 [[0], [1, 2]] output_shape [5, 4, 6] : tensor<5x24xf32> into tensor<5x4x6xf32>
  // expected-remark-re @+1 {{rule ([ijk]) -> ([i, j, k]){{$}}}}
  %r7 = tensor.expand_shape %a7 [[0, 1, 2]] output_shape [4, 3, 5] : tensor<60xf32> into tensor<4x3x5xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([]), need_replication = [i, j]{{$}}}}
  %r8 = tensor.collapse_shape %a8 [] : tensor<1x1xf32> into tensor<f32>
  // expected-remark-re @+1 {{rule ([]) -> ([i, j]), need_replication = [i, j]{{$}}}}
  %r9 = tensor.expand_shape %a9 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return
}
