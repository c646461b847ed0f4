// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s
//
// Reshapes of sharded tensors: cases by number (README.md), of pytorch/pytorch
// and, from `shardy` on, of Shardy and what is built on it. Layouts are chunks,
// and parts of axes; strided shards are not among them.

dtensor.mesh @two ["x" = 2]
dtensor.mesh @four ["x" = 4]
dtensor.mesh @eight ["x" = 8]
dtensor.mesh @square ["x" = 2, "y" = 2]
dtensor.mesh @six ["x" = 2, "y" = 3]

// 179502: 12x8 in columns, seen as 16x6: the view was said to lie in rows, with
// what the ranks had. Data have to move: each rank receives three quarters of its
// 24 elements from the others.
// RUN: %python %S/Inputs/run.py %s case_179502 %t 'a=arange(96.).reshape(12, 8)' 'result0=a.reshape(16, 6)' received=72
// CHECK-LABEL: func.func @case_179502
// CHECK-NEXT: comm.all_to_all %arg0 over @four["x"] split 0 concat 1 : tensor<12x2xf32> -> tensor<3x8xf32>
// CHECK-NOT: comm.
// CHECK: return %{{.*}} : tensor<4x6xf32>
func.func @case_179502(%a: tensor<12x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>})
    -> (tensor<16x6xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<12x8xf32> into tensor<96xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [16, 6] : tensor<96xf32> into tensor<16x6xf32>
  return %1 : tensor<16x6xf32>
}

// 179509: the second of three dimensions joined with the first, whose minor part
// it is. Without strided shards it is brought whole over its axis, no other.
// RUN: %python %S/Inputs/run.py %s case_179509 %t 'a=arange(64.).reshape(4, 4, 4)' 'result0=a.reshape(8, 8)' received=128
// CHECK-LABEL: func.func @case_179509
// CHECK-NEXT: comm.all_gather %arg0 over @six["x"] dim 1
// CHECK-NOT: comm.
func.func @case_179509(%a: tensor<4x4x4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@six, ["x" = shard(1)]>})
    -> tensor<8x8xf32> {
  %0 = tensor.collapse_shape %a [[0, 1, 2]] : tensor<4x4x4xf32> into tensor<64xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// 186282: a sequence sharded by two axes, joined with the batch and split again:
// wrong local shapes and gradients. One reshape undoes the other.
// RUN: %python %S/Inputs/run.py %s case_186282 %t 'a=arange(48.).reshape(3, 8, 2)' 'result0=a + 1' 'result1=a'
// RUN: %python %S/Inputs/run.py %s case_186282_major %t 'a=arange(48.).reshape(8, 3, 2)' 'result0=a + 1' received=0
// CHECK-LABEL: func.func @case_186282(
// CHECK-SAME: %arg0: tensor<3x2x2xf32>
func.func @case_186282(%a: tensor<3x8x2xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@square, ["x" = shard(1), "y" = shard(1)]>})
    -> (tensor<3x8x2xf32>, tensor<3x8x2xf32>) {
  %one = arith.constant dense<1.0> : tensor<24x2xf32>
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<3x8x2xf32> into tensor<24x2xf32>
  %1 = arith.addf %0, %one : tensor<24x2xf32>
  %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [3, 8, 2] : tensor<24x2xf32> into tensor<3x8x2xf32>
  %3 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [3, 8, 2] : tensor<24x2xf32> into tensor<3x8x2xf32>
  return %2, %3 : tensor<3x8x2xf32>, tensor<3x8x2xf32>
}
// With the sequence first nothing moves, and both axes stay.
// CHECK-LABEL: func.func @case_186282_major(
// CHECK-SAME: -> (tensor<2x3x2xf32> {{.*}}["x" = shard(0), "y" = shard(0)]>})
// CHECK-NOT: comm.
func.func @case_186282_major(%a: tensor<8x3x2xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(0)]>})
    -> tensor<8x3x2xf32> {
  %one = arith.constant dense<1.0> : tensor<24x2xf32>
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<8x3x2xf32> into tensor<24x2xf32>
  %1 = arith.addf %0, %one : tensor<24x2xf32>
  %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [8, 3, 2] : tensor<24x2xf32> into tensor<8x3x2xf32>
  return %2 : tensor<8x3x2xf32>
}

