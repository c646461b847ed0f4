// RUN: %dtensor-opt %s --dtensor-propagate | FileCheck %s --check-prefix=LAYOUTS
// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s

// Loops and branches are part of the program: what they hand on lies alike in
// all its places, and what does not change in a loop is brought before it.

dtensor.mesh @mesh ["x" = 2]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#cols = #dtensor.layout<@mesh, ["x" = shard(1)]>

// The weight is gathered once.
// LAYOUTS-LABEL: func.func @carried
// LAYOUTS: scf.yield {dtensor.operand_layouts = [#dtensor.layout<@mesh, ["x" = shard(0)]>]}
// LAYOUTS: {dtensor.layouts = [#dtensor.layout<@mesh, ["x" = shard(0)]>], dtensor.operand_layouts = [unit, unit, unit, #dtensor.layout<@mesh, ["x" = shard(0)]>]}
// CHECK-LABEL: func.func @carried
// CHECK: %[[W:.*]] = comm.all_gather %arg1 over @mesh["x"] dim 1
// CHECK: scf.for {{.*}} iter_args(%[[H:.*]] = %arg0) -> (tensor<3x8xf32>)
// CHECK-NOT: comm.
// CHECK: linalg.matmul ins(%[[H]], %[[W]] : tensor<3x8xf32>, tensor<8x8xf32>)
// CHECK: scf.yield
func.func @carried(%x: tensor<6x8xf32> {dtensor.layout = #rows}, %w: tensor<8x8xf32> {dtensor.layout = #cols}) -> tensor<6x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x) -> (tensor<6x8xf32>) {
    %e = arith.constant dense<0.0> : tensor<6x8xf32>
    %m = linalg.matmul ins(%h, %w : tensor<6x8xf32>, tensor<8x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
    scf.yield %m : tensor<6x8xf32>
  }
  return %r : tensor<6x8xf32>
}

// What a use after the loop says reaches what comes before it.
// CHECK-LABEL: func.func @backward
// CHECK-SAME: %arg0: tensor<6x4xf32>
// CHECK-NOT: comm.
// CHECK: return
func.func @backward(%x: tensor<6x8xf32>) -> (tensor<6x8xf32> {dtensor.layout = #cols}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x) -> (tensor<6x8xf32>) {
    %t = math.tanh %h : tensor<6x8xf32>
    scf.yield %t : tensor<6x8xf32>
  }
  return %r : tensor<6x8xf32>
}

// A sum over shards is complete before it is handed on.
// CHECK-LABEL: func.func @reduced
// CHECK: scf.for
// CHECK: %[[P:.*]] = linalg.matmul {{.*}} -> tensor<6x8xf32>
// CHECK: %[[R:.*]] = comm.reduce_scatter sum %[[P]] over @mesh["x"] dim 1 : tensor<6x8xf32> -> tensor<6x4xf32>
// CHECK: scf.yield %[[R]]
func.func @reduced(%x: tensor<6x8xf32> {dtensor.layout = #cols}, %w: tensor<8x8xf32> {dtensor.layout = #rows}) -> (tensor<6x8xf32> {dtensor.layout = #cols}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x) -> (tensor<6x8xf32>) {
    %e = arith.constant dense<0.0> : tensor<6x8xf32>
    %m = linalg.matmul ins(%h, %w : tensor<6x8xf32>, tensor<8x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
    scf.yield %m : tensor<6x8xf32>
  }
  return %r : tensor<6x8xf32>
}

// In a branch it stays: the branch may not be taken.
// CHECK-LABEL: func.func @branch
// CHECK: %[[C:.*]] = tensor.extract %arg1[]
// CHECK-NOT: comm.
// CHECK: scf.if %[[C]] -> (tensor<6x4xf32>) {
// CHECK-NEXT: comm.all_to_all %arg0 over @mesh["x"] split 1 concat 0
// CHECK: } else {
// CHECK: math.cos
// CHECK-NOT: comm.
func.func @branch(%x: tensor<6x8xf32> {dtensor.layout = #rows}, %flag: tensor<i1>) -> (tensor<6x8xf32> {dtensor.layout = #cols}) {
  %c = tensor.extract %flag[] : tensor<i1>
  %r = scf.if %c -> (tensor<6x8xf32>) {
    %k = dtensor.constrain %x : tensor<6x8xf32> to #cols
    scf.yield %k : tensor<6x8xf32>
  } else {
    %z = arith.constant dense<0.0> : tensor<6x8xf32>
    %t = math.cos %z : tensor<6x8xf32>
    scf.yield %t : tensor<6x8xf32>
  }
  return %r : tensor<6x8xf32>
}

// Two values, of which the second loop region sees one.
// LAYOUTS-LABEL: func.func @while
// LAYOUTS: scf.condition({{.*}}) {dtensor.operand_layouts = [unit, #dtensor.layout<@mesh, ["x" = shard(0)]>]}
// CHECK-LABEL: func.func @while
// CHECK: scf.while (%[[H:.*]] = %arg0, %[[N:.*]] = %arg1) : (tensor<3x8xf32>, tensor<i1>) -> tensor<3x8xf32>
// CHECK: scf.condition(%{{.*}}) %[[H]] : tensor<3x8xf32>
// CHECK: ^bb0(%{{.*}}: tensor<3x8xf32>):
func.func @while(%x: tensor<6x8xf32> {dtensor.layout = #rows}, %flag: tensor<i1>) -> tensor<6x8xf32> {
  %r = scf.while (%h = %x, %n = %flag) : (tensor<6x8xf32>, tensor<i1>) -> (tensor<6x8xf32>) {
    %c = tensor.extract %n[] : tensor<i1>
    scf.condition(%c) %h : tensor<6x8xf32>
  } do {
  ^bb0(%h: tensor<6x8xf32>):
    %t = math.tanh %h : tensor<6x8xf32>
    %f = arith.constant dense<false> : tensor<i1>
    scf.yield %t, %f : tensor<6x8xf32>, tensor<i1>
  }
  return %r : tensor<6x8xf32>
}

// A layout that the program fixes in a loop, and one redistribution for the two
// users of it, outside of both loops.
// CHECK-LABEL: func.func @nested
// CHECK: comm.all_to_all %arg1 over @mesh["x"] split 1 concat 0
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: comm.
// CHECK: return
func.func @nested(%x: tensor<6x8xf32> {dtensor.layout = #cols}, %y: tensor<6x8xf32> {dtensor.layout = #rows}) -> (tensor<6x8xf32> {dtensor.layout = #cols}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x) -> (tensor<6x8xf32>) {
    %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%g = %h) -> (tensor<6x8xf32>) {
      %k = dtensor.constrain %y : tensor<6x8xf32> to #cols
      %t = arith.addf %g, %k : tensor<6x8xf32>
      scf.yield %t : tensor<6x8xf32>
    }
    %k = dtensor.constrain %y : tensor<6x8xf32> to #cols
    %t = arith.mulf %s, %k : tensor<6x8xf32>
    scf.yield %t : tensor<6x8xf32>
  }
  return %r : tensor<6x8xf32>
}
