// RUN: %dtensor-opt %s --dtensor-report --dtensor-spmd-pipeline --dtensor-report 2>&1 >/dev/null | FileCheck %s
// RUN: %dtensor-opt %s --dtensor-report="topology=builtin:h100x8" 2>&1 >/dev/null | FileCheck %s --check-prefix=GPU
// RUN: not %dtensor-opt %s --dtensor-report="topology=builtin:abacus" 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: dtensor-report: {{.*}}abacus

// The whole program on one rank, then a rank's part.

dtensor.mesh @mesh ["x" = 2]

#cols = #dtensor.layout<@mesh, ["x" = shard(1)]>
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>

// 8x64 and 64x16 come in, 8x16 goes out; then half of the first two.
// CHECK: [[@LINE+6]]:1: remark: @product: receives 0 bytes per rank in 0 collectives (0 us), computes {{.*}} us, in all {{.*}} us; holds 6656 bytes per rank at most
// GPU: [[@LINE+5]]:1: remark: @product: receives 0 bytes
// Ranks hold 6 and 5 rows: the second one receives 6 of 16 bytes, eight times.
// CHECK: remark: @loop: receives 0 bytes per rank in 0 collectives (0 us),
// CHECK: remark: @product: receives 512 bytes per rank in 1 collective ({{.*}} us), computes {{.*}} us, in all {{.*}} us; holds 4096 bytes per rank at most
// CHECK: remark: @loop: receives 768 bytes per rank in 1 collective ({{.*}} us), computes {{.*}} us, in all {{.*}} us; holds {{.*}} bytes per rank at most
func.func @product(%x: tensor<8x64xf32> {dtensor.layout = #cols}, %w: tensor<64x16xf32> {dtensor.layout = #rows}) -> (tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %z = arith.constant dense<0.0> : tensor<8x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

func.func @loop(%x: tensor<11x4xf32> {dtensor.layout = #rows}) -> (tensor<11x4xf32> {dtensor.layout = #rows}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%h = %x) -> (tensor<11x4xf32>) {
    %k = dtensor.constrain %h : tensor<11x4xf32> to #dtensor.layout<@mesh, []>
    %t = math.tanh %k : tensor<11x4xf32>
    %u = dtensor.constrain %t : tensor<11x4xf32> to #rows
    scf.yield %u : tensor<11x4xf32>
  }
  return %r : tensor<11x4xf32>
}
