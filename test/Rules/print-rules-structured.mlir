// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of structured ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py structured --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py structured --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a0: tensor<5x7xf32>, %a1: tensor<5x7xf32>, %a2: tensor<5x7xf32>, %a3: tensor<5x7xi32>,
                %b3: tensor<5x7xf32>, %a4: tensor<5x7xf32>, %b4: tensor<5x7xi64>, %a5: tensor<5x7xf32>,
                %a6: tensor<7x3xi32>, %a7: tensor<7x5xf32>, %b7: tensor<6x1xi64>, %a8: tensor<7x5xf32>,
                %b8: tensor<6x1xi32>, %a9: tensor<7x5xf32>, %b9: tensor<6x2xi64>, %a10: tensor<3x7x5xf16>,
                %b10: tensor<2x5x1xi64>, %a11: tensor<6x5xf32>, %b11: tensor<6x1xi64>, %c11: tensor<7x5xf32>,
                %a12: tensor<6x5xf32>, %b12: tensor<6x1xi64>, %c12: tensor<7x5xf32>, %a13: tensor<6xf32>,
                %b13: tensor<6x2xi64>, %c13: tensor<7x5xf32>, %a14: tensor<5x7xf32>, %b14: tensor<5x4xf32>,
                %a15: tensor<5x7xf32>, %b15: tensor<4x3xf32>, %a16: tensor<5x7xf32>, %a17: tensor<5x7xf32>) {
  %e0 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]), need_replication = [j]{{$}}}}
  %r0 = dtensor.scan sum dim 1 ins(%a0 : tensor<5x7xf32>) outs(%e0 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e1 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]), need_replication = [i]{{$}}}}
  %r1 = dtensor.scan sum reverse dim 0 ins(%a1 : tensor<5x7xf32>) outs(%e1 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e2 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]), need_replication = [j]{{$}}}}
  %r2 = dtensor.sort dim 1 ins(%a2 : tensor<5x7xf32>) outs(%e2 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e3 = tensor.empty() : tensor<5x7xi32>
  %f3 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j], [i, j]) -> ([i, j], [i, j]), need_replication = [i]{{$}}}}
  %r3, %s3 = dtensor.sort dim 0 ins(%a3, %b3 : tensor<5x7xi32>, tensor<5x7xf32>) outs(%e3, %f3 : tensor<5x7xi32>, tensor<5x7xf32>) -> tensor<5x7xi32>, tensor<5x7xf32>
  %e4 = tensor.empty() : tensor<5x7xf32>
  %f4 = tensor.empty() : tensor<5x7xi64>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j], [i, j]) -> ([i, j], [i, j]), need_replication = [j]{{$}}}}
  %r4, %s4 = dtensor.sort dim 1 descending ins(%a4, %b4 : tensor<5x7xf32>, tensor<5x7xi64>) outs(%e4, %f4 : tensor<5x7xf32>, tensor<5x7xi64>) -> tensor<5x7xf32>, tensor<5x7xi64>
  %e5 = tensor.empty() : tensor<5x3xf32>
  %f5 = tensor.empty() : tensor<5x3xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, k], [i, k]) -> ([i, k], [i, k]), need_replication = [j, k]{{$}}}}
  %r5, %s5 = dtensor.top_k dim 1 ins(%a5 : tensor<5x7xf32>) outs(%e5, %f5 : tensor<5x3xf32>, tensor<5x3xi32>) -> tensor<5x3xf32>, tensor<5x3xi32>
  %e6 = tensor.empty() : tensor<2x3xi32>
  %f6 = tensor.empty() : tensor<2x3xi64>
  // expected-remark-re @+1 {{rule ([i, j], [k, j], [k, j]) -> ([k, j], [k, j]), need_replication = [i, k]{{$}}}}
  %r6, %s6 = dtensor.top_k dim 0 ins(%a6 : tensor<7x3xi32>) outs(%e6, %f6 : tensor<2x3xi32>, tensor<2x3xi64>) -> tensor<2x3xi32>, tensor<2x3xi64>
  %e7 = tensor.empty() : tensor<6x5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [k, l], [k, j]) -> ([k, j]), need_replication = [i, l]{{$}}}}
  %r7 = dtensor.gather dims [0] ins(%a7, %b7 : tensor<7x5xf32>, tensor<6x1xi64>) outs(%e7 : tensor<6x5xf32>) -> tensor<6x5xf32>
  %e8 = tensor.empty() : tensor<6x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [k, l], [k, i]) -> ([k, i]), need_replication = [j, l]{{$}}}}
  %r8 = dtensor.gather dims [1] ins(%a8, %b8 : tensor<7x5xf32>, tensor<6x1xi32>) outs(%e8 : tensor<6x7xf32>) -> tensor<6x7xf32>
  %e9 = tensor.empty() : tensor<6xf32>
  // expected-remark-re @+1 {{rule ([i, j], [k, l], [k]) -> ([k]), need_replication = [i, j, l]{{$}}}}
  %r9 = dtensor.gather dims [0, 1] ins(%a9, %b9 : tensor<7x5xf32>, tensor<6x2xi64>) outs(%e9 : tensor<6xf32>) -> tensor<6xf32>
  %e10 = tensor.empty() : tensor<2x5x3x5xf16>
  // expected-remark-re @+1 {{rule ([i, j, k], [l, m, n], [l, m, i, k]) -> ([l, m, i, k]), need_replication = [j, n]{{$}}}}
  %r10 = dtensor.gather dims [1] ins(%a10, %b10 : tensor<3x7x5xf16>, tensor<2x5x1xi64>) outs(%e10 : tensor<2x5x3x5xf16>) -> tensor<2x5x3x5xf16>
  // expected-remark-re @+1 {{rule ([k, j], [k, l], [i, j]) -> ([i, j]), reduction = [k], need_replication = [i, l]{{$}}}}
  %r11 = dtensor.scatter sum dims [0] ins(%a11, %b11 : tensor<6x5xf32>, tensor<6x1xi64>) outs(%c11 : tensor<7x5xf32>) -> tensor<7x5xf32>
  // expected-remark-re @+1 {{rule ([k, j], [k, l], [i, j]) -> ([i, j]), need_replication = [i, k, l]{{$}}}}
  %r12 = dtensor.scatter  dims [0] ins(%a12, %b12 : tensor<6x5xf32>, tensor<6x1xi64>) outs(%c12 : tensor<7x5xf32>) -> tensor<7x5xf32>
  // expected-remark-re @+1 {{rule ([k], [k, l], [i, j]) -> ([i, j]), need_replication = [i, j, k, l]{{$}}}}
  %r13 = dtensor.scatter  dims [0, 1] ins(%a13, %b13 : tensor<6xf32>, tensor<6x2xi64>) outs(%c13 : tensor<7x5xf32>) -> tensor<7x5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, k]) -> ([i, k]), need_replication = [j, k]{{$}}}}
  %r14 = dtensor.reduce_window max window [1, 3] strides [1, 2] dilations [1, 1] low [0, 1] high [0, 1] ins(%a14 : tensor<5x7xf32>) outs(%b14 : tensor<5x4xf32>) -> tensor<5x4xf32>
  // expected-remark-re @+1 {{rule ([i, j], [k, l]) -> ([k, l]), need_replication = [i, j, k, l]{{$}}}}
  %r15 = dtensor.reduce_window sum window [2, 2] strides [1, 2] dilations [1, 2] low [0, 0] high [0, 1] ins(%a15 : tensor<5x7xf32>) outs(%b15 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %c16 = arith.constant dense<2.0> : tensor<5x7xf32>
  %o16 = arith.constant dense<1.0> : tensor<5x7xf32>
  %s16 = arith.mulf %a16, %c16 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %t16 = dtensor.constrain %s16 : tensor<5x7xf32> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  %r16 = arith.addf %t16, %o16 : tensor<5x7xf32>
  %c17 = arith.constant dense<2.0> : tensor<5x7xf32>
  %o17 = arith.constant dense<1.0> : tensor<5x7xf32>
  %s17 = arith.mulf %a17, %c17 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %t17 = dtensor.redistribute %s17 : tensor<5x7xf32> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  %r17 = arith.addf %t17, %o17 : tensor<5x7xf32>
  return
}
