// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of linalg ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py linalg --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py linalg --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a0: tensor<5x6xf32>, %b0: tensor<6x7xf32>, %a1: tensor<3x5x6xf32>, %b1: tensor<3x6x7xf32>,
                %a2: tensor<5x6xf32>, %b2: tensor<6xf32>, %a3: tensor<6xf32>, %b3: tensor<6x7xf32>, %a4: tensor<6xf32>,
                %b4: tensor<6xf32>, %a5: tensor<6x5xf32>, %b5: tensor<6x7xf32>, %a6: tensor<3x5x6xf32>,
                %b6: tensor<3x6xf32>, %a7: tensor<3x6xf32>, %b7: tensor<3x6x5xf32>, %a8: tensor<3x5x6xf32>,
                %b8: tensor<3x6x7xf32>, %a9: tensor<3x2x5x2xf32>, %b9: tensor<2x2x3x2xf32>, %a10: tensor<3x5x6xf32>,
                %b10: tensor<6x3x7xf32>, %a11: tensor<3x2x2x5x2xf32>, %b11: tensor<3x1x2x3x2xf32>, %a12: tensor<5x6xi8>,
                %b12: tensor<6x7xi8>, %a13: tensor<3x5x6xi8>, %b13: tensor<3x6x7xi8>, %a14: tensor<5x7xf32>,
                %a15: tensor<7xf32>, %a16: tensor<5x7xf32>, %a17: tensor<5x7xf32>, %b17: tensor<5x7xf32>,
                %a19: tensor<5x7xf32>, %b19: tensor<7xf32>, %a20: tensor<5x7xf32>, %b20: tensor<7x5xf32>,
                %a21: tensor<5xf32>, %b21: tensor<7xf32>, %a22: tensor<5x7xf32>, %b22: tensor<5x7xf32>,
                %a23: tensor<5x7xf32>, %a25: tensor<5x7xf32>, %a26: tensor<5x7xf32>, %b26: tensor<7x6xf32>,
                %c26: tensor<6xf32>, %a27: tensor<5x7xf32>, %b27: tensor<7xf32>) {
  %z0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<5x7xf32>
  %i0 = linalg.fill ins(%z0 : f32) outs(%e0 : tensor<5x7xf32>) -> tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, k], [k, j], [i, j]) -> ([i, j]), reduction = [k]{{$}}}}
  %r0 = linalg.matmul ins(%a0, %b0 : tensor<5x6xf32>, tensor<6x7xf32>) outs(%i0 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %z1 = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<3x5x7xf32>
  %i1 = linalg.fill ins(%z1 : f32) outs(%e1 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j, l], [i, l, k], [i, j, k]) -> ([i, j, k]), reduction = [l]{{$}}}}
  %r1 = linalg.batch_matmul ins(%a1, %b1 : tensor<3x5x6xf32>, tensor<3x6x7xf32>) outs(%i1 : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %z2 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<5xf32>
  %i2 = linalg.fill ins(%z2 : f32) outs(%e2 : tensor<5xf32>) -> tensor<5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j], [i]) -> ([i]), reduction = [j]{{$}}}}
  %r2 = linalg.matvec ins(%a2, %b2 : tensor<5x6xf32>, tensor<6xf32>) outs(%i2 : tensor<5xf32>) -> tensor<5xf32>
  %z3 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<7xf32>
  %i3 = linalg.fill ins(%z3 : f32) outs(%e3 : tensor<7xf32>) -> tensor<7xf32>
  // expected-remark-re @+1 {{rule ([j], [j, i], [i]) -> ([i]), reduction = [j]{{$}}}}
  %r3 = linalg.vecmat ins(%a3, %b3 : tensor<6xf32>, tensor<6x7xf32>) outs(%i3 : tensor<7xf32>) -> tensor<7xf32>
  %z4 = arith.constant 0.0 : f32
  %e4 = tensor.empty() : tensor<f32>
  %i4 = linalg.fill ins(%z4 : f32) outs(%e4 : tensor<f32>) -> tensor<f32>
  // expected-remark-re @+1 {{rule ([i], [i], []) -> ([]), reduction = [i]{{$}}}}
  %r4 = linalg.dot ins(%a4, %b4 : tensor<6xf32>, tensor<6xf32>) outs(%i4 : tensor<f32>) -> tensor<f32>
  %z5 = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<5x7xf32>
  %i5 = linalg.fill ins(%z5 : f32) outs(%e5 : tensor<5x7xf32>) -> tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([k, i], [k, j], [i, j]) -> ([i, j]), reduction = [k]{{$}}}}
  %r5 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a5, %b5 : tensor<6x5xf32>, tensor<6x7xf32>) outs(%i5 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %z6 = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<3x5xf32>
  %i6 = linalg.fill ins(%z6 : f32) outs(%e6 : tensor<3x5xf32>) -> tensor<3x5xf32>
  // expected-remark-re @+1 {{rule ([i, j, k], [i, k], [i, j]) -> ([i, j]), reduction = [k]{{$}}}}
  %r6 = linalg.batch_matvec ins(%a6, %b6 : tensor<3x5x6xf32>, tensor<3x6xf32>) outs(%i6 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %z7 = arith.constant 0.0 : f32
  %e7 = tensor.empty() : tensor<3x5xf32>
  %i7 = linalg.fill ins(%z7 : f32) outs(%e7 : tensor<3x5xf32>) -> tensor<3x5xf32>
  // expected-remark-re @+1 {{rule ([i, k], [i, k, j], [i, j]) -> ([i, j]), reduction = [k]{{$}}}}
  %r7 = linalg.batch_vecmat ins(%a7, %b7 : tensor<3x6xf32>, tensor<3x6x5xf32>) outs(%i7 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %z8 = arith.constant 0.0 : f32
  %e8 = tensor.empty() : tensor<5x7xf32>
  %i8 = linalg.fill ins(%z8 : f32) outs(%e8 : tensor<5x7xf32>) -> tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j, l], [i, l, k], [j, k]) -> ([j, k]), reduction = [i, l]{{$}}}}
  %r8 = linalg.batch_reduce_matmul ins(%a8, %b8 : tensor<3x5x6xf32>, tensor<3x6x7xf32>) outs(%i8 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %z9 = arith.constant 0.0 : f32
  %e9 = tensor.empty() : tensor<3x2x5x3xf32>
  %i9 = linalg.fill ins(%z9 : f32) outs(%e9 : tensor<3x2x5x3xf32>) -> tensor<3x2x5x3xf32>
  // expected-remark-re @+1 {{rule ([i, k, l, n], [j, k, m, n], [i, j, l, m]) -> ([i, j, l, m]), reduction = [k, n]{{$}}}}
  %r9 = linalg.mmt4d ins(%a9, %b9 : tensor<3x2x5x2xf32>, tensor<2x2x3x2xf32>) outs(%i9 : tensor<3x2x5x3xf32>) -> tensor<3x2x5x3xf32>
  %z10 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<5x7xf32>
  %i10 = linalg.fill ins(%z10 : f32) outs(%e10 : tensor<5x7xf32>) -> tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([l, i, k], [k, l, j], [i, j]) -> ([i, j]), reduction = [k, l]{{$}}}}
  %r10 = linalg.contract indexing_maps = [affine_map<(i, j, k, l) -> (l, i, k)>, affine_map<(i, j, k, l) -> (k, l, j)>, affine_map<(i, j, k, l) -> (i, j)>] ins(%a10, %b10 : tensor<3x5x6xf32>, tensor<6x3x7xf32>) outs(%i10 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %z11 = arith.constant 0.0 : f32
  %e11 = tensor.empty() : tensor<3x2x1x5x3xf32>
  %i11 = linalg.fill ins(%z11 : f32) outs(%e11 : tensor<3x2x1x5x3xf32>) -> tensor<3x2x1x5x3xf32>
  // expected-remark-re @+1 {{rule ([i, j, l, m, o], [i, k, l, n, o], [i, j, k, m, n]) -> ([i, j, k, m, n]), reduction = [l, o]{{$}}}}
  %r11 = linalg.batch_mmt4d ins(%a11, %b11 : tensor<3x2x2x5x2xf32>, tensor<3x1x2x3x2xf32>) outs(%i11 : tensor<3x2x1x5x3xf32>) -> tensor<3x2x1x5x3xf32>
  %z12 = arith.constant 0 : i32
  %e12 = tensor.empty() : tensor<5x7xi32>
  %i12 = linalg.fill ins(%z12 : i32) outs(%e12 : tensor<5x7xi32>) -> tensor<5x7xi32>
  %p12 = arith.constant 3 : i32
  %q12 = arith.constant -2 : i32
  // expected-remark-re @+1 {{rule ([i, k], [k, j], [], [], [i, j]) -> ([i, j]), reduction = [k]{{$}}}}
  %r12 = linalg.quantized_matmul ins(%a12, %b12, %p12, %q12 : tensor<5x6xi8>, tensor<6x7xi8>, i32, i32) outs(%i12 : tensor<5x7xi32>) -> tensor<5x7xi32>
  %z13 = arith.constant 0 : i32
  %e13 = tensor.empty() : tensor<3x5x7xi32>
  %i13 = linalg.fill ins(%z13 : i32) outs(%e13 : tensor<3x5x7xi32>) -> tensor<3x5x7xi32>
  %p13 = arith.constant 3 : i32
  %q13 = arith.constant -2 : i32
  // expected-remark-re @+1 {{rule ([i, j, l], [i, l, k], [], [], [i, j, k]) -> ([i, j, k]), reduction = [l]{{$}}}}
  %r13 = linalg.quantized_batch_matmul ins(%a13, %b13, %p13, %q13 : tensor<3x5x6xi8>, tensor<3x6x7xi8>, i32, i32) outs(%i13 : tensor<3x5x7xi32>) -> tensor<3x5x7xi32>
  %e14 = tensor.empty() : tensor<7x5xf32>
  // expected-remark-re @+1 {{rule ([j, i], [i, j]) -> ([i, j]){{$}}}}
  %r14 = linalg.transpose ins(%a14 : tensor<5x7xf32>) outs(%e14 : tensor<7x5xf32>) permutation = [1, 0]
  %e15 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([j], [i, j]) -> ([i, j]){{$}}}}
  %r15 = linalg.broadcast ins(%a15 : tensor<7xf32>) outs(%e15 : tensor<5x7xf32>) dimensions = [0]
  %e16 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r16 = linalg.copy ins(%a16 : tensor<5x7xf32>) outs(%e16 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e17 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r17 = linalg.map {arith.mulf} ins(%a17, %b17 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e17 : tensor<5x7xf32>)
  %z18 = arith.constant 1.5 : f32
  %e18 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{is made anew for any layout{{$}}}}
  %r18 = linalg.fill ins(%z18 : f32) outs(%e18 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %i19 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j], [i, j]) -> ([i, j]){{$}}}}
  %r19 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a19, %b19 : tensor<5x7xf32>, tensor<7xf32>) outs(%i19 : tensor<5x7xf32>) {
  ^bb019(%in_a19: f32, %in_b19: f32, %out19: f32):
    %s19 = arith.addf %in_a19, %in_b19 : f32
    linalg.yield %s19 : f32
  } -> tensor<5x7xf32>
  %i20 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j, i], [i, j]) -> ([i, j]){{$}}}}
  %r20 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a20, %b20 : tensor<5x7xf32>, tensor<7x5xf32>) outs(%i20 : tensor<5x7xf32>) {
  ^bb020(%in_a20: f32, %in_b20: f32, %out20: f32):
    %s20 = arith.addf %in_a20, %in_b20 : f32
    linalg.yield %s20 : f32
  } -> tensor<5x7xf32>
  %i21 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i], [j], [i, j]) -> ([i, j]){{$}}}}
  %r21 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a21, %b21 : tensor<5xf32>, tensor<7xf32>) outs(%i21 : tensor<5x7xf32>) {
  ^bb021(%in_a21: f32, %in_b21: f32, %out21: f32):
    %s21 = arith.addf %in_a21, %in_b21 : f32
    linalg.yield %s21 : f32
  } -> tensor<5x7xf32>
  %i22 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r22 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a22, %b22 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%i22 : tensor<5x7xf32>) {
  ^bb022(%in_a22: f32, %in_b22: f32, %out22: f32):
    %s22 = arith.mulf %in_a22, %in_b22 : f32
    %t22 = arith.subf %s22, %in_b22 : f32
    linalg.yield %t22 : f32
  } -> tensor<5x7xf32>
  %i23 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r23 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a23 : tensor<5x7xf32>) outs(%i23 : tensor<5x7xf32>) {
  ^bb023(%in_a23: f32, %out23: f32):
    %p23 = linalg.index 0 : index
    %q23 = linalg.index 1 : index
    %c23 = arith.constant 10 : index
    %t23 = arith.muli %p23, %c23 : index
    %u23 = arith.addi %t23, %q23 : index
    %v23 = arith.index_cast %u23 : index to i32
    %w23 = arith.sitofp %v23 : i32 to f32
    %x23 = arith.addf %w23, %in_a23 : f32
    linalg.yield %x23 : f32
  } -> tensor<5x7xf32>
  %i24 = tensor.empty() : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r24 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  outs(%i24 : tensor<5x7xi32>) {
  ^bb024(%out24: i32):
    %p24 = linalg.index 0 : index
    %q24 = linalg.index 1 : index
    %c24 = arith.constant 100 : index
    %t24 = arith.muli %q24, %c24 : index
    %u24 = arith.addi %t24, %p24 : index
    %v24 = arith.index_cast %u24 : index to i32
    linalg.yield %v24 : i32
  } -> tensor<5x7xi32>
  %z25 = arith.constant 0.0 : f32
  %e25 = tensor.empty() : tensor<5xf32>
  %i25 = linalg.fill ins(%z25 : f32) outs(%e25 : tensor<5xf32>) -> tensor<5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i]) -> ([i]), reduction = [j]{{$}}}}
  %r25 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
  ins(%a25 : tensor<5x7xf32>) outs(%i25 : tensor<5xf32>) {
  ^bb025(%in_a25: f32, %out25: f32):
    %q25 = linalg.index 1 : index
    %v25 = arith.index_cast %q25 : index to i32
    %w25 = arith.sitofp %v25 : i32 to f32
    %x25 = arith.mulf %w25, %in_a25 : f32
    %s25 = arith.addf %out25, %x25 : f32
    linalg.yield %s25 : f32
  } -> tensor<5xf32>
  %z26 = arith.constant 0.0 : f32
  %e26 = tensor.empty() : tensor<5xf32>
  %i26 = linalg.fill ins(%z26 : f32) outs(%e26 : tensor<5xf32>) -> tensor<5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j, k], [k], [i]) -> ([i]), reduction = [j, k]{{$}}}}
  %r26 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]}
  ins(%a26, %b26, %c26 : tensor<5x7xf32>, tensor<7x6xf32>, tensor<6xf32>) outs(%i26 : tensor<5xf32>) {
  ^bb026(%in_a26: f32, %in_b26: f32, %in_c26: f32, %out26: f32):
    %s26 = arith.mulf %in_a26, %in_b26 : f32
    %t26 = arith.mulf %s26, %in_c26 : f32
    %u26 = arith.addf %out26, %t26 : f32
    linalg.yield %u26 : f32
  } -> tensor<5xf32>
  %e27 = tensor.empty() : tensor<5x7xf32>
  %f27 = tensor.empty() : tensor<7x5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j], [i, j], [j, i]) -> ([i, j], [j, i]){{$}}}}
  %r27, %s27 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
    affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
  ins(%a27, %b27 : tensor<5x7xf32>, tensor<7xf32>) outs(%e27, %f27 : tensor<5x7xf32>, tensor<7x5xf32>) {
  ^bb027(%x27: f32, %y27: f32, %o27: f32, %p27: f32):
    %t27 = arith.mulf %x27, %y27 : f32
    %u27 = arith.subf %x27, %y27 : f32
    linalg.yield %t27, %u27 : f32, f32
  } -> (tensor<5x7xf32>, tensor<7x5xf32>)
  %l28 = arith.constant -1.0 : f64
  %h28 = arith.constant 1.0 : f64
  %s28 = arith.constant 42 : i32
  %e28 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([], [], [], [i, j]) -> ([i, j]){{$}}}}
  %r28 = linalg.fill_rng_2d ins(%l28, %h28, %s28 : f64, f64, i32) outs(%e28 : tensor<5x7xf32>) -> tensor<5x7xf32>
  return
}
