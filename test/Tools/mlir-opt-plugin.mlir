// The dialects, passes and pipelines in the stock mlir-opt.
// RUN: mlir-opt --load-dialect-plugin=%binary/lib/DTensorPlugin.so --load-pass-plugin=%binary/lib/DTensorPlugin.so %s --pass-pipeline="builtin.module(dtensor-spmd-pipeline)" | FileCheck %s
dtensor.mesh @mesh ["tp" = 4]

// CHECK-LABEL: func.func @main
// CHECK:       linalg.matmul {{.*}} -> tensor<8x16xf32>
// CHECK-NEXT:  comm.all_reduce sum {{.*}} over @mesh["tp"] : tensor<8x16xf32>
func.func @main(%x: tensor<8x64xf32>  {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>},
                %w: tensor<64x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>})
    -> (tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