// 143372: six rows on four ranks are 2, 2, 2 and 0; flattening them crashed on
// some ranks and left the others waiting. All do the same here.
// RUN: %python %S/Inputs/run.py %s case_143372 %t 'a=arange(1536.).reshape(6, 256)' 'result0=a.reshape(1536)'
// CHECK-LABEL: func.func @case_143372
// CHECK-NEXT: comm.all_gather %arg0 over @four["x"] dim 0 : tensor<?x256xf32> -> tensor<6x256xf32> of [6, 256]
// CHECK-NEXT: tensor.collapse_shape
func.func @case_143372(%a: tensor<6x256xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> tensor<1536xf32> {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<6x256xf32> into tensor<1536xf32>
  return %0 : tensor<1536xf32>
}

// 165600: rows and columns sharded, then flattened: refused. Without strided
// shards the columns come whole, and the rows stay where they are.
// RUN: %python %S/Inputs/run.py %s case_165600 %t 'a=arange(2048.).reshape(8, 256)' 'result0=a.reshape(2048)' received=2048
// CHECK-LABEL: func.func @case_165600
// CHECK-SAME: -> (tensor<1024xf32> {{.*}}["x" = shard(0)]>})
// CHECK-NEXT: comm.all_gather %arg0 over @square["y"] dim 1
// CHECK-NOT: comm.
func.func @case_165600(%a: tensor<8x256xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(1)]>})
    -> tensor<2048xf32> {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<8x256xf32> into tensor<2048xf32>
  return %0 : tensor<2048xf32>
}

// 161578: a linear layer of a sharded sequence failed, because it was flattened
// first. As the contraction that it is, it needs no communication.
// RUN: %python %S/Inputs/run.py %s case_161578 %t 'a=arange(64.).reshape(2, 8, 4)' 'w=arange(24.).reshape(4, 6)' 'result0=a @ w' received=0
// CHECK-LABEL: func.func @case_161578
// CHECK-SAME: -> (tensor<2x4x6xf32> {{.*}}["x" = shard(1)]>})
// CHECK-NOT: comm.
func.func @case_161578(%a: tensor<2x8x4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
                       %w: tensor<4x6xf32> {dtensor.name = "w"}) -> tensor<2x8x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x8x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, s, e, d) -> (b, s, d)>, affine_map<(b, s, e, d) -> (d, e)>, affine_map<(b, s, e, d) -> (b, s, e)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<2x8x4xf32>, tensor<4x6xf32>) outs(%zero : tensor<2x8x6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x8x6xf32>
  return %0 : tensor<2x8x6xf32>
}

