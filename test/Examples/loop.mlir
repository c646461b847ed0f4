// A loop and a branch in a manual region: each rank adds up what it holds, times
// the number of the iteration, while all of it is transformed together.
dtensor.mesh @mesh ["x" = 4]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#all = #dtensor.layout<@mesh, []>
#id = affine_map<(i) -> (i)>

func.func @main(%a: tensor<8xf32> {dtensor.name = "a", dtensor.layout = #rows}, %flag: tensor<i1> {dtensor.name = "flag"})
    -> (tensor<8xf32> {dtensor.layout = #rows}, tensor<8xf32> {dtensor.layout = #rows}, tensor<2xf32> {dtensor.layout = #all}) {
  %r:3 = dtensor.manual(%a, %flag) in [#rows, #all] out [#rows, #rows, #all] : (tensor<8xf32>, tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>, tensor<2xf32>) {
  ^bb0(%l: tensor<2xf32>, %f: tensor<i1>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : tensor<2xf32>
    %s:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero, %at = %l) -> (tensor<2xf32>, tensor<2xf32>) {
      %w = arith.index_cast %i : index to i32
      %wf = arith.sitofp %w : i32 to f32
      %e = tensor.empty() : tensor<2xf32>
      %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%at : tensor<2xf32>) outs(%e : tensor<2xf32>) {
      ^bb0(%v: f32, %o: f32):
        %p = arith.mulf %v, %wf : f32
        linalg.yield %p : f32
      } -> tensor<2xf32>
      %next = arith.addf %sum, %scaled : tensor<2xf32>
      %all = comm.all_gather %at over @mesh["x"] dim 0 : tensor<2xf32> -> tensor<8xf32>
      %whole = math.sin %all : tensor<8xf32>
      %moved = comm.slice %whole over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<2xf32>
      scf.yield %next, %moved : tensor<2xf32>, tensor<2xf32>
    }
    %c = tensor.extract %f[] : tensor<i1>
    %t = scf.if %c -> (tensor<2xf32>) {
      %x = comm.all_reduce sum %s#0 over @mesh["x"] : tensor<2xf32>
      scf.yield %x : tensor<2xf32>
    } else {
      %y = arith.negf %zero : tensor<2xf32>
      scf.yield %y : tensor<2xf32>
    }
    dtensor.yield %s#0, %s#1, %t : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, tensor<2xf32>
}

// RUN: dtensor-compile %s --emit=local -o %t.local.mlir
// RUN: dtensor-run %t.local.mlir --random-inputs 1 --check=interp | FileCheck %s
// RUN: dtensor-run %t.local.mlir --random-inputs 2 --check=interp | FileCheck %s
// RUN: dtensor-compile %s --emit=scheduled | FileCheck %s --check-prefix=STEPS

// CHECK: all_gather over "x"  24 bytes/rank
// CHECK-COUNT-3: largest error {{.*}}: ok

// STEPS: sched.loop 0 times 4 carries(%[[SUM:.*]], %[[AT:.*]]) {
// STEPS-NEXT: sched.kernel {{.*}} extents [#sched.counter<0 from 0 step 1>]
// STEPS-NEXT: sched.collective all_gather %[[AT]]
// STEPS: sched.copy %{{.*}} to %[[SUM]]
// STEPS-NEXT: sched.copy %{{.*}} to %[[AT]]
// STEPS-NEXT: }
// STEPS: sched.if %{{.*}} gives(%[[R:.*]]) {
// STEPS-NEXT: sched.collective all_reduce
// STEPS-NEXT: sched.copy %{{.*}} to %[[R]]
// STEPS-NEXT: } else {
// STEPS: sched.copy %{{.*}} to %[[R]]
