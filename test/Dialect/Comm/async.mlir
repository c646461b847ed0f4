// RUN: %dtensor-opt %s --verify-roundtrip | FileCheck %s
// RUN: %dtensor-opt %s --emit-bytecode | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt %s --mlir-print-op-generic | %dtensor-opt | FileCheck %s
// Two starts that look alike are two.
// RUN: %dtensor-opt %s --cse --canonicalize | FileCheck %s

// comm.start and comm.wait.

dtensor.mesh @mesh ["x" = 2, "y" = 4]

// CHECK-LABEL: func.func @twice
func.func @twice(%a: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: %[[T:.*]] = comm.start : <tensor<8x8xf32>> {
  // CHECK-NEXT: %[[G:.*]] = comm.all_gather %arg0 over @mesh["x"] dim 0 : tensor<4x8xf32> -> tensor<8x8xf32>
  // CHECK-NEXT: comm.yield %[[G]] : tensor<8x8xf32>
  %t = comm.start : !comm.token<tensor<8x8xf32>> {
    %g = comm.all_gather %a over @mesh["x"] dim 0 : tensor<4x8xf32> -> tensor<8x8xf32>
    comm.yield %g : tensor<8x8xf32>
  }
  // CHECK: %[[U:.*]] = comm.start
  %u = comm.start : <tensor<8x8xf32>> {
    %g = comm.all_gather %a over @mesh["x"] dim 0 : tensor<4x8xf32> -> tensor<8x8xf32>
    comm.yield %g : tensor<8x8xf32>
  }
  // CHECK: comm.wait %[[T]] : !comm.token<tensor<8x8xf32>>
  %0 = comm.wait %t : !comm.token<tensor<8x8xf32>>
  // CHECK: comm.wait %[[U]] : !comm.token<tensor<8x8xf32>>
  %1 = comm.wait %u : !comm.token<tensor<8x8xf32>>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @chain
func.func @chain(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: comm.start
  // CHECK-NEXT: comm.reduce_scatter
  // CHECK-NEXT: comm.all_gather
  // CHECK-NEXT: comm.yield
  %t = comm.start : <tensor<8xf32>> {
    %s = comm.reduce_scatter sum %a over @mesh["y"] dim 0 : tensor<8xf32> -> tensor<2xf32>
    %g = comm.all_gather %s over @mesh["y"] dim 0 : tensor<2xf32> -> tensor<8xf32>
    comm.yield %g : tensor<8xf32>
  }
  %0 = comm.wait %t : !comm.token<tensor<8xf32>>
  return %0 : tensor<8xf32>
}
