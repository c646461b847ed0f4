// RUN: %dtensor-opt %s --allow-unregistered-dialect | %dtensor-opt --allow-unregistered-dialect | FileCheck %s
// RUN: %dtensor-opt %s --allow-unregistered-dialect --dtensor-spmd-pipeline | FileCheck %s --check-prefix=LOCAL

// An op of another dialect takes part by the rule that it is given.

dtensor.mesh @mesh ["x" = 2, "y" = 3]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#cols = #dtensor.layout<@mesh, ["y" = shard(1)]>
#summed = #dtensor.layout<@mesh, ["y" = shard(0)]>

// CHECK-LABEL: func.func @product
// CHECK: "my.matmul"(%arg0, %arg1) {dtensor.rule = #dtensor.rule<"([i,k],[k,j])->([i,j])", reduction = [k]>}
// LOCAL-LABEL: func.func @product
// LOCAL: %[[P:.*]] = "my.matmul"(%arg0, %arg1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// LOCAL: comm.all_reduce sum %[[P]] over @mesh["y"]
func.func @product(
    %a: tensor<8x12xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>},
    %b: tensor<12x4xf32> {dtensor.layout = #summed}) -> (tensor<8x4xf32> {dtensor.layout = #rows}) {
  %0 = "my.matmul"(%a, %b) {
    dtensor.rule = #dtensor.rule<"([i,k],[k,j])->([i,j])", reduction = [k]>
  } : (tensor<8x12xf32>, tensor<12x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// The largest of the parts; dimension 1 of the other operand comes whole.
// CHECK-LABEL: func.func @largest
// CHECK: #dtensor.rule<"([i,j],[i,k],[])->([i])", reduction = [j], need_replication = [k], reduce_op = max>
// LOCAL-LABEL: func.func @largest
// LOCAL: comm.all_gather %arg1 over @mesh["y"] dim 1
// LOCAL: %[[P:.*]] = "my.largest"(%{{.*}}, %{{.*}}, %arg2) : (tensor<400x2000xf32>, tensor<400x3xf32>, f32) -> tensor<400xf32>
// LOCAL: comm.all_reduce max %[[P]] over @mesh["y"]
func.func @largest(
    %a: tensor<800x6000xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>},
    %b: tensor<800x3xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>},
    %c: f32) -> (tensor<800xf32> {dtensor.layout = #rows}) {
  %0 = "my.largest"(%a, %b, %c) {
    dtensor.rule = #dtensor.rule<"([i,j],[i,k],[])->([i])", reduction = [j], need_replication = [k], reduce_op = max>
  } : (tensor<800x6000xf32>, tensor<800x3xf32>, f32) -> tensor<800xf32>
  return %0 : tensor<800xf32>
}

// A reshape that also drops a dimension; the rule that is written comes before
// an op's own.
// CHECK-LABEL: func.func @joined
// LOCAL-LABEL: func.func @joined
// LOCAL-NOT: comm.
// LOCAL: "my.flatten"(%arg0) : (tensor<4x6x1xf32>) -> tensor<24xf32>
// LOCAL: comm.all_gather
// LOCAL: math.exp
func.func @joined(%a: tensor<8x6x1xf32> {dtensor.layout = #rows}) -> (tensor<48xf32> {dtensor.layout = #rows}) {
  %0 = "my.flatten"(%a) {dtensor.rule = #dtensor.rule<"([i,j,-])->([ij])">} : (tensor<8x6x1xf32>) -> tensor<48xf32>
  %1 = math.exp %0 {dtensor.rule = #dtensor.rule<"([i])->([i])", need_replication = [i]>} : tensor<48xf32>
  return %1 : tensor<48xf32>
}
