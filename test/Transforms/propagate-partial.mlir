// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s

// Contributions to a sum stay so through what is linear: scaling, copies,
// transpositions, sums with what is complete. Through nothing else.

dtensor.mesh @two ["x" = 2]
#rows = #dtensor.layout<@two, ["x" = shard(0)]>
#sum = #dtensor.layout<@two, ["x" = partial(sum)]>

// CHECK-LABEL: func.func @scaled(
// CHECK-NOT: comm.
func.func @scaled(%x: tensor<4x3xf32> {dtensor.name = "x", dtensor.layout = #rows}) -> (tensor<3xf32> {dtensor.layout = #sum}) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %three = arith.constant dense<3.0> : tensor<3xf32>
  %p = linalg.reduce {arith.addf} ins(%x : tensor<4x3xf32>) outs(%zero : tensor<3xf32>) dimensions = [0]
  %r = arith.mulf %p, %three : tensor<3xf32>
  return %r : tensor<3xf32>
}
// CHECK-LABEL: func.func @copied(
// CHECK-NOT: comm.
func.func @copied(%a: tensor<4x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
                       %b: tensor<8x4xf32> {dtensor.name = "b", dtensor.layout = #rows},
                       %to: tensor<4x4xf32> {dtensor.name = "to", dtensor.layout = #sum})
    -> (tensor<4x4xf32> {dtensor.layout = #sum}) {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = linalg.copy ins(%p : tensor<4x4xf32>) outs(%to : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %c : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT: comm.
func.func @transposed(%x: tensor<8x4xf32> {dtensor.name = "x", dtensor.layout = #rows}, %dy: tensor<8x6xf32> {dtensor.name = "dy", dtensor.layout = #rows})
    -> (tensor<6x4xf32> {dtensor.layout = #sum}) {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %xt = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %g = linalg.matmul ins(%xt, %dy : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  %f = tensor.empty() : tensor<6x4xf32>
  %gt = linalg.transpose ins(%g : tensor<4x6xf32>) outs(%f : tensor<6x4xf32>) permutation = [1, 0]
  return %gt : tensor<6x4xf32>
}

// What is complete is added once: one rank contributes it, and one all_reduce
// is enough for both.
// CHECK-LABEL: func.func @added_once(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[B:.*]] = comm.to_partial sum %arg2
// CHECK: arith.addf %[[P]], %[[B]]
// CHECK-NOT: comm.
// CHECK: return
func.func @added_once(%a: tensor<64x64xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
                      %b: tensor<64x64xf32> {dtensor.layout = #rows},
                      %bias: tensor<64x64xf32> {dtensor.layout = #dtensor.layout<@two, []>}) -> (tensor<64x64xf32> {dtensor.layout = #sum}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = arith.addf %p, %bias : tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @not_linear(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[R:.*]] = comm.all_reduce sum %[[P]]
// CHECK: math.exp %[[R]]
func.func @not_linear(%a: tensor<64x64xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
                      %b: tensor<64x64xf32> {dtensor.layout = #rows}) -> (tensor<64x64xf32> {dtensor.layout = #dtensor.layout<@two, []>}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = math.exp %p : tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

// A divisor may be zero: contributions of zero would give no number.
// CHECK-LABEL: func.func @divided(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[R:.*]] = comm.all_reduce sum %[[P]]
// CHECK: arith.divf %[[R]], %arg2
func.func @divided(%a: tensor<64x64xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
                   %b: tensor<64x64xf32> {dtensor.layout = #rows},
                   %d: tensor<64x64xf32> {dtensor.layout = #dtensor.layout<@two, []>}) -> (tensor<64x64xf32> {dtensor.layout = #dtensor.layout<@two, []>}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = arith.divf %p, %d : tensor<64x64xf32>
  return %q : tensor<64x64xf32>
}
