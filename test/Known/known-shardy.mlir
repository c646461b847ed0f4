// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s
//
// Cases that users of Shardy, and of what is built on it, met: the numbers are
// those of README.md, which names the threads. Each says what went wrong, and
// what is right.
//
// shardy 45: propagation left values without a layout. Here every value, and
// every use of it, has one.
// RUN: %dtensor-opt %s --dtensor-inline-manual --dtensor-normalize --dtensor-propagate \
// RUN:   --dtensor-verify-stage=stage=laid-out --dtensor-insert-redistributions --dtensor-verify-stage=stage=explicit -o /dev/null

dtensor.mesh @two ["x" = 2]
dtensor.mesh @four ["x" = 4]
dtensor.mesh @eight ["x" = 8]
dtensor.mesh @twelve ["x" = 12]
dtensor.mesh @square ["x" = 2, "y" = 2]
dtensor.mesh @board ["x" = 4, "y" = 2]
dtensor.mesh @grid ["x" = 4, "y" = 3]
dtensor.mesh @single ["data" = 1, "tensor" = 4]
dtensor.mesh @cube ["a" = 2, "b" = 2, "c" = 2]
dtensor.mesh @odd ["a" = 2, "b" = 3, "c" = 2]

// shardy 1: moving two axes onto one dimension replicated the whole tensor. No rank
// ever holds more than its 512 elements before and after, and none receives more
// than the 448 that it lacks; two all-to-alls would be 640.
// RUN: %python %S/Inputs/run.py %s shardy_1 %t 'a=arange(4096.).reshape(16, 16, 16)' 'result0=a' received=1792
// CHECK-LABEL: func.func @shardy_1(
// CHECK-SAME: %arg0: tensor<8x16x4xf32>
// CHECK-NEXT: comm.exchange %arg0 over @board["x", "y"] : tensor<8x16x4xf32> -> tensor<16x2x16xf32>
// CHECK-NEXT: return
func.func @shardy_1(%a: tensor<16x16x16xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@board, ["y" = shard(0), "x" = shard(2)]>})
    -> (tensor<16x16x16xf32> {dtensor.layout = #dtensor.layout<@board, ["x" = shard(1), "y" = shard(1)]>}) {
  return %a : tensor<16x16x16xf32>
}

// shardy 4: a grouped convolution gathered the batch, which alone is sharded. Each
// rank has its images, and all of the kernel.
// RUN: %python %S/Inputs/run.py %s shardy_4 %t 'a=(arange(5184.) % 5).reshape(8, 9, 9, 4, 2)' 'k=(arange(216.) % 7).reshape(4, 3, 3, 3, 2)' 'result0=einsum("nhwgcij,gfijc->nhwgf", lib.stride_tricks.sliding_window_view(a, (3, 3), axis=(1, 2)), k)' received=0
// CHECK-LABEL: func.func @shardy_4(
// CHECK-NOT: comm.
// CHECK: linalg.conv_2d_nhwgc_gfhwc {{.*}} -> tensor<1x7x7x4x3xf32>
// CHECK-NOT: comm.
func.func @shardy_4(%a: tensor<8x9x9x4x2xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@eight, ["x" = shard(0)]>},
                    %k: tensor<4x3x3x3x2xf32> {dtensor.name = "k", dtensor.layout = #dtensor.layout<@eight, []>}) -> tensor<8x7x7x4x3xf32> {
  %z = arith.constant dense<0.0> : tensor<8x7x7x4x3xf32>
  %0 = linalg.conv_2d_nhwgc_gfhwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %k : tensor<8x9x9x4x2xf32>, tensor<4x3x3x3x2xf32>) outs(%z : tensor<8x7x7x4x3xf32>) -> tensor<8x7x7x4x3xf32>
  return %0 : tensor<8x7x7x4x3xf32>
}

