// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// sched.kernel and sched.gemm: constraints.

func.func @kernel_on_tensors_without_results(%a: tensor<4xf32>) {
  // (C1) tensors have results.
  // expected-error @+1 {{'sched.kernel' op needs tensors and results, or views and outputs, not a mixture}}
  sched.kernel @kernel0(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @kernel_on_tensors_with_outputs(%a: tensor<4xf32>, %b: memref<4xf32>) {
  // (C1) tensors have no outputs.
  // expected-error @+1 {{'sched.kernel' op needs tensors and results, or views and outputs, not a mixture}}
  %result = sched.kernel @kernel0(%a) into(%b) : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @kernel_on_views_without_outputs(%a: memref<4xf32>) {
  // (C1) views have outputs.
  // expected-error @+1 {{'sched.kernel' op needs tensors and results, or views and outputs, not a mixture}}
  sched.kernel @kernel0(%a) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @kernel_on_views_with_results(%a: memref<4xf32>, %b: memref<4xf32>) {
  // (C1) views have no results.
  // expected-error @+1 {{'sched.kernel' op needs tensors and results, or views and outputs, not a mixture}}
  %result = sched.kernel @kernel0(%a) into(%b) : (memref<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @kernel_on_tensors_and_views(%a: tensor<4xf32>, %b: memref<4xf32>) {
  // (C1)
  // expected-error @+1 {{'sched.kernel' op needs tensors and results, or views and outputs, not a mixture}}
  %result = sched.kernel @kernel0(%a, %b) : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @kernel_that_does_nothing() {
  // (C1)
  // expected-error @+1 {{'sched.kernel' op needs tensors and results, or views and outputs, not a mixture}}
  sched.kernel @kernel0() : () -> ()
  return
}

// -----

func.func @gemm_on_tensors_without_result(%a: tensor<4x4xf32>) {
  // (C1) tensors have a result.
  // expected-error @+1 {{'sched.gemm' op needs tensors and a result, or views and an output}}
  sched.gemm %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
  return
}

// -----

func.func @gemm_on_tensors_with_output(%a: tensor<4x4xf32>, %c: memref<4x4xf32>) {
  // (C1) tensors have no output.
  // expected-error @+1 {{'sched.gemm' op needs tensors and a result, or views and an output}}
  sched.gemm %a, %a into %c : (tensor<4x4xf32>, tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// -----

func.func @gemm_on_views_without_output(%a: memref<4x4xf32>) {
  // (C1) views have an output.
  // expected-error @+1 {{'sched.gemm' op needs tensors and a result, or views and an output}}
  sched.gemm %a, %a : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// -----

func.func @gemm_on_views_with_result(%a: memref<4x4xf32>) {
  // (C1) views have no result.
  // expected-error @+1 {{'sched.gemm' op needs tensors and a result, or views and an output}}
  %result = sched.gemm %a, %a : (memref<4x4xf32>, memref<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @gemm_on_views_with_init(%a: memref<4x4xf32>, %init: tensor<4x4xf32>) {
  // (C1) `init` is for tensors.
  // expected-error @+1 {{'sched.gemm' op needs tensors and a result, or views and an output}}
  sched.gemm %a, %a init %init into %a : (memref<4x4xf32>, memref<4x4xf32>, tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// -----

func.func @gemm_on_tensors_accumulates(%a: tensor<4x4xf32>) {
  // (C1) `accumulate` is for views.
  // expected-error @+1 {{'sched.gemm' op needs tensors and a result, or views and an output}}
  %result = sched.gemm %a, %a accumulate : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @gemm_of_a_vector(%a: tensor<4xf32>, %b: tensor<4x3xf32>) {
  // (C2) operands have two or three dimensions.
  // expected-error @+1 {{'sched.gemm' op operands must have two or three dimensions, got 'tensor<4xf32>', 'tensor<4x3xf32>' and 'tensor<3xf32>'}}
  %result = sched.gemm %a, %b : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @gemm_of_four_dims(%a: tensor<2x2x4x4xf32>) {
  // (C2)
  // expected-error @+1 {{'sched.gemm' op operands must have two or three dimensions}}
  %result = sched.gemm %a, %a : (tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  return
}

// -----

func.func @gemm_of_a_batch_and_a_matrix(%a: memref<3x4x4xf32>, %b: memref<4x4xf32>) {
  // (C2) as many each.
  // expected-error @+1 {{'sched.gemm' op operands must have two or three dimensions, got 'memref<3x4x4xf32>', 'memref<4x4xf32>' and 'memref<3x4x4xf32>'}}
  sched.gemm %a, %b into %a : (memref<3x4x4xf32>, memref<4x4xf32>, memref<3x4x4xf32>) -> ()
  return
}

// -----

func.func @gemm_of_two_element_types(%a: tensor<4x4xf32>, %b: tensor<4x4xf16>) {
  // (C2) equal element types.
  // expected-error @+1 {{'sched.gemm' op element types must be equal, got 'tensor<4x4xf32>', 'tensor<4x4xf16>' and 'tensor<4x4xf32>'}}
  %result = sched.gemm %a, %b : (tensor<4x4xf32>, tensor<4x4xf16>) -> tensor<4x4xf32>
  return
}

// -----

func.func @gemm_into_another_element_type(%a: memref<4x4xf16>, %c: memref<4x4xf32>) {
  // (C2)
  // expected-error @+1 {{'sched.gemm' op element types must be equal, got 'memref<4x4xf16>', 'memref<4x4xf16>' and 'memref<4x4xf32>'}}
  sched.gemm %a, %a into %c : (memref<4x4xf16>, memref<4x4xf16>, memref<4x4xf32>) -> ()
  return
}

// -----

func.func @gemm_contracts_unequal_extents(%a: tensor<2x4xf32>, %b: tensor<5x3xf32>) {
  // (C2) extents that agree.
  // expected-error @+1 {{'sched.gemm' op extents do not agree: 'tensor<2x4xf32>', 'tensor<5x3xf32>' and 'tensor<2x3xf32>'}}
  %result = sched.gemm %a, %b : (tensor<2x4xf32>, tensor<5x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gemm_result_has_other_rows(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) {
  // (C2)
  // expected-error @+1 {{'sched.gemm' op extents do not agree: 'tensor<2x4xf32>', 'tensor<4x3xf32>' and 'tensor<4x3xf32>'}}
  %result = sched.gemm %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @gemm_output_has_other_columns(%a: memref<2x4xf32>, %b: memref<4x3xf32>, %c: memref<2x4xf32>) {
  // (C2)
  // expected-error @+1 {{'sched.gemm' op extents do not agree: 'memref<2x4xf32>', 'memref<4x3xf32>' and 'memref<2x4xf32>'}}
  sched.gemm %a, %b into %c : (memref<2x4xf32>, memref<4x3xf32>, memref<2x4xf32>) -> ()
  return
}

// -----

func.func @gemm_of_unequal_batches(%a: tensor<2x4x4xf32>, %b: tensor<3x4x4xf32>) {
  // (C2)
  // expected-error @+1 {{'sched.gemm' op extents do not agree: 'tensor<2x4x4xf32>', 'tensor<3x4x4xf32>' and 'tensor<2x4x4xf32>'}}
  %result = sched.gemm %a, %b : (tensor<2x4x4xf32>, tensor<3x4x4xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @gemm_of_unranked_tensors(%a: tensor<*xf32>, %b: tensor<4x4xf32>) {
  // expected-error @+1 {{'sched.gemm' op operand #0 must be tensor or view of the slab, but got 'tensor<*xf32>'}}
  %result = sched.gemm %a, %b : (tensor<*xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
sched.program @kernel_index_over_unknown_axis on @mesh peak 128 {
  %slab = sched.slab : memref<128xi8>
  %a = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %b = sched.view %slab at 64 : memref<128xi8> to memref<4xf32>
  // (C2)
  // expected-error @+1 {{'sched.kernel' op 'extents' has #sched.index<["y"]>: unknown axis 'y' (the mesh has x)}}
  sched.kernel @kernels::@kernel0(%a) into(%b) extents [#sched.index<["y"]>] : (memref<4xf32>, memref<4xf32>) -> ()
}

// -----

dtensor.mesh @mesh ["x" = 4]
sched.program @gemm_extent_over_unknown_axis on @mesh peak 128 {
  %slab = sched.slab : memref<192xi8>
  %a = sched.view %slab at 0 : memref<192xi8> to memref<2x2xf32>
  %b = sched.view %slab at 64 : memref<192xi8> to memref<2x2xf32>
  %c = sched.view %slab at 128 : memref<192xi8> to memref<2x2xf32>
  // (C3)
  // expected-error @+1 {{'sched.gemm' op 'extents' has #sched.extent<7 over ["y"] max 2>: unknown axis 'y' (the mesh has x)}}
  sched.gemm %a, %b into %c extents [#sched.extent<7 over ["y"] max 2>, 2, 2, 1] : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) -> ()
}

// -----

func.func @kernel_extents_are_neither(%a: tensor<4xf32>) {
  // expected-error @+1 {{'sched.kernel' op attribute 'extents' failed to satisfy constraint: array of extents, indices and counters}}
  %result = sched.kernel @kernel0(%a) extents [3 : i64] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
