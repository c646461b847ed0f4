// Tensors and parts of tensors without elements, and collectives in groups of
// one rank: all run, and nothing is received.
dtensor.mesh @mesh ["x" = 2, "one" = 1]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
func.func @main(%a: tensor<4x0xf32>, %b: tensor<3xf32>, %c: tensor<0xf32>, %d: tensor<8xf32>) -> (tensor<0x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<0x8x4xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<0x4xf32>
  %t = linalg.transpose ins(%a : tensor<4x0xf32>) outs(%e : tensor<0x4xf32>) permutation = [1, 0]
  %f = arith.constant 2.0 : f32
  %z = tensor.splat %f : tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<4x0xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
  %j = tensor.concat dim(0) %b, %c : (tensor<3xf32>, tensor<0xf32>) -> tensor<3xf32>
  %p = tensor.empty() : tensor<0x4x4xf32>
  %q = math.sin %p : tensor<0x4x4xf32>
  %k = tensor.concat dim(1) %q, %q : (tensor<0x4x4xf32>, tensor<0x4x4xf32>) -> tensor<0x8x4xf32>
  %m = dtensor.manual(%d) in [#rows] out [#rows] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<4xf32>):
    %s = math.sin %l : tensor<4xf32>
    %n = comm.all_reduce sum %s over @mesh["one"] : tensor<4xf32>
    %o = comm.all_reduce sum %n over @mesh groups [[0], [1]] : tensor<4xf32>
    dtensor.yield %o : tensor<4xf32>
  }
  return %t, %r, %j, %k, %m : tensor<0x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<0x8x4xf32>, tensor<8xf32>
}

// RUN: dtensor-compile %s --emit=local -o %t.local.mlir
// RUN: dtensor-run %t.local.mlir --random-inputs 1 --check=interp | FileCheck %s

// CHECK: total received: 0 bytes/rank
// CHECK-COUNT-5: largest error {{.*}}: ok