// shardy 7: positions of 64 bits in a sharded dimension met the rank's number of 32,
// and nothing compiled. Both widths give the same.
// RUN: %python %S/Inputs/run.py %s shardy_7 %t 'a=arange(16.)' 'i=int64([[7], [0], [15], [4]])' 'j=int32(i)' 'result0=a[i[:, 0]]' 'result1=result0'
// RUN: %python %S/Inputs/run.py %s shardy_7_slice %t 'a=arange(16.)' 'result0=a[7:11]' 'result1=result0'
// CHECK-LABEL: func.func @shardy_7(
func.func @shardy_7(%a: tensor<16xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>},
                    %i: tensor<4x1xi64> {dtensor.name = "i", dtensor.layout = #dtensor.layout<@four, []>},
                    %j: tensor<4x1xi32> {dtensor.name = "j", dtensor.layout = #dtensor.layout<@four, []>})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = dtensor.gather dims [0] ins(%a, %i : tensor<16xf32>, tensor<4x1xi64>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = dtensor.gather dims [0] ins(%a, %j : tensor<16xf32>, tensor<4x1xi32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func @shardy_7_slice(%a: tensor<16xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %seven = arith.addi %three, %four : i64
  %o = arith.index_cast %seven : i64 to index
  %0 = tensor.extract_slice %a[%o] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %narrow = arith.trunci %seven : i64 to i32
  %p = arith.index_cast %narrow : i32 to index
  %1 = tensor.extract_slice %a[%p] [4] [1] : tensor<16xf32> to tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// shardy 8: of layers that lie one on a rank, one was wanted by all, and all were
// gathered. The values are right; see README.md for the bytes.
// RUN: %python %S/Inputs/run.py %s shardy_8 %t 'w=arange(256.).reshape(4, 64)' 'result0=w[2]'
// CHECK-LABEL: func.func @shardy_8(
func.func @shardy_8(%w: tensor<4x64xf32> {dtensor.name = "w", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> (tensor<64xf32> {dtensor.layout = #dtensor.layout<@four, []>}) {
  %0 = tensor.extract_slice %w[2, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<64xf32>
  return %0 : tensor<64xf32>
}

// shardy 9: what is written into one rank's layer was reduced for all. The values
// are right; see README.md for the bytes.
// RUN: %python %S/Inputs/run.py %s shardy_9 %t 'w=arange(256.).reshape(4, 64)' 'a=arange(8.).reshape(1, 8)' 'b=arange(512.).reshape(8, 64)' 'result0=concatenate([w[:2], a @ b, w[3:]])'
// CHECK-LABEL: func.func @shardy_9(
func.func @shardy_9(%w: tensor<4x64xf32> {dtensor.name = "w", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>},
                    %a: tensor<1x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>},
                    %b: tensor<8x64xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> (tensor<4x64xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) {
  %z = arith.constant dense<0.0> : tensor<1x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1x8xf32>, tensor<8x64xf32>) outs(%z : tensor<1x64xf32>) -> tensor<1x64xf32>
  %0 = tensor.insert_slice %p into %w[2, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// shardy 11: updates and the tensor that they are added to are sharded by one axis,
// but not alike: the sum was taken over the axis that shards the result. Each rank
// adds its updates to a contribution, and one reduce-scatter shares these out.
// RUN: %python %S/Inputs/run.py %s shardy_11 %t 't=arange(32.).reshape(8, 4)' 'i=array([[1], [1], [7], [0], [1], [9]])' 'u=arange(24.).reshape(6, 4)' 'result0=t + array([u[i[:, 0] == r].sum(0) for r in range(8)])' received=64
// CHECK-LABEL: func.func @shardy_11(
// CHECK: comm.to_partial sum %arg0 over @two["x"] dim 1 : tensor<8x2xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %[[P:.*]] = dtensor.scatter sum
// CHECK-NEXT: comm.reduce_scatter sum %[[P]] over @two["x"] dim 1 : tensor<8x4xf32> -> tensor<8x2xf32>
// CHECK-NOT: comm.
func.func @shardy_11(%t: tensor<8x4xf32> {dtensor.name = "t", dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
                     %i: tensor<6x1xi64> {dtensor.name = "i", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>},
                     %u: tensor<6x4xf32> {dtensor.name = "u", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>})
    -> (tensor<8x4xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>}) {
  %0 = dtensor.scatter sum dims [0] ins(%u, %i : tensor<6x4xf32>, tensor<6x1xi64>) outs(%t : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// shardy 12: a part written for one rank, inside a program that is sharded, stopped
// the compiler. It is left as it is, a gather that could be spared too.
// RUN: %python %S/Inputs/run.py %s shardy_12 %t --local 'a=arange(32.).reshape(8, 4)' 'result0=4 * a * a + a' received=64
// CHECK-LABEL: func.func @shardy_12(
// CHECK-NEXT: %[[B:.*]] = arith.addf %arg0, %arg0 : tensor<4x4xf32>
// CHECK-NEXT: %[[G:.*]] = comm.all_gather %[[B]] over @two["x"] dim 0 : tensor<4x4xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %[[D:.*]] = arith.mulf %[[G]], %[[G]] : tensor<8x4xf32>
// CHECK-NEXT: %[[S:.*]] = comm.slice %[[D]] over @two["x"] dim 0 : tensor<8x4xf32> -> tensor<4x4xf32>
// CHECK-NEXT: arith.addf %[[S]], %arg0 : tensor<4x4xf32>
// CHECK-NEXT: return
func.func @shardy_12(%a: tensor<8x4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>})
    -> (tensor<8x4xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>}) {
  %before = arith.addf %a, %a : tensor<8x4xf32>
  %0 = dtensor.manual(%before) in [#dtensor.layout<@two, ["x" = shard(0)]>] out [#dtensor.layout<@two, ["x" = shard(0)]>] : (tensor<8x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%l: tensor<4x4xf32>):
    %g = comm.all_gather %l over @two["x"] dim 0 : tensor<4x4xf32> -> tensor<8x4xf32>
    %d = arith.mulf %g, %g : tensor<8x4xf32>
    %s = comm.slice %d over @two["x"] dim 0 : tensor<8x4xf32> -> tensor<4x4xf32>
    dtensor.yield %s : tensor<4x4xf32>
  }
  %after = arith.addf %0, %a : tensor<8x4xf32>
  return %after : tensor<8x4xf32>
}

// shardy 13: the group of all ranks was written in a way that another compiler read
// as none, and the product stayed a contribution. The axis is named, and its two
// ranks are in the plan.
// RUN: %python %S/Inputs/run.py %s shardy_13 %t 'a=arange(32.).reshape(4, 8)' 'b=arange(48.).reshape(8, 6)' 'result0=a @ b' received=96
// RUN: dtensor-compile %s --entry shardy_13 --no-reference --emit=plan-json | FileCheck %s --check-prefix=GROUPS
// CHECK-LABEL: func.func @shardy_13(
// CHECK: comm.all_reduce sum %{{.*}} over @two["x"] : tensor<4x6xf32>
// CHECK-NOT: comm.
// GROUPS: "mesh": {
// GROUPS: "name": "x",
// GROUPS-NEXT: "size": 2
// GROUPS: "kind": "all_reduce",
// GROUPS-NEXT: "axes": [
// GROUPS-NEXT: "x"
func.func @shardy_13(%a: tensor<4x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
                     %b: tensor<8x6xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>})
    -> (tensor<4x6xf32> {dtensor.layout = #dtensor.layout<@two, []>}) {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %p : tensor<4x6xf32>
}

// shardy 14: turning a sharded vector by one place, either way, joined pieces that
// do not fit together. The values are right; see README.md for the bytes.
// RUN: %python %S/Inputs/run.py %s shardy_14 %t 'a=arange(4.)' 'result0=array([3, 0, 1, 2])' 'result1=array([1, 2, 3, 0])'
// CHECK-LABEL: func.func @shardy_14(
func.func @shardy_14(%a: tensor<4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> (tensor<4xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>},
        tensor<4xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) {
  %h = tensor.extract_slice %a[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %t = tensor.extract_slice %a[3] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %right = tensor.concat dim(0) %t, %h : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
  %h2 = tensor.extract_slice %a[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %t2 = tensor.extract_slice %a[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %left = tensor.concat dim(0) %t2, %h2 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %right, %left : tensor<4xf32>, tensor<4xf32>
}

// shardy 16: two sharded vectors of ones, joined, were twos, as replicas on the
// other axis were added up. Sixteen ones.
// RUN: %python %S/Inputs/run.py %s shardy_16 %t 'a=ones(4)' 'b=ones(12)' 'result0=ones(16)'
// CHECK-LABEL: func.func @shardy_16(
// CHECK-SAME: tensor<4xf32> {
// CHECK-NOT: comm.{{.*}}reduce
func.func @shardy_16(%a: tensor<4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@board, ["x" = shard(0)]>},
                     %b: tensor<12xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@board, ["x" = shard(0)]>})
    -> (tensor<16xf32> {dtensor.layout = #dtensor.layout<@board, ["x" = shard(0)]>}) {
  %0 = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<12xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// shardy 17: a contraction sharded by two axes, whose result is to stay partial over
// both, was refused. It is, in whatever order they are named.
// RUN: %python %S/Inputs/run.py %s shardy_17 %t 'a=arange(24.).reshape(8, 3)' 'b=arange(8.)' 'result0=b @ a' received=0
// CHECK-LABEL: func.func @shardy_17(
// CHECK-SAME: -> (tensor<3xf32> {{.*}}["x" = partial(sum), "y" = partial(sum)]>})
// CHECK-NOT: comm.
func.func @shardy_17(%a: tensor<8x3xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(0)]>},
                     %b: tensor<8xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(0)]>})
    -> (tensor<3xf32> {dtensor.layout = #dtensor.layout<@square, ["y" = partial(sum), "x" = partial(sum)]>}) {
  %z = arith.constant dense<0.0> : tensor<3xf32>
  %0 = linalg.vecmat ins(%b, %a : tensor<8xf32>, tensor<8x3xf32>) outs(%z : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// shardy 18: a product of two vectors lost that it is partial, as it has no
// dimension.
// RUN: %python %S/Inputs/run.py %s shardy_18 %t 'a=arange(8.)' 'b=a + 1' 'result0=a @ b' received=0
// CHECK-LABEL: func.func @shardy_18(
// CHECK-SAME: -> (tensor<f32> {{.*}}["x" = partial(sum)]>})
// CHECK-NOT: comm.
func.func @shardy_18(%a: tensor<8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>},
                     %b: tensor<8xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>})
    -> (tensor<f32> {dtensor.layout = #dtensor.layout<@two, ["x" = partial(sum)]>}) {
  %z = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.dot ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// shardy 19: a sum over a sharded dimension was reduced although the result is to
// stay partial.
// RUN: %python %S/Inputs/run.py %s shardy_19 %t 'a=arange(24.).reshape(8, 3)' 'result0=a.sum(0)' received=0
// CHECK-LABEL: func.func @shardy_19(
// CHECK-NOT: comm.
func.func @shardy_19(%a: tensor<8x3xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>})
    -> (tensor<3xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = partial(sum)]>}) {
  %z = arith.constant dense<0.0> : tensor<3xf32>
  %0 = linalg.reduce {arith.addf} ins(%a : tensor<8x3xf32>) outs(%z : tensor<3xf32>) dimensions = [0]
  return %0 : tensor<3xf32>
}

// shardy 20: an axis of one rank made equal layouts differ. There is nothing to do
// between them.
// RUN: %python %S/Inputs/run.py %s shardy_20 %t 'a=arange(48.).reshape(2, 8, 3)' 'result0=a' received=0
// CHECK-LABEL: func.func @shardy_20(
// CHECK-SAME: #dtensor.layout<@single, ["tensor" = shard(1)]>
// CHECK-SAME: #dtensor.layout<@single, ["tensor" = shard(1)]>
// CHECK-NEXT: return %arg0 : tensor<2x2x3xf32>
func.func @shardy_20(%a: tensor<2x8x3xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@single, ["data" = shard(0), "tensor" = shard(1)]>})
    -> (tensor<2x8x3xf32> {dtensor.layout = #dtensor.layout<@single, ["tensor" = shard(1)]>}) {
  return %a : tensor<2x8x3xf32>
}

// shardy 21: at the border of a part of the program a layout named fewer axes than on
// both sides, and values were gathered and cut again. Where the border is open,
// nothing moves.
// RUN: %python %S/Inputs/run.py %s shardy_21 %t 'a=ones((8, 3))' 'result0=exp(tanh(a))' received=0
// CHECK-LABEL: func.func @shardy_21(
// CHECK-NEXT: comm.slice %arg0 over @square["y"] dim 0
// CHECK-NEXT: math.tanh
// CHECK-NEXT: math.exp %{{.*}} : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @shardy_21(%a: tensor<8x3xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@square, ["x" = shard(0)]>})
    -> (tensor<8x3xf32> {dtensor.layout = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(0)]>}) {
  %in = dtensor.constrain %a : tensor<8x3xf32> to #dtensor.layout<@square, ["x" = shard(0), "y" = shard(0)]>
  %t = math.tanh %in : tensor<8x3xf32>
  %o = dtensor.constrain %t : tensor<8x3xf32> to #dtensor.layout<@square, ["x" = shard(0), ...]>
  %r = math.exp %o : tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}

// shardy 22: a part written for one rank, summed over one axis and sharded by
// another, failed beside a third one. Its result is local.
// RUN: %python %S/Inputs/run.py %s shardy_22 %t --local 'a=arange(48.).reshape(4, 6, 2)' 'result0=a[:2] + a[2:]' received=24
// CHECK-LABEL: func.func @shardy_22(
// CHECK-NEXT: %[[S:.*]] = comm.all_reduce sum %arg0 over @cube["a"] : tensor<2x3x1xf32>
// CHECK-NEXT: return %[[S]] : tensor<2x3x1xf32>
func.func @shardy_22(
    %a: tensor<4x6x2xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@cube, ["a" = shard(0), "b" = shard(1), "c" = shard(2)]>})
    -> tensor<2x6x2xf32> {
  %0 = dtensor.manual(%a) in [#dtensor.layout<@cube, ["a" = shard(0), "b" = shard(1), "c" = shard(2)]>] out [#dtensor.layout<@cube, ["b" = shard(1), "c" = shard(2)]>] : (tensor<4x6x2xf32>) -> tensor<2x6x2xf32> {
  ^bb0(%l: tensor<2x3x1xf32>):
    %s = comm.all_reduce sum %l over @cube["a"] : tensor<2x3x1xf32>
    dtensor.yield %s : tensor<2x3x1xf32>
  }
  return %0 : tensor<2x6x2xf32>
}

// shardy 24: the normalisation of a batch had no rule. Its channels are those of the
// four vectors, and everything else is its own.
// RUN: %python %S/Inputs/run.py %s shardy_24 %t 'a=arange(48.).reshape(4, 6, 2)' 'scale=arange(6.)' 'offset=scale + 1' 'mean=scale + 2' 'var=scale + 3' 'result0=(a - mean[:, None]) / sqrt(var + 1e-3)[:, None] * scale[:, None] + offset[:, None]' received=0
// CHECK-LABEL: func.func @shardy_24(
// CHECK-SAME: -> (tensor<2x3x2xf32> {
// CHECK-NOT: comm.
func.func @shardy_24(%a: tensor<4x6x2xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(1)]>},
                     %scale : tensor<6xf32> {dtensor.name = "scale"},
                     %offset : tensor<6xf32> {dtensor.name = "offset"},
                     %mean : tensor<6xf32> {dtensor.name = "mean"},
                     %var : tensor<6xf32> {dtensor.name = "var"}) -> tensor<4x6x2xf32> {
  %e = tensor.empty() : tensor<4x6x2xf32>
  %eps = arith.constant 1.0e-3 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (i, j, k)>],
     iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %scale, %offset, %mean, %var : tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<4x6x2xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32, %m: f32, %v: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %ve = arith.addf %v, %eps : f32
    %r = math.rsqrt %ve : f32
    %n = arith.mulf %d, %r : f32
    %ns = arith.mulf %n, %s : f32
    %y = arith.addf %ns, %o : f32
    linalg.yield %y : f32
  } -> tensor<4x6x2xf32>
  return %0 : tensor<4x6x2xf32>
}

