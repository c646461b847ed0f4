// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of windows ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py windows --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py windows --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a0: tensor<6xf32>, %b0: tensor<2xf32>, %a1: tensor<7x6xf32>, %b1: tensor<3x2xf32>,
                %a2: tensor<5x7x6xf32>, %b2: tensor<2x3x2xf32>, %a3: tensor<3x6x5xf32>, %b3: tensor<2x5x6xf32>,
                %a4: tensor<3x5x6xf32>, %b4: tensor<6x5x2xf32>, %a5: tensor<3x7x6x5xf32>, %b5: tensor<3x2x5x6xf32>,
                %a6: tensor<3x7x6x5xf32>, %b6: tensor<6x3x2x5xf32>, %a7: tensor<3x5x7x6xf32>, %b7: tensor<6x5x3x2xf32>,
                %a8: tensor<3x3x5x7x6xf32>, %b8: tensor<6x3x5x3x2xf32>, %a9: tensor<3x3x5x7x6xf32>,
                %b9: tensor<3x6x5x3x2xf32>, %a10: tensor<3x7x6x3x5xf32>, %b10: tensor<3x6x3x2x5xf32>,
                %a11: tensor<3x5x7x6x5xf32>, %b11: tensor<2x3x2x5x6xf32>, %a12: tensor<3x5x5x7x6xf32>,
                %b12: tensor<6x5x2x3x2xf32>, %a13: tensor<3x6x5xf32>, %b13: tensor<2x5xf32>, %a14: tensor<3x5x6xf32>,
                %b14: tensor<5x2xf32>, %a15: tensor<3x6x5xf32>, %b15: tensor<2x5x2xf32>, %a16: tensor<3x7x6x5xf32>,
                %b16: tensor<3x2x5xf32>, %a17: tensor<3x5x7x6xf32>, %b17: tensor<5x3x2xf32>, %a18: tensor<3x7x6x5xf32>,
                %b18: tensor<3x2x5x2xf32>, %a19: tensor<3x5x7x6x5xf32>, %b19: tensor<2x3x2x5xf32>,
                %a20: tensor<3x5x5x7x6xf32>, %b20: tensor<5x2x3x2xf32>, %a21: tensor<3x5x7x6x5xf32>,
                %b21: tensor<2x3x2x5x2xf32>, %a22: tensor<3x7x6x5xi8>, %b22: tensor<3x2x5x6xi8>,
                %a23: tensor<3x7x6x5xi8>, %b23: tensor<6x3x2x5xi8>, %a24: tensor<3x5x7x6xi8>, %b24: tensor<6x5x3x2xi8>,
                %a25: tensor<3x7x6x3x5xi8>, %b25: tensor<3x6x3x2x5xi8>, %a26: tensor<3x3x5x7x6xi8>,
                %b26: tensor<3x6x5x3x2xi8>, %a27: tensor<3x5x7x6x5xi8>, %b27: tensor<2x3x2x5x6xi8>,
                %a28: tensor<3x7x6x5xi8>, %b28: tensor<3x2x5xi8>, %a29: tensor<3x7x6x5xi8>, %b29: tensor<3x2x5x2xi8>,
                %a30: tensor<3x7x6x5xf32>, %a31: tensor<3x7x6x5xf32>, %a32: tensor<3x7x6x5xi32>,
                %a33: tensor<3x7x6x5xf32>, %a34: tensor<3x7x6x5xi32>, %a35: tensor<3x5x7x6xf32>,
                %a36: tensor<3x5x7x6xf32>, %a37: tensor<3x6x5xf32>, %a38: tensor<3x6x5xf32>, %a39: tensor<3x6x5xi32>,
                %a40: tensor<3x6x5xf32>, %a41: tensor<3x6x5xi32>, %a42: tensor<3x5x6xf32>, %a43: tensor<3x5x6xf32>,
                %a44: tensor<3x5x7x6x5xf32>, %a45: tensor<3x5x7x6x5xf32>, %a46: tensor<3x5x7x6x5xf32>) {
  %z0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<5xf32>
  %i0 = linalg.fill ins(%z0 : f32) outs(%e0 : tensor<5xf32>) -> tensor<5xf32>
  // expected-remark-re @+1 {{rule ([k], [j], [i]) -> ([i]), need_replication = [i, j, k]{{$}}}}
  %r0 = linalg.conv_1d ins(%a0, %b0 : tensor<6xf32>, tensor<2xf32>) outs(%i0 : tensor<5xf32>) -> tensor<5xf32>
  %z1 = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<5x5xf32>
  %i1 = linalg.fill ins(%z1 : f32) outs(%e1 : tensor<5x5xf32>) -> tensor<5x5xf32>
  // expected-remark-re @+1 {{rule ([m, n], [k, l], [i, j]) -> ([i, j]), need_replication = [i, j, k, l, m, n]{{$}}}}
  %r1 = linalg.conv_2d ins(%a1, %b1 : tensor<7x6xf32>, tensor<3x2xf32>) outs(%i1 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %z2 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<4x5x5xf32>
  %i2 = linalg.fill ins(%z2 : f32) outs(%e2 : tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
  // expected-remark-re @+1 {{rule ([o, p, q], [l, m, n], [i, j, k]) -> ([i, j, k]), need_replication = [i, j, k, l, m, n, o, p, q]{{$}}}}
  %r2 = linalg.conv_3d ins(%a2, %b2 : tensor<5x7x6xf32>, tensor<2x3x2xf32>) outs(%i2 : tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
  %z3 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<3x5x6xf32>
  %i3 = linalg.fill ins(%z3 : f32) outs(%e3 : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  // expected-remark-re @+1 {{rule ([i, n, m], [l, m, k], [i, j, k]) -> ([i, j, k]), reduction = [m], need_replication = [j, l, n]{{$}}}}
  %r3 = linalg.conv_1d_nwc_wcf {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a3, %b3 : tensor<3x6x5xf32>, tensor<2x5x6xf32>) outs(%i3 : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %z4 = arith.constant 0.0 : f32
  %e4 = tensor.empty() : tensor<3x6x5xf32>
  %i4 = linalg.fill ins(%z4 : f32) outs(%e4 : tensor<3x6x5xf32>) -> tensor<3x6x5xf32>
  // expected-remark-re @+1 {{rule ([i, l, n], [j, l, m], [i, j, k]) -> ([i, j, k]), reduction = [l], need_replication = [k, m, n]{{$}}}}
  %r4 = linalg.conv_1d_ncw_fcw {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a4, %b4 : tensor<3x5x6xf32>, tensor<6x5x2xf32>) outs(%i4 : tensor<3x6x5xf32>) -> tensor<3x6x5xf32>
  %z5 = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<3x5x5x6xf32>
  %i5 = linalg.fill ins(%z5 : f32) outs(%e5 : tensor<3x5x5x6xf32>) -> tensor<3x5x5x6xf32>
  // expected-remark-re @+1 {{rule ([i, p, q, o], [m, n, o, l], [i, j, k, l]) -> ([i, j, k, l]), reduction = [o], need_replication = [j, k, m, n, p, q]{{$}}}}
  %r5 = linalg.conv_2d_nhwc_hwcf {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a5, %b5 : tensor<3x7x6x5xf32>, tensor<3x2x5x6xf32>) outs(%i5 : tensor<3x5x5x6xf32>) -> tensor<3x5x5x6xf32>
  %z6 = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<3x5x5x6xf32>
  %i6 = linalg.fill ins(%z6 : f32) outs(%e6 : tensor<3x5x5x6xf32>) -> tensor<3x5x5x6xf32>
  // expected-remark-re @+1 {{rule ([i, p, q, o], [l, m, n, o], [i, j, k, l]) -> ([i, j, k, l]), reduction = [o], need_replication = [j, k, m, n, p, q]{{$}}}}
  %r6 = linalg.conv_2d_nhwc_fhwc {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a6, %b6 : tensor<3x7x6x5xf32>, tensor<6x3x2x5xf32>) outs(%i6 : tensor<3x5x5x6xf32>) -> tensor<3x5x5x6xf32>
  %z7 = arith.constant 0.0 : f32
  %e7 = tensor.empty() : tensor<3x6x5x5xf32>
  %i7 = linalg.fill ins(%z7 : f32) outs(%e7 : tensor<3x6x5x5xf32>) -> tensor<3x6x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, m, p, q], [j, m, n, o], [i, j, k, l]) -> ([i, j, k, l]), reduction = [m], need_replication = [k, l, n, o, p, q]{{$}}}}
  %r7 = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a7, %b7 : tensor<3x5x7x6xf32>, tensor<6x5x3x2xf32>) outs(%i7 : tensor<3x6x5x5xf32>) -> tensor<3x6x5x5xf32>
  %z8 = arith.constant 0.0 : f32
  %e8 = tensor.empty() : tensor<3x3x6x5x5xf32>
  %i8 = linalg.fill ins(%z8 : f32) outs(%e8 : tensor<3x3x6x5x5xf32>) -> tensor<3x3x6x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, j, n, q, r], [k, j, n, o, p], [i, j, k, l, m]) -> ([i, j, k, l, m]), reduction = [n], need_replication = [l, m, o, p, q, r]{{$}}}}
  %r8 = linalg.conv_2d_ngchw_fgchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a8, %b8 : tensor<3x3x5x7x6xf32>, tensor<6x3x5x3x2xf32>) outs(%i8 : tensor<3x3x6x5x5xf32>) -> tensor<3x3x6x5x5xf32>
  %z9 = arith.constant 0.0 : f32
  %e9 = tensor.empty() : tensor<3x3x6x5x5xf32>
  %i9 = linalg.fill ins(%z9 : f32) outs(%e9 : tensor<3x3x6x5x5xf32>) -> tensor<3x3x6x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, j, n, q, r], [j, k, n, o, p], [i, j, k, l, m]) -> ([i, j, k, l, m]), reduction = [n], need_replication = [l, m, o, p, q, r]{{$}}}}
  %r9 = linalg.conv_2d_ngchw_gfchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a9, %b9 : tensor<3x3x5x7x6xf32>, tensor<3x6x5x3x2xf32>) outs(%i9 : tensor<3x3x6x5x5xf32>) -> tensor<3x3x6x5x5xf32>
  %z10 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<3x5x5x3x6xf32>
  %i10 = linalg.fill ins(%z10 : f32) outs(%e10 : tensor<3x5x5x3x6xf32>) -> tensor<3x5x5x3x6xf32>
  // expected-remark-re @+1 {{rule ([i, q, r, l, p], [l, m, n, o, p], [i, j, k, l, m]) -> ([i, j, k, l, m]), reduction = [p], need_replication = [j, k, n, o, q, r]{{$}}}}
  %r10 = linalg.conv_2d_nhwgc_gfhwc {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a10, %b10 : tensor<3x7x6x3x5xf32>, tensor<3x6x3x2x5xf32>) outs(%i10 : tensor<3x5x5x3x6xf32>) -> tensor<3x5x5x3x6xf32>
  %z11 = arith.constant 0.0 : f32
  %e11 = tensor.empty() : tensor<3x4x5x5x6xf32>
  %i11 = linalg.fill ins(%z11 : f32) outs(%e11 : tensor<3x4x5x5x6xf32>) -> tensor<3x4x5x5x6xf32>
  // expected-remark-re @+1 {{rule ([i, r, s, t, q], [n, o, p, q, m], [i, j, k, l, m]) -> ([i, j, k, l, m]), reduction = [q], need_replication = [j, k, l, n, o, p, r, s, t]{{$}}}}
  %r11 = linalg.conv_3d_ndhwc_dhwcf {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a11, %b11 : tensor<3x5x7x6x5xf32>, tensor<2x3x2x5x6xf32>) outs(%i11 : tensor<3x4x5x5x6xf32>) -> tensor<3x4x5x5x6xf32>
  %z12 = arith.constant 0.0 : f32
  %e12 = tensor.empty() : tensor<3x6x4x5x5xf32>
  %i12 = linalg.fill ins(%z12 : f32) outs(%e12 : tensor<3x6x4x5x5xf32>) -> tensor<3x6x4x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, n, r, s, t], [j, n, o, p, q], [i, j, k, l, m]) -> ([i, j, k, l, m]), reduction = [n], need_replication = [k, l, m, o, p, q, r, s, t]{{$}}}}
  %r12 = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a12, %b12 : tensor<3x5x5x7x6xf32>, tensor<6x5x2x3x2xf32>) outs(%i12 : tensor<3x6x4x5x5xf32>) -> tensor<3x6x4x5x5xf32>
  %z13 = arith.constant 0.0 : f32
  %e13 = tensor.empty() : tensor<3x5x5xf32>
  %i13 = linalg.fill ins(%z13 : f32) outs(%e13 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, m, k], [l, k], [i, j, k]) -> ([i, j, k]), need_replication = [j, l, m]{{$}}}}
  %r13 = linalg.depthwise_conv_1d_nwc_wc {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a13, %b13 : tensor<3x6x5xf32>, tensor<2x5xf32>) outs(%i13 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %z14 = arith.constant 0.0 : f32
  %e14 = tensor.empty() : tensor<3x5x5xf32>
  %i14 = linalg.fill ins(%z14 : f32) outs(%e14 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, k, m], [k, l], [i, k, j]) -> ([i, k, j]), need_replication = [j, l, m]{{$}}}}
  %r14 = linalg.depthwise_conv_1d_ncw_cw {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a14, %b14 : tensor<3x5x6xf32>, tensor<5x2xf32>) outs(%i14 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %z15 = arith.constant 0.0 : f32
  %e15 = tensor.empty() : tensor<3x5x5x2xf32>
  %i15 = linalg.fill ins(%z15 : f32) outs(%e15 : tensor<3x5x5x2xf32>) -> tensor<3x5x5x2xf32>
  // expected-remark-re @+1 {{rule ([i, n, k], [m, k, l], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, m, n]{{$}}}}
  %r15 = linalg.depthwise_conv_1d_nwc_wcm {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a15, %b15 : tensor<3x6x5xf32>, tensor<2x5x2xf32>) outs(%i15 : tensor<3x5x5x2xf32>) -> tensor<3x5x5x2xf32>
  %z16 = arith.constant 0.0 : f32
  %e16 = tensor.empty() : tensor<3x5x5x5xf32>
  %i16 = linalg.fill ins(%z16 : f32) outs(%e16 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, o, p, l], [m, n, l], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, k, m, n, o, p]{{$}}}}
  %r16 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a16, %b16 : tensor<3x7x6x5xf32>, tensor<3x2x5xf32>) outs(%i16 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %z17 = arith.constant 0.0 : f32
  %e17 = tensor.empty() : tensor<3x5x5x5xf32>
  %i17 = linalg.fill ins(%z17 : f32) outs(%e17 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, l, o, p], [l, m, n], [i, l, j, k]) -> ([i, l, j, k]), need_replication = [j, k, m, n, o, p]{{$}}}}
  %r17 = linalg.depthwise_conv_2d_nchw_chw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a17, %b17 : tensor<3x5x7x6xf32>, tensor<5x3x2xf32>) outs(%i17 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %z18 = arith.constant 0.0 : f32
  %e18 = tensor.empty() : tensor<3x5x5x5x2xf32>
  %i18 = linalg.fill ins(%z18 : f32) outs(%e18 : tensor<3x5x5x5x2xf32>) -> tensor<3x5x5x5x2xf32>
  // expected-remark-re @+1 {{rule ([i, p, q, l], [n, o, l, m], [i, j, k, l, m]) -> ([i, j, k, l, m]), need_replication = [j, k, n, o, p, q]{{$}}}}
  %r18 = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a18, %b18 : tensor<3x7x6x5xf32>, tensor<3x2x5x2xf32>) outs(%i18 : tensor<3x5x5x5x2xf32>) -> tensor<3x5x5x5x2xf32>
  %z19 = arith.constant 0.0 : f32
  %e19 = tensor.empty() : tensor<3x4x5x5x5xf32>
  %i19 = linalg.fill ins(%z19 : f32) outs(%e19 : tensor<3x4x5x5x5xf32>) -> tensor<3x4x5x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, q, r, s, p], [m, n, o, p], [i, j, k, l, p]) -> ([i, j, k, l, p]), need_replication = [j, k, l, m, n, o, q, r, s]{{$}}}}
  %r19 = linalg.depthwise_conv_3d_ndhwc_dhwc {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a19, %b19 : tensor<3x5x7x6x5xf32>, tensor<2x3x2x5xf32>) outs(%i19 : tensor<3x4x5x5x5xf32>) -> tensor<3x4x5x5x5xf32>
  %z20 = arith.constant 0.0 : f32
  %e20 = tensor.empty() : tensor<3x5x4x5x5xf32>
  %i20 = linalg.fill ins(%z20 : f32) outs(%e20 : tensor<3x5x4x5x5xf32>) -> tensor<3x5x4x5x5xf32>
  // expected-remark-re @+1 {{rule ([i, p, q, r, s], [p, m, n, o], [i, p, j, k, l]) -> ([i, p, j, k, l]), need_replication = [j, k, l, m, n, o, q, r, s]{{$}}}}
  %r20 = linalg.depthwise_conv_3d_ncdhw_cdhw {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a20, %b20 : tensor<3x5x5x7x6xf32>, tensor<5x2x3x2xf32>) outs(%i20 : tensor<3x5x4x5x5xf32>) -> tensor<3x5x4x5x5xf32>
  %z21 = arith.constant 0.0 : f32
  %e21 = tensor.empty() : tensor<3x4x5x5x5x2xf32>
  %i21 = linalg.fill ins(%z21 : f32) outs(%e21 : tensor<3x4x5x5x5x2xf32>) -> tensor<3x4x5x5x5x2xf32>
  // expected-remark-re @+1 {{rule ([i, r, s, t, q], [n, o, p, q, m], [i, j, k, l, q, m]) -> ([i, j, k, l, q, m]), need_replication = [j, k, l, n, o, p, r, s, t]{{$}}}}
  %r21 = linalg.depthwise_conv_3d_ndhwc_dhwcm {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a21, %b21 : tensor<3x5x7x6x5xf32>, tensor<2x3x2x5x2xf32>) outs(%i21 : tensor<3x4x5x5x5x2xf32>) -> tensor<3x4x5x5x5x2xf32>
  %p22 = arith.constant 3 : i32
  %q22 = arith.constant -2 : i32
  %z22 = arith.constant 0 : i32
  %e22 = tensor.empty() : tensor<3x5x5x6xi32>
  %i22 = linalg.fill ins(%z22 : i32) outs(%e22 : tensor<3x5x5x6xi32>) -> tensor<3x5x5x6xi32>
  // expected-remark-re @+1 {{rule ([i, p, q, o], [m, n, o, l], [], [], [i, j, k, l]) -> ([i, j, k, l]), reduction = [o], need_replication = [j, k, m, n, p, q]{{$}}}}
  %r22 = linalg.conv_2d_nhwc_hwcf_q {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a22, %b22, %p22, %q22 : tensor<3x7x6x5xi8>, tensor<3x2x5x6xi8>, i32, i32) outs(%i22 : tensor<3x5x5x6xi32>) -> tensor<3x5x5x6xi32>
  %p23 = arith.constant 3 : i32
  %q23 = arith.constant -2 : i32
  %z23 = arith.constant 0 : i32
  %e23 = tensor.empty() : tensor<3x5x5x6xi32>
  %i23 = linalg.fill ins(%z23 : i32) outs(%e23 : tensor<3x5x5x6xi32>) -> tensor<3x5x5x6xi32>
  // expected-remark-re @+1 {{rule ([i, p, q, o], [l, m, n, o], [], [], [i, j, k, l]) -> ([i, j, k, l]), reduction = [o], need_replication = [j, k, m, n, p, q]{{$}}}}
  %r23 = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a23, %b23, %p23, %q23 : tensor<3x7x6x5xi8>, tensor<6x3x2x5xi8>, i32, i32) outs(%i23 : tensor<3x5x5x6xi32>) -> tensor<3x5x5x6xi32>
  %p24 = arith.constant 3 : i32
  %q24 = arith.constant -2 : i32
  %z24 = arith.constant 0 : i32
  %e24 = tensor.empty() : tensor<3x6x5x5xi32>
  %i24 = linalg.fill ins(%z24 : i32) outs(%e24 : tensor<3x6x5x5xi32>) -> tensor<3x6x5x5xi32>
  // expected-remark-re @+1 {{rule ([i, m, p, q], [j, m, n, o], [], [], [i, j, k, l]) -> ([i, j, k, l]), reduction = [m], need_replication = [k, l, n, o, p, q]{{$}}}}
  %r24 = linalg.conv_2d_nchw_fchw_q {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a24, %b24, %p24, %q24 : tensor<3x5x7x6xi8>, tensor<6x5x3x2xi8>, i32, i32) outs(%i24 : tensor<3x6x5x5xi32>) -> tensor<3x6x5x5xi32>
  %p25 = arith.constant 3 : i32
  %q25 = arith.constant -2 : i32
  %z25 = arith.constant 0 : i32
  %e25 = tensor.empty() : tensor<3x5x5x3x6xi32>
  %i25 = linalg.fill ins(%z25 : i32) outs(%e25 : tensor<3x5x5x3x6xi32>) -> tensor<3x5x5x3x6xi32>
  // expected-remark-re @+1 {{rule ([i, q, r, l, p], [l, m, n, o, p], [], [], [i, j, k, l, m]) -> ([i, j, k, l, m]), reduction = [p], need_replication = [j, k, n, o, q, r]{{$}}}}
  %r25 = linalg.conv_2d_nhwgc_gfhwc_q {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a25, %b25, %p25, %q25 : tensor<3x7x6x3x5xi8>, tensor<3x6x3x2x5xi8>, i32, i32) outs(%i25 : tensor<3x5x5x3x6xi32>) -> tensor<3x5x5x3x6xi32>
  %p26 = arith.constant 3 : i32
  %q26 = arith.constant -2 : i32
  %z26 = arith.constant 0 : i32
  %e26 = tensor.empty() : tensor<3x3x6x5x5xi32>
  %i26 = linalg.fill ins(%z26 : i32) outs(%e26 : tensor<3x3x6x5x5xi32>) -> tensor<3x3x6x5x5xi32>
  // expected-remark-re @+1 {{rule ([i, j, n, q, r], [j, k, n, o, p], [], [], [i, j, k, l, m]) -> ([i, j, k, l, m]), reduction = [n], need_replication = [l, m, o, p, q, r]{{$}}}}
  %r26 = linalg.conv_2d_ngchw_gfchw_q {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a26, %b26, %p26, %q26 : tensor<3x3x5x7x6xi8>, tensor<3x6x5x3x2xi8>, i32, i32) outs(%i26 : tensor<3x3x6x5x5xi32>) -> tensor<3x3x6x5x5xi32>
  %p27 = arith.constant 3 : i32
  %q27 = arith.constant -2 : i32
  %z27 = arith.constant 0 : i32
  %e27 = tensor.empty() : tensor<3x4x5x5x6xi32>
  %i27 = linalg.fill ins(%z27 : i32) outs(%e27 : tensor<3x4x5x5x6xi32>) -> tensor<3x4x5x5x6xi32>
  // expected-remark-re @+1 {{rule ([i, r, s, t, q], [n, o, p, q, m], [], [], [i, j, k, l, m]) -> ([i, j, k, l, m]), reduction = [q], need_replication = [j, k, l, n, o, p, r, s, t]{{$}}}}
  %r27 = linalg.conv_3d_ndhwc_dhwcf_q {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a27, %b27, %p27, %q27 : tensor<3x5x7x6x5xi8>, tensor<2x3x2x5x6xi8>, i32, i32) outs(%i27 : tensor<3x4x5x5x6xi32>) -> tensor<3x4x5x5x6xi32>
  %p28 = arith.constant 3 : i32
  %q28 = arith.constant -2 : i32
  %z28 = arith.constant 0 : i32
  %e28 = tensor.empty() : tensor<3x5x5x5xi32>
  %i28 = linalg.fill ins(%z28 : i32) outs(%e28 : tensor<3x5x5x5xi32>) -> tensor<3x5x5x5xi32>
  // expected-remark-re @+1 {{rule ([i, o, p, l], [m, n, l], [], [], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, k, m, n, o, p]{{$}}}}
  %r28 = linalg.depthwise_conv_2d_nhwc_hwc_q {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a28, %b28, %p28, %q28 : tensor<3x7x6x5xi8>, tensor<3x2x5xi8>, i32, i32) outs(%i28 : tensor<3x5x5x5xi32>) -> tensor<3x5x5x5xi32>
  %p29 = arith.constant 3 : i32
  %q29 = arith.constant -2 : i32
  %z29 = arith.constant 0 : i32
  %e29 = tensor.empty() : tensor<3x5x5x5x2xi32>
  %i29 = linalg.fill ins(%z29 : i32) outs(%e29 : tensor<3x5x5x5x2xi32>) -> tensor<3x5x5x5x2xi32>
  // expected-remark-re @+1 {{rule ([i, p, q, l], [n, o, l, m], [], [], [i, j, k, l, m]) -> ([i, j, k, l, m]), need_replication = [j, k, n, o, p, q]{{$}}}}
  %r29 = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a29, %b29, %p29, %q29 : tensor<3x7x6x5xi8>, tensor<3x2x5x2xi8>, i32, i32) outs(%i29 : tensor<3x5x5x5x2xi32>) -> tensor<3x5x5x5x2xi32>
  %z30 = arith.constant 0.0 : f32
  %e30 = tensor.empty() : tensor<3x5x5x5xf32>
  %i30 = linalg.fill ins(%z30 : f32) outs(%e30 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %w30 = tensor.empty() : tensor<3x2xf32>
  // expected-remark-re @+1 {{rule ([i, o, p, l], [m, n], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, k, m, n, o, p]{{$}}}}
  %r30 = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a30, %w30 : tensor<3x7x6x5xf32>, tensor<3x2xf32>) outs(%i30 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %z31 = arith.constant -1.0e4 : f32
  %e31 = tensor.empty() : tensor<3x5x5x5xf32>
  %i31 = linalg.fill ins(%z31 : f32) outs(%e31 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %w31 = tensor.empty() : tensor<3x2xf32>
  // expected-remark-re @+1 {{rule ([i, o, p, l], [m, n], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, k, m, n, o, p]{{$}}}}
  %r31 = linalg.pooling_nhwc_max {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a31, %w31 : tensor<3x7x6x5xf32>, tensor<3x2xf32>) outs(%i31 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %z32 = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<3x5x5x5xi32>
  %i32 = linalg.fill ins(%z32 : i32) outs(%e32 : tensor<3x5x5x5xi32>) -> tensor<3x5x5x5xi32>
  %w32 = tensor.empty() : tensor<3x2xi32>
  // expected-remark-re @+1 {{rule ([i, o, p, l], [m, n], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, k, m, n, o, p]{{$}}}}
  %r32 = linalg.pooling_nhwc_max_unsigned {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a32, %w32 : tensor<3x7x6x5xi32>, tensor<3x2xi32>) outs(%i32 : tensor<3x5x5x5xi32>) -> tensor<3x5x5x5xi32>
  %z33 = arith.constant 1.0e4 : f32
  %e33 = tensor.empty() : tensor<3x5x5x5xf32>
  %i33 = linalg.fill ins(%z33 : f32) outs(%e33 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %w33 = tensor.empty() : tensor<3x2xf32>
  // expected-remark-re @+1 {{rule ([i, o, p, l], [m, n], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, k, m, n, o, p]{{$}}}}
  %r33 = linalg.pooling_nhwc_min {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a33, %w33 : tensor<3x7x6x5xf32>, tensor<3x2xf32>) outs(%i33 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %z34 = arith.constant 100 : i32
  %e34 = tensor.empty() : tensor<3x5x5x5xi32>
  %i34 = linalg.fill ins(%z34 : i32) outs(%e34 : tensor<3x5x5x5xi32>) -> tensor<3x5x5x5xi32>
  %w34 = tensor.empty() : tensor<3x2xi32>
  // expected-remark-re @+1 {{rule ([i, o, p, l], [m, n], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [j, k, m, n, o, p]{{$}}}}
  %r34 = linalg.pooling_nhwc_min_unsigned {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a34, %w34 : tensor<3x7x6x5xi32>, tensor<3x2xi32>) outs(%i34 : tensor<3x5x5x5xi32>) -> tensor<3x5x5x5xi32>
  %z35 = arith.constant 0.0 : f32
  %e35 = tensor.empty() : tensor<3x5x5x5xf32>
  %i35 = linalg.fill ins(%z35 : f32) outs(%e35 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %w35 = tensor.empty() : tensor<3x2xf32>
  // expected-remark-re @+1 {{rule ([i, j, o, p], [m, n], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [k, l, m, n, o, p]{{$}}}}
  %r35 = linalg.pooling_nchw_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a35, %w35 : tensor<3x5x7x6xf32>, tensor<3x2xf32>) outs(%i35 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %z36 = arith.constant -1.0e4 : f32
  %e36 = tensor.empty() : tensor<3x5x5x5xf32>
  %i36 = linalg.fill ins(%z36 : f32) outs(%e36 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %w36 = tensor.empty() : tensor<3x2xf32>
  // expected-remark-re @+1 {{rule ([i, j, o, p], [m, n], [i, j, k, l]) -> ([i, j, k, l]), need_replication = [k, l, m, n, o, p]{{$}}}}
  %r36 = linalg.pooling_nchw_max {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%a36, %w36 : tensor<3x5x7x6xf32>, tensor<3x2xf32>) outs(%i36 : tensor<3x5x5x5xf32>) -> tensor<3x5x5x5xf32>
  %z37 = arith.constant 0.0 : f32
  %e37 = tensor.empty() : tensor<3x5x5xf32>
  %i37 = linalg.fill ins(%z37 : f32) outs(%e37 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %w37 = tensor.empty() : tensor<2xf32>
  // expected-remark-re @+1 {{rule ([i, m, k], [l], [i, j, k]) -> ([i, j, k]), need_replication = [j, l, m]{{$}}}}
  %r37 = linalg.pooling_nwc_sum {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a37, %w37 : tensor<3x6x5xf32>, tensor<2xf32>) outs(%i37 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %z38 = arith.constant -1.0e4 : f32
  %e38 = tensor.empty() : tensor<3x5x5xf32>
  %i38 = linalg.fill ins(%z38 : f32) outs(%e38 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %w38 = tensor.empty() : tensor<2xf32>
  // expected-remark-re @+1 {{rule ([i, m, k], [l], [i, j, k]) -> ([i, j, k]), need_replication = [j, l, m]{{$}}}}
  %r38 = linalg.pooling_nwc_max {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a38, %w38 : tensor<3x6x5xf32>, tensor<2xf32>) outs(%i38 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %z39 = arith.constant 0 : i32
  %e39 = tensor.empty() : tensor<3x5x5xi32>
  %i39 = linalg.fill ins(%z39 : i32) outs(%e39 : tensor<3x5x5xi32>) -> tensor<3x5x5xi32>
  %w39 = tensor.empty() : tensor<2xi32>
  // expected-remark-re @+1 {{rule ([i, m, k], [l], [i, j, k]) -> ([i, j, k]), need_replication = [j, l, m]{{$}}}}
  %r39 = linalg.pooling_nwc_max_unsigned {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a39, %w39 : tensor<3x6x5xi32>, tensor<2xi32>) outs(%i39 : tensor<3x5x5xi32>) -> tensor<3x5x5xi32>
  %z40 = arith.constant 1.0e4 : f32
  %e40 = tensor.empty() : tensor<3x5x5xf32>
  %i40 = linalg.fill ins(%z40 : f32) outs(%e40 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %w40 = tensor.empty() : tensor<2xf32>
  // expected-remark-re @+1 {{rule ([i, m, k], [l], [i, j, k]) -> ([i, j, k]), need_replication = [j, l, m]{{$}}}}
  %r40 = linalg.pooling_nwc_min {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a40, %w40 : tensor<3x6x5xf32>, tensor<2xf32>) outs(%i40 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %z41 = arith.constant 100 : i32
  %e41 = tensor.empty() : tensor<3x5x5xi32>
  %i41 = linalg.fill ins(%z41 : i32) outs(%e41 : tensor<3x5x5xi32>) -> tensor<3x5x5xi32>
  %w41 = tensor.empty() : tensor<2xi32>
  // expected-remark-re @+1 {{rule ([i, m, k], [l], [i, j, k]) -> ([i, j, k]), need_replication = [j, l, m]{{$}}}}
  %r41 = linalg.pooling_nwc_min_unsigned {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a41, %w41 : tensor<3x6x5xi32>, tensor<2xi32>) outs(%i41 : tensor<3x5x5xi32>) -> tensor<3x5x5xi32>
  %z42 = arith.constant 0.0 : f32
  %e42 = tensor.empty() : tensor<3x5x5xf32>
  %i42 = linalg.fill ins(%z42 : f32) outs(%e42 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %w42 = tensor.empty() : tensor<2xf32>
  // expected-remark-re @+1 {{rule ([i, j, m], [l], [i, j, k]) -> ([i, j, k]), need_replication = [k, l, m]{{$}}}}
  %r42 = linalg.pooling_ncw_sum {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a42, %w42 : tensor<3x5x6xf32>, tensor<2xf32>) outs(%i42 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %z43 = arith.constant -1.0e4 : f32
  %e43 = tensor.empty() : tensor<3x5x5xf32>
  %i43 = linalg.fill ins(%z43 : f32) outs(%e43 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %w43 = tensor.empty() : tensor<2xf32>
  // expected-remark-re @+1 {{rule ([i, j, m], [l], [i, j, k]) -> ([i, j, k]), need_replication = [k, l, m]{{$}}}}
  %r43 = linalg.pooling_ncw_max {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[1]> : tensor<1xi64>} ins(%a43, %w43 : tensor<3x5x6xf32>, tensor<2xf32>) outs(%i43 : tensor<3x5x5xf32>) -> tensor<3x5x5xf32>
  %z44 = arith.constant 0.0 : f32
  %e44 = tensor.empty() : tensor<3x4x5x5x5xf32>
  %i44 = linalg.fill ins(%z44 : f32) outs(%e44 : tensor<3x4x5x5x5xf32>) -> tensor<3x4x5x5x5xf32>
  %w44 = tensor.empty() : tensor<2x3x2xf32>
  // expected-remark-re @+1 {{rule ([i, q, r, s, m], [n, o, p], [i, j, k, l, m]) -> ([i, j, k, l, m]), need_replication = [j, k, l, n, o, p, q, r, s]{{$}}}}
  %r44 = linalg.pooling_ndhwc_sum {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a44, %w44 : tensor<3x5x7x6x5xf32>, tensor<2x3x2xf32>) outs(%i44 : tensor<3x4x5x5x5xf32>) -> tensor<3x4x5x5x5xf32>
  %z45 = arith.constant -1.0e4 : f32
  %e45 = tensor.empty() : tensor<3x4x5x5x5xf32>
  %i45 = linalg.fill ins(%z45 : f32) outs(%e45 : tensor<3x4x5x5x5xf32>) -> tensor<3x4x5x5x5xf32>
  %w45 = tensor.empty() : tensor<2x3x2xf32>
  // expected-remark-re @+1 {{rule ([i, q, r, s, m], [n, o, p], [i, j, k, l, m]) -> ([i, j, k, l, m]), need_replication = [j, k, l, n, o, p, q, r, s]{{$}}}}
  %r45 = linalg.pooling_ndhwc_max {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a45, %w45 : tensor<3x5x7x6x5xf32>, tensor<2x3x2xf32>) outs(%i45 : tensor<3x4x5x5x5xf32>) -> tensor<3x4x5x5x5xf32>
  %z46 = arith.constant 1.0e4 : f32
  %e46 = tensor.empty() : tensor<3x4x5x5x5xf32>
  %i46 = linalg.fill ins(%z46 : f32) outs(%e46 : tensor<3x4x5x5x5xf32>) -> tensor<3x4x5x5x5xf32>
  %w46 = tensor.empty() : tensor<2x3x2xf32>
  // expected-remark-re @+1 {{rule ([i, q, r, s, m], [n, o, p], [i, j, k, l, m]) -> ([i, j, k, l, m]), need_replication = [j, k, l, n, o, p, q, r, s]{{$}}}}
  %r46 = linalg.pooling_ndhwc_min {strides = dense<[1, 1, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>} ins(%a46, %w46 : tensor<3x5x7x6x5xf32>, tensor<2x3x2xf32>) outs(%i46 : tensor<3x4x5x5x5xf32>) -> tensor<3x4x5x5x5xf32>
  return
}
