// RUN: %dtensor-opt %s --dtensor-name-groups | FileCheck %s

// Equal lists of groups share a mesh, a name that is taken is left alone.

// CHECK-DAG: dtensor.mesh @[[A:groups_[0-9]+]] ["group" = 2, "member" = 2] devices = [0, 3, 2, 1]
// CHECK-DAG: dtensor.mesh @[[B:groups_[0-9]+]] ["group" = 1, "member" = 4] devices = [3, 2, 1, 0]
// CHECK-DAG: dtensor.mesh @groups ["x" = 2, "y" = 2]
dtensor.mesh @groups ["x" = 2, "y" = 2]

// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: comm.all_reduce sum %arg0 over @[[A]]["member"] : tensor<4xf32>
  %0 = comm.all_reduce sum %a over @groups groups [[0, 3], [2, 1]] : tensor<4xf32>
  // CHECK: comm.all_reduce max %{{.*}} over @[[A]]["member"] : tensor<4xf32>
  %1 = comm.all_reduce max %0 over @groups groups [[0, 3], [2, 1]] : tensor<4xf32>
  // CHECK: comm.all_reduce max %{{.*}} over @[[B]]["member"] : tensor<4xf32>
  %2 = comm.all_reduce max %1 over @groups groups [[3, 2, 1, 0]] : tensor<4xf32>
  // CHECK: comm.all_reduce max %{{.*}} over @groups["y"] : tensor<4xf32>
  %3 = comm.all_reduce max %2 over @groups["y"] : tensor<4xf32>
  return %3 : tensor<4xf32>
}
