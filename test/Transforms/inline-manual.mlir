// RUN: %dtensor-opt %s --dtensor-inline-manual --split-input-file --verify-diagnostics | FileCheck %s

dtensor.mesh @mesh ["x" = 2, "y" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>

// CHECK-LABEL: func.func @region
// CHECK-NEXT:  %[[L:.*]] = dtensor.to_local %arg0 : tensor<8x6xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<4x6xf32>
// CHECK-NEXT:  %[[S:.*]] = comm.all_reduce sum %[[L]] over @mesh["x"] : tensor<4x6xf32>
// CHECK-NEXT:  %[[R:.*]] = dtensor.from_local %[[S]] : tensor<4x6xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<8x6xf32>
// CHECK-NEXT:  return %[[R]]
func.func @region(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = dtensor.manual(%a) in [#rows] out [#rows] : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%l: tensor<4x6xf32>):
    %s = comm.all_reduce sum %l over @mesh["x"] : tensor<4x6xf32>
    dtensor.yield %s : tensor<4x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
// (C1)
func.func @nested(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = dtensor.manual(%a) in [#rows] out [#rows] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<4xf32>):
    // expected-error @+1 {{'dtensor.manual' op stands inside of 'dtensor.manual'; a manual region is one of a function's own steps, outside of other regions}}
    %s = dtensor.manual(%l) in [#rows] out [#rows] : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%m: tensor<2xf32>):
      dtensor.yield %m : tensor<2xf32>
    }
    dtensor.yield %s : tensor<4xf32>
  }
  return %r : tensor<8xf32>
}
