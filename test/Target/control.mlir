// Loops and branches of local programs, in a plan and run: the interpreter gives
// the same, bit by bit.
// RUN: dtensor-run %s --entry swap --random-inputs 1 --check=interp --rtol 0 | FileCheck %s --check-prefix=TWO
// RUN: dtensor-run %s --entry nested --random-inputs 1 --check=interp | FileCheck %s --check-prefix=TWO
// RUN: dtensor-run %s --entry branches --random-inputs 1 --check=interp --rtol 0 | FileCheck %s --check-prefix=TWO
// RUN: dtensor-run %s --entry branches --random-inputs 3 --check=interp --rtol 0 | FileCheck %s --check-prefix=TWO
// RUN: dtensor-run %s --entry uneven --random-inputs 1 --check=interp --rtol 0 | FileCheck %s --check-prefix=ONE
// RUN: dtensor-run %s --entry beside --random-inputs 1 --check=interp --rtol 0 --repeat 20 --trace %t.json | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.json
// RUN: dtensor-run %s --entry edges --random-inputs 1 --check=interp --rtol 0 | FileCheck %s --check-prefix=TWO
// RUN: dtensor-compile %s --entry nested --emit=plan-json | FileCheck %s --check-prefix=JSON
// RUN: not dtensor-compile %s --entry nested --max-recv-bytes 95 -o %t 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: dtensor-compile %s --entry nested --max-recv-bytes 96 -o %t

// ONE-COUNT-1: largest error {{.*}}: ok
// TWO-COUNT-2: largest error {{.*}}: ok
// Six gathers of 16 bytes.
// LIMIT: 'comm.all_gather' op brings the bytes received per rank to 96, more than --max-recv-bytes 95

