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
                %b10: tensor<6x3x7xf32>, %a11: tensor<5x7xf32>, %a12: tensor<7xf32>, %a13: tensor<5x7xf32>,
                %a14: tensor<5x7xf32>, %b14: tensor<5x7xf32>, %a16: tensor<5x7xf32>, %b16: tensor<7xf32>,
                %a17: tensor<5x7xf32>, %b17: tensor<7x5xf32>, %a18: tensor<5xf32>, %b18: tensor<7xf32>,
                %a19: tensor<5x7xf32>, %b19: tensor<5x7xf32>, %a20: tensor<5x7xf32>, %a22: tensor<5x7xf32>,
                %a23: tensor<5x7xf32>, %b23: tensor<7x6xf32>, %c23: tensor<6xf32>, %a24: tensor<5x7xf32>,
                %b24: tensor<7xf32>) {
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
  %e11 = tensor.empty() : tensor<7x5xf32>
  // expected-remark-re @+1 {{rule ([j, i], [i, j]) -> ([i, j]){{$}}}}
  %r11 = linalg.transpose ins(%a11 : tensor<5x7xf32>) outs(%e11 : tensor<7x5xf32>) permutation = [1, 0]
  %e12 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([j], [i, j]) -> ([i, j]){{$}}}}
  %r12 = linalg.broadcast ins(%a12 : tensor<7xf32>) outs(%e12 : tensor<5x7xf32>) dimensions = [0]
  %e13 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r13 = linalg.copy ins(%a13 : tensor<5x7xf32>) outs(%e13 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e14 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r14 = linalg.map {arith.mulf} ins(%a14, %b14 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e14 : tensor<5x7xf32>)
  %z15 = arith.constant 1.5 : f32
  %e15 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{is made anew for any layout{{$}}}}
  %r15 = linalg.fill ins(%z15 : f32) outs(%e15 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e16 = tensor.empty() : tensor<5x7xf32>
  %i16 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j], [i, j]) -> ([i, j]){{$}}}}
  %r16 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a16, %b16 : tensor<5x7xf32>, tensor<7xf32>) outs(%i16 : tensor<5x7xf32>) {
  ^bb016(%in_a16: f32, %in_b16: f32, %out16: f32):
    %s16 = arith.addf %in_a16, %in_b16 : f32
    linalg.yield %s16 : f32
  } -> tensor<5x7xf32>
  %e17 = tensor.empty() : tensor<5x7xf32>
  %i17 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j, i], [i, j]) -> ([i, j]){{$}}}}
  %r17 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a17, %b17 : tensor<5x7xf32>, tensor<7x5xf32>) outs(%i17 : tensor<5x7xf32>) {
  ^bb017(%in_a17: f32, %in_b17: f32, %out17: f32):
    %s17 = arith.addf %in_a17, %in_b17 : f32
    linalg.yield %s17 : f32
  } -> tensor<5x7xf32>
  %e18 = tensor.empty() : tensor<5x7xf32>
  %i18 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i], [j], [i, j]) -> ([i, j]){{$}}}}
  %r18 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a18, %b18 : tensor<5xf32>, tensor<7xf32>) outs(%i18 : tensor<5x7xf32>) {
  ^bb018(%in_a18: f32, %in_b18: f32, %out18: f32):
    %s18 = arith.addf %in_a18, %in_b18 : f32
    linalg.yield %s18 : f32
  } -> tensor<5x7xf32>
  %e19 = tensor.empty() : tensor<5x7xf32>
  %i19 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r19 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a19, %b19 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%i19 : tensor<5x7xf32>) {
  ^bb019(%in_a19: f32, %in_b19: f32, %out19: f32):
    %s19 = arith.mulf %in_a19, %in_b19 : f32
    %t19 = arith.subf %s19, %in_b19 : f32
    linalg.yield %t19 : f32
  } -> tensor<5x7xf32>
  %e20 = tensor.empty() : tensor<5x7xf32>
  %i20 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r20 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  ins(%a20 : tensor<5x7xf32>) outs(%i20 : tensor<5x7xf32>) {
  ^bb020(%in_a20: f32, %out20: f32):
    %p20 = linalg.index 0 : index
    %q20 = linalg.index 1 : index
    %c20 = arith.constant 10 : index
    %t20 = arith.muli %p20, %c20 : index
    %u20 = arith.addi %t20, %q20 : index
    %v20 = arith.index_cast %u20 : index to i32
    %w20 = arith.sitofp %v20 : i32 to f32
    %x20 = arith.addf %w20, %in_a20 : f32
    linalg.yield %x20 : f32
  } -> tensor<5x7xf32>
  %e21 = tensor.empty() : tensor<5x7xi32>
  %i21 = tensor.empty() : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r21 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
  outs(%i21 : tensor<5x7xi32>) {
  ^bb021(%out21: i32):
    %p21 = linalg.index 0 : index
    %q21 = linalg.index 1 : index
    %c21 = arith.constant 100 : index
    %t21 = arith.muli %q21, %c21 : index
    %u21 = arith.addi %t21, %p21 : index
    %v21 = arith.index_cast %u21 : index to i32
    linalg.yield %v21 : i32
  } -> tensor<5x7xi32>
  %z22 = arith.constant 0.0 : f32
  %e22 = tensor.empty() : tensor<5xf32>
  %i22 = linalg.fill ins(%z22 : f32) outs(%e22 : tensor<5xf32>) -> tensor<5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i]) -> ([i]), reduction = [j]{{$}}}}
  %r22 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
  ins(%a22 : tensor<5x7xf32>) outs(%i22 : tensor<5xf32>) {
  ^bb022(%in_a22: f32, %out22: f32):
    %q22 = linalg.index 1 : index
    %v22 = arith.index_cast %q22 : index to i32
    %w22 = arith.sitofp %v22 : i32 to f32
    %x22 = arith.mulf %w22, %in_a22 : f32
    %s22 = arith.addf %out22, %x22 : f32
    linalg.yield %s22 : f32
  } -> tensor<5xf32>
  %z23 = arith.constant 0.0 : f32
  %e23 = tensor.empty() : tensor<5xf32>
  %i23 = linalg.fill ins(%z23 : f32) outs(%e23 : tensor<5xf32>) -> tensor<5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j, k], [k], [i]) -> ([i]), reduction = [j, k]{{$}}}}
  %r23 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]}
  ins(%a23, %b23, %c23 : tensor<5x7xf32>, tensor<7x6xf32>, tensor<6xf32>) outs(%i23 : tensor<5xf32>) {
  ^bb023(%in_a23: f32, %in_b23: f32, %in_c23: f32, %out23: f32):
    %s23 = arith.mulf %in_a23, %in_b23 : f32
    %t23 = arith.mulf %s23, %in_c23 : f32
    %u23 = arith.addf %out23, %t23 : f32
    linalg.yield %u23 : f32
  } -> tensor<5xf32>
  %e24 = tensor.empty() : tensor<5x7xf32>
  %f24 = tensor.empty() : tensor<7x5xf32>
  // expected-remark-re @+1 {{rule ([i, j], [j], [i, j], [j, i]) -> ([i, j], [j, i]){{$}}}}
  %r24, %s24 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
    affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
  ins(%a24, %b24 : tensor<5x7xf32>, tensor<7xf32>) outs(%e24, %f24 : tensor<5x7xf32>, tensor<7x5xf32>) {
  ^bb024(%x24: f32, %y24: f32, %o24: f32, %p24: f32):
    %t24 = arith.mulf %x24, %y24 : f32
    %u24 = arith.subf %x24, %y24 : f32
    linalg.yield %t24, %u24 : f32, f32
  } -> (tensor<5x7xf32>, tensor<7x5xf32>)
  return
}
