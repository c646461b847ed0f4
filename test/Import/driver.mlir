// RUN: dtensor-compile %s --emit=local | FileCheck %s
// RUN: dtensor-compile %s --mesh tp=4 --emit=local | FileCheck %s --check-prefix=FOUR
// RUN: dtensor-run %s --random-inputs 1 --check | FileCheck %s --check-prefix=EXEC
// RUN: dtensor-run %s --entry forward --random-inputs 1 --check | FileCheck %s --check-prefix=EXEC
//
// The drivers import by themselves; attributes of unknown dialects, with
// values that only these could read, do not keep them from it.

// EXEC: all_reduce over "tp"
// EXEC: result0: {{.*}}: ok
module @jit_forward attributes {mhlo.num_partitions = 2 : i32} {
  // CHECK: dtensor.mesh @mesh ["tp" = 2]
  // FOUR: dtensor.mesh @mesh ["tp" = 4]
  sdy.mesh @mesh = <["tp"=2]>
  // CHECK: func.func @forward
  // CHECK-SAME: tensor<16x32xf32> {{.*}}dtensor.name = "w1"
  // FOUR: func.func @forward
  // FOUR-SAME: tensor<16x16xf32> {{.*}}dtensor.name = "w1"
  func.func public @forward(
      %x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, ttcore.kind = #ttcore.kind<input>} loc("x"),
      %w1: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>} loc("w1"),
      %w2: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>} loc("w2"))
      -> (tensor<8x16xf32> {jax.result_info = "", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    // CHECK: linalg.matmul {{.*}} -> tensor<8x32xf32>
    %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %1 = call @silu(%0) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    // CHECK: linalg.matmul {{.*}} -> tensor<8x16xf32>
    // CHECK: comm.all_reduce sum
    %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    return %2 : tensor<8x16xf32>
  }
  func.func private @silu(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %0 = stablehlo.logistic %x : tensor<8x64xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<8x64xf32>
    return %1 : tensor<8x64xf32>
  }
}
