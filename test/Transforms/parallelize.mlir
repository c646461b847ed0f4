// RUN: split-file %s %t
// RUN: %dtensor-opt %t/styles.mlir --dtensor-parallelize | FileCheck %s
// RUN: %dtensor-opt %t/plans.mlir --dtensor-parallelize="plan=second" | FileCheck %s --check-prefix=SECOND
// RUN: %dtensor-opt %t/shapes.mlir --dtensor-parallelize | FileCheck %s --check-prefix=SHAPES
// RUN: %dtensor-opt %t/none.mlir --dtensor-parallelize | FileCheck %s --check-prefix=NONE

//--- styles.mlir
dtensor.mesh @mesh ["dp" = 2, "tp" = 4]

// CHECK-NOT: parallelize_plan
dtensor.parallelize_plan @plan on @mesh {
  dtensor.style "layers.*.{up,transposed,right.*}" colwise "tp"
  dtensor.style "layers.*.down" rowwise "tp"
  dtensor.style "*norm" replicate "tp"
  dtensor.prepare_input 0 ["dp" = shard(0), ...]
}

// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0), ...]>}
// CHECK-SAME: %arg1: tensor<16x32xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>, dtensor.name = "layers.0.up"}
// CHECK-SAME: %arg2: tensor<32x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>, dtensor.name = "layers.0.down"}
// Its product keeps dimension 1 of the transposed, 0 of the parameter.
// CHECK-SAME: %arg3: tensor<32x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>, dtensor.name = "layers.0.transposed"}
// Reshaped and converted on the way.
// CHECK-SAME: %arg4: tensor<1x16x32xf16> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(2)]>, dtensor.name = "layers.1.right.w"}
// CHECK-SAME: %arg5: tensor<16xf32> {dtensor.layout = #dtensor.layout<@mesh, []>, dtensor.name = "norm"}
// CHECK-SAME: %arg6: tensor<16xf32> {dtensor.name = "unmatched"}
func.func @main(%x: tensor<8x16xf32>,
                %up: tensor<16x32xf32> {dtensor.name = "layers.0.up"},
                %down: tensor<32x16xf32> {dtensor.name = "layers.0.down"},
                %transposed: tensor<32x16xf32> {dtensor.name = "layers.0.transposed"},
                %reshaped: tensor<1x16x32xf16> {dtensor.name = "layers.1.right.w"},
                %norm: tensor<16xf32> {dtensor.name = "norm"},
                %unmatched: tensor<16xf32> {dtensor.name = "unmatched"})
    -> (tensor<8x32xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<8x32xf32>) -> tensor<8x32xf32>
  %a = linalg.matmul ins(%x, %up : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %narrow = tensor.empty() : tensor<8x16xf32>
  %narrow_init = linalg.fill ins(%zero : f32) outs(%narrow : tensor<8x16xf32>) -> tensor<8x16xf32>
  %b = linalg.matmul ins(%a, %down : tensor<8x32xf32>, tensor<32x16xf32>) outs(%narrow_init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %flipped = tensor.empty() : tensor<16x32xf32>
  %t = linalg.transpose ins(%transposed : tensor<32x16xf32>) outs(%flipped : tensor<16x32xf32>) permutation = [1, 0]
  %c = linalg.matmul ins(%x, %t : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %flat = tensor.collapse_shape %reshaped [[0, 1], [2]] : tensor<1x16x32xf16> into tensor<16x32xf16>
  %wider = arith.extf %flat : tensor<16x32xf16> to tensor<16x32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %wider : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  // A backward pass sums over what the forward pass keeps; the first counts.
  %back_init = tensor.empty() : tensor<8x16xf32>
  %back_zero = linalg.fill ins(%zero : f32) outs(%back_init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %up_flipped = tensor.empty() : tensor<32x16xf32>
  %up_t = linalg.transpose ins(%up : tensor<16x32xf32>) outs(%up_flipped : tensor<32x16xf32>) permutation = [1, 0]
  %back = linalg.matmul ins(%a, %up_t : tensor<8x32xf32>, tensor<32x16xf32>) outs(%back_zero : tensor<8x16xf32>) -> tensor<8x16xf32>
  %sum = arith.addf %b, %back : tensor<8x16xf32>
  return %a, %sum, %c, %d : tensor<8x32xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<8x32xf32>
}

//--- plans.mlir
dtensor.mesh @mesh ["x" = 2]
dtensor.parallelize_plan @first on @mesh {
  dtensor.prepare_input 0 []
}
dtensor.parallelize_plan @second on @mesh {
  dtensor.prepare_input 0 ["x" = shard(0)]
}
// SECOND-NOT: parallelize_plan
// SECOND: func.func @main(%arg0: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
func.func @main(%x: tensor<8xf32>) {
  return
}

//--- none.mlir
// NONE: func.func @main(%arg0: tensor<8xf32> {dtensor.name = "x"})
func.func @main(%x: tensor<8xf32> {dtensor.name = "x"}) {
  return
}

//--- shapes.mlir
dtensor.mesh @mesh ["dp" = 2, "tp" = 4]

dtensor.parallelize_plan @plan on @mesh {
  dtensor.style "*.full" fully_sharded "tp"
  dtensor.style "*.experts" expert "dp"
  dtensor.place "embedding" ["tp" = shard(0), "dp" = shard(1), ...]
  dtensor.prepare_output 0 ["dp" = shard(0)]
}

// The largest dimension that 4 divides, the first of two; none of 3 and 5.
// SHAPES: %arg0: tensor<6x8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>, dtensor.name = "a.full"}
// SHAPES-SAME: %arg1: tensor<3x5xf32> {dtensor.layout = #dtensor.layout<@mesh, []>, dtensor.name = "b.full"}
// SHAPES-SAME: %arg2: tensor<6x4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>, dtensor.name = "c.experts"}
// SHAPES-SAME: %arg3: tensor<8x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0), "dp" = shard(1), ...]>, dtensor.name = "embedding"}
// SHAPES-SAME: -> (tensor<8x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["dp" = shard(0)]>})
func.func @main(%a: tensor<6x8x8xf32> {dtensor.name = "a.full"},
                %b: tensor<3x5xf32> {dtensor.name = "b.full"},
                %c: tensor<6x4x4xf32> {dtensor.name = "c.experts"},
                %d: tensor<8x4xf32> {dtensor.name = "embedding"}) -> tensor<8x4xf32> {
  return %d : tensor<8x4xf32>
}
