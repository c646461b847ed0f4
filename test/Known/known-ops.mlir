dtensor.mesh @two ["x" = 2]
dtensor.mesh @four ["x" = 4]
dtensor.mesh @square ["x" = 2, "y" = 2]
dtensor.mesh @flat ["x" = 1, "y" = 2]
dtensor.mesh @tall ["x" = 2, "y" = 1]
dtensor.mesh @turned ["x" = 4] devices = [2, 0, 3, 1]

#rows2 = #dtensor.layout<@two, ["x" = shard(0)]>
#all2 = #dtensor.layout<@two, []>
#sum2 = #dtensor.layout<@two, ["x" = partial(sum)]>
#both = #dtensor.layout<@square, ["x" = shard(0), "y" = shard(1)]>

func.func @case_167106(%a: tensor<2x2x3xf32> {dtensor.name = "a", dtensor.layout = #both},
                       %w: tensor<3x1xf32> {dtensor.name = "w", dtensor.layout = #dtensor.layout<@square, []>}) -> tensor<2x2x1xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x2x1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, s, e, d) -> (b, s, d)>, affine_map<(b, s, e, d) -> (d, e)>, affine_map<(b, s, e, d) -> (b, s, e)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<2x2x3xf32>, tensor<3x1xf32>) outs(%zero : tensor<2x2x1xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x2x1xf32>
  return %0 : tensor<2x2x1xf32>
}
func.func @case_167106_backward(%a: tensor<2x2x3xf32> {dtensor.name = "a", dtensor.layout = #both},
                       %w: tensor<3x1xf32> {dtensor.name = "w", dtensor.layout = #dtensor.layout<@square, []>},
                       %dy: tensor<2x2x1xf32> {dtensor.name = "dy", dtensor.layout = #both})
    -> (tensor<2x2x3xf32>, tensor<3x1xf32> {dtensor.layout = #dtensor.layout<@square, ["x" = partial(sum), "y" = partial(sum)]>}) {
  %zero = arith.constant dense<0.0> : tensor<2x2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, s, d, e) -> (b, s, e)>, affine_map<(b, s, d, e) -> (d, e)>, affine_map<(b, s, d, e) -> (b, s, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%dy, %w : tensor<2x2x1xf32>, tensor<3x1xf32>) outs(%zero : tensor<2x2x3xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %out : f32
    linalg.yield %s : f32
  } -> tensor<2x2x3xf32>
  %zero1 = arith.constant dense<0.0> : tensor<3x1xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d, e, b, s) -> (b, s, d)>, affine_map<(d, e, b, s) -> (b, s, e)>, affine_map<(d, e, b, s) -> (d, e)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %dy : tensor<2x2x3xf32>, tensor<2x2x1xf32>) outs(%zero1 : tensor<3x1xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %out : f32
    linalg.yield %s : f32
  } -> tensor<3x1xf32>
  return %0, %1 : tensor<2x2x3xf32>, tensor<3x1xf32>
}
func.func @case_170934(%idx: tensor<16x1xi64> {dtensor.name = "idx", dtensor.layout = #rows2}, %v: tensor<16xf32> {dtensor.name = "v", dtensor.layout = #rows2}) -> (tensor<16xf32> {dtensor.layout = #rows2}) {
  %zeros = dtensor.zeros : tensor<16xf32> to #rows2
  %0 = dtensor.scatter dims [0] ins(%v, %idx : tensor<16xf32>, tensor<16x1xi64>) outs(%zeros : tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @case_139735(%a: tensor<8xf32> {dtensor.name = "a", dtensor.layout = #rows2}) -> (tensor<8xf32> {dtensor.layout = #rows2}) {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %0 = tensor.insert_slice %z into %a[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @case_139134_flat(%a: tensor<4x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@flat, ["x" = shard(0), "y" = shard(1)]>},
    %b: tensor<8x6xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@flat, ["x" = shard(1), "y" = shard(0)]>}) -> (tensor<4x6xf32> {dtensor.layout = #dtensor.layout<@flat, []>}) {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %p : tensor<4x6xf32>
}
func.func @case_139134_tall(%a: tensor<4x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@tall, ["x" = shard(1), "y" = shard(0)]>},
    %b: tensor<8x6xf32> {dtensor.name = "b", dtensor.layout = #dtensor.layout<@tall, ["x" = shard(0), "y" = shard(1)]>}) -> (tensor<4x6xf32> {dtensor.layout = #dtensor.layout<@tall, []>}) {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %p : tensor<4x6xf32>
}
func.func @case_139134(%a: tensor<4x8xf32> {dtensor.name = "a", dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>},
    %b: tensor<8x6xf32> {dtensor.name = "b", dtensor.layout = #rows2}) -> (tensor<4x6xf32> {dtensor.layout = #all2}) {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %p : tensor<4x6xf32>
}
func.func @case_172812(%a: tensor<5xf32> {dtensor.name = "a"}) -> tensor<5xf32> {
  %0 = dtensor.manual(%a) in [#rows2] out [#rows2] : (tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%l: tensor<?xf32>):
    %d = arith.addf %l, %l : tensor<?xf32>
    dtensor.yield %d : tensor<?xf32>
  }
  return %0 : tensor<5xf32>
}
func.func @case_150336(%x: tensor<4x3xf32> {dtensor.name = "x", dtensor.layout = #all2},
   %w1: tensor<3x5xf32> {dtensor.name = "w1", dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>}, %w2: tensor<5x2xf32> {dtensor.name = "w2", dtensor.layout = #rows2}) -> (tensor<4x2xf32> {dtensor.layout = #all2}) {
  %z1 = arith.constant dense<0.0> : tensor<4x5xf32>
  %z2 = arith.constant dense<0.0> : tensor<4x2xf32>
  %p = linalg.matmul ins(%x, %w1 : tensor<4x3xf32>, tensor<3x5xf32>) outs(%z1 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %q = linalg.matmul ins(%p, %w2 : tensor<4x5xf32>, tensor<5x2xf32>) outs(%z2 : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %q : tensor<4x2xf32>
}
func.func @case_176446(%a: tensor<4x9x9x3xf32> {dtensor.name = "a", dtensor.layout = #rows2}, %k: tensor<7x7x3x2xf32> {dtensor.name = "k"}) -> tensor<4x5x5x2xf32> {
  %z = arith.constant 0.0 : f32
  %init = arith.constant dense<0.0> : tensor<4x5x5x2xf32>
  %p = tensor.pad %a low[0, 3, 3, 0] high[0, 3, 3, 0] { ^bb0(%i: index, %j: index, %l: index, %m: index): tensor.yield %z : f32 } : tensor<4x9x9x3xf32> to tensor<4x15x15x3xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %k : tensor<4x15x15x3xf32>, tensor<7x7x3x2xf32>) outs(%init : tensor<4x5x5x2xf32>) -> tensor<4x5x5x2xf32>
  return %0 : tensor<4x5x5x2xf32>
}
func.func @case_131264(%t0: tensor<5x3xf32> {dtensor.name = "t0", dtensor.layout = #rows2}, %t1: tensor<5x3xf32> {dtensor.name = "t1", dtensor.layout = #rows2},
    %i0: tensor<4x1xi64> {dtensor.name = "i0", dtensor.layout = #all2}, %i1: tensor<4x1xi64> {dtensor.name = "i1", dtensor.layout = #all2})
    -> (tensor<4x3xf32> {dtensor.layout = #all2}, tensor<4x3xf32> {dtensor.layout = #all2}) {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = dtensor.gather dims [0] ins(%t0, %i0 : tensor<5x3xf32>, tensor<4x1xi64>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = dtensor.gather dims [0] ins(%t1, %i1 : tensor<5x3xf32>, tensor<4x1xi64>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xf32>
}
func.func @case_160697(%t0: tensor<1000x64xf32> {dtensor.name = "t0", dtensor.layout = #rows2}, %t1: tensor<1000x64xf32> {dtensor.name = "t1", dtensor.layout = #rows2},
    %i0: tensor<4x1xi64> {dtensor.name = "i0", dtensor.layout = #all2}, %i1: tensor<4x1xi64> {dtensor.name = "i1", dtensor.layout = #all2})
    -> (tensor<4x64xf32> {dtensor.layout = #all2}, tensor<4x64xf32> {dtensor.layout = #all2}) {
  %e = tensor.empty() : tensor<4x64xf32>
  %0 = dtensor.gather dims [0] ins(%t0, %i0 : tensor<1000x64xf32>, tensor<4x1xi64>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %1 = dtensor.gather dims [0] ins(%t1, %i1 : tensor<1000x64xf32>, tensor<4x1xi64>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %0, %1 : tensor<4x64xf32>, tensor<4x64xf32>
}
func.func @case_178582(%x: tensor<8xf32> {dtensor.name = "x", dtensor.layout = #rows2}, %dy: tensor<3xf32> {dtensor.name = "dy"}) -> (tensor<3xf32>, tensor<8xf32> {dtensor.layout = #rows2}) {
  %e = tensor.empty() : tensor<3xf32>
  %f = tensor.empty() : tensor<3xi64>
  %v, %i = dtensor.top_k dim 0 ins(%x : tensor<8xf32>) outs(%e, %f : tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>, tensor<3xi64>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %at = tensor.expand_shape %i [[0, 1]] output_shape [3, 1] : tensor<3xi64> into tensor<3x1xi64>
  %dx = dtensor.scatter sum dims [0] ins(%dy, %at : tensor<3xf32>, tensor<3x1xi64>) outs(%zero : tensor<8xf32>) -> tensor<8xf32>
  return %v, %dx : tensor<3xf32>, tensor<8xf32>
}
func.func @case_168058(%x: tensor<7x6xf32> {dtensor.name = "x", dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>})
   -> (tensor<7x6xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}, tensor<7x6xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>}, tensor<7x6xf32> {dtensor.layout = #dtensor.layout<@four, []>}, tensor<7x6xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>}) {
  %0 = dtensor.rand seed 42 : tensor<7x6xf32>  to #dtensor.layout<@four, ["x" = shard(0)]>
  %1 = dtensor.rand seed 42 : tensor<7x6xf32>  to #dtensor.layout<@four, ["x" = shard(1)]>
  %2 = dtensor.rand seed 42 : tensor<7x6xf32>  to #dtensor.layout<@four, []>
  %half = arith.constant dense<0.5> : tensor<7x6xf32>
  %zero = arith.constant dense<0.0> : tensor<7x6xf32>
  %noise = dtensor.rand seed 42 : tensor<7x6xf32>
  %keep = arith.cmpf olt, %noise, %half : tensor<7x6xf32>
  %scaled = arith.divf %x, %half : tensor<7x6xf32>
  %3 = arith.select %keep, %scaled, %zero : tensor<7x6xi1>, tensor<7x6xf32>
  return %0, %1, %2, %3 : tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32>, tensor<7x6xf32>
}
func.func @case_197680() -> (tensor<7x6xf32> {dtensor.layout = #dtensor.layout<@turned, ["x" = shard(0)]>}) {
  %0 = dtensor.rand seed 42 : tensor<7x6xf32>  to #dtensor.layout<@turned, ["x" = shard(0)]>
  return %0 : tensor<7x6xf32>
}
func.func @case_187373(%x: tensor<4x6xf32> {dtensor.name = "x", dtensor.layout = #both}, %dy: tensor<4x6xf32> {dtensor.name = "dy", dtensor.layout = #both}) 
  -> (tensor<4x6xf32> {dtensor.layout = #both}) {
  %e = tensor.empty() : tensor<4x6xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (j)>],
       iterator_types = ["parallel", "reduction"]} ins(%x, %dy : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e, %zero : tensor<4x6xf32>, tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %o0: f32, %o1: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %o1 : f32
    linalg.yield %p, %s : f32, f32
  } -> (tensor<4x6xf32>, tensor<6xf32>)
  return %0#0 : tensor<4x6xf32>
}
func.func @case_168255(%x: tensor<4x6xf32> {dtensor.name = "x", dtensor.layout = #dtensor.layout<@two, ["x" = shard(0)]>}, %y: tensor<4x6xf32> {dtensor.name = "y", dtensor.layout = #dtensor.layout<@two, ["x" = shard(1)]>}) -> tensor<4x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%h = %x) -> (tensor<4x6xf32>) {
    %a = tensor.expand_shape %h [[0, 1], [2]] output_shape [1, 4, 6] : tensor<4x6xf32> into tensor<1x4x6xf32>
    %b = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 4, 6] : tensor<4x6xf32> into tensor<1x4x6xf32>
    %s = tensor.concat dim(0) %a, %b : (tensor<1x4x6xf32>, tensor<1x4x6xf32>) -> tensor<2x4x6xf32>
    %z = arith.constant dense<0.0> : tensor<4x6xf32>
    %n = linalg.reduce {arith.addf} ins(%s : tensor<2x4x6xf32>) outs(%z : tensor<4x6xf32>) dimensions = [0]
    scf.yield %n : tensor<4x6xf32>
  }
  return %r : tensor<4x6xf32>
}
