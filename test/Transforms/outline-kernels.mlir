// RUN: %dtensor-opt %s --dtensor-outline-kernels --split-input-file | FileCheck %s
//
// Local compute becomes kernels and matrix products.

// CHECK-LABEL: func.func @matmul_into_zeros_is_a_gemm
func.func @matmul_into_zeros_is_a_gemm(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  // CHECK-NEXT: %[[C:.*]] = sched.gemm %arg0, %arg1 : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  // CHECK-NEXT: return %[[C]]
  %c = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func @matmul_into_values_starts_from_them
func.func @matmul_into_values_starts_from_them(%a: tensor<3x4x8xf32>, %b: tensor<3x8x2xf32>, %c: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
  // CHECK-NEXT: sched.gemm %arg0, %arg1 init %arg2
  %d = linalg.batch_matmul ins(%a, %b : tensor<3x4x8xf32>, tensor<3x8x2xf32>) outs(%c : tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
  return %d : tensor<3x4x2xf32>
}

// -----

// One loop nest; the value between stays in a register, the constant is inside.
// CHECK-LABEL: func.func @neighbouring_elementwise_ops_are_one_kernel
// CHECK-NEXT: %[[K:.*]] = sched.kernel @kernels::@kernel0(%arg0, %arg1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[K]]
func.func @neighbouring_elementwise_ops_are_one_kernel(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = arith.constant dense<2.0> : tensor<4x8xf32>
  %0 = math.tanh %a : tensor<4x8xf32>
  %1 = arith.mulf %0, %b : tensor<4x8xf32>
  %2 = arith.addf %1, %c : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
// CHECK: module @kernels
// CHECK: func.func @kernel0(%arg0: memref<4x8xf32> {llvm.noalias}, %arg1: memref<4x8xf32> {llvm.noalias}, %arg2: memref<4x8xf32> {llvm.noalias})
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.0
// CHECK-NEXT: linalg.generic
// CHECK-SAME: ins(%arg0, %arg1 : {{.*}}) outs(%arg2
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[TANH:.*]] = math.tanh %[[A]]
// CHECK-NEXT: %[[MUL:.*]] = arith.mulf %[[TANH]], %[[B]]
// CHECK-NEXT: %[[ADD:.*]] = arith.addf %[[MUL]], %[[TWO]]
// CHECK-NEXT: linalg.yield %[[ADD]]

// -----

#row = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK: func.func @broadcast_joins_a_group
// CHECK-NEXT: sched.kernel @kernels::@kernel0(%arg0, %arg1) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]], #[[ALL]]]
func.func @broadcast_joins_a_group(%a: tensor<4x8xf32>, %bias: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = math.exp %a : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// A value read transposed is made by other iterations: a second kernel.
#ij = affine_map<(d0, d1) -> (d0, d1)>
#ji = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @transposed_read_ends_a_group
// CHECK-NEXT: %[[E:.*]] = sched.kernel @kernels::@kernel0(%arg0)
// CHECK-NEXT: sched.kernel @kernels::@kernel1(%[[E]])
func.func @transposed_read_ends_a_group(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = math.exp %a : tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @equal_kernels_exist_once
// CHECK-NEXT: %[[A:.*]] = sched.kernel @kernels::@kernel0(%arg0)
// CHECK-NEXT: %[[G:.*]] = sched.gemm %[[A]], %arg1
// CHECK-NEXT: sched.kernel @kernels::@kernel0(%[[G]])
// CHECK-COUNT-1: func.func @kernel
// CHECK-NOT: func.func @kernel
func.func @equal_kernels_exist_once(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = math.exp %a : tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = math.exp %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @reduction_fills_its_output_first
// CHECK-NEXT: sched.kernel @kernels::@kernel0(%arg0) : (tensor<4x8xf32>) -> tensor<4xf32>
// CHECK: func.func @kernel0
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%arg1 : memref<4xf32>)
// CHECK-NEXT: linalg.reduce { arith.addf } ins(%arg0 : memref<4x8xf32>) outs(%arg1 : memref<4xf32>)
func.func @reduction_fills_its_output_first(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @reduction_copies_a_start_value
// CHECK-NEXT: sched.kernel @kernels::@kernel0(%arg0, %arg1)
// CHECK: linalg.copy ins(%arg1 : memref<4xf32>) outs(%arg2 : memref<4xf32>)
func.func @reduction_copies_a_start_value(%a: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce {arith.addf} ins(%a : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

// CHECK-LABEL: func.func @constant_that_is_communicated_is_written_first
// CHECK-NEXT: %[[C:.*]] = sched.kernel @kernels::@kernel0() : () -> tensor<4xf32>
// CHECK-NEXT: comm.all_gather %[[C]]
func.func @constant_that_is_communicated_is_written_first() -> tensor<8xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %0 = comm.all_gather %c over @mesh["x"] dim 0 : tensor<4xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @elements_of_a_constant_lie_in_its_kernel
// CHECK-NEXT: %[[C:.*]] = sched.kernel @kernels::@kernel0() : () -> tensor<3xf32>
// CHECK-NEXT: sched.kernel @kernels::@kernel1(%arg0, %[[C]])
// CHECK: memref.global "private" constant @kernel0.elements : memref<3xf32> = dense<[1.0{{.*}}, 2.0{{.*}}, 3.0{{.*}}]>
func.func @elements_of_a_constant_lie_in_its_kernel(%a: tensor<3xf32>) -> tensor<3xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = arith.addf %a, %c : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 3]

// Arithmetic on what a rank knows of itself goes into the kernel, which gets the
// numbers as arguments, each once; an extent that is the same everywhere is none.
// CHECK-LABEL: func.func @place_of_the_rank
// CHECK-NEXT: sched.kernel @kernels::@kernel0(%arg0) extents [#sched.index<["x", "y"]>, #sched.extent<7 over ["x"] max 4>] : (tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: return
// CHECK: func.func @kernel0(%arg0: memref<4xi32> {llvm.noalias}, %arg1: memref<4xi32> {llvm.noalias}, %[[I:.*]]: index, %[[N:.*]]: index)
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : index
// CHECK-DAG: %[[A:.*]] = arith.addi %[[I]], %[[N]] : index
// CHECK: %[[B:.*]] = arith.muli %{{.*}}, %[[SIX]] : index
// CHECK: linalg.generic
#id = affine_map<(i) -> (i)>
func.func @place_of_the_rank(%a: tensor<4xi32>) -> tensor<4xi32> {
  %i = comm.axis_index over @mesh["x", "y"] : index
  %n = comm.local_extent 7 over @mesh["x"] : index
  %even = comm.local_extent 12 over @mesh["x"] : index
  %sum = arith.addi %i, %n : index
  %twice = arith.addi %sum, %i : index
  %product = arith.muli %twice, %even : index
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i32, %out: i32):
    %p = arith.index_cast %product : index to i32
    %r = arith.addi %x, %p : i32
    linalg.yield %r : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
