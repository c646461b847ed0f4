// RUN: dtensor-run %s --entry bf16_product_into_f32 --random-inputs 1 --check | FileCheck %s
// RUN: dtensor-run %s --entry f16_product --random-inputs 1 --check | FileCheck %s
// RUN: dtensor-run %s --entry bf16_sum --random-inputs 1 --check | FileCheck %s
// RUN: dtensor-run %s --entry i1_product --random-inputs 1 --check | FileCheck %s
// RUN: dtensor-run %s --entry captured_constant --random-inputs 1 --check | FileCheck %s
// RUN: dtensor-run %s --entry constant_operand --random-inputs 1 --check | FileCheck %s
// RUN: dtensor-run %s --entry f16_fma --random-inputs 1 --check | FileCheck %s
// RUN: dtensor-run %s --entry clamped --random-inputs 1 --check=interp | FileCheck %s
// RUN: dtensor-run %s --entry integer_powers --random-inputs 1 --check=interp | FileCheck %s --check-prefix=POWERS
// RUN: %python %S/../Tools/Inputs/expect.py 1 dtensor-compile %s --entry no_form_in_kernels -o %t.plan 2>&1 | FileCheck %s --check-prefix=REFUSED
//
// Kernels in types and forms that need care on the way to machine code. The
// module has a second mesh, which the programs do not use.

dtensor.mesh @mesh ["x" = 2]
dtensor.mesh @unused ["x" = 4]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#columns = #dtensor.layout<@mesh, ["x" = shard(1)]>
#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i) -> (i)>
#row = affine_map<(i, j) -> (i)>

// CHECK: result0: {{.*}}: ok
func.func @bf16_product_into_f32(%a: tensor<8x16xbf16> {dtensor.layout = #columns}, %b: tensor<16x4xbf16> {dtensor.layout = #rows}) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xbf16>, tensor<16x4xbf16>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @f16_product(%a: tensor<8x16xf16> {dtensor.layout = #columns}, %b: tensor<16x4xf16> {dtensor.layout = #rows}) -> tensor<8x4xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<8x4xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<8x4xf16>) -> tensor<8x4xf16>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x4xf16>) outs(%f : tensor<8x4xf16>) -> tensor<8x4xf16>
  return %0 : tensor<8x4xf16>
}

func.func @bf16_sum(%a: tensor<8x64xbf16> {dtensor.layout = #rows}) -> tensor<8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<8xbf16>) -> tensor<8xbf16>
  %t = math.tanh %a : tensor<8x64xbf16>
  %s = arith.addf %a, %t : tensor<8x64xbf16>
  %0 = linalg.reduce {arith.addf} ins(%s : tensor<8x64xbf16>) outs(%f : tensor<8xbf16>) dimensions = [1]
  return %0 : tensor<8xbf16>
}

func.func @i1_product(%a: tensor<8x16xi1> {dtensor.layout = #columns}, %b: tensor<16x4xi1> {dtensor.layout = #rows}) -> tensor<8x4xi1> {
  %no = arith.constant false
  %e = tensor.empty() : tensor<8x4xi1>
  %f = linalg.fill ins(%no : i1) outs(%e : tensor<8x4xi1>) -> tensor<8x4xi1>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xi1>, tensor<16x4xi1>) outs(%f : tensor<8x4xi1>) -> tensor<8x4xi1>
  return %0 : tensor<8x4xi1>
}

func.func @clamped(%a: tensor<9xf32> {dtensor.layout = #rows}, %b: tensor<9xf32>) -> tensor<9xf32> {
  %low = arith.constant dense<-2.5e-01> : tensor<9xf32>
  // Where the bounds cross, the upper one holds.
  %0 = math.clampf %a to [%low, %b] : tensor<9xf32>
  return %0 : tensor<9xf32>
}

// POWERS: result0: {{.*}}: ok
// POWERS: result1: {{.*}}: ok
// POWERS: result2: {{.*}}: ok
func.func @integer_powers(%a: tensor<9xi32> {dtensor.layout = #rows}, %b: tensor<9xi8>, %c: tensor<9xbf16>)
    -> (tensor<9xi32>, tensor<9xi8>, tensor<9xbf16>) {
  %three = arith.constant dense<3> : tensor<9xi32>
  %0 = math.ipowi %a, %three : tensor<9xi32>
  %1 = math.ipowi %b, %b : tensor<9xi8>
  %2 = math.fpowi %c, %a : tensor<9xbf16>, tensor<9xi32>
  return %0, %1, %2 : tensor<9xi32>, tensor<9xi8>, tensor<9xbf16>
}

func.func @captured_constant(%a: tensor<4x8xf32> {dtensor.layout = #columns}, %b: tensor<4xf32>) -> tensor<4xf32> {
  %eighth = arith.constant 1.25e-01 : f32
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %part = arith.mulf %x, %eighth : f32
    %next = arith.addf %sum, %part : f32
    linalg.yield %next : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @constant_operand(%b: tensor<4xf32> {dtensor.layout = #rows}) -> tensor<4xf32> {
  %c = arith.constant dense<0.5> : tensor<4x8xf32>
  %0 = linalg.reduce {arith.addf} ins(%c : tensor<4x8xf32>) outs(%b : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// REFUSED: error: an op of the program has no form in kernels: the kernels section imports 'exp10f'
func.func @no_form_in_kernels(%a: tensor<4xf32> {dtensor.layout = #rows}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %1 = llvm.call_intrinsic "llvm.exp10.f32"(%x) : (f32) -> f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @f16_fma(%a: tensor<4xf16> {dtensor.layout = #rows}) -> tensor<4xf16> {
  %0 = math.fma %a, %a, %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}