// shardy 26: 6x4 by axes of 3, and of 2 and 2, was refused. Two by one, of whole
// axes.
// RUN: %python %S/Inputs/run.py %s shardy_26 %t 'a=zeros((6, 4))' 'result0=tanh(a)' received=0
// CHECK-LABEL: func.func @shardy_26(
// CHECK-SAME: %arg0: tensor<2x1xf32> {{.*}}["b" = shard(0), "a" = shard(1), "c" = shard(1)]>
// CHECK-NOT: comm.
func.func @shardy_26(
    %a: tensor<6x4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@odd, ["b" = shard(0), "a" = shard(1), "c" = shard(1)]>})
    -> tensor<6x4xf32> {
  %0 = math.tanh %a : tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// shardy 28: seven rows on four ranks are 2, 2, 2 and 1; the padding was seen.
// RUN: %python %S/Inputs/run.py %s shardy_28 %t 'a=zeros((7, 2))' 'result0=tanh(a)' received=0
// RUN: dtensor-run %s --entry shardy_28 --random-inputs 1 --local-io --output-dir %t.28
// RUN: %python -c "import numpy as n; s = [n.load(f'%t.28/result0.rank{r}.npy').shape for r in range(8)]; assert s == [(2, 1)] * 6 + [(1, 1)] * 2, s"
// CHECK-LABEL: func.func @shardy_28(
// CHECK-SAME: %arg0: tensor<?x1xf32>
// CHECK-NOT: comm.
func.func @shardy_28(%a: tensor<7x2xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@board, ["x" = shard(0), "y" = shard(1)]>})
    -> tensor<7x2xf32> {
  %0 = math.tanh %a : tensor<7x2xf32>
  return %0 : tensor<7x2xf32>
}

