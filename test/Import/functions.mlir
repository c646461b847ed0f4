// RUN: %dtensor-opt %s --dtensor-import-stablehlo --split-input-file --allow-unregistered-dialect | FileCheck %s
// RUN: %dtensor-opt %s --dtensor-import-stablehlo --split-input-file --allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC
//
// Functions, calls, names of parameters, and what is left of attributes.

// CHECK: module @attributes_of_frontends_go {
module @attributes_of_frontends_go attributes {mhlo.num_partitions = 2 : i32, jax.uses_shape_polymorphism = false} {
  // CHECK-NEXT: dtensor.mesh @m ["x" = 2]
  sdy.mesh @m = <["x"=2]>
  // CHECK-NEXT: func.func @any_name(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  func.func public @any_name(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32, ttcore.argument_type = #ttcore.argument_type<input>}) -> (tensor<4xf32> {jax.result_info = ""}) {
    // CHECK-NEXT: math.tanh %arg0 : tensor<4xf32>
    // LOC: math.tanh %{{.*}} : tensor<4xf32> loc("tanh.7")
    %0 = stablehlo.tanh %a {mhlo.frontend_attributes = {grad_x = "false"}, result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<4xf32> loc("tanh.7")
    return %0 : tensor<4xf32>
  }
}

// -----

// CHECK: dtensor.mesh @mesh ["rank" = 1]
// CHECK-LABEL: func.func @a_program_without_mesh_is_one_for_one_rank
func.func @a_program_without_mesh_is_one_for_one_rank(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A name per argument; what cannot stand in one is a dot, a second of its kind
// has a number.
// CHECK-LABEL: func.func @names
func.func @names(
    // CHECK-SAME: dtensor.name = "p0.1"
    %0: tensor<4xf32> loc("p0.1"),
    // CHECK-SAME: dtensor.name = "params.layers.0.w"
    %1: tensor<4xf32> loc("params['layers'][0]['w']"),
    // CHECK-SAME: dtensor.name = "x"
    %2: tensor<4xf32> loc("x"),
    // CHECK-SAME: dtensor.name = "x_1"
    %3: tensor<4xf32> loc("x"),
    // CHECK-SAME: dtensor.name = "key_states"
    %4: tensor<4xf32> {ttir.name = "key_states"},
    // CHECK-SAME: %arg5: tensor<4xf32>,
    %5: tensor<4xf32> loc("7"),
    // CHECK-SAME: %arg6: tensor<4xf32>)
    %6: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.add %0, %1 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

sdy.mesh @m = <["x"=2]>

// Calls are inlined, with the shardings of the callee.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[A:.*]] = math.tanh %arg0
// CHECK-NEXT: %[[B:.*]] = dtensor.constrain %[[A]] : tensor<4xf32> to #dtensor.layout<@m, ["x" = shard(0)]>
// CHECK-NEXT: %[[C:.*]] = math.exp %[[B]]
// CHECK-NEXT: %[[D:.*]] = dtensor.constrain %[[C]] : tensor<4xf32> to #dtensor.layout<@m, []>
// CHECK-NEXT: %[[E:.*]] = dtensor.constrain %[[D]] : tensor<4xf32> to #dtensor.layout<@m, ["x" = shard(0)]>
// CHECK-NEXT: %[[F:.*]] = math.exp %[[E]]
// CHECK-NEXT: %[[G:.*]] = dtensor.constrain %[[F]] : tensor<4xf32> to #dtensor.layout<@m, []>
// CHECK-NEXT: return %[[G]]
// CHECK-NOT: func.func
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  %1 = call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = func.call @f(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @f(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  %0 = stablehlo.exponential %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @never_called(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @m ["x" = 2]

// What is ours already stays.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME: dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>, dtensor.name = "w"
func.func @mixed(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>, dtensor.name = "w"}) -> tensor<4xf32> {
  // CHECK: arith.constant dense<1.000000e+00>
  %c = arith.constant dense<1.0> : tensor<4xf32>
  // CHECK: arith.addf
  %0 = stablehlo.add %a, %c : tensor<4xf32>
  // CHECK: dtensor.constrain
  %1 = dtensor.constrain %0 : tensor<4xf32> to #dtensor.layout<@m, []>
  return %1 : tensor<4xf32>
}

// -----

// A program that has nothing to import is left alone.
// CHECK-LABEL: func.func private @ours
// CHECK: call @ours
func.func private @ours(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @ours(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
