// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --mlir-print-op-generic %s | %dtensor-opt | FileCheck %s

// Every operation of sched, on tensors and on views of the slab.

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]

// CHECK-LABEL: sched.program @empty on @mesh peak 0 {
// CHECK-NEXT: sched.slab : memref<0xi8>
// CHECK-NEXT: }
sched.program @empty on @mesh peak 0 {
  %slab = sched.slab : memref<0xi8>
}

// CHECK-LABEL: sched.program @reference on @mesh peak 64 reference_of "main" local_values attributes {test.note = 1 : i64} {
sched.program @reference on @mesh peak 64 reference_of "main" local_values attributes {test.note = 1 : i64} {
  %slab = sched.slab : memref<64xi8>
}

// Views may overlap, touch the end of the slab and be empty.
// CHECK-LABEL: sched.program @views_lie_in_the_slab
sched.program @views_lie_in_the_slab on @mesh peak 4096 {
  // CHECK-NEXT: %[[SLAB:.*]] = sched.slab : memref<4096xi8>
  %slab = sched.slab : memref<4096xi8>
  // CHECK-NEXT: sched.view %[[SLAB]] at 0 : memref<4096xi8> to memref<16x64xf32>
  %whole = sched.view %slab at 0 : memref<4096xi8> to memref<16x64xf32>
  // CHECK-NEXT: sched.view %[[SLAB]] at 4032 : memref<4096xi8> to memref<8xf64>
  %last = sched.view %slab at 4032 : memref<4096xi8> to memref<8xf64>
  // CHECK-NEXT: sched.view %[[SLAB]] at 64 : memref<4096xi8> to memref<f16>
  %scalar = sched.view %slab at 64 : memref<4096xi8> to memref<f16>
  // CHECK-NEXT: sched.view %[[SLAB]] at 4096 : memref<4096xi8> to memref<0x8xi1>
  %none = sched.view %slab at 4096 : memref<4096xi8> to memref<0x8xi1>
}

// CHECK-LABEL: sched.program @inputs_and_results_have_layouts
sched.program @inputs_and_results_have_layouts on @mesh peak 3072 {
  %slab = sched.slab : memref<3072xi8>
  // CHECK: %[[X:.*]] = sched.view %{{.*}} at 0
  %x = sched.view %slab at 0 : memref<3072xi8> to memref<32x16xf32>
  // CHECK-NEXT: %[[Y:.*]] = sched.view %{{.*}} at 2048
  %y = sched.view %slab at 2048 : memref<3072xi8> to memref<f32>
  // CHECK-NEXT: sched.input "x" %[[X]] : memref<32x16xf32> global tensor<64x16xf32> layout #dtensor.layout<@mesh, ["dp" = shard(0)]>{{$}}
  sched.input "x" %x : memref<32x16xf32> global tensor<64x16xf32> layout #dtensor.layout<@mesh, ["dp" = shard(0)]>
  // CHECK-NEXT: sched.input "layers.0.w" %[[X]] : memref<32x16xf32> global tensor<64x64xf32> layout #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = shard(1)]> {test.note = 1 : i64}
  sched.input "layers.0.w" %x : memref<32x16xf32> global tensor<64x64xf32> layout #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = shard(1)]> {test.note = 1 : i64}
  // CHECK-NEXT: sched.result "result0" %[[X]] : memref<32x16xf32> global tensor<64x32xf32> layout #dtensor.layout<@mesh, ["tp":(1)2 = shard(0), "dp" = shard(1)]>{{$}}
  sched.result "result0" %x : memref<32x16xf32> global tensor<64x32xf32> layout #dtensor.layout<@mesh, ["tp":(1)2 = shard(0), "dp" = shard(1)]>
  // CHECK-NEXT: sched.result "result1" %[[Y]] : memref<f32> global tensor<f32> layout #dtensor.layout<@mesh, ["dp" = partial(sum)]>
  sched.result "result1" %y : memref<f32> global tensor<f32> layout #dtensor.layout<@mesh, ["dp" = partial(sum)]>
}

