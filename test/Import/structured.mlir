// RUN: %dtensor-opt %s --dtensor-import-stablehlo | FileCheck %s
// RUN: dtensor-run %s --entry gather --random-inputs 1 --check --rtol 0
// RUN: dtensor-run %s --entry scatter --random-inputs 1 --check --rtol 0
// RUN: dtensor-run %s --entry sort --random-inputs 1 --check=interp --rtol 0
// RUN: dtensor-run %s --entry reduce_window --random-inputs 1 --check=interp

// gather, scatter, sort and reduce_window, in the generic form that frontends
// print for ops with regions and long attributes.

sdy.mesh @mesh = <["x"=2]>

// Columns by indices whose vector is first; the offsets go before the batch.
// CHECK-LABEL: func.func @gather
// CHECK: %[[I:.*]] = linalg.transpose ins(%arg1 : tensor<1x4xi32>) {{.*}} permutation = [1, 0]
// CHECK: %[[G:.*]] = dtensor.gather dims [1] ins(%arg0, %[[I]] : tensor<6x9xf32>, tensor<4x1xi32>) outs(%{{.*}} : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: linalg.transpose ins(%[[G]] : tensor<4x6xf32>) outs(%{{.*}} : tensor<6x4xf32>) permutation = [1, 0]
func.func @gather(%a: tensor<6x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<1x4xi32>) -> tensor<6x4xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<1x4xi32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @scatter
// A vector dimension behind the last one is a dimension of one.
// CHECK: %[[I:.*]] = tensor.expand_shape %arg1 {{.*}} into tensor<4x1xi64>
// CHECK: %[[U:.*]] = linalg.transpose ins(%arg2 : tensor<6x4xf32>) {{.*}} permutation = [1, 0]
// CHECK: dtensor.scatter sum dims [1] ins(%[[U]], %[[I]] : tensor<4x6xf32>, tensor<4x1xi64>) outs(%arg0 : tensor<6x9xf32>) -> tensor<6x9xf32>
// CHECK: dtensor.scatter dims [1] ins
func.func @scatter(%a: tensor<6x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<4xi64>, %u: tensor<6x4xf32>) -> (tensor<6x9xf32>, tensor<6x9xf32>) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4xi64>, tensor<6x4xf32>) -> tensor<6x9xf32>
  %1 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4xi64>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return %0, %1 : tensor<6x9xf32>, tensor<6x9xf32>
}

// As JAX compares: zeros and NaNs are alike, by a total order.
// CHECK-LABEL: func.func @sort
// CHECK: dtensor.sort dim 0 ins(%arg0, %arg1 : tensor<7x4xf32>, tensor<7x4xi32>) outs
// CHECK: dtensor.sort dim 1 descending ins(%arg1 : tensor<7x4xi32>) outs
func.func @sort(%a: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %i: tensor<7x4xi32>) -> (tensor<7x4xf32>, tensor<7x4xi32>, tensor<7x4xi32>) {
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %j: tensor<i32>, %k: tensor<i32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %xz = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x0 = stablehlo.select %xz, %zero, %x : tensor<i1>, tensor<f32>
    %xn = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xn, %nan, %x0 : tensor<i1>, tensor<f32>
    %yz = stablehlo.compare EQ, %y, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y0 = stablehlo.select %yz, %zero, %y : tensor<i1>, tensor<f32>
    %yn = stablehlo.compare NE, %y, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yn, %nan, %y0 : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<7x4xf32>, tensor<7x4xi32>) -> (tensor<7x4xf32>, tensor<7x4xi32>)
  %1 = "stablehlo.sort"(%i) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.compare GT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<7x4xi32>) -> tensor<7x4xi32>
  return %0#0, %0#1, %1 : tensor<7x4xf32>, tensor<7x4xi32>, tensor<7x4xi32>
}

// A running sum, as JAX writes it; every list but the window's may be left out.
// CHECK-LABEL: func.func @reduce_window
// CHECK: linalg.broadcast ins(%arg1 : tensor<f32>)
// CHECK: dtensor.reduce_window sum window [8, 1] strides [1, 1] dilations [1, 1] low [7, 0] high [0, 0] ins(%arg0 : tensor<8x6xf32>)
// CHECK: dtensor.reduce_window max window [2, 2] strides [2, 1] dilations [1, 3] low [0, 0] high [0, 0] ins(%arg0 : tensor<8x6xf32>)
func.func @reduce_window(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %z: tensor<f32>) -> (tensor<8x6xf32>, tensor<4x3xf32>) {
  %0 = "stablehlo.reduce_window"(%a, %z) <{padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 8, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x6xf32>
  %1 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, window_dilations = array<i64: 1, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<4x3xf32>
}
