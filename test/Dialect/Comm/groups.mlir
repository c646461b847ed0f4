// RUN: %dtensor-opt %s --verify-roundtrip | FileCheck %s
// RUN: %dtensor-opt %s --emit-bytecode | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt %s --mlir-print-op-generic | %dtensor-opt | FileCheck %s

// Explicit groups in the place of axes.

dtensor.mesh @mesh ["x" = 2, "y" = 3]

// CHECK-LABEL: func.func @groups
func.func @groups(%a: tensor<6xf32>) {
  // CHECK: comm.all_reduce sum %arg0 over @mesh groups {{\[}}[0, 5], [4, 1], [2, 3]] : tensor<6xf32>
  %0 = comm.all_reduce sum %a over @mesh groups [[0, 5], [4, 1], [2, 3]] : tensor<6xf32>
  // CHECK: comm.all_gather %arg0 over @mesh groups {{\[}}[0, 1, 2], [3, 4, 5]] dim 0 : tensor<6xf32> -> tensor<18xf32>
  %1 = comm.all_gather %a over @mesh groups [[0, 1, 2], [3, 4, 5]] dim 0 : tensor<6xf32> -> tensor<18xf32>
  // CHECK: comm.broadcast %arg0 root 2 over @mesh groups {{\[}}[0, 1, 2], [3, 4, 5]] : tensor<6xf32>
  %2 = comm.broadcast %a root 2 over @mesh groups [[0, 1, 2], [3, 4, 5]] : tensor<6xf32>
  // CHECK: comm.reduce_scatter max %arg0 over @mesh groups {{\[}}[5, 4, 3, 2, 1, 0]] dim 0 : tensor<6xf32> -> tensor<1xf32>
  %3 = comm.reduce_scatter max %a over @mesh groups [[5, 4, 3, 2, 1, 0]] dim 0 : tensor<6xf32> -> tensor<1xf32>
  return
}
