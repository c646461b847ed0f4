// Two layers of which the first is written for one rank, with its collective,
// and the same written for the whole tensors: both give the same.
dtensor.mesh @mesh ["tp" = 4]

#rows = #dtensor.layout<@mesh, ["tp" = shard(0)]>
#cols = #dtensor.layout<@mesh, ["tp" = shard(1)]>
#all = #dtensor.layout<@mesh, []>

func.func @main(%x: tensor<6x16xf32> {dtensor.name = "x"},
                %w1: tensor<16x32xf32> {dtensor.name = "w1"},
                %w2: tensor<32x8xf32> {dtensor.name = "w2"})
    -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  // The hidden dimension is each rank's own part.
  %by_rank = dtensor.manual(%x, %w1, %w2) in [#all, #cols, #rows] out [#all]
      : (tensor<6x16xf32>, tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<6x8xf32> {
  ^bb0(%lx: tensor<6x16xf32>, %lw1: tensor<16x8xf32>, %lw2: tensor<8x8xf32>):
    %part = func.call @mlp_part(%lx, %lw1, %lw2) : (tensor<6x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
    %sum = comm.all_reduce sum %part over @mesh["tp"] : tensor<6x8xf32>
    dtensor.yield %sum : tensor<6x8xf32>
  }
  %a = math.tanh %by_rank : tensor<6x8xf32>

  // A contribution of each rank is a partial tensor.
  %l = dtensor.to_local %x : tensor<6x16xf32> in #all -> tensor<6x16xf32>
  %l1 = dtensor.to_local %w1 : tensor<16x32xf32> in #cols -> tensor<16x8xf32>
  %l2 = dtensor.to_local %w2 : tensor<32x8xf32> in #rows -> tensor<8x8xf32>
  %part = func.call @mlp_part(%l, %l1, %l2) : (tensor<6x16xf32>, tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %whole = dtensor.from_local %part : tensor<6x8xf32> in #dtensor.layout<@mesh, ["tp" = partial(sum)]> -> tensor<6x8xf32>
  %b = math.tanh %whole : tensor<6x8xf32>
  return %a, %b : tensor<6x8xf32>, tensor<6x8xf32>
}

func.func private @mlp_part(%x: tensor<6x16xf32>, %w1: tensor<16x8xf32>, %w2: tensor<8x8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<6x8xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<6x16xf32>, tensor<16x8xf32>) outs(%i1 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %r = linalg.matmul ins(%h, %w2 : tensor<6x8xf32>, tensor<8x8xf32>) outs(%i1 : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// RUN: dtensor-compile %s --emit=local | FileCheck %s
// RUN: dtensor-run %s --random-inputs 1 --output-dir %t.out
// RUN: %python %S/Inputs/manual.py %t.out
// RUN: not dtensor-run %s --random-inputs 1 --check 2>&1 | FileCheck %s --check-prefix=NO-REFERENCE

// CHECK-LABEL: func.func @main(
// CHECK: linalg.matmul
// CHECK: %[[P:.*]] = linalg.matmul {{.*}} -> tensor<6x8xf32>
// CHECK: comm.all_reduce sum %[[P]] over @mesh["tp"] : tensor<6x8xf32>
// CHECK: linalg.matmul
// CHECK: %[[Q:.*]] = linalg.matmul {{.*}} -> tensor<6x8xf32>
// CHECK: comm.all_reduce sum %[[Q]] over @mesh["tp"] : tensor<6x8xf32>

// NO-REFERENCE: error: {{.*}}manual.mlir: --check needs the unsharded program, which this plan leaves out (compiled with --no-reference, or its ranks compute values of their own)
