// Collectives with a root and numbers of a rank in a plan, and what a run of it
// gives against the interpreter, bit by bit. (test/Tools runs it under MPI.)
// RUN: dtensor-compile %s --emit=plan-json | FileCheck %s
// RUN: dtensor-run %s --random-inputs 1 --check=interp --rtol 0 | FileCheck %s --check-prefix=RAN
// RUN: dtensor-compile %s -o %t.plan && dtensor-verify %t.plan

dtensor.mesh @mesh ["x" = 2, "y" = 3]

#all = #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(0)]>
#chunks = #dtensor.layout<@mesh, ["y" = shard(0)]>
#whole = #dtensor.layout<@mesh, []>
#id = affine_map<(i) -> (i)>

// CHECK: "is_index": true
// CHECK: "kind": "broadcast"
// CHECK: "recv_bytes": 16
// CHECK: "root": 2
// CHECK: "kind": "reduce"
// CHECK: "recv_bytes": 32
// CHECK: "root": 0
// CHECK: "kind": "gather"
// CHECK: "recv_bytes": 32
// CHECK: "root": 1
// CHECK: "kind": "scatter"
// CHECK: "recv_bytes": 16
// CHECK: "root": 1
// Of 7 elements as 3, 3 and 1, what the root does not hold, and a chunk of 3.
// CHECK: "kind": "gather"
// CHECK: "recv_bytes": 24
// CHECK: "root": 2
// CHECK: "kind": "scatter"
// CHECK: "recv_bytes": 12
// CHECK: "root": 2

// RAN-COUNT-5: largest error 0 {{.*}}: ok
func.func @main(
    %a: tensor<4xf32> {dtensor.name = "a", dtensor.global_type = tensor<24xf32>, dtensor.layout = #all},
    %u: tensor<?xf32> {dtensor.name = "u", dtensor.global_type = tensor<7xf32>, dtensor.layout = #chunks})
    -> (tensor<4xf32> {dtensor.global_type = tensor<24xf32>, dtensor.layout = #all},
        tensor<4xf32> {dtensor.global_type = tensor<24xf32>, dtensor.layout = #all},
        tensor<4xf32> {dtensor.global_type = tensor<24xf32>, dtensor.layout = #all},
        tensor<12xf32> {dtensor.global_type = tensor<72xf32>, dtensor.layout = #all},
        tensor<?xf32> {dtensor.global_type = tensor<7xf32>, dtensor.layout = #chunks}) {
  // Every rank's elements plus its place and what it holds of 7 elements.
  %i = comm.axis_index over @mesh["y", "x"] : index
  %n = comm.local_extent 7 over @mesh["y"] : index
  %sum = arith.addi %i, %n : index
  %empty = tensor.empty() : tensor<4xf32>
  %numbered = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = arith.index_cast %sum : index to i32
    %f = arith.sitofp %s : i32 to f32
    %r = arith.addf %x, %f : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %0 = comm.broadcast %numbered root 2 over @mesh["y"] : tensor<4xf32>
  %1 = comm.reduce sum %numbered root 0 over @mesh["y"] : tensor<4xf32>
  %2 = comm.gather %numbered root 1 over @mesh["y"] dim 0 : tensor<4xf32> -> tensor<12xf32>
  %3 = comm.scatter %2 root 1 over @mesh["y"] dim 0 : tensor<12xf32> -> tensor<4xf32>
  %4 = comm.gather %u root 2 over @mesh["y"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #chunks to #whole
  %5 = comm.scatter %4 root 2 over @mesh["y"] dim 0 : tensor<7xf32> -> tensor<?xf32> of [7] from #whole to #chunks
  return %0, %1, %3, %2, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<12xf32>, tensor<?xf32>
}