// 135054: a view of a tensor as what it is replicated it behind one's back. It
// stays sharded, one row on two ranks or not.
// RUN: %python %S/Inputs/run.py %s case_135054 %t 'a=array([[3., 4]])' 'result0=a' received=0
// CHECK-LABEL: func.func @case_135054
// CHECK-SAME: -> (tensor<?x2xf32> {{.*}}["x" = shard(0)]>})
// CHECK-NEXT: return %arg0
func.func @case_135054(%a: tensor<1x2xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>})
    -> tensor<1x2xf32> {
  %shape = arith.constant dense<[1, 2]> : tensor<2xi32>
  %0 = tensor.reshape %a(%shape) : (tensor<1x2xf32>, tensor<2xi32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// 163320: one row on four ranks, repeated four times: ranks without a row made
// none. All four rows are the first rank's.
// RUN: %python %S/Inputs/run.py %s case_163320 %t 'a=arange(4.).reshape(1, 4)' 'result0=broadcast_to(a, (4, 4))'
// RUN: %python %S/Inputs/run.py %s case_163320_sharded %t 'a=arange(4.).reshape(1, 4)' 'result0=broadcast_to(a, (4, 4))' received=16
// CHECK-LABEL: func.func @case_163320(
// CHECK-SAME: %arg0: tensor<?x4xf32>
func.func @case_163320(%a: tensor<1x4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  %1 = linalg.broadcast ins(%0 : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  return %1 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @case_163320_sharded(
// CHECK-SAME: -> (tensor<1x4xf32> {
func.func @case_163320_sharded(%a: tensor<1x4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> (tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  %1 = linalg.broadcast ins(%0 : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  return %1 : tensor<4x4xf32>
}

// shardy 3: a batch split into micro-batches, with an all-to-all and permutes.
// Free where the axis is split as the dimension is; where the user asks for all
// of it on the second dimension, one step of exactly what is missing: two
// rows of 2048 numbers for the ranks that have neither.
// RUN: %python %S/Inputs/run.py %s shardy_3 %t 'a=arange(16384.).reshape(8, 2048)' 'result0=a.reshape(2, 4, 2048)' received=0
// RUN: %python %S/Inputs/run.py %s shardy_3_asked %t 'a=arange(16384.).reshape(8, 2048)' 'result0=a.reshape(2, 4, 2048)' received=16384
// CHECK-LABEL: func.func @shardy_3(
// CHECK-SAME: -> (tensor<1x2x2048xf32> {{.*}}["x":(1)2 = shard(0), "x":(2)2 = shard(1)]>})
// CHECK-NOT: comm.
func.func @shardy_3(%a: tensor<8x2048xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> tensor<2x4x2048xf32> {
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 4, 2048] : tensor<8x2048xf32> into tensor<2x4x2048xf32>
  return %0 : tensor<2x4x2048xf32>
}
// CHECK-LABEL: func.func @shardy_3_asked(
// CHECK: comm.{{all_to_all|exchange}}
// CHECK-NOT: comm.
func.func @shardy_3_asked(%a: tensor<8x2048xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> (tensor<2x4x2048xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>}) {
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 4, 2048] : tensor<8x2048xf32> into tensor<2x4x2048xf32>
  return %0 : tensor<2x4x2048xf32>
}

// shardy 32: eight ranks on 1024, seen as 4x256: four on the first, two on the
// second. Whoever cannot run parts of axes asks for a layout without, and gets
// the rest whole.
// RUN: %python %S/Inputs/run.py %s shardy_32 %t 'a=arange(98304.).reshape(8, 12, 1024)' 'result0=a.reshape(8, 12, 4, 256)' received=0
// CHECK-LABEL: func.func @shardy_32(
// CHECK-SAME: -> (tensor<8x12x1x128xf32> {{.*}}["x":(1)4 = shard(2), "x":(4)2 = shard(3)]>})
// CHECK-NOT: comm.
func.func @shardy_32(%a: tensor<8x12x1024xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@eight, ["x" = shard(2)]>})
    -> tensor<8x12x4x256xf32> {
  %0 = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [8, 12, 4, 256] : tensor<8x12x1024xf32> into tensor<8x12x4x256xf32>
  return %0 : tensor<8x12x4x256xf32>
}

// shardy 33: four ranks on 30720, seen as 6x5120: the two sides counted other
// numbers of local elements. Half of the ranks' axis fits on 6, the other half
// is gathered: three rows of 7680 numbers.
// RUN: %python %S/Inputs/run.py %s shardy_33 %t 'a=arange(92160.).reshape(3, 30720)' 'result0=a.reshape(3, 6, 5120)' received=92160
// CHECK-LABEL: func.func @shardy_33(
// CHECK-NEXT: %[[G:.*]] = comm.all_gather %arg0 over @four["x":(2)2] dim 1 : tensor<3x7680xf32> -> tensor<3x15360xf32>
// CHECK-NEXT: tensor.expand_shape %[[G]] {{.*}} : tensor<3x15360xf32> into tensor<3x3x5120xf32>
// CHECK-NOT: comm.
func.func @shardy_33(%a: tensor<3x30720xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>})
    -> (tensor<3x6x5120xf32> {dtensor.layout = #dtensor.layout<@four, ["x":(1)2 = shard(1)]>}) {
  %0 = tensor.expand_shape %a [[0], [1, 2]] output_shape [3, 6, 5120] : tensor<3x30720xf32> into tensor<3x6x5120xf32>
  return %0 : tensor<3x6x5120xf32>
}
// Where the result is left open all of it is gathered (README.md), but what the
// ranks hold is right.
// RUN: %python %S/Inputs/run.py %s shardy_33_open %t 'a=arange(92160.).reshape(3, 30720)' 'result0=a.reshape(3, 6, 5120)'
// CHECK-LABEL: func.func @shardy_33_open(
func.func @shardy_33_open(%a: tensor<3x30720xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>})
    -> tensor<3x6x5120xf32> {
  %0 = tensor.expand_shape %a [[0], [1, 2]] output_shape [3, 6, 5120] : tensor<3x30720xf32> into tensor<3x6x5120xf32>
  return %0 : tensor<3x6x5120xf32>
}
