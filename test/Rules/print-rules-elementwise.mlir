// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of elementwise ops, as they follow from what the ops mean.
// Written by Inputs/enumerate_rules.py elementwise --print-rules.
// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics=only-expected
// RUN: %python %S/Inputs/enumerate_rules.py elementwise --print-rules | diff %s -

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a0: tensor<5x7xf32>, %b0: tensor<5x7xf32>, %a1: tensor<5x7xf32>, %b1: tensor<5x7xf32>,
                %a2: tensor<5x7xf32>, %b2: tensor<5x7xf32>, %a3: tensor<5x7xf32>, %b3: tensor<5x7xf32>,
                %a4: tensor<5x7xf32>, %b4: tensor<5x7xf32>, %a5: tensor<5x7xf32>, %b5: tensor<5x7xf32>,
                %a6: tensor<5x7xf32>, %b6: tensor<5x7xf32>, %a7: tensor<5x7xf32>, %b7: tensor<5x7xf32>,
                %a8: tensor<5x7xf32>, %b8: tensor<5x7xf32>, %a9: tensor<5x7xf32>, %a10: tensor<5x7xi32>,
                %b10: tensor<5x7xi32>, %a11: tensor<5x7xi32>, %b11: tensor<5x7xi32>, %a12: tensor<5x7xi32>,
                %b12: tensor<5x7xi32>, %a13: tensor<5x7xi32>, %b13: tensor<5x7xi32>, %a14: tensor<5x7xi32>,
                %b14: tensor<5x7xi32>, %a15: tensor<5x7xi32>, %b15: tensor<5x7xi32>, %a16: tensor<5x7xi32>,
                %b16: tensor<5x7xi32>, %a17: tensor<5x7xi32>, %b17: tensor<5x7xi32>, %a18: tensor<5x7xi32>,
                %b18: tensor<5x7xi32>, %a19: tensor<5x7xi32>, %b19: tensor<5x7xi32>, %a20: tensor<5x7xi32>,
                %b20: tensor<5x7xi32>, %a21: tensor<5x7xi32>, %b21: tensor<5x7xi32>, %a22: tensor<5x7xi32>,
                %b22: tensor<5x7xi32>, %a23: tensor<5x7xi32>, %b23: tensor<5x7xi32>, %a24: tensor<5x7xi32>,
                %b24: tensor<5x7xi32>, %a25: tensor<5x7xi32>, %b25: tensor<5x7xi32>, %a26: tensor<5x7xi32>,
                %b26: tensor<5x7xi32>, %a27: tensor<5x7xi32>, %b27: tensor<5x7xi32>, %a28: tensor<5x7xi32>,
                %b28: tensor<5x7xi32>, %a29: tensor<5x7xi32>, %b29: tensor<5x7xi32>, %a30: tensor<5x7xf32>,
                %b30: tensor<5x7xf32>, %a31: tensor<5x7xi32>, %b31: tensor<5x7xi32>, %a32: tensor<5x7xi1>,
                %b32: tensor<5x7xf32>, %c32: tensor<5x7xf32>, %a33: tensor<5x7xf16>, %a34: tensor<5x7xf32>,
                %a35: tensor<5x7xi32>, %a36: tensor<5x7xi32>, %a37: tensor<5x7xf32>, %a38: tensor<5x7xf32>,
                %a39: tensor<5x7xi8>, %a40: tensor<5x7xi8>, %a41: tensor<5x7xi64>, %a42: tensor<5x7xf32>,
                %a43: tensor<5x7xi32>, %b43: tensor<5x7xi32>, %a44: tensor<5x7xi32>, %b44: tensor<5x7xi32>,
                %a45: tensor<5x7xi32>, %b45: tensor<5x7xi32>, %a46: tensor<5x7xf32>, %a47: tensor<5x7xf32>,
                %a48: tensor<5x7xf32>, %a49: tensor<5x7xf32>, %a50: tensor<5x7xf32>, %a51: tensor<5x7xf32>,
                %a52: tensor<5x7xf32>, %a53: tensor<5x7xf32>, %a54: tensor<5x7xf32>, %a55: tensor<5x7xf32>,
                %a56: tensor<5x7xf32>, %a57: tensor<5x7xf32>, %a58: tensor<5x7xf32>, %a59: tensor<5x7xf32>,
                %a60: tensor<5x7xf32>, %a61: tensor<5x7xf32>, %a62: tensor<5x7xf32>, %a63: tensor<5x7xf32>,
                %a64: tensor<5x7xf32>, %a65: tensor<5x7xf32>, %a66: tensor<5x7xf32>, %a67: tensor<5x7xf32>,
                %a68: tensor<5x7xf32>, %a69: tensor<5x7xf32>, %a70: tensor<5x7xf32>, %a71: tensor<5x7xf32>,
                %a72: tensor<5x7xf32>, %a73: tensor<5x7xf32>, %a74: tensor<5x7xf32>, %a75: tensor<5x7xf32>,
                %a76: tensor<5x7xf32>, %b76: tensor<5x7xf32>, %a77: tensor<5x7xf32>, %b77: tensor<5x7xf32>,
                %a78: tensor<5x7xf32>, %b78: tensor<5x7xf32>, %a79: tensor<5x7xf32>, %b79: tensor<5x7xf32>,
                %c79: tensor<5x7xf32>, %a80: tensor<5x7xf32>, %b80: tensor<5x7xf32>, %c80: tensor<5x7xf32>,
                %a81: tensor<5x7xf32>, %b81: tensor<5x7xi32>, %a82: tensor<5x7xi32>, %b82: tensor<5x7xi32>,
                %a83: tensor<5x7xi32>, %a84: tensor<5x7xi32>, %a85: tensor<5x7xi32>, %a86: tensor<5x7xi32>,
                %a87: tensor<5x7xf32>, %a88: tensor<5x7xf32>, %a89: tensor<5x7xf32>, %a90: tensor<5x7xf32>,
                %a91: tensor<5x7xf32>, %a93: tensor<5x7xf32>, %a94: tensor<5x7xf32>, %a95: tensor<5x7xf32>,
                %a96: tensor<5x7xf32>, %a97: tensor<5x7xf32>, %a98: tensor<5x7xf32>, %a99: tensor<5x7xf32>,
                %a100: tensor<5x7xf32>, %a101: tensor<5x7xf32>, %a102: tensor<5x7xf32>, %a103: tensor<5x7xf32>,
                %a104: tensor<5x7xf32>, %a105: tensor<5x7xf32>, %a106: tensor<5x7xf32>, %b106: tensor<5x7xf32>,
                %a107: tensor<5x7xf32>, %b107: tensor<5x7xf32>, %a108: tensor<5x7xf32>, %b108: tensor<5x7xf32>,
                %a109: tensor<5x7xf32>, %b109: tensor<5x7xf32>, %a110: tensor<5x7xf32>, %b110: tensor<5x7xf32>,
                %a111: tensor<5x7xf32>, %b111: tensor<5x7xf32>, %a112: tensor<5x7xf32>, %b112: tensor<5x7xf32>,
                %a113: tensor<5x7xi1>, %b113: tensor<5x7xf32>, %c113: tensor<5x7xf32>, %a114: tensor<5x7xf32>,
                %a115: tensor<5x7xi32>, %b115: tensor<5x7xi32>, %a116: tensor<2xf32>, %a117: tensor<3x1x5xf32>,
                %b117: tensor<3x1x5xf32>, %a118: tensor<f32>, %b118: tensor<f32>) {
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r0 = arith.addf %a0, %b0 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r1 = arith.subf %a1, %b1 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r2 = arith.mulf %a2, %b2 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r3 = arith.divf %a3, %b3 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r4 = arith.remf %a4, %b4 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r5 = arith.maximumf %a5, %b5 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r6 = arith.minimumf %a6, %b6 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r7 = arith.maxnumf %a7, %b7 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r8 = arith.minnumf %a8, %b8 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r9 = arith.negf %a9 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r10 = arith.addi %a10, %b10 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r11 = arith.subi %a11, %b11 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r12 = arith.muli %a12, %b12 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r13 = arith.divsi %a13, %b13 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r14 = arith.divui %a14, %b14 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r15 = arith.remsi %a15, %b15 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r16 = arith.remui %a16, %b16 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r17 = arith.ceildivsi %a17, %b17 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r18 = arith.floordivsi %a18, %b18 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r19 = arith.ceildivui %a19, %b19 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r20 = arith.andi %a20, %b20 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r21 = arith.ori %a21, %b21 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r22 = arith.xori %a22, %b22 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r23 = arith.shli %a23, %b23 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r24 = arith.shrsi %a24, %b24 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r25 = arith.shrui %a25, %b25 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r26 = arith.maxsi %a26, %b26 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r27 = arith.minsi %a27, %b27 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r28 = arith.maxui %a28, %b28 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r29 = arith.minui %a29, %b29 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r30 = arith.cmpf oeq, %a30, %b30 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r31 = arith.cmpi eq, %a31, %b31 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r32 = arith.select %a32, %b32, %c32 : tensor<5x7xi1>, tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r33 = arith.extf %a33 : tensor<5x7xf16> to tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r34 = arith.truncf %a34 : tensor<5x7xf32> to tensor<5x7xf16>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r35 = arith.sitofp %a35 : tensor<5x7xi32> to tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r36 = arith.uitofp %a36 : tensor<5x7xi32> to tensor<5x7xf64>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r37 = arith.fptosi %a37 : tensor<5x7xf32> to tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r38 = arith.fptoui %a38 : tensor<5x7xf32> to tensor<5x7xi16>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r39 = arith.extsi %a39 : tensor<5x7xi8> to tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r40 = arith.extui %a40 : tensor<5x7xi8> to tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r41 = arith.trunci %a41 : tensor<5x7xi64> to tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r42 = arith.bitcast %a42 : tensor<5x7xf32> to tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j], [i, j]){{$}}}}
  %r43, %s43 = arith.addui_extended %a43, %b43 : tensor<5x7xi32>, tensor<5x7xi1>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j], [i, j]){{$}}}}
  %r44, %s44 = arith.mulsi_extended %a44, %b44 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j], [i, j]){{$}}}}
  %r45, %s45 = arith.mului_extended %a45, %b45 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r46 = math.absf %a46 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r47 = math.ceil %a47 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r48 = math.floor %a48 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r49 = math.trunc %a49 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r50 = math.round %a50 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r51 = math.roundeven %a51 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r52 = math.exp %a52 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r53 = math.exp2 %a53 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r54 = math.expm1 %a54 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r55 = math.log %a55 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r56 = math.log2 %a56 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r57 = math.log10 %a57 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r58 = math.log1p %a58 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r59 = math.sqrt %a59 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r60 = math.rsqrt %a60 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r61 = math.cbrt %a61 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r62 = math.sin %a62 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r63 = math.cos %a63 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r64 = math.tan %a64 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r65 = math.sinh %a65 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r66 = math.cosh %a66 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r67 = math.tanh %a67 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r68 = math.asin %a68 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r69 = math.acos %a69 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r70 = math.atan %a70 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r71 = math.asinh %a71 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r72 = math.acosh %a72 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r73 = math.atanh %a73 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r74 = math.erf %a74 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r75 = math.erfc %a75 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r76 = math.atan2 %a76, %b76 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r77 = math.powf %a77, %b77 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r78 = math.copysign %a78, %b78 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r79 = math.fma %a79, %b79, %c79 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r80 = math.clampf %a80 to [%b80, %c80] : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r81 = math.fpowi %a81, %b81 : tensor<5x7xf32>, tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r82 = math.ipowi %a82, %b82 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r83 = math.absi %a83 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r84 = math.ctpop %a84 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r85 = math.ctlz %a85 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r86 = math.cttz %a86 : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j], [i, j]){{$}}}}
  %r87, %s87 = math.sincos %a87 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r88 = math.isnan %a88 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r89 = math.isinf %a89 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r90 = math.isfinite %a90 : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j]) -> ([i, j]){{$}}}}
  %r91 = math.isnormal %a91 : tensor<5x7xf32>
  // expected-remark-re @+1 {{is made anew for any layout{{$}}}}
  %r92 = arith.constant dense<2.5> : tensor<5x7xf32>
  %e93 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r93 = linalg.abs ins(%a93 : tensor<5x7xf32>) outs(%e93 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e94 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r94 = linalg.ceil ins(%a94 : tensor<5x7xf32>) outs(%e94 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e95 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r95 = linalg.floor ins(%a95 : tensor<5x7xf32>) outs(%e95 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e96 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r96 = linalg.exp ins(%a96 : tensor<5x7xf32>) outs(%e96 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e97 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r97 = linalg.log ins(%a97 : tensor<5x7xf32>) outs(%e97 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e98 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r98 = linalg.negf ins(%a98 : tensor<5x7xf32>) outs(%e98 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e99 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r99 = linalg.reciprocal ins(%a99 : tensor<5x7xf32>) outs(%e99 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e100 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r100 = linalg.round ins(%a100 : tensor<5x7xf32>) outs(%e100 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e101 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r101 = linalg.rsqrt ins(%a101 : tensor<5x7xf32>) outs(%e101 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e102 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r102 = linalg.sqrt ins(%a102 : tensor<5x7xf32>) outs(%e102 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e103 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r103 = linalg.square ins(%a103 : tensor<5x7xf32>) outs(%e103 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e104 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r104 = linalg.tanh ins(%a104 : tensor<5x7xf32>) outs(%e104 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e105 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r105 = linalg.erf ins(%a105 : tensor<5x7xf32>) outs(%e105 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e106 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r106 = linalg.add ins(%a106, %b106 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e106 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e107 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r107 = linalg.sub ins(%a107, %b107 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e107 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e108 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r108 = linalg.mul ins(%a108, %b108 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e108 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e109 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r109 = linalg.div ins(%a109, %b109 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e109 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e110 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r110 = linalg.max ins(%a110, %b110 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e110 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e111 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r111 = linalg.min ins(%a111, %b111 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e111 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e112 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r112 = linalg.powf ins(%a112, %b112 : tensor<5x7xf32>, tensor<5x7xf32>) outs(%e112 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e113 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r113 = linalg.select ins(%a113, %b113, %c113 : tensor<5x7xi1>, tensor<5x7xf32>, tensor<5x7xf32>) outs(%e113 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e114 = tensor.empty() : tensor<5x7xf32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j]) -> ([i, j]){{$}}}}
  %r114 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a114 : tensor<5x7xf32>) outs(%e114 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e115 = tensor.empty() : tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i, j], [i, j], [i, j]) -> ([i, j]){{$}}}}
  %r115 = linalg.div_unsigned ins(%a115, %b115 : tensor<5x7xi32>, tensor<5x7xi32>) outs(%e115 : tensor<5x7xi32>) -> tensor<5x7xi32>
  // expected-remark-re @+1 {{rule ([i]) -> ([i]){{$}}}}
  %r116 = math.sin %a116 : tensor<2xf32>
  // expected-remark-re @+1 {{rule ([i, j, k], [i, j, k]) -> ([i, j, k]){{$}}}}
  %r117 = arith.addf %a117, %b117 : tensor<3x1x5xf32>
  // expected-remark-re @+1 {{rule ([], []) -> ([]){{$}}}}
  %r118 = arith.addf %a118, %b118 : tensor<f32>
  return
}