// CHECK-LABEL: sched.program @steps_on_views
sched.program @steps_on_views on @mesh peak 2048 {
  %slab = sched.slab : memref<2048xi8>
  // CHECK: %[[A:.*]] = sched.view %{{.*}} at 0
  %a = sched.view %slab at 0 : memref<2048xi8> to memref<8x4xf32>
  // CHECK-NEXT: %[[B:.*]] = sched.view %{{.*}} at 128
  %b = sched.view %slab at 128 : memref<2048xi8> to memref<4x8xf32>
  // CHECK-NEXT: %[[C:.*]] = sched.view %{{.*}} at 256
  %c = sched.view %slab at 256 : memref<2048xi8> to memref<8x8xf32>
  // CHECK-NEXT: %[[D:.*]] = sched.view %{{.*}} at 512
  %d = sched.view %slab at 512 : memref<2048xi8> to memref<8x8xf32>
  // CHECK-NEXT: %[[BATCH:.*]] = sched.view %{{.*}} at 1024
  %batch = sched.view %slab at 1024 : memref<2048xi8> to memref<3x4x4xf32>
  // CHECK-NEXT: sched.copy %[[C]] to %[[D]] : memref<8x8xf32>
  sched.copy %c to %d : memref<8x8xf32>
  // CHECK-NEXT: sched.kernel @kernels::@kernel0(%[[C]]) into(%[[D]]) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  sched.kernel @kernels::@kernel0(%c) into(%d) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  // CHECK-NEXT: sched.kernel @kernels::@fill() into(%[[C]], %[[D]]) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  sched.kernel @kernels::@fill() into(%c, %d) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  // CHECK-NEXT: sched.gemm %[[A]], %[[B]] into %[[C]] : (memref<8x4xf32>, memref<4x8xf32>, memref<8x8xf32>) -> ()
  sched.gemm %a, %b into %c : (memref<8x4xf32>, memref<4x8xf32>, memref<8x8xf32>) -> ()
  // CHECK-NEXT: sched.gemm %[[A]], %[[B]] into %[[C]] accumulate : (memref<8x4xf32>, memref<4x8xf32>, memref<8x8xf32>) -> ()
  sched.gemm %a, %b into %c accumulate : (memref<8x4xf32>, memref<4x8xf32>, memref<8x8xf32>) -> ()
  // CHECK-NEXT: sched.gemm %[[BATCH]], %[[BATCH]] into %[[BATCH]] : (memref<3x4x4xf32>, memref<3x4x4xf32>, memref<3x4x4xf32>) -> ()
  sched.gemm %batch, %batch into %batch : (memref<3x4x4xf32>, memref<3x4x4xf32>, memref<3x4x4xf32>) -> ()
}

// CHECK-LABEL: func.func @steps_on_tensors
// CHECK-SAME: (%[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4x6xf32>, %[[INIT:.*]]: tensor<8x6xf32>, %[[BATCH:.*]]: tensor<3x4x4xf32>)
func.func @steps_on_tensors(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %init: tensor<8x6xf32>, %batch: tensor<3x4x4xf32>) {
  // CHECK-NEXT: sched.kernel @kernel0(%[[A]]) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %one = sched.kernel @kernel0(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK-NEXT: sched.kernel @kernels::@kernel1(%[[A]], %[[B]]) : (tensor<8x4xf32>, tensor<4x6xf32>) -> (tensor<8xf32>, tensor<i1>)
  %two:2 = sched.kernel @kernels::@kernel1(%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> (tensor<8xf32>, tensor<i1>)
  // CHECK-NEXT: sched.kernel @kernels::@constant() : () -> tensor<4xf32>
  %constant = sched.kernel @kernels::@constant() : () -> tensor<4xf32>
  // CHECK-NEXT: sched.gemm %[[A]], %[[B]] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %product = sched.gemm %a, %b : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  // CHECK-NEXT: sched.gemm %[[A]], %[[B]] init %[[INIT]] : (tensor<8x4xf32>, tensor<4x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  %sum = sched.gemm %a, %b init %init : (tensor<8x4xf32>, tensor<4x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK-NEXT: sched.gemm %[[BATCH]], %[[BATCH]] : (tensor<3x4x4xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %products = sched.gemm %batch, %batch : (tensor<3x4x4xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  return
}
