// Programs before and after the SPMD pipeline mean the same.
// RUN: split-file %s %t
// RUN: interpret-program %t/layers.mlir --spmd --random-inputs 1 | FileCheck %s
// RUN: interpret-program %t/reductions.mlir --spmd --random-inputs 2 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: interpret-program %t/layouts.mlir --spmd | FileCheck %s --check-prefix=EXACT
// RUN: interpret-program %t/integers.mlir --spmd | FileCheck %s --check-prefix=EXACT
// RUN: interpret-program %examples/matmul.mlir --spmd --random-inputs 3 | FileCheck %s
// RUN: interpret-program %examples/mlp.mlir --spmd --random-inputs 3 | FileCheck %s
// RUN: interpret-program %examples/mlp-data-parallel.mlir --spmd --random-inputs 3 | FileCheck %s
// RUN: interpret-program %examples/mlp-tensor-parallel.mlir --spmd --random-inputs 3 | FileCheck %s
// RUN: interpret-program %examples/mlp-sequence-parallel.mlir --spmd --random-inputs 3 | FileCheck %s
// RUN: interpret-program %examples/mlp-sequence-sharded.mlir --spmd --random-inputs 3 | FileCheck %s
// RUN: interpret-program %examples/uneven.mlir --spmd --random-inputs 3 | FileCheck %s
//
// Between, while layouts are attributes, programs are read as they are.
// RUN: interpret-program %examples/matmul.mlir > %t.program
// RUN: dtensor-compile %examples/matmul.mlir --emit=laid-out -o %t.laid-out.mlir
// RUN: interpret-program %t.laid-out.mlir | diff %t.program -
// RUN: dtensor-compile %examples/matmul.mlir --emit=explicit -o %t.explicit.mlir
// RUN: interpret-program %t.explicit.mlir | diff %t.program -

// CHECK: result0: largest error {{.*}}: ok
// TWO: result1: largest error {{.*}}: ok
// EXACT: result0: largest error 0 {{.*}}: ok

//--- layers.mlir
// A batched product, a normalisation of rows and a bias, on three axes.
dtensor.mesh @m ["dp" = 2, "tp" = 2, "sp" = 2]

#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#last = affine_map<(b, i, j) -> (j)>
func.func @main(%x: tensor<4x8x16xf32> {dtensor.layout = #dtensor.layout<@m, ["dp" = shard(0), "sp" = shard(1)]>},
                %w: tensor<4x16x8xf32> {dtensor.layout = #dtensor.layout<@m, ["tp" = shard(2)]>},
                %bias: tensor<8xf32> {dtensor.layout = #dtensor.layout<@m, ["tp" = shard(0)]>})
    -> (tensor<4x8x8xf32> {dtensor.layout = #dtensor.layout<@m, ["dp" = shard(0)]>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<4x8x16xf32>, tensor<4x16x8xf32>) outs(%init : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %er = tensor.empty() : tensor<4x8xf32>
  %rows = linalg.fill ins(%zero : f32) outs(%er : tensor<4x8xf32>) -> tensor<4x8xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
       ins(%y : tensor<4x8x8xf32>) outs(%rows : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %z = linalg.generic {indexing_maps = [#id, #row, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
       ins(%y, %sums, %bias : tensor<4x8x8xf32>, tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %b: f32, %out: f32):
    %r = math.rsqrt %sum : f32
    %n = arith.mulf %in, %r : f32
    %v = arith.addf %n, %b : f32
    linalg.yield %v : f32
  } -> tensor<4x8x8xf32>
  return %z : tensor<4x8x8xf32>
}

//--- reductions.mlir
// The reduced dimension is sharded; one result stays a sum of contributions.
dtensor.mesh @m ["x" = 4]

func.func @main(%a: tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@m, ["x" = shard(1)]>})
    -> (tensor<8xf32> {dtensor.layout = #dtensor.layout<@m, ["x" = partial(sum)]>},
        tensor<8xf32> {dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>}) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<8x16xf32>) outs(%f0 : tensor<8xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.maximumf } ins(%a : tensor<8x16xf32>) outs(%f1 : tensor<8xf32>) dimensions = [1]
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

//--- layouts.mlir
// Redistributions only: every bit arrives.
dtensor.mesh @m ["x" = 4, "y" = 2]

func.func @main(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@m, ["x" = shard(0), "y" = shard(1)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@m, ["y" = shard(0), "x" = shard(0)]>}) {
  %0 = dtensor.redistribute %a : tensor<8x8xf32> to #dtensor.layout<@m, ["y" = shard(0), "x" = shard(1)]>
  %1 = dtensor.redistribute %0 : tensor<8x8xf32> to #dtensor.layout<@m, ["x":(2)2 = shard(1)]>
  %2 = dtensor.redistribute %1 : tensor<8x8xf32> to #dtensor.layout<@m, ["x" = partial(sum), "y" = shard(1)]>
  %3 = dtensor.redistribute %2 : tensor<8x8xf32> to #dtensor.layout<@m, ["y" = shard(0), "x" = shard(0)]>
  return %3 : tensor<8x8xf32>
}

//--- integers.mlir
// Integers that wrap around are exact on any number of ranks.
dtensor.mesh @m ["x" = 4]

func.func @main(%a: tensor<8x64xi8> {dtensor.layout = #dtensor.layout<@m, ["x" = shard(1)]>},
                %b: tensor<64x8xi8> {dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>})
    -> (tensor<8x8xi8> {dtensor.layout = #dtensor.layout<@m, ["x" = shard(1)]>}) {
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<8x8xi8>
  %init = linalg.fill ins(%zero : i8) outs(%e : tensor<8x8xi8>) -> tensor<8x8xi8>
  %0 = linalg.matmul ins(%a, %b : tensor<8x64xi8>, tensor<64x8xi8>) outs(%init : tensor<8x8xi8>) -> tensor<8x8xi8>
  return %0 : tensor<8x8xi8>
}
