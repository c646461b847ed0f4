// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
// RUN: dtensor-compile %s --entry main --emit=local -o %t.local.mlir
// RUN: dtensor-run %t.local.mlir --random-inputs 1 --check=interp | FileCheck %s --check-prefix=RAN

// A manual computation and its collectives; calls in it are part of it.

// RAN-COUNT-3: largest error {{.*}}: ok

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = dtensor.to_local %arg0 : tensor<8x4xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<4x4xf32>
// CHECK: %[[W:.*]] = dtensor.to_local %arg1 : tensor<4x4xf32> in #dtensor.layout<@mesh, ["y" = shard(1)]> -> tensor<4x2xf32>
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: math.tanh %[[P]]
// CHECK: comm.all_gather %{{.*}} over @mesh["y"] dim 1 : tensor<4x2xf32> -> tensor<4x4xf32>
// CHECK: comm.all_reduce sum %{{.*}} over @mesh["x", "y"] : tensor<4x4xf32>
// CHECK: comm.reduce_scatter max %{{.*}} over @mesh["x"] dim 0 : tensor<4x4xf32> -> tensor<2x4xf32>
// CHECK: comm.all_to_all %{{.*}} over @mesh["x"] split 1 concat 0 : tensor<2x4xf32> -> tensor<4x2xf32>
// Groups of no axes stay lists.
// CHECK: comm.all_reduce umax %{{.*}} over @mesh groups {{\[}}[0, 3], [1, 2]] : tensor<i32>
// CHECK: dtensor.from_local %{{.*}} : tensor<4x4xf32> in #dtensor.layout<@mesh, []> -> tensor<4x4xf32>
// CHECK: dtensor.from_local %{{.*}} : tensor<4x2xf32> in #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]> -> tensor<8x4xf32>
func.func @main(%a: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<8x4xf32>, tensor<4xui32>) {
  %0:3 = sdy.manual_computation(%a, %w) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x", "y"}]>] manual_axes={"x", "y"} (%la: tensor<4x4xf32>, %lw: tensor<4x2xf32>) {
    %p = stablehlo.dot_general %la, %lw, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %t = func.call @activate(%p) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %g = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x4xf32>
    %s = "stablehlo.all_reduce"(%g) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %m = "stablehlo.reduce_scatter"(%g) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %o = "stablehlo.all_to_all"(%m) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %id = stablehlo.partition_id : tensor<ui32>
    %u = "stablehlo.all_reduce"(%id) <{replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<ui32>, %y: tensor<ui32>):
      %r = stablehlo.maximum %x, %y : tensor<ui32>
      stablehlo.return %r : tensor<ui32>
    }) : (tensor<ui32>) -> tensor<ui32>
    %v = stablehlo.reshape %u : (tensor<ui32>) -> tensor<1xui32>
    sdy.return %s, %o, %v : tensor<4x4xf32>, tensor<4x2xf32>, tensor<1xui32>
  } : (tensor<8x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<8x4xf32>, tensor<4xui32>)
  return %0#0, %0#1, %0#2 : tensor<4x4xf32>, tensor<8x4xf32>, tensor<4xui32>
}

func.func private @activate(%a: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.tanh %a : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Axes that are not manual replicate: the body's wishes for them are dropped.
// CHECK-LABEL: func.func @some_axes
// CHECK: dtensor.to_local %arg0 : tensor<8x4xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<4x4xf32>
// CHECK-NOT: dtensor.constrain
// CHECK: dtensor.from_local %{{.*}} : tensor<4x4xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<8x4xf32>
func.func @some_axes(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%l: tensor<4x4xf32>) {
    %t = sdy.sharding_constraint %l <@mesh, [{}, {"y"}]> : tensor<4x4xf32>
    sdy.return %t : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Groups that name no rank are one of all.
// CHECK-LABEL: func.func @no_ranks
// CHECK: comm.all_reduce sum %{{.*}} over @mesh["x", "y"] : tensor<4xf32>
func.func @no_ranks(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%l: tensor<4xf32>) {
    %s = "stablehlo.all_reduce"(%l) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<> : tensor<0x0xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %s : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
