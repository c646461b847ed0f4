// RUN: dtensor-compile %s -o %t.plan
// RUN: dtensor-run %t.plan --output-dir %t.out --check --random-inputs 1 | FileCheck %s
// RUN: dtensor-run %t.plan --check=interp --random-inputs 1 | FileCheck %s
// RUN: %python -c "import numpy as n; a = n.load('%t.out/result0.npy'); assert (a == n.array([[1, -2], [3, 4], [-5, 6]])).all() and a.dtype == n.int32, a; b = n.load('%t.out/result1.npy'); assert (b == [True, False, True]).all(), b"
//
// Constants whose elements differ: made whole on every rank, then cut.

dtensor.mesh @mesh ["x" = 2]

// CHECK: result0: {{.*}}: ok
// CHECK: result1: {{.*}}: ok
func.func @main(%a: tensor<3x2xi32>)
    -> (tensor<3x2xi32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>}, tensor<3xi1>) {
  %c = arith.constant dense<[[1, -2], [3, 4], [-5, 6]]> : tensor<3x2xi32>
  %b = arith.constant dense<[true, false, true]> : tensor<3xi1>
  return %c, %b : tensor<3x2xi32>, tensor<3xi1>
}
