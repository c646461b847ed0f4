// The perceptron of mlp.mlir, data parallel: every rank has the weights and a
// part of the batch, so that nothing has to be communicated.
dtensor.mesh @mesh ["dp" = 4]

func.func @main(
    %x:  tensor<64x512xf32>   {dtensor.name = "x", dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>},
    %w1: tensor<512x2048xf32> {dtensor.name = "w1", dtensor.layout = #dtensor.layout<@mesh, []>},
    %w2: tensor<2048x512xf32> {dtensor.name = "w2", dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<64x512xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>}) {
  %zero = arith.constant 0.0 : f32
  %hidden_init = tensor.empty() : tensor<64x2048xf32>
  %hidden_zero = linalg.fill ins(%zero : f32) outs(%hidden_init : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %hidden = linalg.matmul ins(%x, %w1 : tensor<64x512xf32>, tensor<512x2048xf32>)
                          outs(%hidden_zero : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %active = math.tanh %hidden : tensor<64x2048xf32>
  %out_init = tensor.empty() : tensor<64x512xf32>
  %out_zero = linalg.fill ins(%zero : f32) outs(%out_init : tensor<64x512xf32>) -> tensor<64x512xf32>
  %out = linalg.matmul ins(%active, %w2 : tensor<64x2048xf32>, tensor<2048x512xf32>)
                       outs(%out_zero : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %out : tensor<64x512xf32>
}

// RUN: dtensor-compile %s --emit=local | FileCheck %s
// RUN: dtensor-compile %s -o %t.plan
// RUN: dtensor-run %t.plan --random-inputs 1 --check | FileCheck %s --check-prefix=RAN

// CHECK-LABEL: func.func @main
// CHECK-NOT:   comm.
// CHECK:       linalg.matmul {{.*}} -> tensor<16x2048xf32>
// CHECK:       linalg.matmul {{.*}} -> tensor<16x512xf32>
// CHECK-NOT:   comm.
// CHECK:       return

// RAN: total received: 0 bytes/rank, 4 ranks
// RAN: result0: largest error {{.*}}: ok
