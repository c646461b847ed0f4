// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
//
// Shardy's meshes and shardings become meshes and layouts.

// CHECK: dtensor.mesh @mesh ["_axis_0" = 2, "tp" = 4]
sdy.mesh @mesh = <["_axis_0"=2, "tp"=4]>
// CHECK: dtensor.mesh @ring ["x" = 4] devices = [3, 1, 2, 0]
sdy.mesh @ring = <["x"=4], device_ids=[3, 1, 2, 0]>
// A mesh of one device is no mesh.
// CHECK-NOT: @maximal
sdy.mesh @maximal = <[], device_ids=[3]>
// CHECK: dtensor.mesh @mesh_a2_b2 ["a" = 2, "b" = 2]

// CHECK-LABEL: func.func @arguments_and_results
func.func @arguments_and_results(
    // CHECK-SAME: %arg0: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["_axis_0" = shard(0), "tp" = shard(1)]>}
    %0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {"tp"}]>},
    // CHECK-SAME: %arg1: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1), "_axis_0" = shard(1)]>}
    %1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp", "_axis_0"}]>},
    // CHECK-SAME: %arg2: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp":(1)2 = shard(0), ...(0)]>}
    %2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp":(1)2, ?}, {}]>},
    // CHECK-SAME: %arg3: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = replicate, ...]>}
    %3: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"tp"}>},
    // CHECK-SAME: %arg4: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0), ...(1)], priority = 1>}
    %4: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}p1, {?}p2]>},
    // CHECK-SAME: %arg5: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0), "_axis_0" = partial(sum)]>}
    %5: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}], unreduced={"_axis_0"}>},
    // CHECK-SAME: %arg6: tensor<8xi8> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = partial(umax)]>}
    %6: tensor<8xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"tp"}>},
    // CHECK-SAME: %arg7: tensor<f32> {dtensor.layout = #dtensor.layout<@mesh, []>}
    %7: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>},
    // CHECK-SAME: %arg8: tensor<8xf32>,
    %8: tensor<8xf32> {sdy.sharding = #sdy.sharding<@maximal, []>, jax.buffer_donor = true},
    // CHECK-SAME: %arg9: tensor<8xf32>)
    %9: tensor<8xf32>)
    // CHECK-SAME: -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>}, tensor<8xf32>)
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, jax.result_info = "out"}, tensor<8xf32> {jax.result_info = ""}) {
  return %0, %9 : tensor<8x8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @constraints
func.func @constraints(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[A:.*]] = dtensor.constrain %arg0 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(0), ...(1)]>
  %0 = sdy.sharding_constraint %a <@mesh, [{"tp"}, {?}]> : tensor<8x8xf32>
  // CHECK-NEXT: %[[B:.*]] = dtensor.constrain %[[A]] : tensor<8x8xf32> to #dtensor.layout<@mesh, []>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK-NEXT: dtensor.constrain %[[B]] : tensor<8x8xf32> to #dtensor.layout<@ring, ["x" = shard(1)]>
  %2 = "sdy.sharding_constraint"(%1) <{sharding = #sdy.sharding<@ring, [{}, {"x"}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @on_operations
func.func @on_operations(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[E:.*]] = math.exp %arg0 : tensor<8x8xf32>
  // CHECK-NEXT: %[[C:.*]] = dtensor.constrain %[[E]] : tensor<8x8xf32> to #dtensor.layout<@mesh, ["_axis_0" = shard(0)]>
  %0 = stablehlo.exponential %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}, {}]>]>} : tensor<8x8xf32>
  // CHECK-NEXT: dtensor.constrain %[[C]] : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
  %1 = stablehlo.custom_call @Sharding(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"tp"}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @a_mesh_spelled_out
// CHECK-SAME: #dtensor.layout<@mesh_a2_b2, ["a" = shard(0)]>
func.func @a_mesh_spelled_out(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["a"=2, "b"=2]>, [{"a"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
