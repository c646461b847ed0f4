// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --mlir-print-op-generic %s | %dtensor-opt | FileCheck %s

// Factories, dtensor.distribute and dtensor.full_tensor.

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]

#by_row = #dtensor.layout<@mesh, ["dp" = shard(0)]>

// CHECK-LABEL: func.func @without_layout
func.func @without_layout() {
  // CHECK-NEXT: dtensor.ones : tensor<8x8xf32>
  %ones = dtensor.ones : tensor<8x8xf32>
  // CHECK-NEXT: dtensor.zeros : tensor<8xi1>
  %zeros = dtensor.zeros : tensor<8xi1>
  // CHECK-NEXT: dtensor.empty : tensor<0x3xbf16>
  %empty = dtensor.empty : tensor<0x3xbf16>
  // CHECK-NEXT: dtensor.full(2.500000e+00 : f32) : tensor<f32>
  %full = dtensor.full(2.5 : f32) : tensor<f32>
  // CHECK-NEXT: dtensor.full(7 : i64) : tensor<4xi64>
  %sevens = dtensor.full(7) : tensor<4xi64>
  // CHECK-NEXT: dtensor.full(true) : tensor<4xi1>
  %all = dtensor.full(true) : tensor<4xi1>
  // CHECK-NEXT: dtensor.rand seed 42 : tensor<8x8xf64>
  %rand = dtensor.rand seed 42 : tensor<8x8xf64>
  // CHECK-NEXT: dtensor.randn seed -1 : tensor<8x8xf16>
  %randn = dtensor.randn seed -1 : tensor<8x8xf16>
  return
}

// CHECK-LABEL: func.func @with_layout
func.func @with_layout() {
  // CHECK-NEXT: dtensor.ones requires_grad : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  %ones = dtensor.ones requires_grad : tensor<8x8xf32> to #by_row
  // CHECK-NEXT: dtensor.zeros : tensor<8x8xi32> to #dtensor.layout<@mesh, ["tp" = partial(sum)]>
  %zeros = dtensor.zeros : tensor<8x8xi32> to #dtensor.layout<@mesh, ["tp" = partial(sum)]>
  // CHECK-NEXT: dtensor.empty : tensor<8x8xf32> to #dtensor.layout<@mesh, [...]> {test.note = 1 : i64}
  %empty = dtensor.empty : tensor<8x8xf32> to #dtensor.layout<@mesh, [...]> {test.note = 1 : i64}
  // CHECK-NEXT: dtensor.full(-0.000000e+00 : f32) : tensor<5x7xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
  %full = dtensor.full(-0.0 : f32) : tensor<5x7xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
  // CHECK-NEXT: dtensor.rand seed 1 requires_grad : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  %rand = dtensor.rand seed 1 requires_grad : tensor<8x8xf32> to #by_row
  // CHECK-NEXT: dtensor.randn seed 1 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  %randn = dtensor.randn seed 1 : tensor<8x8xf32> to #by_row
  return
}

// CHECK-LABEL: func.func @whole_tensors
func.func @whole_tensors(%input: tensor<8x8xf32>) {
  // CHECK-NEXT: %[[PARTS:.*]] = dtensor.distribute %{{.*}} : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  %parts = dtensor.distribute %input : tensor<8x8xf32> to #by_row
  // CHECK-NEXT: dtensor.distribute %{{.*}} src_rank 7 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  %scattered = dtensor.distribute %input src_rank 7 : tensor<8x8xf32> to #by_row
  // CHECK-NEXT: dtensor.full_tensor %[[PARTS]] : tensor<8x8xf32>
  %whole = dtensor.full_tensor %parts : tensor<8x8xf32>
  // CHECK-NEXT: dtensor.full_tensor %[[PARTS]] on @mesh : tensor<8x8xf32>
  %again = dtensor.full_tensor %parts on @mesh : tensor<8x8xf32>
  return
}
