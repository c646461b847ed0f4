// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// Collectives of comm: constraints (C3) to (C5) of each operation, and assembly.
// (C1) and (C2) are in common-invalid.mlir.

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_dim_is_the_rank(%input: tensor<4x8xf32>) {
  // (C3) dim is in range.
  // expected-error @+1 {{'comm.all_gather' op 'dim' 2 is out of range for a tensor of rank 2}}
  %result = comm.all_gather %input over @mesh["y"] dim 2 : tensor<4x8xf32> -> tensor<16x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_dim_is_negative(%input: tensor<4x8xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.all_gather' op 'dim' -1 is out of range for a tensor of rank 2}}
  %result = comm.all_gather %input over @mesh["y"] dim -1 : tensor<4x8xf32> -> tensor<16x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_of_rank_0(%input: tensor<f32>) {
  // (C3)
  // expected-error @+1 {{'comm.all_gather' op 'dim' 0 is out of range for a tensor of rank 0}}
  %result = comm.all_gather %input over @mesh["y"] dim 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_result_is_too_short(%input: tensor<4x8xf32>) {
  // (C4) the result is p times as long in dim.
  // expected-error @+1 {{'comm.all_gather' op result must have type 'tensor<16x8xf32>', got 'tensor<8x8xf32>'}}
  %result = comm.all_gather %input over @mesh["y"] dim 0 : tensor<4x8xf32> -> tensor<8x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_forgets_an_axis(%input: tensor<4x8xf32>) {
  // (C4) p is the product of all axes.
  // expected-error @+1 {{'comm.all_gather' op result must have type 'tensor<32x8xf32>', got 'tensor<16x8xf32>'}}
  %result = comm.all_gather %input over @mesh["x", "y"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_over_a_part_as_if_whole(%input: tensor<4x8xf32>) {
  // (C4) p is the size of the part.
  // expected-error @+1 {{'comm.all_gather' op result must have type 'tensor<8x8xf32>', got 'tensor<16x8xf32>'}}
  %result = comm.all_gather %input over @mesh["y":(1)2] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_along_another_dim(%input: tensor<4x8xf32>) {
  // (C4) and equal elsewhere.
  // expected-error @+1 {{'comm.all_gather' op result must have type 'tensor<16x8xf32>', got 'tensor<4x32xf32>'}}
  %result = comm.all_gather %input over @mesh["y"] dim 0 : tensor<4x8xf32> -> tensor<4x32xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_gather_changes_the_rank(%input: tensor<4x8xf32>) {
  // (C4)
  // expected-error @+1 {{'comm.all_gather' op result must have type 'tensor<16x8xf32>', got 'tensor<16x8x1xf32>'}}
  %result = comm.all_gather %input over @mesh["y"] dim 0 : tensor<4x8xf32> -> tensor<16x8x1xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_band_of_floats(%input: tensor<8xf32>) {
  // (C5) the element type has the reduce op.
  // expected-error @+1 {{'comm.all_reduce' op element type 'f32' has no reduce op 'band'}}
  %result = comm.all_reduce band %input over @mesh["x"] : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_avg_of_integers(%input: tensor<8xi32>) {
  // (C5)
  // expected-error @+1 {{'comm.all_reduce' op element type 'i32' has no reduce op 'avg'}}
  %result = comm.all_reduce avg %input over @mesh["x"] : tensor<8xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_sum_of_booleans(%input: tensor<8xi1>) {
  // (C5)
  // expected-error @+1 {{'comm.all_reduce' op element type 'i1' has no reduce op 'sum'}}
  %result = comm.all_reduce sum %input over @mesh["x"] : tensor<8xi1>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_reduce_of_complex_numbers(%input: tensor<8xcomplex<f32>>) {
  // (C5)
  // expected-error @+1 {{'comm.all_reduce' op element type 'complex<f32>' cannot be communicated}}
  %result = comm.all_reduce sum %input over @mesh["x"] : tensor<8xcomplex<f32>>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @reduce_scatter_dim_is_the_rank(%input: tensor<16x8xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.reduce_scatter' op 'dim' 2 is out of range for a tensor of rank 2}}
  %result = comm.reduce_scatter sum %input over @mesh["y"] dim 2 : tensor<16x8xf32> -> tensor<16x2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @reduce_scatter_does_not_divide(%input: tensor<16x9xf32>) {
  // (C4) the operand is p times as long in dim.
  // expected-error @+1 {{'comm.reduce_scatter' op dimension 1 of size 9 does not divide by the group of 4 ranks}}
  %result = comm.reduce_scatter sum %input over @mesh["y"] dim 1 : tensor<16x9xf32> -> tensor<16x2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @reduce_scatter_result_is_too_long(%input: tensor<16x8xf32>) {
  // (C4)
  // expected-error @+1 {{'comm.reduce_scatter' op result must have type 'tensor<16x2xf32>', got 'tensor<16x4xf32>'}}
  %result = comm.reduce_scatter sum %input over @mesh["y"] dim 1 : tensor<16x8xf32> -> tensor<16x4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @reduce_scatter_umax_of_floats(%input: tensor<16x8xbf16>) {
  // (C5)
  // expected-error @+1 {{'comm.reduce_scatter' op element type 'bf16' has no reduce op 'umax'}}
  %result = comm.reduce_scatter umax %input over @mesh["y"] dim 1 : tensor<16x8xbf16> -> tensor<16x2xbf16>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_to_all_split_is_the_rank(%input: tensor<16x2xf32>) {
  // (C3) split is in range.
  // expected-error @+1 {{'comm.all_to_all' op 'split' 2 is out of range for a tensor of rank 2}}
  %result = comm.all_to_all %input over @mesh["y"] split 2 concat 1 : tensor<16x2xf32> -> tensor<4x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_to_all_concat_is_negative(%input: tensor<16x2xf32>) {
  // (C3) concat is in range.
  // expected-error @+1 {{'comm.all_to_all' op 'concat' -1 is out of range for a tensor of rank 2}}
  %result = comm.all_to_all %input over @mesh["y"] split 0 concat -1 : tensor<16x2xf32> -> tensor<4x8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_to_all_within_one_dim(%input: tensor<16x2xf32>) {
  // (C3) they differ.
  // expected-error @+1 {{'comm.all_to_all' op 'split' and 'concat' must differ, both are 0}}
  %result = comm.all_to_all %input over @mesh["y"] split 0 concat 0 : tensor<16x2xf32> -> tensor<16x2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_to_all_does_not_divide(%input: tensor<16x2xf32>) {
  // (C4) the result is p times as short in split.
  // expected-error @+1 {{'comm.all_to_all' op dimension 1 of size 2 does not divide by the group of 4 ranks}}
  %result = comm.all_to_all %input over @mesh["y"] split 1 concat 0 : tensor<16x2xf32> -> tensor<64x1xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @all_to_all_result_is_too_short(%input: tensor<16x2xf32>) {
  // (C4) and p times as long in concat.
  // expected-error @+1 {{'comm.all_to_all' op result must have type 'tensor<4x8xf32>', got 'tensor<4x2xf32>'}}
  %result = comm.all_to_all %input over @mesh["y"] split 0 concat 1 : tensor<16x2xf32> -> tensor<4x2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @slice_dim_is_the_rank(%input: tensor<16xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.slice' op 'dim' 1 is out of range for a tensor of rank 1}}
  %result = comm.slice %input over @mesh["y"] dim 1 : tensor<16xf32> -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @slice_does_not_divide(%input: tensor<18xf32>) {
  // (C4)
  // expected-error @+1 {{'comm.slice' op dimension 0 of size 18 does not divide by the group of 4 ranks}}
  %result = comm.slice %input over @mesh["y"] dim 0 : tensor<18xf32> -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @slice_result_is_the_operand(%input: tensor<16xf32>) {
  // (C4)
  // expected-error @+1 {{'comm.slice' op result must have type 'tensor<4xf32>', got 'tensor<16xf32>'}}
  %result = comm.slice %input over @mesh["y"] dim 0 : tensor<16xf32> -> tensor<16xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_partial_dim_is_the_rank(%input: tensor<4xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.to_partial' op 'dim' 1 is out of range for a tensor of rank 1}}
  %result = comm.to_partial sum %input over @mesh["y"] dim 1 : tensor<4xf32> -> tensor<16xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_partial_grows_without_dim(%input: tensor<4xf32>) {
  // (C4) without dim the types are equal.
  // expected-error @+1 {{'comm.to_partial' op result must have type 'tensor<4xf32>', got 'tensor<16xf32>'}}
  %result = comm.to_partial sum %input over @mesh["y"] : tensor<4xf32> -> tensor<16xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_partial_keeps_its_size_with_dim(%input: tensor<4xf32>) {
  // (C4) with it the result is p times as long.
  // expected-error @+1 {{'comm.to_partial' op result must have type 'tensor<16xf32>', got 'tensor<4xf32>'}}
  %result = comm.to_partial sum %input over @mesh["y"] dim 0 : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 4, "z" = 6]
func.func @to_partial_product_of_booleans(%input: tensor<4xi1>) {
  // (C5)
  // expected-error @+1 {{'comm.to_partial' op element type 'i1' has no reduce op 'product'}}
  %result = comm.to_partial product %input over @mesh["y"] : tensor<4xi1> -> tensor<4xi1>
  return
}
