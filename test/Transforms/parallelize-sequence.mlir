// RUN: %dtensor-opt %s --dtensor-parallelize | FileCheck %s
// RUN: dtensor-run %s --entry main --random-inputs 1 --check

// Style sequence: what a parameter is applied to is sharded along the last
// dimension that the parameter has not.

dtensor.mesh @mesh ["dp" = 2, "tp" = 2]

dtensor.parallelize_plan @plan on @mesh {
  dtensor.style "norm.*" sequence "tp"
}

#last = affine_map<(b, s, h) -> (h)>
#all = affine_map<(b, s, h) -> (b, s, h)>

// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg1: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>, dtensor.name = "norm.scale"}
// CHECK-SAME: %arg2: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>, dtensor.name = "norm.bias"}
func.func @main(%x: tensor<4x6x8xf32>,
                %scale: tensor<8xf32> {dtensor.name = "norm.scale"},
                %bias: tensor<8xf32> {dtensor.name = "norm.bias"}) -> tensor<4x6x8xf32> {
  %empty = tensor.empty() : tensor<4x6x8xf32>
  // CHECK: %[[IN:.*]] = dtensor.constrain %arg0 : tensor<4x6x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1), ...]>
  // CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[IN]], %arg1
  // CHECK: %[[OUT:.*]] = dtensor.constrain %[[SCALED]] : tensor<4x6x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1), ...]>
  %scaled = linalg.generic {indexing_maps = [#all, #last, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %scale : tensor<4x6x8xf32>, tensor<8xf32>) outs(%empty : tensor<4x6x8xf32>) {
  ^bb0(%value: f32, %factor: f32, %out: f32):
    %p = arith.mulf %value, %factor : f32
    linalg.yield %p : f32
  } -> tensor<4x6x8xf32>
  // Broadcast first, added after.
  // CHECK: %[[WIDE:.*]] = linalg.broadcast ins(%arg2
  // CHECK: %[[AGAIN:.*]] = dtensor.constrain %[[OUT]] : tensor<4x6x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1), ...]>
  // CHECK: %[[SUM:.*]] = arith.addf %[[AGAIN]], %[[WIDE]]
  // CHECK: %[[R:.*]] = dtensor.constrain %[[SUM]] : tensor<4x6x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1), ...]>
  // CHECK: return %[[R]]
  %wide = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%empty : tensor<4x6x8xf32>) dimensions = [0, 1]
  %sum = arith.addf %scaled, %wide : tensor<4x6x8xf32>
  return %sum : tensor<4x6x8xf32>
}
