// RUN: dtensor-compile %s --entry shardy_1 --emit=local | FileCheck %s --check-prefix=ONE
// RUN: dtensor-compile %s --entry shardy_17 --emit=local | FileCheck %s --check-prefix=PARTIAL
// RUN: dtensor-compile %s --entry shardy_19 --emit=local | FileCheck %s --check-prefix=REDUCED
// RUN: dtensor-compile %s --entry shardy_20 --emit=local | FileCheck %s --check-prefix=SINGLE
// RUN: dtensor-compile %s --entry shardy_22 --emit=local | FileCheck %s --check-prefix=MANUAL
// RUN: dtensor-compile %s --entry shardy_38 --emit=local | FileCheck %s --check-prefix=SCATTER
//
// Some of the cases of known-shardy.mlir, which says what went wrong, in the
// dialects that they come from.

sdy.mesh @two = <["x"=2]>
sdy.mesh @four = <["x"=4]>
sdy.mesh @square = <["x"=2, "y"=2]>
sdy.mesh @board = <["x"=4, "y"=2]>
sdy.mesh @single = <["data"=1, "tensor"=4]>
sdy.mesh @cube = <["a"=2, "b"=2, "c"=2]>

// RUN: %python %S/Inputs/run.py %s shardy_1 %t 'arg0=arange(4096.).reshape(16, 16, 16)' 'result0=arg0' received=1792
// ONE: func.func @shardy_1(%arg0: tensor<8x16x4xf32>
// ONE-NEXT: comm.exchange %arg0 over @board["x", "y"] : tensor<8x16x4xf32> -> tensor<16x2x16xf32>
// ONE-NEXT: return
func.func @shardy_1(%a: tensor<16x16x16xf32> {sdy.sharding = #sdy.sharding<@board, [{"y"}, {}, {"x"}]>})
    -> (tensor<16x16x16xf32> {sdy.sharding = #sdy.sharding<@board, [{}, {"x", "y"}, {}]>}) {
  return %a : tensor<16x16x16xf32>
}

// RUN: %python %S/Inputs/run.py %s shardy_14 %t 'arg0=arange(4.)' 'result0=array([3, 0, 1, 2])' 'result1=array([1, 2, 3, 0])'
func.func @shardy_14(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@four, [{"x"}]>})
    -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@four, [{"x"}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@four, [{"x"}]>}) {
  %last = stablehlo.slice %a [3:4] : (tensor<4xf32>) -> tensor<1xf32>
  %head = stablehlo.slice %a [0:3] : (tensor<4xf32>) -> tensor<3xf32>
  %0 = stablehlo.concatenate %last, %head, dim = 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
  %first = stablehlo.slice %a [0:1] : (tensor<4xf32>) -> tensor<1xf32>
  %tail = stablehlo.slice %a [1:4] : (tensor<4xf32>) -> tensor<3xf32>
  %1 = stablehlo.concatenate %tail, %first, dim = 0 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// RUN: %python %S/Inputs/run.py %s shardy_16 %t 'arg0=ones(4)' 'arg1=ones(12)' 'result0=ones(16)'
func.func @shardy_16(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@board, [{"x"}]>},
                     %b: tensor<12xf32> {sdy.sharding = #sdy.sharding<@board, [{"x"}]>})
    -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@board, [{"x"}]>}) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<12xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// RUN: %python %S/Inputs/run.py %s shardy_17 %t 'arg0=arange(24.).reshape(3, 8)' 'arg1=arange(40.).reshape(8, 5)' 'result0=arg0 @ arg1' received=0
// PARTIAL: func.func @shardy_17(
// PARTIAL-SAME: -> (tensor<3x5xf32> {{.*}}["x" = partial(sum), "y" = partial(sum)]>})
// PARTIAL-NOT: comm.
func.func @shardy_17(%a: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@square, [{}, {"x", "y"}]>},
                     %b: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@square, [{"x", "y"}, {}]>})
    -> (tensor<3x5xf32> {sdy.sharding = #sdy.sharding<@square, [{}, {}], unreduced={"x", "y"}>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// Right in value; that it is reduced first is in README.md.
// RUN: %python %S/Inputs/run.py %s shardy_18 %t 'arg0=arange(8.)' 'arg1=arg0 + 1' 'result0=arg0 @ arg1'
func.func @shardy_18(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@two, [{"x"}]>},
                     %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@two, [{"x"}]>})
    -> (tensor<f32> {sdy.sharding = #sdy.sharding<@two, [], unreduced={"x"}>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// RUN: %python %S/Inputs/run.py %s shardy_19 %t 'arg0=arange(24.).reshape(8, 3)' 'result0=arg0.sum(0)' received=0
// REDUCED: func.func @shardy_19(
// REDUCED-NOT: comm.
func.func @shardy_19(%a: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@two, [{"x"}, {}]>})
    -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@two, [{}], unreduced={"x"}>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// RUN: %python %S/Inputs/run.py %s shardy_20 %t 'arg0=arange(48.).reshape(2, 8, 3)' 'result0=arg0' received=0
// SINGLE: func.func @shardy_20(
// SINGLE-NEXT: return %arg0 : tensor<2x2x3xf32>
func.func @shardy_20(%a: tensor<2x8x3xf32> {sdy.sharding = #sdy.sharding<@single, [{"data"}, {"tensor"}, {}]>})
    -> (tensor<2x8x3xf32> {sdy.sharding = #sdy.sharding<@single, [{}, {"tensor"}, {}]>}) {
  return %a : tensor<2x8x3xf32>
}

// The third axis, which is not manual, replicates.
// RUN: %python %S/Inputs/run.py %s shardy_22 %t --local 'arg0=arange(48.).reshape(4, 6, 2)' 'result0=arg0[:2] + arg0[2:]'
// MANUAL: func.func @shardy_22(
// MANUAL-SAME: -> (tensor<2x3x2xf32> {{.*}}["b" = shard(1)]>})
// MANUAL: %[[S:.*]] = comm.all_reduce sum %{{.*}} over @cube["a"] : tensor<2x3x2xf32>
// MANUAL-NEXT: return %[[S]] : tensor<2x3x2xf32>
func.func @shardy_22(%a: tensor<4x6x2xf32> {sdy.sharding = #sdy.sharding<@cube, [{"a"}, {"b"}, {}]>}) -> tensor<2x6x2xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@cube, [{"a"}, {"b"}, {}]>] out_shardings=[<@cube, [{}, {"b"}, {}]>] manual_axes={"a", "b"} (%l: tensor<2x3x2xf32>) {
    %1 = "stablehlo.all_reduce"(%l) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    sdy.return %1 : tensor<2x3x2xf32>
  } : (tensor<4x6x2xf32>) -> tensor<2x6x2xf32>
  return %0 : tensor<2x6x2xf32>
}

// RUN: %python %S/Inputs/run.py %s shardy_38 %t 'arg0=arange(32.).reshape(4, 8)' 'arg1=arange(64.).reshape(8, 8)' 'result0=arg0 @ arg1' received=96
// SCATTER: %[[P:.*]] = linalg.matmul
// SCATTER-NEXT: comm.reduce_scatter sum %[[P]] over @four["x"] dim 1 : tensor<4x8xf32> -> tensor<4x2xf32>
// SCATTER-NEXT: return
func.func @shardy_38(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@four, [{}, {"x"}]>},
                     %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@four, [{"x"}, {}]>})
    -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@four, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
