// Groups that no axes of the mesh describe, in a plan, and what a run of it
// gives against the interpreter, bit by bit.
// RUN: dtensor-compile %s --emit=plan-json | FileCheck %s
// RUN: dtensor-run %s --random-inputs 1 --check=interp --rtol 0 | FileCheck %s --check-prefix=RAN
// RUN: dtensor-compile %s -o %t.plan && dtensor-verify %t.plan

dtensor.mesh @mesh ["x" = 2, "y" = 2]
#all = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>

// CHECK: "kind": "all_reduce"
// CHECK: "member"
// CHECK: "mesh": {
// CHECK-NEXT: "name": "groups"
// CHECK: "devices": [
// CHECK-NEXT: 0,
// CHECK-NEXT: 3,
// CHECK-NEXT: 2,
// CHECK-NEXT: 1

// RAN: all_reduce over "member"  16 bytes/rank
// RAN-COUNT-5: largest error 0 {{.*}}: ok
func.func @main(%a: tensor<4xf32> {dtensor.name = "a", dtensor.global_type = tensor<16xf32>, dtensor.layout = #all})
    -> (tensor<4xf32> {dtensor.global_type = tensor<16xf32>, dtensor.layout = #all},
        tensor<2xf32> {dtensor.global_type = tensor<8xf32>, dtensor.layout = #all},
        tensor<8xf32> {dtensor.global_type = tensor<32xf32>, dtensor.layout = #all},
        tensor<4xf32> {dtensor.global_type = tensor<16xf32>, dtensor.layout = #all},
        tensor<1xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #all}) {
  %0 = comm.all_reduce sum %a over @mesh groups [[0, 3], [2, 1]] : tensor<4xf32>
  %1 = comm.reduce_scatter max %a over @mesh groups [[0, 3], [2, 1]] dim 0 : tensor<4xf32> -> tensor<2xf32>
  %2 = comm.all_gather %a over @mesh groups [[0, 3], [2, 1]] dim 0 : tensor<4xf32> -> tensor<8xf32>
  %3 = comm.broadcast %a root 1 over @mesh groups [[0, 3], [2, 1]] : tensor<4xf32>
  %4 = comm.slice %a over @mesh groups [[3, 1, 0, 2]] dim 0 : tensor<4xf32> -> tensor<1xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<2xf32>, tensor<8xf32>, tensor<4xf32>, tensor<1xf32>
}
