// RUN: %dtensor-opt %s --dtensor-propagate="explain=text" --verify-diagnostics -o %t
// RUN: %dtensor-opt %s --dtensor-propagate="explain=json" 2>&1 >/dev/null | FileCheck %s
// RUN: not %dtensor-opt %s --dtensor-propagate="explain=song" 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: dtensor-propagate: explain must be 'text' or 'json', got 'song'

// Why values lie as they do: annotations, rules, prices.

dtensor.mesh @mesh ["x" = 2]

// CHECK: remark: {"argument":0,"function":"main","layout":"x=shard(0)","reasons":[{"axis":"x","dim":0,"from":"the annotation"}]}
// CHECK: remark: {"argument":1,"function":"main","layout":"","reasons":[]}
// CHECK: remark: {"op":"linalg.matmul","results":[{"layout":"x=shard(0)","reasons":[{"axis":"x","dim":0,"from":"operand 0 of 'linalg.matmul'"}]}],"rule":"([i, k], [k, j], [i, j]) -> ([i, j]), reduction = [k]","shardings":[{"compute_us":{{.*}},"operands_us":0,"results_us":0,"sharded":"i over x","time_us":{{.*}}},{{.*}}"sharded":"nothing",
// CHECK: remark: {"op":"arith.addf",
func.func @main(
    // expected-remark @+1 {{argument 0 is x=shard(0); dim 0 over x from the annotation}}
    %a: tensor<64x64xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>},
    // expected-remark @+1 {{argument 1 is replicated}}
    %w: tensor<64x8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>},
    // expected-remark @+1 {{argument 2 is x=shard(0); dim 0 over x from operand 0 of 'arith.addf'}}
    %b: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %z = arith.constant dense<0.0> : tensor<64x8xf32>
  // expected-remark @+1 {{result 0 is x=shard(0); dim 0 over x from operand 0 of 'linalg.matmul'; rule ([i, k], [k, j], [i, j]) -> ([i, j]), reduction = [k]; sharded i over x: }}
  %0 = linalg.matmul ins(%a, %w : tensor<64x64xf32>, tensor<64x8xf32>) outs(%z : tensor<64x8xf32>) -> tensor<64x8xf32>
  // expected-remark @+1 {{rule ([i, j], [i, j]) -> ([i, j]); sharded i over x: }}
  %1 = arith.addf %0, %b : tensor<64x8xf32>
  return %1 : tensor<64x8xf32>
}
