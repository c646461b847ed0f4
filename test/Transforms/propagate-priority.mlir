// RUN: %dtensor-opt %s --dtensor-propagate | FileCheck %s

// Of two annotations that contradict each other, the one with the stronger
// priority (0 strongest) decides, whichever operand it is on.

dtensor.mesh @mesh ["x" = 2]

// CHECK-LABEL: func.func @first
// CHECK: arith.addf {{.*}}dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(0)]>]
func.func @first(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>},
                 %b: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)], priority = 1>})
    -> tensor<8x8xf32> {
  %0 = arith.addf %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @second
// CHECK: arith.addf {{.*}}dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(1)]>]
func.func @second(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)], priority = 1>},
                  %b: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>})
    -> tensor<8x8xf32> {
  %0 = arith.addf %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A weak annotation still spreads where no stronger one speaks, and leaves no
// priority behind.
// CHECK-LABEL: func.func @weak
// CHECK-SAME: %arg0: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}
// CHECK-SAME: -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
func.func @weak(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)], priority = 3>})
    -> tensor<8x8xf32> {
  %0 = math.exp %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A result's annotation has one too: the argument's own users come first.
// CHECK-LABEL: func.func @result
// CHECK: math.exp {{.*}}dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(1)]>]
func.func @result(%a: tensor<8x8xf32>, %b: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)], priority = 1>}, tensor<8x8xf32>) {
  %0 = math.exp %a : tensor<8x8xf32>
  %1 = arith.addf %0, %b : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
