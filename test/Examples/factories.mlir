// Tensors that the program makes itself. Random numbers follow from the seed
// and the position in the whole tensor, so that every layout and every number
// of ranks has the same ones: results 0 to 2 are equal, and those that a NumPy
// version of the generator computes.
dtensor.mesh @mesh ["x" = 2, "y" = 2]

#whole = #dtensor.layout<@mesh, []>
#rows = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>
#both = #dtensor.layout<@mesh, ["x" = shard(1), "y" = shard(0)]>

func.func @main() -> (
    tensor<7x5xf32> {dtensor.layout = #whole},
    tensor<7x5xf32> {dtensor.layout = #rows},
    tensor<7x5xf32> {dtensor.layout = #both},
    tensor<300xf64> {dtensor.layout = #rows},
    tensor<7x5xf16> {dtensor.layout = #rows},
    tensor<3x2x4xf32> {dtensor.layout = #both},
    tensor<300xf64> {dtensor.layout = #rows},
    tensor<f32>,
    tensor<4x4xf32> {dtensor.layout = #rows},
    tensor<4xi32> {dtensor.layout = #rows}) {
  %whole = dtensor.rand seed 42 : tensor<7x5xf32> to #whole
  %rows = dtensor.rand seed 42 : tensor<7x5xf32> to #rows
  %both = dtensor.rand seed 42 requires_grad : tensor<7x5xf32> to #both
  %double = dtensor.rand seed -3 : tensor<300xf64> to #rows
  %half = dtensor.rand seed 42 : tensor<7x5xf16>
  %normal = dtensor.randn seed 12345678901 : tensor<3x2x4xf32> to #both
  %normals = dtensor.randn seed 5 : tensor<300xf64>
  %scalar = dtensor.rand seed 9 : tensor<f32>
  %one = dtensor.ones : tensor<4x4xf32> to #rows
  %two = dtensor.full(2.0 : f32) : tensor<4x4xf32>
  %three = arith.addf %one, %two : tensor<4x4xf32>
  %sum_init = dtensor.zeros : tensor<4x4xf32> to #whole
  %product = linalg.matmul ins(%three, %two : tensor<4x4xf32>, tensor<4x4xf32>)
                           outs(%sum_init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %sevens = dtensor.full(7 : i32) : tensor<4xi32> to #rows
  return %whole, %rows, %both, %double, %half, %normal, %normals, %scalar, %product, %sevens
      : tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xf32>, tensor<300xf64>, tensor<7x5xf16>,
        tensor<3x2x4xf32>, tensor<300xf64>, tensor<f32>, tensor<4x4xf32>, tensor<4xi32>
}

// RUN: dtensor-run %s --check | FileCheck %s
// RUN: dtensor-run %s --check=interp | FileCheck %s
// RUN: dtensor-run %s --output-dir %t.out && %python %S/Inputs/factories.py %t.out
// RUN: dtensor-compile %s --mesh x=1,y=1 -o %t.one.plan
// RUN: dtensor-run %t.one.plan --output-dir %t.one && %python %S/Inputs/factories.py %t.one
// RUN: dtensor-compile %s --mesh x=3,y=2 -o %t.six.plan
// RUN: dtensor-run %t.six.plan --output-dir %t.six && %python %S/Inputs/factories.py %t.six

// CHECK: result0: largest error 0 {{.*}}: ok
// CHECK: result3: largest error 0 {{.*}}: ok
// CHECK: result9: largest error 0 {{.*}}: ok
