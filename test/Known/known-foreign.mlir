// RUN: %dtensor-opt %s --allow-unregistered-dialect --dtensor-spmd-pipeline | FileCheck %s
//
// Ops of other dialects that say their own rule: cases by number (README.md).

dtensor.mesh @four ["x" = 4]
dtensor.mesh @square ["x" = 2, "y" = 2]

#both = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(1)]>

// shardy 25: nothing let another dialect's op take part in propagation. A rule
// on the op does, also where the compiler does not know the op.
// CHECK-LABEL: func.func @shardy_25(
// CHECK-SAME: %arg0: tensor<2x6xf32>
// CHECK-SAME: -> (tensor<6x2xf32> {{.*}}["x" = shard(1)]>})
// CHECK-NEXT: %[[R:.*]] = "other.turn"(%arg0) : (tensor<2x6xf32>) -> tensor<6x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @shardy_25(%a: tensor<8x6xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) -> tensor<6x8xf32> {
  %0 = "other.turn"(%a) {dtensor.rule = #dtensor.rule<"([i,j])->([j,i])">} : (tensor<8x6xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// shardy 37: of an op without a rule one operand was replicated. With the rule
// that j is needed whole, only that is gathered, and the batch stays sharded.
// CHECK-LABEL: func.func @shardy_37(
// CHECK-SAME: -> (tensor<4xf32> {{.*}}["x" = shard(0)]>})
// CHECK-NEXT: %[[A:.*]] = comm.all_gather %arg0 over @square["y"] dim 1 : tensor<4x3xf32> -> tensor<4x6xf32>
// CHECK-NEXT: %[[B:.*]] = comm.all_gather %arg1 over @square["y"] dim 1 : tensor<4x3xf32> -> tensor<4x6xf32>
// CHECK-NEXT: %[[R:.*]] = "other.mix"(%[[A]], %[[B]], %arg2, %arg3, %arg4) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @shardy_37(%a: tensor<8x6xf32> {dtensor.layout = #both}, %b: tensor<8x6xf32> {dtensor.layout = #both},
                     %c: tensor<8xf32>, %d: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "other.mix"(%a, %b, %c, %d, %e) {
    dtensor.rule = #dtensor.rule<"([i,j],[i,j],[i],[i],[i])->([i])", need_replication = [j]>
  } : (tensor<8x6xf32>, tensor<8x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
