// RUN: dtensor-compile %s -o %t.plan
// RUN: %python -c "import numpy as n; r = n.random.default_rng(1); n.save('%t.f.npy', r.uniform(-4, 4, (8, 16)).astype('f4')); n.save('%t.d.npy', r.uniform(-4, 4, (8, 16))); n.save('%t.i.npy', r.integers(-99, 99, (8, 16)).astype('i4'))"
// RUN: dtensor-run %t.plan --input f=%t.f.npy --input d=%t.d.npy --input i=%t.i.npy --output-dir %t.out --check | FileCheck %s
// RUN: %python %S/Inputs/kernels.py %t %t.out
//
// Kernels against NumPy: elementwise groups in f32, f64 and i32, a broadcast
// over rows, reductions along a whole and along a sharded dimension.

dtensor.mesh @mesh ["x" = 2, "y" = 2]

#both = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK: result0: {{.*}}: ok
// CHECK: result1: {{.*}}: ok
// CHECK: result2: {{.*}}: ok
// CHECK: result3: {{.*}}: ok
// CHECK: result4: {{.*}}: ok
func.func @main(
    %f: tensor<8x16xf32> {dtensor.name = "f", dtensor.layout = #both},
    %d: tensor<8x16xf64> {dtensor.name = "d", dtensor.layout = #both},
    %i: tensor<8x16xi32> {dtensor.name = "i", dtensor.layout = #both})
    -> (tensor<8x16xf32> {dtensor.layout = #both}, tensor<8x16xf64> {dtensor.layout = #both},
        tensor<8x16xi32> {dtensor.layout = #both}, tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>},
        tensor<8xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  // f32: softplus and the like, with the row's maximum taken off first.
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<8xf32>
  %f0 = linalg.fill ins(%lowest : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.reduce {arith.maximumf} ins(%f : tensor<8x16xf32>) outs(%f0 : tensor<8xf32>) dimensions = [1]
  %e1 = tensor.empty() : tensor<8x16xf32>
  %shifted = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%f, %max : tensor<8x16xf32>, tensor<8xf32>) outs(%e1 : tensor<8x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %s = arith.subf %x, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %exp = math.exp %shifted : tensor<8x16xf32>
  %one = arith.constant dense<1.0> : tensor<8x16xf32>
  %sum = arith.addf %exp, %one : tensor<8x16xf32>
  %log = math.log %sum : tensor<8x16xf32>
  // f64 goes to libm.
  %tanh = math.tanh %d : tensor<8x16xf64>
  %square = arith.mulf %tanh, %d : tensor<8x16xf64>
  // i32 and a comparison.
  %three = arith.constant dense<3> : tensor<8x16xi32>
  %zero = arith.constant dense<0> : tensor<8x16xi32>
  %times = arith.muli %i, %three : tensor<8x16xi32>
  %negative = arith.cmpi slt, %i, %zero : tensor<8x16xi32>
  %chosen = arith.select %negative, %zero, %times : tensor<8x16xi1>, tensor<8x16xi32>
  %izero = arith.constant 0 : i32
  %e2 = tensor.empty() : tensor<8xi32>
  %f2 = linalg.fill ins(%izero : i32) outs(%e2 : tensor<8xi32>) -> tensor<8xi32>
  %total = linalg.reduce {arith.addi} ins(%i : tensor<8x16xi32>) outs(%f2 : tensor<8xi32>) dimensions = [1]
  return %log, %square, %chosen, %max, %total
      : tensor<8x16xf32>, tensor<8x16xf64>, tensor<8x16xi32>, tensor<8xf32>, tensor<8xi32>
}
