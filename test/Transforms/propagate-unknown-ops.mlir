// RUN: %dtensor-opt %s --dtensor-propagate=unknown-ops=replicate | FileCheck %s
//
// An op without a sharding rule is computed on every rank when asked for.

dtensor.mesh @mesh ["x" = 2]

// CHECK-LABEL: func.func @op_without_rule_is_replicated
func.func @op_without_rule_is_replicated(
    %a: tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> tensor<4x4xf32> {
  // CHECK: tensor.cast {{.*}} {dtensor.layouts = [#dtensor.layout<@mesh, []>], dtensor.operand_layouts = [#dtensor.layout<@mesh, []>]}
  %0 = tensor.cast %a : tensor<4x4xf32> to tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
