// RUN: %dtensor-opt %s --verify-roundtrip | FileCheck %s
// RUN: %dtensor-opt %s --emit-bytecode | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt %s --mlir-print-op-generic | %dtensor-opt | FileCheck %s

// The two views: dtensor.to_local, from_local and manual.

dtensor.mesh @mesh ["x" = 2, "y" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#sum = #dtensor.layout<@mesh, ["y" = partial(sum)]>

// CHECK-LABEL: func.func @views
func.func @views(%a: tensor<8x6xf32>, %u: tensor<5xf32>) -> tensor<8x6xf32> {
  // CHECK: %[[L:.*]] = dtensor.to_local %arg0 : tensor<8x6xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<4x6xf32>
  %l = dtensor.to_local %a : tensor<8x6xf32> in #rows -> tensor<4x6xf32>
  // CHECK: dtensor.to_local %arg1 : tensor<5xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<?xf32>
  %d = dtensor.to_local %u : tensor<5xf32> in #rows -> tensor<?xf32>
  // CHECK: dtensor.from_local %[[L]] : tensor<4x6xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<8x6xf32>
  %g = dtensor.from_local %l : tensor<4x6xf32> in #rows -> tensor<8x6xf32>
  // CHECK: dtensor.from_local %[[L]] : tensor<4x6xf32> in #dtensor.layout<@mesh, ["y" = partial(sum)]> -> tensor<4x6xf32>
  %p = dtensor.from_local %l : tensor<4x6xf32> in #sum -> tensor<4x6xf32>
  return %g : tensor<8x6xf32>
}

// CHECK-LABEL: func.func @region
func.func @region(%a: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<4x6xf32>) {
  // CHECK: %{{.*}}:2 = dtensor.manual(%arg0) in [#{{.*}}] out [#{{.*}}, #{{.*}}] : (tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<4x6xf32>) {
  // CHECK-NEXT: ^bb0(%[[L:.*]]: tensor<4x6xf32>):
  // CHECK-NEXT: dtensor.yield %[[L]], %[[L]] : tensor<4x6xf32>, tensor<4x6xf32>
  %r:2 = dtensor.manual(%a) in [#rows] out [#rows, #sum] : (tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<4x6xf32>) {
  ^bb0(%l: tensor<4x6xf32>):
    dtensor.yield %l, %l : tensor<4x6xf32>, tensor<4x6xf32>
  }
  return %r#0, %r#1 : tensor<8x6xf32>, tensor<4x6xf32>
}
