// RUN: %dtensor-opt %s --dtensor-propagate --split-input-file | FileCheck %s
//
// Layouts spread from annotations along the factors of ops.

dtensor.mesh @mesh ["dp" = 2, "tp" = 2]

// An open argument takes what its users have.
// CHECK-LABEL: func.func @elementwise_joins_operands_and_result
// CHECK-SAME: %arg1: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>}
// CHECK-SAME: -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>})
func.func @elementwise_joins_operands_and_result(
    %a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>},
    %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: arith.addf {{.*}} {dtensor.layouts = [#dtensor.layout<@mesh, ["dp" = shard(0)]>],
  // CHECK-SAME: dtensor.operand_layouts = [#dtensor.layout<@mesh, ["dp" = shard(0)]>, #dtensor.layout<@mesh, ["dp" = shard(0)]>]}
  %0 = arith.addf %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @result_annotation_reaches_open_arguments
// CHECK-SAME: %arg0: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>}
func.func @result_annotation_reaches_open_arguments(%a: tensor<8x8xf32>)
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>}) {
  // CHECK: math.exp {{.*}}dtensor.layouts = [#dtensor.layout<@mesh, ["tp" = shard(1)]>]
  %0 = math.exp %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @contracted_dimension_leaves_the_result_partial
func.func @contracted_dimension_leaves_the_result_partial(
    %a: tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = shard(1)]>},
    %b: tensor<16x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = partial(sum)]>}) {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<8x8xf32>
  // A start value of zero need not be cut: it may be added on every rank.
  // CHECK: linalg.fill {dtensor.layouts = [#dtensor.layout<@mesh, ["dp" = shard(0)]>]
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: linalg.matmul {dtensor.layouts = [#dtensor.layout<@mesh, ["dp" = shard(0), "tp" = partial(sum)]>]
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>)
                     outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A start value that is not the identity counts once: it is needed partial.
// CHECK-LABEL: func.func @start_value_of_a_reduction_counts_once
func.func @start_value_of_a_reduction_counts_once(
    %a: tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>},
    %b: tensor<16x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>},
    %c: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = partial(sum)]>}) {
  // CHECK: linalg.matmul {dtensor.layouts = [#dtensor.layout<@mesh, ["tp" = partial(sum)]>]
  // CHECK-SAME: dtensor.operand_layouts = [{{.*}}, #dtensor.layout<@mesh, ["tp" = partial(sum)]>]}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Each user of a constant gets its own, in the layout that it needs.
// CHECK-LABEL: func.func @constants_are_split_by_user
func.func @constants_are_split_by_user(
    %a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>},
    %b: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-DAG: arith.constant {dtensor.layouts = [#dtensor.layout<@mesh, ["dp" = shard(0)]>]}
  // CHECK-DAG: arith.constant {dtensor.layouts = [#dtensor.layout<@mesh, ["tp" = shard(1)]>]}
  %c = arith.constant dense<2.0> : tensor<8x8xf32>
  %0 = arith.mulf %a, %c : tensor<8x8xf32>
  %1 = arith.mulf %b, %c : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// A dimension that an axis does not divide is not sharded by propagation.
// CHECK-LABEL: func.func @axes_that_do_not_divide_do_not_spread
// CHECK-SAME: -> (tensor<7xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})
func.func @axes_that_do_not_divide_do_not_spread(
    %a: tensor<7xf32>,
    %b: tensor<7xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) -> tensor<7xf32> {
  %0 = arith.addf %a, %b : tensor<7xf32>
  return %0 : tensor<7xf32>
}

// CHECK-LABEL: func.func @pinned_axis_is_not_used
// CHECK-SAME: %arg1: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>}
func.func @pinned_axis_is_not_used(
    %a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = shard(1)]>},
    %b: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = replicate, ...]>})
    -> tensor<8x8xf32> {
  %0 = arith.addf %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]

// The layouts between are those that make the whole cheapest: the chain keeps
// what the products take, although both ends are sharded otherwise.
// CHECK-LABEL: func.func @layout_of_a_chain_follows_its_dear_user
func.func @layout_of_a_chain_follows_its_dear_user(
    %a: tensor<64x512xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>},
    %w1: tensor<512x2048xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(1)]>},
    %w2: tensor<2048x512xf32> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>})
    -> (tensor<64x512xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>}) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64x2048xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  // CHECK: linalg.matmul {dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>]
  %h = linalg.matmul ins(%a, %w1 : tensor<64x512xf32>, tensor<512x2048xf32>)
                     outs(%f1 : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  // CHECK: math.tanh {{.*}}dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>]
  %t = math.tanh %h : tensor<64x2048xf32>
  %e2 = tensor.empty() : tensor<64x512xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x512xf32>) -> tensor<64x512xf32>
  // CHECK: linalg.matmul {dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(0), "y" = partial(sum)]>]
  %o = linalg.matmul ins(%t, %w2 : tensor<64x2048xf32>, tensor<2048x512xf32>)
                     outs(%f2 : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %o : tensor<64x512xf32>
}

// Two fills of one empty tensor, whose users want different layouts.
// CHECK-LABEL: func.func @shared_empty
// CHECK-DAG: tensor.empty() {dtensor.layouts = [#dtensor.layout<@mesh, [{{.*}} = shard(0)]>]}
// CHECK-DAG: tensor.empty() {dtensor.layouts = [#dtensor.layout<@mesh, []>]}
func.func @shared_empty(%a: tensor<5x7xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>},
                        %b: tensor<5x7xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<5xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}, tensor<5xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<5xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %j = linalg.fill ins(%low : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<5x7xf32>) outs(%i : tensor<5xf32>) dimensions = [1]
  %s = linalg.reduce { arith.maximumf } ins(%b : tensor<5x7xf32>) outs(%j : tensor<5xf32>) dimensions = [1]
  return %r, %s : tensor<5xf32>, tensor<5xf32>
}
