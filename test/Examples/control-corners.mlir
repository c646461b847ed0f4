// Loops and branches whose values are used in unusual ways: carried values that
// no iteration reads, results that nothing uses, arguments given back as they
// are, and several results at once.
dtensor.mesh @mesh ["x" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#all = #dtensor.layout<@mesh, []>

func.func @main(%a: tensor<8xf32> {dtensor.name = "a", dtensor.layout = #rows}, %flag: tensor<i1> {dtensor.name = "flag"})
    -> (tensor<8xf32> {dtensor.layout = #rows}, tensor<8xf32> {dtensor.layout = #rows}, tensor<8xf32> {dtensor.layout = #rows}, tensor<8xf32> {dtensor.layout = #rows}, tensor<4xf32> {dtensor.layout = #all}) {
  %same = dtensor.manual(%a) in [#rows] out [#rows] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<4xf32>):
    dtensor.yield %l : tensor<4xf32>
  }
  %r:4 = dtensor.manual(%same, %flag) in [#rows, #all] out [#rows, #rows, #rows, #all] : (tensor<8xf32>, tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) {
  ^bb0(%l: tensor<4xf32>, %f: tensor<i1>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %k = math.cos %l : tensor<4xf32>
    // The previous value: what is carried second is overwritten unread.
    %u:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %l, %y = %l) -> (tensor<4xf32>, tensor<4xf32>) {
      %d = math.sin %x : tensor<4xf32>
      scf.yield %d, %x : tensor<4xf32>, tensor<4xf32>
    }
    %v = arith.addf %u#0, %u#1 : tensor<4xf32>
    // One of two results is not used.
    %w:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %k, %y = %l) -> (tensor<4xf32>, tensor<4xf32>) {
      %d = math.sin %x : tensor<4xf32>
      scf.yield %d, %x : tensor<4xf32>, tensor<4xf32>
    }
    // Hands on what it gets, of which one is not used; and no iteration at all.
    %h:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %w#0, %y = %v) -> (tensor<4xf32>, tensor<4xf32>) {
      %d = math.exp %x : tensor<4xf32>
      scf.yield %x, %y : tensor<4xf32>, tensor<4xf32>
    }
    %o = math.exp %v : tensor<4xf32>
    %z = scf.for %i = %c2 to %c2 step %c1 iter_args(%x = %h#0) -> (tensor<4xf32>) {
      scf.yield %o : tensor<4xf32>
    }
    // The same from outside in every iteration.
    %t = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %l) -> (tensor<4xf32>) {
      %d = math.tanh %z : tensor<4xf32>
      scf.yield %d : tensor<4xf32>
    }
    // Two results of which one side gives the same twice.
    %c = tensor.extract %f[] : tensor<i1>
    %b:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
      %s = math.sin %t : tensor<4xf32>
      %q = math.cos %t : tensor<4xf32>
      scf.yield %s, %q : tensor<4xf32>, tensor<4xf32>
    } else {
      scf.yield %k, %k : tensor<4xf32>, tensor<4xf32>
    }
    // Nothing uses what this branch, this loop and this start make.
    %n = scf.if %c -> (tensor<4xf32>) {
      %s = math.exp %t : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      scf.yield %k : tensor<4xf32>
    }
    %m = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %n) -> (tensor<4xf32>) {
      %d = math.exp %x : tensor<4xf32>
      scf.yield %d : tensor<4xf32>
    }
    %token = comm.start : !comm.token<tensor<8xf32>> {
      %g = comm.all_gather %m over @mesh["x"] dim 0 : tensor<4xf32> -> tensor<8xf32>
      %s = comm.slice %g over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<4xf32>
      comm.yield %g : tensor<8xf32>
    }
    %whole = comm.wait %token : !comm.token<tensor<8xf32>>
    // A collective on the region's argument itself.
    %sum = comm.all_reduce sum %l over @mesh["x"] : tensor<4xf32>
    dtensor.yield %v, %b#0, %b#1, %sum : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %same, %r#0, %r#1, %r#2, %r#3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
}

// RUN: dtensor-compile %s --emit=local -o %t.local.mlir
// RUN: dtensor-run %t.local.mlir --random-inputs 1 --check=interp | FileCheck %s
// RUN: dtensor-run %t.local.mlir --random-inputs 2 --check=interp | FileCheck %s

// CHECK: all_reduce over "x"  16 bytes/rank
// CHECK-COUNT-5: largest error {{.*}}: ok
