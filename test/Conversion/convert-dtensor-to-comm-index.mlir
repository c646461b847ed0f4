// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s
// RUN: dtensor-run %s --entry uneven --check | FileCheck %s --check-prefix=RAN
// RUN: dtensor-run %s --entry reduced --random-inputs 1 --check | FileCheck %s --check-prefix=RAN
// RUN: dtensor-run %s --entry nested --check | FileCheck %s --check-prefix=RAN
// RUN: dtensor-run %s --entry nested --check=interp | FileCheck %s --check-prefix=RAN

// linalg.index counts from the start of the whole tensor.

dtensor.mesh @mesh ["x" = 2, "y" = 3]

#id = affine_map<(i) -> (i)>

// RAN: result0: largest error 0 {{.*}}: ok

// Chunks of 4 and 3: the second one begins at min(1 * 4, 7).
// CHECK-LABEL: func.func @uneven
// CHECK: %[[LENGTH:.*]] = arith.subi
// CHECK: %[[PIECE:.*]] = arith.ceildivui %[[LENGTH]]
// CHECK: %[[PLACE:.*]] = comm.axis_index over @mesh["x"] : index
// CHECK: %[[SKIPPED:.*]] = arith.muli %[[PLACE]], %[[PIECE]]
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[SKIPPED]]
// CHECK: %[[START:.*]] = arith.minui %[[AT]]
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.addi %[[I]], %[[START]]
func.func @uneven() -> (tensor<7xi64> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  %e = tensor.empty() : tensor<7xi64>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<7xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i64
    linalg.yield %v : i64
  } -> tensor<7xi64>
  return %0 : tensor<7xi64>
}

// Pieces of pieces: 11 as 6 and 5, these as 2, 2, 2 and 2, 2, 1; of 2 as 1, 1
// and 1, 0 in the other dimension.
// CHECK-LABEL: func.func @nested
// CHECK-COUNT-2: arith.ceildivui
func.func @nested() -> (tensor<11x5xi64> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>}) {
  %e = tensor.empty() : tensor<11x5xi64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<11x5xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %i, %j : index
    %v = arith.index_cast %k : index to i64
    linalg.yield %v : i64
  } -> tensor<11x5xi64>
  return %0 : tensor<11x5xi64>
}

// A loop that is summed over: each rank adds its own indices.
// CHECK-LABEL: func.func @reduced
// CHECK: comm.all_reduce sum
func.func @reduced(%a: tensor<30000xi64> {dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>})
    -> (tensor<i64> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %zero = arith.constant dense<0> : tensor<i64>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<30000xi64>) outs(%zero : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i64
    %p = arith.muli %v, %in : i64
    %s = arith.addi %out, %p : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}
