// A 7x5 program on 4 ranks: nothing divides. Ranks hold pieces of 4 and 3 rows
// and of 3 and 2 columns; nobody outside sees padding.
dtensor.mesh @mesh ["x" = 2, "y" = 2]

#both = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>

func.func @main(
    %a: tensor<7x5xf32> {dtensor.name = "a", dtensor.layout = #both},
    %w: tensor<5x3xf32> {dtensor.name = "w", dtensor.layout = #dtensor.layout<@mesh, ["y" = shard(0)]>},
    %b: tensor<3xf32> {dtensor.name = "b"})
    -> (tensor<7x3xf32> {dtensor.layout = #both},
        tensor<7xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant dense<2.0> : tensor<7x5xf32>
  %double = arith.mulf %a, %two : tensor<7x5xf32>
  %product_empty = tensor.empty() : tensor<7x3xf32>
  %product_init = linalg.fill ins(%zero : f32) outs(%product_empty : tensor<7x3xf32>) -> tensor<7x3xf32>
  %product = linalg.matmul ins(%double, %w : tensor<7x5xf32>, tensor<5x3xf32>)
                           outs(%product_init : tensor<7x3xf32>) -> tensor<7x3xf32>
  %biased_empty = tensor.empty() : tensor<7x3xf32>
  %biased = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                            iterator_types = ["parallel", "parallel"]}
      ins(%product, %b : tensor<7x3xf32>, tensor<3xf32>) outs(%biased_empty : tensor<7x3xf32>) {
  ^bb0(%value: f32, %bias: f32, %out: f32):
    %sum = arith.addf %value, %bias : f32
    linalg.yield %sum : f32
  } -> tensor<7x3xf32>
  %active = math.tanh %biased : tensor<7x3xf32>
  %rows_empty = tensor.empty() : tensor<7xf32>
  %rows_init = linalg.fill ins(%zero : f32) outs(%rows_empty : tensor<7xf32>) -> tensor<7xf32>
  %rows = linalg.reduce {arith.addf} ins(%double : tensor<7x5xf32>) outs(%rows_init : tensor<7xf32>) dimensions = [1]
  return %active, %rows : tensor<7x3xf32>, tensor<7xf32>
}

// RUN: dtensor-compile %s --emit=local | FileCheck %s
// RUN: dtensor-run %s --random-inputs 1 --check | FileCheck %s --check-prefix=RAN
// RUN: dtensor-run %s --random-inputs 1 --output-dir %t.out && %python %S/Inputs/uneven.py %t.out

// CHECK-LABEL: func.func @main(%arg0: tensor<?x?xf32>
// CHECK: %[[ROWS:.*]] = comm.all_gather %{{.*}} over @mesh["y"] dim 1 : tensor<?x?xf32> -> tensor<?x5xf32> of [7, 5]
// CHECK: linalg.matmul ins(%[[ROWS]], %{{.*}} : tensor<?x5xf32>, tensor<5x?xf32>)
// CHECK: linalg.reduce {{.*}}ins(%[[ROWS]] : tensor<?x5xf32>)

// RAN: 4 ranks
// RAN: result0: largest error {{.*}}: ok
// RAN: result1: largest error {{.*}}: ok
