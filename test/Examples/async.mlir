// Two weights are gathered while the rank computes with what it has: each
// redistribution is started where it stands and waited for at its first use.
dtensor.mesh @mesh ["x" = 4]

#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
#all = #dtensor.layout<@mesh, []>

func.func @main(%x: tensor<14x8xf32> {dtensor.name = "x", dtensor.layout = #rows},
                %w1: tensor<8x6xf32> {dtensor.name = "w1", dtensor.layout = #rows},
                %w2: tensor<6x5xf32> {dtensor.name = "w2", dtensor.layout = #rows})
    -> (tensor<14x5xf32> {dtensor.layout = #rows}) {
  %zero = arith.constant 0.0 : f32
  %whole1 = dtensor.redistribute async %w1 : tensor<8x6xf32> to #all
  %whole2 = dtensor.redistribute async %w2 : tensor<6x5xf32> to #all
  %active = math.tanh %x : tensor<14x8xf32>
  %e1 = tensor.empty() : tensor<14x6xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<14x6xf32>) -> tensor<14x6xf32>
  %h = linalg.matmul ins(%active, %whole1 : tensor<14x8xf32>, tensor<8x6xf32>) outs(%i1 : tensor<14x6xf32>) -> tensor<14x6xf32>
  %e2 = tensor.empty() : tensor<14x5xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<14x5xf32>) -> tensor<14x5xf32>
  %y = linalg.matmul ins(%h, %whole2 : tensor<14x6xf32>, tensor<6x5xf32>) outs(%i2 : tensor<14x5xf32>) -> tensor<14x5xf32>
  return %y : tensor<14x5xf32>
}

// RUN: dtensor-compile %s --emit=local | FileCheck %s
// RUN: dtensor-run %s --random-inputs 1 --check --repeat 50 --trace %t.json --stats %t.stats | FileCheck %s --check-prefix=RAN
// RUN: dtensor-run %s --random-inputs 1 --check=interp | FileCheck %s --check-prefix=RAN
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.json
// RUN: dtensor-compile %s --emit=local | interpret-program - --random-inputs 1 > %t.local
// RUN: interpret-program %s --random-inputs 1 | diff - %t.local

// CHECK-LABEL: func.func @main(
// CHECK: %[[T1:.*]] = comm.start : <tensor<8x6xf32>> {
// CHECK-NEXT: comm.all_gather %arg1
// CHECK: %[[T2:.*]] = comm.start : <tensor<6x5xf32>> {
// CHECK-NEXT: comm.all_gather %arg2 {{.*}} of [6, 5]
// CHECK: math.tanh
// CHECK: %[[W1:.*]] = comm.wait %[[T1]]
// CHECK: %[[H:.*]] = linalg.matmul ins(%{{.*}}, %[[W1]]
// CHECK: %[[W2:.*]] = comm.wait %[[T2]]
// CHECK: linalg.matmul ins(%[[H]], %[[W2]]

// RAN: all_gather over "x"  144 bytes/rank  (all_gather.0)
// RAN: result0: largest error {{.*}}: ok

// TRACE: "name": "thread_name", "pid": 0, "tid": 2, "args": {"name": "queue 1"}
// TRACE-DAG: "name": "start 0", "cat": "queue", "pid": 0, "tid": 0
// TRACE-DAG: "name": "wait 1", "cat": "queue", "pid": 0, "tid": 0
// TRACE-DAG: "name": "all_gather.1", "cat": "all_gather", "pid": 0, "tid": 2
