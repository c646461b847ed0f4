// RUN: dtensor-run %s --random-inputs 1 --check | FileCheck %s
// RUN: dtensor-run %s --random-inputs 2 --check=interp | FileCheck %s
// RUN: dtensor-run %s --entry scan --random-inputs 2 --check=interp | FileCheck %s --check-prefix=SCAN

// RUN: dtensor-run %s --entry ways --random-inputs 2 --check=interp | FileCheck %s --check-prefix=WAYS

// Loops and branches on global tensors, uneven over three ranks: the weight is
// gathered once for four iterations.
dtensor.mesh @mesh ["x" = 3]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#cols = #dtensor.layout<@mesh, ["x" = shard(1)]>

// CHECK: all_gather over "x"  {{.*}}(all_gather.0)
// CHECK-NOT: (all_gather.1)
// CHECK: result0: {{.*}}: ok
// CHECK: result1: {{.*}}: ok
func.func @main(%x: tensor<7x8xf32> {dtensor.layout = #rows}, %w: tensor<8x8xf32> {dtensor.layout = #cols}, %flag: tensor<i1>) -> (tensor<7x8xf32>, tensor<7x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0.0> : tensor<7x8xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x, %s = %z) -> (tensor<7x8xf32>, tensor<7x8xf32>) {
    %m = linalg.matmul ins(%h, %w : tensor<7x8xf32>, tensor<8x8xf32>) outs(%z : tensor<7x8xf32>) -> tensor<7x8xf32>
    %t = math.tanh %m : tensor<7x8xf32>
    %s1 = arith.addf %s, %t : tensor<7x8xf32>
    scf.yield %t, %s1 : tensor<7x8xf32>, tensor<7x8xf32>
  }
  %c = tensor.extract %flag[] : tensor<i1>
  %q = scf.if %c -> (tensor<7x8xf32>) {
    %u = math.exp %r#0 : tensor<7x8xf32>
    scf.yield %u : tensor<7x8xf32>
  } else {
    scf.yield %z : tensor<7x8xf32>
  }
  return %q, %r#1 : tensor<7x8xf32>, tensor<7x8xf32>
}

// Slices at the loop's counter: one row of the input per iteration, put into the
// result.
// SCAN: result0: {{.*}}: ok
func.func @scan(%x: tensor<5x7xf32> {dtensor.layout = #cols}) -> tensor<5x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant dense<0.0> : tensor<5x7xf32>
  %start = arith.constant dense<1.0> : tensor<1x7xf32>
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%carry = %start, %all = %z) -> (tensor<1x7xf32>, tensor<5x7xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 7] [1, 1] : tensor<5x7xf32> to tensor<1x7xf32>
    %next = arith.mulf %carry, %row : tensor<1x7xf32>
    %put = tensor.insert_slice %next into %all[%i, 0] [1, 7] [1, 1] : tensor<1x7xf32> into tensor<5x7xf32>
    scf.yield %next, %put : tensor<1x7xf32>, tensor<5x7xf32>
  }
  return %r#1 : tensor<5x7xf32>
}

// Both ways reduce a gathered tensor.
// WAYS: result0: {{.*}}: ok
func.func @ways(%flag: tensor<i1>, %x: tensor<8x3xf32> {dtensor.layout = #rows}) -> (tensor<3xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %z = arith.constant dense<1.0> : tensor<3xf32>
  %c = tensor.extract %flag[] : tensor<i1>
  %r = scf.if %c -> tensor<3xf32> {
    %0 = linalg.reduce {arith.addf} ins(%x : tensor<8x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    scf.yield %0 : tensor<3xf32>
  } else {
    %0 = linalg.reduce {arith.mulf} ins(%x : tensor<8x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
    scf.yield %0 : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
