// One product whose contracted dimension is sharded.
dtensor.mesh @mesh ["tp" = 4]

func.func @main(%x: tensor<8x64xf32>  {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>},
                %w: tensor<64x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>})
    -> (tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// RUN: dtensor-run %s --random-inputs 3 --check | FileCheck %s
// CHECK: all_reduce over "tp"
// CHECK: result0: largest error {{.*}}: ok
