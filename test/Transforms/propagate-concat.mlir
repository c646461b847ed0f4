// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s
// RUN: dtensor-run %s --random-inputs 1 --check --rtol 0 | FileCheck %s --check-prefix=RAN
// RUN: dtensor-run %s --random-inputs 2 --check=interp --rtol 0 | FileCheck %s --check-prefix=RAN

// tensor.concat: whole along the joined dimension, sharded along the others; a
// piece may be a constant, and one tensor twice.

// RAN-COUNT-2: largest error 0 {{.*}}: ok

// CHECK: comm.all_gather {{.*}} over @mesh["y"] dim 1
// CHECK: tensor.concat dim(1) %[[A:.*]], %{{.*}}, %{{.*}}, %[[A]] : (tensor<?x3xf32>, tensor<?x1xf32>, tensor<?x5xf32>, tensor<?x3xf32>) -> tensor<?x12xf32>
dtensor.mesh @mesh ["x" = 2, "y" = 2]
#both = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>
func.func @main(%a: tensor<7x3xf32> {dtensor.name = "a", dtensor.layout = #both}, %b: tensor<7x5xf32> {dtensor.name = "b", dtensor.layout = #both}) -> (tensor<7x12xf32>, tensor<14x3xf32>) {
  %one = arith.constant dense<1.0> : tensor<7x1xf32>
  %0 = tensor.concat dim(1) %a, %one, %b, %a : (tensor<7x3xf32>, tensor<7x1xf32>, tensor<7x5xf32>, tensor<7x3xf32>) -> tensor<7x12xf32>
  %1 = tensor.concat dim(0) %a, %a : (tensor<7x3xf32>, tensor<7x3xf32>) -> tensor<14x3xf32>
  return %0, %1 : tensor<7x12xf32>, tensor<14x3xf32>
}
