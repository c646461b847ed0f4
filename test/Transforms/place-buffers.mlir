// RUN: %dtensor-opt %s --dtensor-place-buffers --split-input-file | FileCheck %s
//
// Values get places in one slab: inputs and results for the whole program, all
// others from their step to their last use.

dtensor.mesh @mesh ["x" = 2]

// The first product is dead when the third is made, and leaves it its place.
// CHECK-LABEL: sched.program @places_are_used_again on @mesh peak 320
// CHECK-NEXT: %[[SLAB:.*]] = sched.slab : memref<320xi8>
// CHECK-NEXT: %[[A:.*]] = sched.view %[[SLAB]] at 0 : memref<320xi8> to memref<4x4xf32>
// CHECK-NEXT: sched.input "a" %[[A]] : memref<4x4xf32> global tensor<8x4xf32> layout #dtensor.layout<@mesh, ["x" = shard(0)]>
// CHECK-NEXT: %[[B:.*]] = sched.view %[[SLAB]] at 64
// CHECK-NEXT: sched.input "arg1" %[[B]]
// CHECK-NEXT: %[[ONE:.*]] = sched.view %[[SLAB]] at 128
// CHECK-NEXT: sched.gemm %[[A]], %[[B]] into %[[ONE]]
// CHECK-NEXT: %[[TWO:.*]] = sched.view %[[SLAB]] at 192
// CHECK-NEXT: sched.gemm %[[ONE]], %[[B]] into %[[TWO]]
// CHECK-NEXT: %[[THREE:.*]] = sched.view %[[SLAB]] at 128
// CHECK-NEXT: sched.gemm %[[TWO]], %[[B]] into %[[THREE]]
// CHECK-NEXT: %[[OUT:.*]] = sched.view %[[SLAB]] at 192 : memref<320xi8> to memref<8x4xf32>
// CHECK-NEXT: sched.collective all_gather %[[THREE]] to %[[OUT]] over ["x"] from_dim 0 shape [8, 4] : memref<4x4xf32> -> memref<8x4xf32>
// CHECK-SAME: from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
// CHECK-NEXT: sched.result "result0" %[[OUT]]
func.func @places_are_used_again(
    %a: tensor<4x4xf32> {dtensor.name = "a", dtensor.global_type = tensor<8x4xf32>, dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>},
    %b: tensor<4x4xf32> {dtensor.global_type = tensor<4x4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<8x4xf32> {dtensor.global_type = tensor<8x4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %0 = sched.gemm %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = sched.gemm %0, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = sched.gemm %1, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = comm.all_gather %2 over @mesh["x"] dim 0 : tensor<4x4xf32> -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

// Inputs stay as they are, and no two results share a buffer.
// CHECK-LABEL: sched.program @results_have_their_own_buffers
// CHECK: sched.input "arg0" %[[A:.*]] :
// CHECK: sched.copy %[[A]] to %[[R0:.*]] :
// CHECK-NEXT: sched.result "result0" %[[R0]]
// CHECK: sched.copy %[[A]] to %[[R1:.*]] :
// CHECK-NEXT: sched.result "result1" %[[R1]]
func.func @results_have_their_own_buffers(
    %a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>},
        tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

// CHECK-LABEL: sched.program @start_value_is_copied_to_the_output
// CHECK: sched.copy %[[C:.*]] to %[[OUT:.*]] :
// CHECK-NEXT: sched.gemm %{{.*}}, %{{.*}} into %[[OUT]] accumulate
func.func @start_value_is_copied_to_the_output(
    %a: tensor<4x4xf32> {dtensor.global_type = tensor<4x4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4x4xf32> {dtensor.global_type = tensor<4x4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %0 = sched.gemm %a, %a init %a : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

// CHECK-LABEL: sched.program @reference_names_its_program on @mesh peak {{[0-9]+}} reference_of "main"
func.func private @reference_names_its_program(
    %a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    attributes {dtensor.reference_of = "main"} {
  return %a : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

// What a start reads stays until its wait, also where nothing else needs it.
// CHECK-LABEL: sched.program @started
// CHECK: sched.input "arg0" %[[A:.*]] :
// CHECK: sched.gemm %[[A]], %[[A]] into %[[P:.*]] :
// CHECK: %[[G:.*]] = sched.view
// CHECK-NEXT: sched.start 0 on 1 {
// CHECK-NEXT: sched.collective all_gather %[[P]] to %[[G]]
// CHECK-NEXT: }
// Not in the place of %[[P]], which is at 64.
// CHECK: %[[Q:.*]] = sched.view %{{.*}} at 256
// CHECK-NEXT: sched.gemm %[[A]], %[[A]] into %[[Q]]
// CHECK-NEXT: sched.wait 0
// Now it is free.
// CHECK-NEXT: %[[R:.*]] = sched.view %{{.*}} at 64
// CHECK-NEXT: sched.gemm %[[Q]], %[[A]] into %[[R]]
// CHECK-NEXT: sched.result "result0" %[[G]]
func.func @started(
    %a: tensor<4x4xf32> {dtensor.global_type = tensor<4x4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<8x4xf32> {dtensor.global_type = tensor<8x4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>},
        tensor<4x4xf32> {dtensor.global_type = tensor<4x4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %0 = sched.gemm %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = comm.start : <tensor<8x4xf32>> {
    %g = comm.all_gather %0 over @mesh["x"] dim 0 : tensor<4x4xf32> -> tensor<8x4xf32>
    comm.yield %g : tensor<8x4xf32>
  }
  %1 = sched.gemm %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = comm.wait %t : !comm.token<tensor<8x4xf32>>
  %3 = sched.gemm %1, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2, %3 : tensor<8x4xf32>, tensor<4x4xf32>
}