// shardy 29: 2308 on twelve ranks became a part of the axis, 577 on four, unasked.
// The whole axis is used, in chunks of 193 and a shorter last one.
// RUN: %python %S/Inputs/run.py %s shardy_29 %t 'a=arange(2308.)' 'result0=2 * a' received=0
// RUN: dtensor-run %s --entry shardy_29 --random-inputs 1 --local-io --output-dir %t.29
// RUN: %python -c "import numpy as n; s = [n.load(f'%t.29/result0.rank{r}.npy').shape[0] for r in range(12)]; assert s == [193] * 11 + [185], s"
// CHECK-LABEL: func.func @shardy_29(
// CHECK-SAME: %arg0: tensor<?xf32> {{.*}}["x" = shard(0)]>
// CHECK-NOT: comm.
func.func @shardy_29(%a: tensor<2308xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@twelve, ["x" = shard(0)]>})
    -> tensor<2308xf32> {
  %0 = arith.addf %a, %a : tensor<2308xf32>
  return %0 : tensor<2308xf32>
}

// shardy 31: a padded splat was replicated on every rank by communication. A splat
// is anywhere for free.
// RUN: %python %S/Inputs/run.py %s shardy_31 %t 'b=arange(100.)' 'result0=b * array([1] * 2 + [2] * 96 + [1] * 2)' received=0
// CHECK-LABEL: func.func @shardy_31(
// CHECK-NOT: comm.{{all|exchange|permute|reduce}}
func.func @shardy_31(%b: tensor<100xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> (tensor<100xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %s = tensor.splat %two : tensor<96xf32>
  %p = tensor.pad %s low[2] high[2] { ^bb0(%i: index): tensor.yield %one : f32 } : tensor<96xf32> to tensor<100xf32>
  %r = arith.mulf %p, %b : tensor<100xf32>
  return %r : tensor<100xf32>
}

// shardy 35: the bounds of a slice were divided by the number of ranks: elements 2
// to 5 of 8 were 1, 2, 5 and 6. They are 2, 3, 4 and 5.
// RUN: %python %S/Inputs/run.py %s shardy_35 %t 'a=arange(8.)' 'result0=array([2, 3, 4, 5])'
// CHECK-LABEL: func.func @shardy_35(
// CHECK-SAME: -> (tensor<2xf32> {
func.func @shardy_35(%a: tensor<8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>})
    -> (tensor<4xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>}) {
  %0 = tensor.extract_slice %a[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// shardy 36: cutting a replicated tensor was an all-to-all. It moves nothing.
// RUN: %python %S/Inputs/run.py %s shardy_36 %t 'a=arange(32.).reshape(8, 4)' 'result0=a' received=0
// CHECK-LABEL: func.func @shardy_36(
// CHECK-NEXT: comm.slice %arg0 over @four["x"] dim 0 : tensor<8x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: return
func.func @shardy_36(%a: tensor<8x4xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, []>})
    -> (tensor<8x4xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) {
  return %a : tensor<8x4xf32>
}

// shardy 38: an all-reduce whose result is cut by the same axis stayed both. It is one
// reduce-scatter of the dimension that is cut.
// RUN: %python %S/Inputs/run.py %s shardy_38 %t 'a=arange(32.).reshape(4, 8)' 'b=arange(64.).reshape(8, 8)' 'result0=a @ b' received=96
// CHECK-LABEL: func.func @shardy_38(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK-NEXT: comm.reduce_scatter sum %[[P]] over @four["x"] dim 1 : tensor<4x8xf32> -> tensor<4x2xf32>
// CHECK-NEXT: return
func.func @shardy_38(%a: tensor<4x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>},
                     %b: tensor<8x8xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>})
    -> (tensor<4x8xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>}) {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// shardy 40: an argument that nobody uses and that says nothing stopped the compiler.
// It stays whole.
// RUN: %python %S/Inputs/run.py %s shardy_40 %t 'a=zeros((4, 8))' 'b=ones((8, 8))' 'result0=tanh(a)' received=0
// CHECK-LABEL: func.func @shardy_40(
// CHECK-SAME: %arg1: tensor<8x8xf32> {{{.*}}dtensor.layout = #dtensor.layout<@four, []>
// CHECK-NOT: comm.
func.func @shardy_40(%a: tensor<4x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>},
                     %b: tensor<8x8xf32> {dtensor.name = "b"}) -> tensor<4x8xf32> {
  %0 = math.tanh %a : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// shardy 41: only meshes of one axis could be lowered. On 4 x 3 a replicated tensor
// is cut by one axis.
// RUN: %python %S/Inputs/run.py %s shardy_41 %t 'a=arange(12.).reshape(4, 3)' 'result0=a' received=0
// CHECK-LABEL: func.func @shardy_41(
// CHECK-NEXT: comm.slice %arg0 over @grid["x"] dim 0 : tensor<4x3xf32> -> tensor<1x3xf32>
// CHECK-NEXT: return
func.func @shardy_41(%a: tensor<4x3xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@grid, []>})
    -> (tensor<4x3xf32> {dtensor.layout = #dtensor.layout<@grid, ["x" = shard(0)]>}) {
  return %a : tensor<4x3xf32>
}

// shardy 44: an argument with two users, and results that say nothing, stopped the
// compiler. Each use has what it wants: one all-to-all, for the one that differs.
// RUN: %python %S/Inputs/run.py %s shardy_44 %t 'a=arange(64.).reshape(8, 8) / 64' 'b=a + 1' 'c=a + 2' 'result0=a + b' 'result1=a + c' 'result2=tanh(a)' received=64
// CHECK-LABEL: func.func @shardy_44(
// CHECK-NEXT: arith.addf %arg0, %arg1 : tensor<4x8xf32>
// CHECK-NEXT: %[[A:.*]] = comm.all_to_all %arg0 over @two["x"] split 1 concat 0 : tensor<4x8xf32> -> tensor<8x4xf32>
// CHECK-NEXT: arith.addf %[[A]], %arg2 : tensor<8x4xf32>
// CHECK-NOT: comm.
// CHECK: return
func.func @shardy_44(%a: tensor<8x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>},
                     %b: tensor<8x8xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>},
                     %c: tensor<8x8xf32> {dtensor.name = "c", dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>},
        tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
        tensor<8x8xf32>) {
  %0 = arith.addf %a, %b : tensor<8x8xf32>
  %1 = arith.addf %a, %c : tensor<8x8xf32>
  %2 = math.tanh %a : tensor<8x8xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// shardy 46: a tensor sharded in two dimensions could not be made whole. It is
// gathered in both.
// RUN: %python %S/Inputs/run.py %s shardy_46 %t 'a=arange(24.).reshape(4, 6)' 'result0=a' received=72
// CHECK-LABEL: func.func @shardy_46(
// CHECK-DAG: comm.all_gather {{.*}} over @square["x"] dim 0
// CHECK-DAG: comm.all_gather {{.*}} over @square["y"] dim 1
// CHECK-NOT: comm.
// CHECK: return %{{.*}} : tensor<4x6xf32>
func.func @shardy_46(%a: tensor<4x6xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(1)]>})
    -> (tensor<4x6xf32> {dtensor.layout = #dtensor.layout<@square, []>}) {
  return %a : tensor<4x6xf32>
}
