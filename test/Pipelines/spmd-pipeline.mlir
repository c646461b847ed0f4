// RUN: %dtensor-opt %s --dtensor-spmd-pipeline | FileCheck %s
// RUN: %dtensor-opt %s --pass-pipeline='builtin.module(dtensor-spmd-pipeline{reference=true})' | FileCheck %s --check-prefix=REFERENCE
// RUN: not %dtensor-opt %s --pass-pipeline='builtin.module(dtensor-spmd-pipeline{implicit=forbid})' 2>&1 | FileCheck %s --check-prefix=FORBID
// RUN: %dtensor-opt %s --dtensor-spmd-pipeline --dtensor-schedule-pipeline | FileCheck %s --check-prefix=SCHEDULE
//
// The pipelines from global tensors to local ones and to placed steps.

dtensor.mesh @mesh ["tp" = 4]

// FORBID: error: 'func.return' op operand 0 has layout

// CHECK-LABEL: func.func @main
// CHECK: %[[PART:.*]] = linalg.matmul {{.*}} -> tensor<8x8xf32>
// CHECK-NEXT: %[[OUT:.*]] = comm.all_reduce sum %[[PART]] over @mesh["tp"] : tensor<8x8xf32>
// CHECK-NEXT: return %[[OUT]]
// CHECK-NOT: @main.reference

// REFERENCE-LABEL: func.func private @main.reference
// REFERENCE: linalg.matmul ins({{.*}} : tensor<8x16xf32>, tensor<16x8xf32>)
// REFERENCE-NOT: comm.

// SCHEDULE-LABEL: sched.program @main on @mesh
// SCHEDULE: sched.gemm
// SCHEDULE: sched.collective all_reduce
// SCHEDULE: sched.result "result0"
func.func @main(
    %a: tensor<8x16xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>},
    %b: tensor<16x8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(0)]>})
    -> (tensor<8x8xf32> {dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
