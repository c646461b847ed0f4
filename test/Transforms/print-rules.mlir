// RUN: %dtensor-opt %s --dtensor-print-rules --verify-diagnostics

// Rules as remarks.

dtensor.mesh @mesh ["x" = 2]

func.func @rules(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>) -> tensor<8x4xf32> {
  // expected-remark @+1 {{is made anew for any layout}}
  %e = tensor.empty() : tensor<8x4xf32>
  // expected-remark @+1 {{rule ([i, k], [k, j], [i, j]) -> ([i, j]), reduction = [k]}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @+1 {{rule ([i, j]) -> ([i, j])}}
  %1 = dtensor.constrain %0 : tensor<8x4xf32> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  // expected-remark @+1 {{has no sharding rule}}
  %2 = tensor.cast %1 : tensor<8x4xf32> to tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
