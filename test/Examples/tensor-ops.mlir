// RUN: dtensor-run %s --random-inputs 1 --check
// RUN: dtensor-run %s --random-inputs 1 --check=interp
// RUN: dtensor-run %s --entry conv --random-inputs 1 --check=interp

// Upstream tensor ops, softmax, convolutions and pooling on uneven shards,
// against the unsharded program and the interpreter.

dtensor.mesh @mesh ["x" = 3]
#r = #dtensor.layout<@mesh, ["x" = shard(0)]>
#c = #dtensor.layout<@mesh, ["x" = shard(1)]>
func.func @main(%a: tensor<7x5xf32> {dtensor.layout = #r}, %b: tensor<7x5xf32> {dtensor.layout = #c}, %s: tensor<7x3xf32> {dtensor.layout = #r}, %p: tensor<f32>)
   -> (tensor<9x5xf32>, tensor<9x5xf32>, tensor<7x5xf32>, tensor<4x6xf32>, tensor<5x7xf32>, tensor<7x5xf32>, tensor<7x7xf32>, tensor<2x3xf32>) {
  %z = arith.constant 2.5 : f32
  %0 = tensor.pad %a low[1, 0] high[1, 0] { ^bb0(%i: index, %j: index): tensor.yield %z : f32 } : tensor<7x5xf32> to tensor<9x5xf32>
  %1 = tensor.pad %b low[2, 0] high[0, 0] { ^bb0(%i: index, %j: index): tensor.yield %z : f32 } : tensor<7x5xf32> to tensor<9x5xf32>
  %2 = tensor.insert_slice %s into %b[0, 2] [7, 3] [1, 1] : tensor<7x3xf32> into tensor<7x5xf32>
  %3 = tensor.generate { ^bb0(%i: index, %j: index):
     %k = arith.addi %i, %j : index
     %l = arith.index_cast %k : index to i32
     %f = arith.sitofp %l : i32 to f32
     tensor.yield %f : f32 } : tensor<4x6xf32>
  %sh = arith.constant dense<[5, 7]> : tensor<2xi32>
  %4 = tensor.reshape %a(%sh) : (tensor<7x5xf32>, tensor<2xi32>) -> tensor<5x7xf32>
  %e = tensor.empty() : tensor<7x5xf32>
  %5 = linalg.softmax dimension(1) ins(%a : tensor<7x5xf32>) outs(%e : tensor<7x5xf32>) -> tensor<7x5xf32>
  %v = tensor.extract %p[] : tensor<f32>
  %6 = tensor.pad %a low[0, 1] high[0, 1] { ^bb0(%i: index, %j: index): tensor.yield %v : f32 } : tensor<7x5xf32> to tensor<7x7xf32>
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %o = arith.addi %c3, %c1 : index
  %7 = tensor.extract_slice %b[%o, 1] [2, 3] [1, 1] : tensor<7x5xf32> to tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<9x5xf32>, tensor<9x5xf32>, tensor<7x5xf32>, tensor<4x6xf32>, tensor<5x7xf32>, tensor<7x5xf32>, tensor<7x7xf32>, tensor<2x3xf32>
}
func.func @conv(%i: tensor<5x9x9x3xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}, %k: tensor<3x3x3x4xf32>) -> tensor<5x3x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<5x4x4x4xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%i, %k : tensor<5x9x9x3xf32>, tensor<3x3x3x4xf32>) outs(%z : tensor<5x4x4x4xf32>) -> tensor<5x4x4x4xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %m3 = arith.constant dense<0xFF800000> : tensor<5x3x3x4xf32>
  %1 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%0, %w : tensor<5x4x4x4xf32>, tensor<2x2xf32>) outs(%m3 : tensor<5x3x3x4xf32>) -> tensor<5x3x3x4xf32>
  return %1 : tensor<5x3x3x4xf32>
}
