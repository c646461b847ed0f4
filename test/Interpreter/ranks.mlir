// What depends on the rank: its place, its extents, contributions rescaled, and
// collectives with a root. Answers by hand.
// RUN: split-file %s %t
// RUN: interpret-program %t/index.mlir | FileCheck %s --check-prefix=INDEX
// RUN: interpret-program %t/extent.mlir | FileCheck %s --check-prefix=EXTENT
// RUN: interpret-program %t/scale.mlir | FileCheck %s --check-prefix=SCALE
// RUN: interpret-program %t/rooted.mlir | FileCheck %s --check-prefix=ROOTED
// RUN: interpret-program %t/uneven.mlir | FileCheck %s --check-prefix=UNEVEN

//--- index.mlir
dtensor.mesh @m ["x" = 2, "y" = 3]

#both = #dtensor.layout<@m, ["x" = shard(0), "y" = shard(0)]>

// "y" major: ranks (x, y) in row-major order stand at 0 2 4 1 3 5.
// INDEX: result0: 6 i64: 0 2 4 1 3 5
// INDEX: result1: 6 i64: 0 0 0 1 1 1
func.func @main()
    -> (tensor<1xi64> {dtensor.global_type = tensor<6xi64>, dtensor.layout = #both},
        tensor<1xi64> {dtensor.global_type = tensor<6xi64>, dtensor.layout = #both}) {
  %i = comm.axis_index over @m["y", "x"] : index
  %x = comm.axis_index over @m["x"] : index
  %a = arith.index_cast %i : index to i64
  %b = arith.index_cast %x : index to i64
  %0 = tensor.splat %a : tensor<1xi64>
  %1 = tensor.splat %b : tensor<1xi64>
  return %0, %1 : tensor<1xi64>, tensor<1xi64>
}

//--- extent.mlir
dtensor.mesh @m ["x" = 4]

// torch.chunk: 5 elements on 4 ranks are 2, 2, 1, 0.
// EXTENT: result0: 4 i64: 2 2 1 0
func.func @main()
    -> (tensor<1xi64> {dtensor.global_type = tensor<4xi64>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>}) {
  %n = comm.local_extent 5 over @m["x"] : index
  %a = arith.index_cast %n : index to i64
  %0 = tensor.splat %a : tensor<1xi64>
  return %0 : tensor<1xi64>
}

//--- scale.mlir
dtensor.mesh @m ["x" = 4]

// Contributions 0 1 2 3: to a sum 6, to an average 1.5.
// SCALE: result0: 1 f32: 6
// SCALE: result1: 1 f32: 1.5
func.func @main(%a: tensor<1xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>})
    -> (tensor<1xf32> {dtensor.global_type = tensor<1xf32>, dtensor.layout = #dtensor.layout<@m, []>},
        tensor<1xf32> {dtensor.global_type = tensor<1xf32>, dtensor.layout = #dtensor.layout<@m, []>}) {
  %average = comm.scale sum %a over @m["x"] : tensor<1xf32>
  %0 = comm.all_reduce avg %average over @m["x"] : tensor<1xf32>
  %sum = comm.scale avg %a over @m["x"] : tensor<1xf32>
  %1 = comm.all_reduce sum %sum over @m["x"] : tensor<1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1xf32>
}

//--- rooted.mlir
dtensor.mesh @m ["x" = 2, "y" = 2]

#all = #dtensor.layout<@m, ["x" = shard(0), "y" = shard(0)]>

// Rank r holds 2r 2r+1; groups are ranks 0 1 and ranks 2 3.
// ROOTED: result0: 8 i32: 2 3 2 3 6 7 6 7
// ROOTED: result1: 8 i32: 2 4 0 0 10 12 0 0
// ROOTED: result2: 4 i32: 2 3 6 7
// ROOTED: result3: 16 i32: 0 0 0 0 0 1 2 3 0 0 0 0 4 5 6 7
// Over both axes: of rank 2, the root at 2.
// ROOTED: result4: 8 i32: 4 5 4 5 4 5 4 5
func.func @main(%a: tensor<2xi32> {dtensor.global_type = tensor<8xi32>, dtensor.layout = #all})
    -> (tensor<2xi32> {dtensor.global_type = tensor<8xi32>, dtensor.layout = #all},
        tensor<2xi32> {dtensor.global_type = tensor<8xi32>, dtensor.layout = #all},
        tensor<1xi32> {dtensor.global_type = tensor<4xi32>, dtensor.layout = #all},
        tensor<4xi32> {dtensor.global_type = tensor<16xi32>, dtensor.layout = #all},
        tensor<2xi32> {dtensor.global_type = tensor<8xi32>, dtensor.layout = #all}) {
  %0 = comm.broadcast %a root 1 over @m["y"] : tensor<2xi32>
  %1 = comm.reduce sum %a root 0 over @m["y"] : tensor<2xi32>
  %2 = comm.scatter %a root 1 over @m["y"] dim 0 : tensor<2xi32> -> tensor<1xi32>
  %3 = comm.gather %a root 1 over @m["y"] dim 0 : tensor<2xi32> -> tensor<4xi32>
  %4 = comm.broadcast %a root 2 over @m["x", "y"] : tensor<2xi32>
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<2xi32>, tensor<1xi32>, tensor<4xi32>, tensor<2xi32>
}

//--- uneven.mlir
dtensor.mesh @m ["x" = 2]

#chunks = #dtensor.layout<@m, ["x" = shard(0)]>
#whole = #dtensor.layout<@m, []>

// 3 elements as 2 and 1. The root of the gather is rank 1, which gives them out
// again; the sum over ranks shows that rank 0 had zeros.
// UNEVEN: result0: 3 i32: 0 1 2
// UNEVEN: result1: 3 i32: 0 1 2
func.func @main(%a: tensor<?xi32> {dtensor.global_type = tensor<3xi32>, dtensor.layout = #chunks})
    -> (tensor<?xi32> {dtensor.global_type = tensor<3xi32>, dtensor.layout = #chunks},
        tensor<3xi32> {dtensor.global_type = tensor<3xi32>, dtensor.layout = #whole}) {
  %0 = comm.gather %a root 1 over @m["x"] dim 0 : tensor<?xi32> -> tensor<3xi32> of [3] from #chunks to #whole
  %1 = comm.scatter %0 root 1 over @m["x"] dim 0 : tensor<3xi32> -> tensor<?xi32> of [3] from #whole to #chunks
  %2 = comm.all_reduce sum %0 over @m["x"] : tensor<3xi32>
  return %1, %2 : tensor<?xi32>, tensor<3xi32>
}
