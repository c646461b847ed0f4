// RUN: %dtensor-opt %s --dtensor-verify-stage=stage=explicit --split-input-file --verify-diagnostics
//
// The invariant of stage explicit.

dtensor.mesh @mesh ["x" = 2]

func.func @constrain_is_left(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // expected-error @+1 {{'dtensor.constrain' op stage explicit: must be gone}}
  %0 = dtensor.constrain %a : tensor<4xf32> to #dtensor.layout<@mesh, []> {dtensor.layouts = [#dtensor.layout<@mesh, []>]}
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

func.func @operand_has_another_layout(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  // expected-error @+1 {{'func.return' op stage explicit: operand 0 has layout #dtensor.layout<@mesh, []> and is needed as #dtensor.layout<@mesh, ["x" = shard(0)]>}}
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

func.func @layouts_break_the_rule(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // expected-error @+1 {{'math.exp' op stage explicit: layouts do not agree with its rule ([i]) -> ([i]) in a dimension of layout #dtensor.layout<@mesh, ["x" = shard(0)]>}}
  %0 = math.exp %a {dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(0)]>], dtensor.operand_layouts = [#dtensor.layout<@mesh, []>]} : tensor<4xf32>
  return
}
