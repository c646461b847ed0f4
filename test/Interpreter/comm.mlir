// Collectives on all ranks: inputs and results are global tensors, cut and put
// together as their layouts say. Answers by hand.
// RUN: split-file %s %t
// RUN: interpret-program %t/moves.mlir | FileCheck %s --check-prefix=MOVES
// RUN: interpret-program %t/reductions.mlir | FileCheck %s --check-prefix=REDUCTIONS
// RUN: interpret-program %t/partial.mlir | FileCheck %s --check-prefix=PARTIAL
// RUN: interpret-program %t/two-axes.mlir | FileCheck %s --check-prefix=AXES
// RUN: interpret-program %t/small-floats.mlir | FileCheck %s --check-prefix=SMALL

//--- moves.mlir
dtensor.mesh @m ["x" = 2]

// Rank 0 holds 0 1 2 3, rank 1 holds 4 5 6 7, as 2x2 each.
// MOVES: result0: 4x2 i32: 0 1 2 3 4 5 6 7
// MOVES: result1: 4x2 i32: 0 1 2 3 4 5 6 7
// MOVES: result2: 4x2 i32: 0 1 2 3 4 5 6 7
// MOVES: result3: 4x2 i32: 0 1 2 3 4 5 6 7
func.func @main(%a: tensor<2x2xi32> {dtensor.global_type = tensor<4x2xi32>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>})
    -> (tensor<4x2xi32> {dtensor.global_type = tensor<4x2xi32>, dtensor.layout = #dtensor.layout<@m, []>},
        tensor<4x1xi32> {dtensor.global_type = tensor<4x2xi32>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(1)]>},
        tensor<2x2xi32> {dtensor.global_type = tensor<4x2xi32>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>},
        tensor<4x1xi32> {dtensor.global_type = tensor<4x2xi32>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(1)]>}) {
  %0 = comm.all_gather %a over @m["x"] dim 0 : tensor<2x2xi32> -> tensor<4x2xi32>
  %1 = comm.all_to_all %a over @m["x"] split 1 concat 0 : tensor<2x2xi32> -> tensor<4x1xi32>
  %2 = comm.slice %0 over @m["x"] dim 0 : tensor<4x2xi32> -> tensor<2x2xi32>
  %3 = comm.exchange %a over @m["x"] : tensor<2x2xi32> -> tensor<4x1xi32> of [4, 2]
         from #dtensor.layout<@m, ["x" = shard(0)]> to #dtensor.layout<@m, ["x" = shard(1)]>
  return %0, %1, %2, %3 : tensor<4x2xi32>, tensor<4x1xi32>, tensor<2x2xi32>, tensor<4x1xi32>
}

//--- reductions.mlir
dtensor.mesh @m ["x" = 4]

// The columns of 0..7 as 2x4, combined; each is one contribution.
// REDUCTIONS: result0: 2x1 f32: 6 22
// REDUCTIONS: result1: 2x1 f32: 0 4
// REDUCTIONS: result2: 2x1 f32: 3 7
// REDUCTIONS: result3: 2x1 f32: 0 840
// REDUCTIONS: result4: 2x1 f32: 1.5 5.5
// REDUCTIONS: result5: 4x1 f32: 0 840 8 8
func.func @main(%a: tensor<2x1xf32> {dtensor.global_type = tensor<2x4xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(1)]>})
    -> (tensor<2x1xf32> {dtensor.global_type = tensor<2x1xf32>, dtensor.layout = #dtensor.layout<@m, []>},
        tensor<2x1xf32> {dtensor.global_type = tensor<2x1xf32>, dtensor.layout = #dtensor.layout<@m, []>},
        tensor<2x1xf32> {dtensor.global_type = tensor<2x1xf32>, dtensor.layout = #dtensor.layout<@m, []>},
        tensor<2x1xf32> {dtensor.global_type = tensor<2x1xf32>, dtensor.layout = #dtensor.layout<@m, []>},
        tensor<2x1xf32> {dtensor.global_type = tensor<2x1xf32>, dtensor.layout = #dtensor.layout<@m, []>},
        tensor<1x1xf32> {dtensor.global_type = tensor<4x1xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>}) {
  %0 = comm.all_reduce sum %a over @m["x"] : tensor<2x1xf32>
  %1 = comm.all_reduce min %a over @m["x"] : tensor<2x1xf32>
  %2 = comm.all_reduce max %a over @m["x"] : tensor<2x1xf32>
  %3 = comm.all_reduce product %a over @m["x"] : tensor<2x1xf32>
  %4 = comm.all_reduce avg %a over @m["x"] : tensor<2x1xf32>
  // Each rank's two products, then two times two: sums over the ranks, cut.
  %two = arith.constant dense<2.0> : tensor<2x1xf32>
  %quarter = arith.constant dense<0.25> : tensor<2x1xf32>
  %part = arith.mulf %3, %quarter : tensor<2x1xf32>
  %long = tensor.concat dim(0) %part, %two : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<4x1xf32>
  %5 = comm.reduce_scatter sum %long over @m["x"] dim 0 : tensor<4x1xf32> -> tensor<1x1xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<1x1xf32>
}

//--- partial.mlir
dtensor.mesh @m ["x" = 2]

// What is made partial comes back when it is reduced, here or by the reader.
// PARTIAL: result0: 4 f32: 0 1 2 3
// PARTIAL: result1: 4 f32: 0 1 2 3
// PARTIAL: result2: 4 f32: 0 1 2 3
// PARTIAL: result3: 4 f32: 0 1 2 3
// PARTIAL: result4: 4 f32: 0 2 4 6
// PARTIAL: result5: 2 i1: 0 -1
func.func @main(%whole: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, []>},
                %shard: tensor<2xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>},
                %sum: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = partial(sum)]>},
                %any: tensor<2xi1> {dtensor.global_type = tensor<2xi1>, dtensor.layout = #dtensor.layout<@m, ["x" = partial(bor)]>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = partial(sum)]>},
        tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = partial(sum)]>},
        tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = partial(max)]>},
        tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, []>},
        tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@m, ["x" = partial(sum)]>},
        tensor<2xi1> {dtensor.global_type = tensor<2xi1>, dtensor.layout = #dtensor.layout<@m, []>}) {
  %0 = comm.to_partial sum %whole over @m["x"] : tensor<4xf32> -> tensor<4xf32>
  %1 = comm.to_partial sum %shard over @m["x"] dim 0 : tensor<2xf32> -> tensor<4xf32>
  %2 = comm.to_partial max %shard over @m["x"] dim 0 : tensor<2xf32> -> tensor<4xf32>
  %3 = comm.all_reduce sum %sum over @m["x"] : tensor<4xf32>
  %4 = arith.addf %sum, %sum : tensor<4xf32>
  %5 = comm.all_reduce bor %any over @m["x"] : tensor<2xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xi1>
}