dtensor.mesh @mesh ["x" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#all = #dtensor.layout<@mesh, []>
#id = affine_map<(i) -> (i)>

// Two values change places five times.
func.func @swap(%a: tensor<4xf32> {dtensor.name = "a", dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows},
                %b: tensor<4xf32> {dtensor.name = "b", dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows})
    -> (tensor<4xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows},
        tensor<4xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// A loop in a loop; both count, and both use a value from before.
// JSON: "counter": 0
// JSON-NEXT: "counter_start": 2
// JSON-NEXT: "counter_step": 3
// JSON: "loops": [
// JSON: "count": 3
// JSON: "number": 1
// JSON-NEXT: "count": 2
func.func @nested(%a: tensor<4xf32> {dtensor.name = "a", dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows},
                  %b: tensor<8xf32> {dtensor.name = "b", dtensor.global_type = tensor<8xf32>, dtensor.layout = #all})
    -> (tensor<4xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows},
        tensor<8xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #all}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %before = math.tanh %a : tensor<4xf32>
  %r:2 = scf.for %i = %c2 to %c9 step %c3 iter_args(%x = %a, %whole = %b) -> (tensor<4xf32>, tensor<8xf32>) {
    %in:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%y = %x, %w = %whole) -> (tensor<4xf32>, tensor<8xf32>) {
      %k = arith.muli %i, %j : index
      %k32 = arith.index_cast %k : index to i32
      %kf = arith.sitofp %k32 : i32 to f32
      %e = tensor.empty() : tensor<4xf32>
      %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%y, %before : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%v: f32, %u: f32, %o: f32):
        %p = arith.mulf %u, %kf : f32
        %s = arith.addf %v, %p : f32
        linalg.yield %s : f32
      } -> tensor<4xf32>
      %square = tensor.expand_shape %z [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
      %flat = tensor.collapse_shape %square [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
      %g = comm.all_gather %flat over @mesh["x"] dim 0 : tensor<4xf32> -> tensor<8xf32>
      %both = arith.addf %g, %w : tensor<8xf32>
      scf.yield %flat, %both : tensor<4xf32>, tensor<8xf32>
    }
    scf.yield %in#0, %in#1 : tensor<4xf32>, tensor<8xf32>
  }
  %n = arith.addf %r#0, %before : tensor<4xf32>
  return %n, %r#1 : tensor<4xf32>, tensor<8xf32>
}

// By what the data says, in a loop: whether the sum of all is below a bound.
func.func @branches(%a: tensor<4xi32> {dtensor.name = "a", dtensor.global_type = tensor<8xi32>, dtensor.layout = #rows},
                    %flag: tensor<i1> {dtensor.name = "flag", dtensor.global_type = tensor<i1>, dtensor.layout = #all})
    -> (tensor<4xi32> {dtensor.global_type = tensor<8xi32>, dtensor.layout = #rows},
        tensor<4xi32> {dtensor.global_type = tensor<8xi32>, dtensor.layout = #rows}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %bound = arith.constant dense<100> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %two = arith.constant dense<2> : tensor<4xi32>
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%x = %a) -> (tensor<4xi32>) {
    %mine = linalg.reduce {arith.addi} ins(%x : tensor<4xi32>) outs(%zero : tensor<i32>) dimensions = [0]
    %sum = comm.all_reduce sum %mine over @mesh["x"] : tensor<i32>
    %isSmall = arith.cmpi slt, %sum, %bound : tensor<i32>
    %c = tensor.extract %isSmall[] : tensor<i1>
    %y = scf.if %c -> (tensor<4xi32>) {
      %w = comm.all_gather %x over @mesh["x"] dim 0 : tensor<4xi32> -> tensor<8xi32>
      %m = arith.addi %w, %w : tensor<8xi32>
      %p = comm.slice %m over @mesh["x"] dim 0 : tensor<8xi32> -> tensor<4xi32>
      scf.yield %p : tensor<4xi32>
    } else {
      scf.yield %x : tensor<4xi32>
    }
    // Every second time, by the counter.
    %parity = arith.remui %i, %c6 : index
    %isFirst = arith.cmpi eq, %parity, %c0 : index
    %z = scf.if %isFirst -> (tensor<4xi32>) {
      %t = arith.muli %y, %two : tensor<4xi32>
      scf.yield %t : tensor<4xi32>
    } else {
      scf.yield %y : tensor<4xi32>
    }
    scf.yield %z : tensor<4xi32>
  }
  %f = tensor.extract %flag[] : tensor<i1>
  %s = scf.if %f -> (tensor<4xi32>) {
    %n = arith.subi %r, %a : tensor<4xi32>
    scf.yield %n : tensor<4xi32>
  } else {
    scf.yield %a : tensor<4xi32>
  }
  return %r, %s : tensor<4xi32>, tensor<4xi32>
}

// Extents that differ by rank are carried too.
func.func @uneven(%a: tensor<?xf32> {dtensor.name = "a", dtensor.global_type = tensor<7xf32>, dtensor.layout = #rows})
    -> (tensor<?xf32> {dtensor.global_type = tensor<7xf32>, dtensor.layout = #rows}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %y = arith.addf %x, %a : tensor<?xf32>
    %w = comm.all_gather %y over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #rows to #all
    %t = arith.addf %w, %w : tensor<7xf32>
    %p = comm.slice %t over @mesh["x"] dim 0 : tensor<7xf32> -> tensor<?xf32> of [7] from #all to #rows
    scf.yield %p : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A gather beside the compute of each iteration.
// TRACE-COUNT-3: "name": "all_gather.0", "cat": "all_gather", "pid": 0, "tid": 2
func.func @beside(%a: tensor<4xf32> {dtensor.name = "a", dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows})
    -> (tensor<4xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
    %t = comm.start : !comm.token<tensor<8xf32>> {
      %g = comm.all_gather %x over @mesh["x"] dim 0 : tensor<4xf32> -> tensor<8xf32>
      comm.yield %g : tensor<8xf32>
    }
    %y = arith.mulf %x, %x : tensor<4xf32>
    %w = comm.wait %t : !comm.token<tensor<8xf32>>
    %z = arith.addf %w, %w : tensor<8xf32>
    %p = comm.slice %z over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<4xf32>
    %s = arith.subf %p, %y : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// No iteration, one iteration, a result that nobody uses, a constant as a start.
func.func @edges(%a: tensor<4xf32> {dtensor.name = "a", dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows})
    -> (tensor<4xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows},
        tensor<4xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #rows}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %none = scf.for %i = %c1 to %c0 step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
    %y = math.exp %x : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  %once:3 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %one, %u = %a, %k = %none) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %y = arith.addf %x, %a : tensor<4xf32>
    %v = math.exp %u : tensor<4xf32>
    scf.yield %y, %v, %k : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %once#0, %once#2 : tensor<4xf32>, tensor<4xf32>
}
