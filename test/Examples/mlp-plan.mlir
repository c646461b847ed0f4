// The perceptron of mlp.mlir without annotations: a plan says how parameters
// lie, by their names. Communication is the same, one sum over "tp".
dtensor.mesh @mesh ["dp" = 2, "tp" = 2]

dtensor.parallelize_plan @megatron on @mesh {
  dtensor.style "layers.*.up" colwise "tp"
  dtensor.style "layers.*.down" rowwise "tp"
  dtensor.prepare_input 0 ["dp" = shard(0)]
}

func.func @main(
    %x:  tensor<64x512xf32>   {dtensor.name = "x"},
    %w1: tensor<512x2048xf32> {dtensor.name = "layers.0.up"},
    %w2: tensor<2048x512xf32> {dtensor.name = "layers.0.down"})
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
// RUN: dtensor-run %s --random-inputs 1 --check=interp | FileCheck %s --check-prefix=RAN

// CHECK-LABEL: func.func @main
// CHECK-NOT:   comm.
// CHECK:       linalg.matmul {{.*}} -> tensor<32x1024xf32>
// CHECK-NOT:   comm.
// CHECK:       %[[PART:.*]] = linalg.matmul {{.*}} -> tensor<32x512xf32>
// CHECK-NEXT:  %[[OUT:.*]] = comm.all_reduce sum %[[PART]] over @mesh["tp"] : tensor<32x512xf32>
// CHECK-NEXT:  return %[[OUT]]

// RAN: all_reduce over "tp"  65536 bytes/rank
// RAN: total received: 65536 bytes/rank, 4 ranks
// RAN: result0: largest error {{.*}}: ok
