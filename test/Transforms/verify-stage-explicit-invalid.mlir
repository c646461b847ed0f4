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
  // expected-error @+1 {{'math.exp' op stage explicit: layout #dtensor.layout<@mesh, []> does not agree with the others by its rule ([i]) -> ([i])}}
  %0 = math.exp %a {dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(0)]>], dtensor.operand_layouts = [#dtensor.layout<@mesh, []>]} : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

#whole = #dtensor.layout<@mesh, []>
#sum = #dtensor.layout<@mesh, ["x" = partial(sum)]>

// tanh of contributions is no contribution to the tanh.
func.func @partial_through_tanh(%a: tensor<4xf32> {dtensor.layout = #sum}) {
  // expected-error @+1 {{'math.tanh' op stage explicit: layout #dtensor.layout<@mesh, ["x" = partial(sum)]> does not agree with the others by its rule}}
  %0 = math.tanh %a {dtensor.layouts = [#sum], dtensor.operand_layouts = [#sum]} : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

#whole = #dtensor.layout<@mesh, []>
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#columns = #dtensor.layout<@mesh, ["x" = shard(1)]>

// The product of sharded contracted dimensions is a contribution.
func.func @reduction_is_lost(%a: tensor<4x4xf32> {dtensor.layout = #columns}, %b: tensor<4x4xf32> {dtensor.layout = #rows},
                             %c: tensor<4x4xf32> {dtensor.layout = #whole}) {
  // expected-error @+1 {{'linalg.matmul' op stage explicit: layout}}
  %0 = linalg.matmul {dtensor.layouts = [#whole], dtensor.operand_layouts = [#columns, #rows, #whole]}
      ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

#whole = #dtensor.layout<@mesh, []>
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#columns = #dtensor.layout<@mesh, ["x" = shard(1)]>
#sum = #dtensor.layout<@mesh, ["x" = partial(sum)]>

// The start value would count on every rank.
func.func @start_value_counts_twice(%a: tensor<4x4xf32> {dtensor.layout = #columns}, %b: tensor<4x4xf32> {dtensor.layout = #rows},
                                    %c: tensor<4x4xf32> {dtensor.layout = #whole}) {
  // expected-error @+1 {{'linalg.matmul' op stage explicit: layout #dtensor.layout<@mesh, []> does not agree}}
  %0 = linalg.matmul {dtensor.layouts = [#sum], dtensor.operand_layouts = [#columns, #rows, #whole]}
      ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

#whole = #dtensor.layout<@mesh, []>

func.func @needs_are_missing(%a: tensor<4xf32> {dtensor.layout = #whole}) {
  // expected-error @+1 {{'math.tanh' op stage explicit: says not which layout it takes operand 0 in}}
  %0 = math.tanh %a {dtensor.layouts = [#whole]} : tensor<4xf32>
  return
}
