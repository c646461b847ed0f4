// RUN: %dtensor-opt %s --dtensor-expand-factories | FileCheck %s

// Factories, dtensor.distribute and dtensor.full_tensor become plain ops.

dtensor.mesh @mesh ["x" = 2, "y" = 2]
dtensor.mesh @other ["x" = 4]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>

// CHECK-LABEL: func.func @splats
func.func @splats() -> (tensor<4x4xf32>, tensor<4xi1>, tensor<4xi32>, tensor<2xbf16>) {
  // CHECK-NEXT: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<4x4xf32>
  // CHECK-NEXT: dtensor.constrain %[[ONES]] : tensor<4x4xf32> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  %ones = dtensor.ones requires_grad : tensor<4x4xf32> to #rows
  // CHECK-NEXT: arith.constant dense<true> : tensor<4xi1>
  %all = dtensor.ones : tensor<4xi1>
  // CHECK-NEXT: arith.constant dense<0> : tensor<4xi32>
  %zeros = dtensor.zeros : tensor<4xi32>
  // CHECK-NEXT: arith.constant dense<5.000000e-01> : tensor<2xbf16>
  %full = dtensor.full(0.5 : bf16) : tensor<2xbf16>
  return %ones, %all, %zeros, %full : tensor<4x4xf32>, tensor<4xi1>, tensor<4xi32>, tensor<2xbf16>
}

// CHECK-LABEL: func.func @empty
func.func @empty() -> tensor<4x4xf32> {
  // CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<4x4xf32>
  // CHECK-NEXT: dtensor.constrain %[[EMPTY]] : tensor<4x4xf32> to #dtensor.layout<@mesh, [...]>
  %empty = dtensor.empty : tensor<4x4xf32> to #dtensor.layout<@mesh, [...]>
  return %empty : tensor<4x4xf32>
}

// The position is 5 * row + column; the keys of the rounds are constants.
// CHECK-LABEL: func.func @random
func.func @random() -> (tensor<7x5xf32>, tensor<7x5xf16>) {
  // CHECK: %[[MADE:.*]] = linalg.generic {{{.*}}iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<7x5xf32>)
  // CHECK: linalg.index 0
  // CHECK: %[[FIVE:.*]] = arith.constant 5 : i64
  // CHECK: arith.muli %{{.*}}, %[[FIVE]] : i64
  // CHECK: arith.constant 1 : i64
  // CHECK: arith.shrui %{{.*}} : i64
  // CHECK: arith.sitofp %{{.*}} : i64 to f32
  // CHECK: linalg.yield %{{.*}} : f32
  // CHECK: dtensor.constrain %[[MADE]] : tensor<7x5xf32> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  %rand = dtensor.rand seed 1 : tensor<7x5xf32> to #rows
  // CHECK: linalg.generic
  // CHECK: math.log %{{.*}} : f64
  // CHECK: math.cos %{{.*}} : f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %randn = dtensor.randn seed 1 : tensor<7x5xf16>
  return %rand, %randn : tensor<7x5xf32>, tensor<7x5xf16>
}

// CHECK-LABEL: func.func @whole_tensors
// CHECK-SAME: (%[[INPUT:.*]]: tensor<4xf32>)
func.func @whole_tensors(%input: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[WHOLE:.*]] = dtensor.constrain %[[INPUT]] : tensor<4xf32> to #dtensor.layout<@mesh, []>
  // CHECK-NEXT: %[[PARTS:.*]] = dtensor.redistribute %[[WHOLE]] : tensor<4xf32> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  %parts = dtensor.distribute %input src_rank 1 : tensor<4xf32> to #rows
  // The mesh is that of the function's layouts, unless it is named.
  // CHECK-NEXT: dtensor.redistribute %[[PARTS]] : tensor<4xf32> to #dtensor.layout<@mesh, []>
  %whole = dtensor.full_tensor %parts : tensor<4xf32>
  // CHECK-NEXT: dtensor.redistribute %[[PARTS]] : tensor<4xf32> to #dtensor.layout<@other, []>
  %elsewhere = dtensor.full_tensor %parts on @other : tensor<4xf32>
  return %whole, %elsewhere : tensor<4xf32>, tensor<4xf32>
}

// Results that are a tensor which requires a gradient keep the flag.
// CHECK-LABEL: func.func @gradients
// CHECK-SAME: -> (tensor<8xf32> {dtensor.requires_grad}, tensor<8xf32> {dtensor.requires_grad}, tensor<8xf32>)
func.func @gradients(%a: tensor<8xf32> {dtensor.requires_grad}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %made = dtensor.rand seed 1 requires_grad : tensor<8xf32>
  %moved = dtensor.redistribute %made : tensor<8xf32> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  %local = dtensor.to_local %moved : tensor<8xf32> in #dtensor.layout<@mesh, []> -> tensor<8xf32>
  %back = dtensor.from_local %local : tensor<8xf32> in #dtensor.layout<@mesh, []> -> tensor<8xf32>
  %other = math.exp %made : tensor<8xf32>
  return %a, %back, %other : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
