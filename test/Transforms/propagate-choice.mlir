// RUN: %dtensor-opt %s --split-input-file --dtensor-spmd-pipeline | FileCheck %s
//
// What propagation decides by price.

dtensor.mesh @mesh ["tp" = 4]

#rows = #dtensor.layout<@mesh, ["tp" = shard(0)]>
#columns = #dtensor.layout<@mesh, ["tp" = shard(1)]>

// Three products of one value: it is gathered once, and no weight moves.
// CHECK-LABEL: func.func @users_share_a_redistribution
// CHECK: %[[X:.*]] = comm.all_gather %arg0 over @mesh["tp"] dim 0
// CHECK-NOT: comm.
// CHECK-COUNT-3: linalg.matmul ins(%[[X]], %arg{{[123]}} : tensor<1024x1024xf32>, tensor<1024x256xf32>)
// CHECK-NOT: comm.
// CHECK: return
func.func @users_share_a_redistribution(
    %x: tensor<1024x1024xf32> {dtensor.layout = #rows}, %q: tensor<1024x1024xf32> {dtensor.layout = #columns},
    %k: tensor<1024x1024xf32> {dtensor.layout = #columns}, %v: tensor<1024x1024xf32> {dtensor.layout = #columns})
    -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %0 = linalg.matmul ins(%x, %q : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = linalg.matmul ins(%x, %k : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %2 = linalg.matmul ins(%x, %v : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0, %1, %2 : tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]

// An open annotation of a result is kept, and completed.
// CHECK-LABEL: func.func @open_result_keeps_its_annotation
// CHECK-SAME: -> (tensor<4x4xf32> {{{.*}}dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>})
// CHECK-NOT: comm.
func.func @open_result_keeps_its_annotation(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), ...]>}) {
  %0 = math.exp %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @open_result_reaches_its_argument
// CHECK-SAME: %arg0: tensor<4x8xf32> {{{.*}}dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}
func.func @open_result_reaches_its_argument(%a: tensor<8x8xf32>)
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), ...]>}) {
  %0 = math.exp %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @pin_of_a_result_is_kept
// CHECK-SAME: -> (tensor<8x4xf32> {{{.*}}dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(1)]>})
func.func @pin_of_a_result_is_kept(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = replicate, ...]>}) {
  // CHECK: comm.all_gather %{{.*}} over @mesh["x"] dim 0
  %0 = math.exp %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @dead_code_costs_nothing
// CHECK-NOT: comm.
func.func @dead_code_costs_nothing(%a: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>},
                                   %b: tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>}) -> tensor<8x8xf32> {
  %dead = arith.addf %a, %b : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// A loop that is called a reduction and is in the result is parallel.
// CHECK-LABEL: func.func @reduction_in_the_result_is_parallel
// CHECK-NOT: comm.
func.func @reduction_in_the_result_is_parallel(%a: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>},
                                               %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["reduction"]}
      ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %out : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
