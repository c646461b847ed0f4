// RUN: %dtensor-opt %s --dtensor-verify-stage=stage=explicit --verify-diagnostics
//
// 158490 of pytorch/pytorch: a copy paired a sharded input with a replicated
// output, and nothing noticed. The stage's verifier does.

dtensor.mesh @two ["x" = 2]

#rows = #dtensor.layout<@two, ["x" = shard(0)]>
#all = #dtensor.layout<@two, []>

func.func @case_158490(%a: tensor<4xf32> {dtensor.layout = #rows}) -> (tensor<4xf32> {dtensor.layout = #all}) {
  %e = tensor.empty() {dtensor.layouts = [#all]} : tensor<4xf32>
  // expected-error @+1 {{'linalg.copy' op stage explicit: layout #dtensor.layout<@two, []> does not agree with the others by its rule ([i], [i]) -> ([i])}}
  %0 = linalg.copy {dtensor.layouts = [#all], dtensor.operand_layouts = [#rows, #all]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
