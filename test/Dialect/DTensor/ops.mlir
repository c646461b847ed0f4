// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --mlir-print-op-generic %s | %dtensor-opt | FileCheck %s

// dtensor.constrain, dtensor.redistribute and the discardable attributes of
// the dialect.

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
dtensor.mesh @ring ["x" = 8] devices = [7, 6, 5, 4, 3, 2, 1, 0]

#by_row = #dtensor.layout<@mesh, ["dp" = shard(0)]>

// CHECK-LABEL: func.func @constrain_fixes_a_layout
// CHECK-SAME: (%[[INPUT:.*]]: tensor<8x8xf32>)
func.func @constrain_fixes_a_layout(%input: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NEXT: %[[FIXED:.*]] = dtensor.constrain %[[INPUT]] : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  %fixed = dtensor.constrain %input : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  // CHECK-NEXT: return %[[FIXED]]
  return %fixed : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @constrain_opens_a_layout
func.func @constrain_opens_a_layout(%input: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: dtensor.constrain %{{.*}} : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0), "tp":(1)2 = replicate, ...(0, 1)], priority = 2>
  %open = dtensor.constrain %input : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0), "tp":(1)2 = replicate, ...(0, 1)], priority = 2>
  return %open : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @constrain_to_replicated_rank_0
func.func @constrain_to_replicated_rank_0(%input: tensor<f64>) -> tensor<f64> {
  // CHECK: dtensor.constrain %{{.*}} : tensor<f64> to #dtensor.layout<@mesh, []>
  %fixed = dtensor.constrain %input : tensor<f64> to #dtensor.layout<@mesh, []>
  return %fixed : tensor<f64>
}

// CHECK-LABEL: func.func @redistribute_to_shard
func.func @redistribute_to_shard(%input: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: dtensor.redistribute %{{.*}} : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
  %moved = dtensor.redistribute %input : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
  return %moved : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @redistribute_to_partial
func.func @redistribute_to_partial(%input: tensor<8x8xi32>) -> tensor<8x8xi32> {
  // CHECK: dtensor.redistribute %{{.*}} : tensor<8x8xi32> to #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = partial(umax)]>
  %moved = dtensor.redistribute %input : tensor<8x8xi32> to #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = partial(umax)]>
  return %moved : tensor<8x8xi32>
}

// CHECK-LABEL: func.func @redistribute_of_uneven_sizes
func.func @redistribute_of_uneven_sizes(%input: tensor<5x0xbf16>) -> tensor<5x0xbf16> {
  // CHECK: dtensor.redistribute %{{.*}} : tensor<5x0xbf16> to #dtensor.layout<@mesh, ["tp" = shard(0), "dp" = shard(1)]>
  %moved = dtensor.redistribute %input : tensor<5x0xbf16> to #dtensor.layout<@mesh, ["tp" = shard(0), "dp" = shard(1)]>
  return %moved : tensor<5x0xbf16>
}

// CHECK-LABEL: func.func @redistribute_between_meshes
func.func @redistribute_between_meshes(%input: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>}) -> tensor<8xf32> {
  // CHECK: dtensor.redistribute %{{.*}} : tensor<8xf32> to #dtensor.layout<@ring, ["x" = shard(0)]>
  %moved = dtensor.redistribute %input : tensor<8xf32> to #dtensor.layout<@ring, ["x" = shard(0)]>
  return %moved : tensor<8xf32>
}

// CHECK-LABEL: func.func @attributes_follow_the_layout
func.func @attributes_follow_the_layout(%input: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[FIXED:.*]] = dtensor.constrain %{{.*}} : tensor<8xf32> to #dtensor.layout<@mesh, [...]> {test.note = 1 : i64}
  %fixed = dtensor.constrain %input : tensor<8xf32> to #dtensor.layout<@mesh, [...]> {test.note = 1 : i64}
  // CHECK: dtensor.redistribute %[[FIXED]] : tensor<8xf32> to #dtensor.layout<@mesh, []> {test.note = 2 : i64}
  %moved = dtensor.redistribute %fixed : tensor<8xf32> to #dtensor.layout<@mesh, []> {test.note = 2 : i64}
  return %moved : tensor<8xf32>
}

// CHECK-LABEL: func.func @layout_aliases_are_read
func.func @layout_aliases_are_read(%input: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: %[[FIXED:.*]] = dtensor.constrain %{{.*}} : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  %fixed = dtensor.constrain %input : tensor<8x8xf32> to #by_row
  // CHECK: dtensor.redistribute %[[FIXED]] : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
  %moved = dtensor.redistribute %fixed : tensor<8x8xf32> to #by_row
  return %moved : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @arguments_have_names
// CHECK-SAME: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>, dtensor.name = "layers.0.wq"}
// CHECK-SAME: f32 {dtensor.name = "scale"}
func.func @arguments_have_names(
    %weight: tensor<8xf32> {dtensor.name = "layers.0.wq", dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>},
    %scale: f32 {dtensor.name = "scale"}) {
  return
}

// The layout is one of the global type; `dim` 0 has 8 elements, 2 on each rank.
// CHECK-LABEL: func.func private @local_types_keep_their_global_type
// CHECK-SAME: tensor<2x8xf32> {dtensor.global_type = tensor<8x8xf32>, dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>}
// CHECK-SAME: -> (tensor<8x4xf32> {dtensor.global_type = tensor<8x8xf32>, dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(1)]>})
func.func private @local_types_keep_their_global_type(
    tensor<2x8xf32> {dtensor.global_type = tensor<8x8xf32>, dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>})
    -> (tensor<8x4xf32> {dtensor.global_type = tensor<8x8xf32>, dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(1)]>})

// CHECK-LABEL: func.func @layouts_of_results
func.func @layouts_of_results(%input: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: math.tanh %{{.*}} {dtensor.layouts = [#dtensor.layout<@mesh, ["tp" = shard(0)]>]} : tensor<8xf32>
  %active = math.tanh %input {dtensor.layouts = [#dtensor.layout<@mesh, ["tp" = shard(0)]>]} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// What is no tensor has `unit` in its place.
// CHECK-LABEL: func.func @layouts_of_operands
func.func @layouts_of_operands(%input: tensor<8xf32>, %i: index) -> f32 {
  // CHECK: tensor.extract %{{.*}}[%{{.*}}] {dtensor.layouts = [unit], dtensor.operand_layouts = [#dtensor.layout<@mesh, []>, unit]} : tensor<8xf32>
  %element = tensor.extract %input[%i] {dtensor.layouts = [unit], dtensor.operand_layouts = [#dtensor.layout<@mesh, []>, unit]} : tensor<8xf32>
  return %element : f32
}

// CHECK-LABEL: func.func @no_results_no_layouts
func.func @no_results_no_layouts(%input: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: return {dtensor.layouts = [], dtensor.operand_layouts = [#dtensor.layout<@mesh, ["tp" = shard(0)]>]}
  return {dtensor.layouts = [], dtensor.operand_layouts = [#dtensor.layout<@mesh, ["tp" = shard(0)]>]} %input : tensor<8xf32>
}

// CHECK-LABEL: func.func private @reference_of_names_the_sharded_form
// CHECK-SAME: attributes {dtensor.reference_of = "arguments_have_names"}
func.func private @reference_of_names_the_sharded_form(tensor<8xf32>, f32) attributes {dtensor.reference_of = "arguments_have_names"}
