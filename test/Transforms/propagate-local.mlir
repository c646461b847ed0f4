// RUN: %dtensor-opt %s --dtensor-propagate | FileCheck %s --check-prefix=LAID-OUT
// RUN: %dtensor-opt %s --dtensor-propagate --dtensor-verify-stage=stage=laid-out \
// RUN:   --dtensor-insert-redistributions --dtensor-verify-stage=stage=explicit \
// RUN:   --convert-dtensor-to-comm --dtensor-verify-stage=stage=local | FileCheck %s --check-prefix=LOCAL

// Local values have no layout: what stands between dtensor.to_local and
// dtensor.from_local is compiled as it stands.

dtensor.mesh @mesh ["x" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#cols = #dtensor.layout<@mesh, ["x" = shard(1)]>

// The constant of both views is one in each.
// LAID-OUT-LABEL: func.func @both
// LAID-OUT: arith.constant {dtensor.layouts
// LAID-OUT: arith.constant {dtensor.local} dense<2.000000e+00> : tensor<4x4xf32>
// LAID-OUT: %[[L:.*]] = dtensor.to_local
// LAID-OUT: arith.mulf %[[L]], %{{.*}} {dtensor.local} : tensor<4x4xf32>
// LAID-OUT: comm.all_reduce sum %{{.*}} over @mesh["x"] : tensor<4x4xf32>{{.*}} {dtensor.local}
// LAID-OUT: dtensor.from_local {{.*}} -> tensor<4x4xf32>
//
// LOCAL-LABEL: func.func @both(%arg0: tensor<4x4xf32>
// LOCAL: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<4x4xf32>
// LOCAL: %[[D:.*]] = arith.mulf %arg0, %[[TWO]] : tensor<4x4xf32>
// LOCAL: %[[S:.*]] = comm.all_reduce sum %[[D]] over @mesh["x"] : tensor<4x4xf32>
// LOCAL: %[[C:.*]] = comm.slice %[[S]] over @mesh["x"] dim 1 : tensor<4x4xf32> -> tensor<4x2xf32>
// LOCAL: arith.mulf %[[C]], %{{.*}} : tensor<4x2xf32>
func.func @both(%a: tensor<8x4xf32>) -> (tensor<4x4xf32> {dtensor.layout = #cols}) {
  %two = arith.constant dense<2.0> : tensor<4x4xf32>
  %l = dtensor.to_local %a : tensor<8x4xf32> in #rows -> tensor<4x4xf32>
  %d = arith.mulf %l, %two : tensor<4x4xf32>
  %s = comm.all_reduce sum %d over @mesh["x"] : tensor<4x4xf32>
  %g = dtensor.from_local %s : tensor<4x4xf32> in #dtensor.layout<@mesh, []> -> tensor<4x4xf32>
  %r = arith.mulf %g, %two : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// One local value as parts of two tensors, and a redistribution before the
// local part.
// LOCAL-LABEL: func.func @twice
// LOCAL: %[[A:.*]] = comm.all_to_all %arg0 over @mesh["x"] split 1 concat 0
// LOCAL: return %[[A]], %[[A]] : tensor<8x2xf32>, tensor<8x2xf32>
func.func @twice(%a: tensor<8x4xf32> {dtensor.layout = #rows})
    -> (tensor<8x4xf32> {dtensor.layout = #cols}, tensor<16x2xf32> {dtensor.layout = #rows}) {
  %l = dtensor.to_local %a : tensor<8x4xf32> in #cols -> tensor<8x2xf32>
  %g = dtensor.from_local %l : tensor<8x2xf32> in #cols -> tensor<8x4xf32>
  %h = dtensor.from_local %l : tensor<8x2xf32> in #rows -> tensor<16x2xf32>
  return %g, %h : tensor<8x4xf32>, tensor<16x2xf32>
}