//--- two-axes.mlir
dtensor.mesh @m ["x" = 2, "y" = 4] devices = [7, 6, 5, 4, 3, 2, 1, 0]

// Ranks in another order, half an axis, both axes on one dimension.
// AXES: result0: 8 i64: 0 1 2 3 4 5 6 7
// AXES: result1: 8 i64: 0 1 2 3 4 5 6 7
// AXES: result2: 2 i64: 12 16
func.func @main(%a: tensor<1xi64> {dtensor.global_type = tensor<8xi64>, dtensor.layout = #dtensor.layout<@m, ["y" = shard(0), "x" = shard(0)]>})
    -> (tensor<4xi64> {dtensor.global_type = tensor<8xi64>, dtensor.layout = #dtensor.layout<@m, ["y":(1)2 = shard(0)]>},
        tensor<1xi64> {dtensor.global_type = tensor<8xi64>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(0), "y" = shard(0)]>},
        tensor<1xi64> {dtensor.global_type = tensor<2xi64>, dtensor.layout = #dtensor.layout<@m, ["x" = shard(0)]>}) {
  %0 = comm.all_gather %a over @m["y":(2)2, "x"] dim 0 : tensor<1xi64> -> tensor<4xi64>
  %1 = comm.exchange %a over @m["x", "y"] permute : tensor<1xi64> -> tensor<1xi64> of [8]
         from #dtensor.layout<@m, ["y" = shard(0), "x" = shard(0)]> to #dtensor.layout<@m, ["x" = shard(0), "y" = shard(0)]>
  %2 = comm.all_reduce sum %a over @m["y"] : tensor<1xi64>
  return %0, %1, %2 : tensor<4xi64>, tensor<1xi64>, tensor<1xi64>
}

//--- small-floats.mlir
dtensor.mesh @m ["x" = 4]

// 256 + 1 + 1 + 1 in bf16: summed in f32 and rounded once to 260, where one by
// one it would stay at 256. As integers of 8 bits 100 + 100 + 100 + 100 = 144.
// SMALL: result0: 1 bf16: 260
// SMALL: result1: 1 i8: -112
func.func @main() -> (tensor<1xbf16>, tensor<1xi8>) {
  %values = arith.constant dense<[256.0, 1.0, 1.0, 1.0]> : tensor<4xbf16>
  %mine = comm.slice %values over @m["x"] dim 0 : tensor<4xbf16> -> tensor<1xbf16>
  %0 = comm.all_reduce sum %mine over @m["x"] : tensor<1xbf16>
  %hundred = arith.constant dense<100> : tensor<1xi8>
  %1 = comm.all_reduce sum %hundred over @m["x"] : tensor<1xi8>
  return %0, %1 : tensor<1xbf16>, tensor<1xi8>
}
