// RUN: %dtensor-opt %s --dtensor-propagate --dtensor-insert-redistributions=implicit=warn --verify-diagnostics=only-expected
// RUN: not %dtensor-opt %s --dtensor-propagate --dtensor-insert-redistributions=implicit=forbid 2>&1 | FileCheck %s
//
// Communication that the program does not write can be warned of or forbidden.

// CHECK: insert-redistributions-implicit.mlir:[[#@LINE+10]]:3: error: 'func.return' op operand 0 has layout
// CHECK-SAME: #dtensor.layout<@mesh, ["x" = shard(0)]> and is needed as #dtensor.layout<@mesh, []>;
// CHECK-SAME: this takes all_gather over x (16 bytes received per rank);
// CHECK-SAME: write `dtensor.redistribute %value : tensor<8xf32> to #dtensor.layout<@mesh, []>`
dtensor.mesh @mesh ["x" = 2]

func.func @hidden_gather(
    %a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
    -> (tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // expected-warning @+1 {{implicit redistribution: operand 0 has layout}}
  return %a : tensor<8xf32>
}
