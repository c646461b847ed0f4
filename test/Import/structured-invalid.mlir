// RUN: %dtensor-opt %s --dtensor-import-stablehlo --split-input-file --verify-diagnostics
//
// Forms of gather, scatter, sort and reduce_window that are not imported.

func.func @gather_batching(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op has 'operand_batching_dims'; only forms without it are imported}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], operand_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_unreadable(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op has no readable 'dimension_numbers':}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = zero>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_windows(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op takes more than one element along the dimensions that the indices are of; only single ones are imported}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_part(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op takes a part of dimension 0; only whole dimensions and single elements are imported}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 5, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_indices(%a: tensor<6x9xf32>, %i: tensor<4x1xi16>) {
  // expected-error @+1 {{'stablehlo.gather' op has indices of 'tensor<4x1xi16>' with their vector in dimension 1; needs i32 or i64}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi16>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_offset(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op needs 'offset_dims' of 1 growing dimensions in [0, 2)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [7], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_offset_twice(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op needs 'offset_dims' of 1 growing dimensions in [0, 2)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_no_offset(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op needs 'offset_dims' of 1 growing dimensions in [0, 2)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_offsets_swapped(%a: tensor<6x9x5xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op needs 'offset_dims' of 2 growing dimensions in [0, 3)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1, 5>}> : (tensor<6x9x5xf32>, tensor<4x1xi32>) -> tensor<4x6x5xf32>
  return
}

// -----

func.func @gather_indexed_twice(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op has indices of dimension 1; needs different ones in [0, 2)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1, 1], start_index_map = [1, 1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_indexed_unknown(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op has indices of dimension 2; needs different ones in [0, 2)}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [2], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_vector_size(%a: tensor<6x9xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op has indices of 2 numbers for 1 dimensions}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x2xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @gather_result(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op has a result of type 'tensor<6x4x1xf32>'; its parts are of 'tensor<4x6xf32>'}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4x1xf32>
  return
}

// -----

func.func @gather_vector_unreadable(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op has no readable 'index_vector_dim'}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = last>, slice_sizes = array<i64: 6, 1>}> : (tensor<6x9xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @scatter_body(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op has a body that neither takes the update nor combines it by one of add, multiply, maximum, minimum, and, or, xor}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_part(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<5x4xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op puts parts of 'tensor<4x5xf32>' where whole ones are of 'tensor<4x6xf32>'; only whole dimensions are imported}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<5x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_dims(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op needs 'update_window_dims' of 1 growing dimensions in [0, 2)}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 5], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_dims_twice(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.scatter' op needs 'update_window_dims' of 1 growing dimensions in [0, 2)}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_indexed_unknown(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.scatter' op has indices of dimension 3; needs different ones in [0, 2)}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [3], scatter_dims_to_operand_dims = [3], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_body_from_outside(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.scatter' op has a body that neither takes the update nor combines it by one of add, multiply, maximum, minimum, and, or, xor}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %z : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_body_goes_on(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.scatter' op has a body that neither takes the update nor combines it by one of add, multiply, maximum, minimum, and, or, xor}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    %t = stablehlo.negate %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_body_without_return(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.scatter' op has a body that neither takes the update nor combines it by one of add, multiply, maximum, minimum, and, or, xor}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.negate %y : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_empty_body(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.scatter' op has a body that neither takes the update nor combines it by one of add, multiply, maximum, minimum, and, or, xor}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_body_operands(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.scatter' op has a body that neither takes the update nor combines it by one of add, multiply, maximum, minimum, and, or, xor}}
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>) -> tensor<6x9xf32>
  return
}

// -----

func.func @scatter_two(%a: tensor<6x9xf32>, %i: tensor<4x1xi32>, %u: tensor<6x4xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op scatters several tensors; only one is imported}}
  %0:2 = "stablehlo.scatter"(%a, %a, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) : (tensor<6x9xf32>, tensor<6x9xf32>, tensor<4x1xi32>, tensor<6x4xf32>, tensor<6x4xf32>) -> (tensor<6x9xf32>, tensor<6x9xf32>)
  return
}

// -----

func.func @sort_arguments(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op needs a comparator of two arguments for each operand}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>):
    %c = stablehlo.compare LT, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_swapped(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %y, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_chosen_integer(%a: tensor<8xi32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %m = stablehlo.constant dense<-1> : tensor<i32>
    %big = stablehlo.constant dense<1000> : tensor<i32>
    %xt = stablehlo.compare EQ, %x, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %big, %x : tensor<i1>, tensor<i32>
    %yt = stablehlo.compare EQ, %y, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %big, %y : tensor<i1>, tensor<i32>
    %c = stablehlo.compare LT, %x1, %y1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xi32>) -> tensor<8xi32>
  return
}

// -----

func.func @sort_chosen_number(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %xt = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %one, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare EQ, %y, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %one, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_compared_number(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %xt = stablehlo.compare EQ, %x, %one, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %zero, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare EQ, %y, %one, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %zero, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_select_direction(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %xt = stablehlo.compare NE, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %zero, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare NE, %y, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %zero, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_select_order(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %xt = stablehlo.compare EQ, %x, %zero, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %zero, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare EQ, %y, %zero, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %zero, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_not_a_nan(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %xt = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %zero, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare NE, %y, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %zero, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_negative_nan(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %nan = stablehlo.constant dense<0xFFC00000> : tensor<f32>
    %xt = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %nan, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare NE, %y, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %nan, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_negative_zero(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %minus = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %xt = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %minus, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare EQ, %y, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %minus, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_one_side(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %xt = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %zero, %x : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_only_zeros_alike(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op tells zeros and NaNs of different signs apart; only comparators that make them alike are imported}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %xt = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %zero, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare EQ, %y, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %zero, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_only_nans_alike(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op tells zeros and NaNs of different signs apart; only comparators that make them alike are imported}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %xt = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %nan, %x : tensor<i1>, tensor<f32>
    %yt = stablehlo.compare NE, %y, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %y1 = stablehlo.select %yt, %nan, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_compare_operands(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = "stablehlo.compare"(%x) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_select_operands(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %t = "stablehlo.compare"() {comparison_direction = #stablehlo<comparison_direction EQ>} : () -> tensor<i1>
    %x1 = stablehlo.select %t, %zero, %x : tensor<i1>, tensor<f32>
    %y1 = stablehlo.select %t, %zero, %y : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_no_return(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %d = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.not %d : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_empty_body(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Nothing has verified that values of foreign ops come before their uses.
func.func @sort_cycle(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is more than one comparison of the first operand's elements}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %xt = stablehlo.compare EQ, %x, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %x1 = stablehlo.select %xt, %zero, %x1 : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %x1, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_direction(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op along dimension 0 has a comparator of direction 'LE'; needs LT or GT in [0, 1)}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_dimension(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op along dimension 3 has a comparator of direction 'LT'; needs LT or GT in [0, 1)}}
  %0 = "stablehlo.sort"(%a) <{dimension = 3 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_total_order(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op tells zeros and NaNs of different signs apart; only comparators that make them alike are imported}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @sort_unsigned(%a: tensor<8xui32>) {
  // expected-error @+1 {{'stablehlo.sort' op sorts by unsigned elements; convert them to signed ones}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui32>, %y: tensor<ui32>):
    %c = stablehlo.compare LT, %x, %y, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xui32>) -> tensor<8xui32>
  return
}

// -----

func.func @sort_shapes(%a: tensor<8xf32>, %b: tensor<9xf32>) {
  // expected-error @+1 {{'stablehlo.sort' op sorts tensors of different shapes, 'tensor<8xf32>' and 'tensor<9xf32>'}}
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<8xf32>, tensor<9xf32>) -> (tensor<8xf32>, tensor<9xf32>)
  return
}

// -----

func.func @window_body(%a: tensor<8xf32>, %z: tensor<f32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op has a body that is not one of add, multiply, maximum, minimum, and, or, xor of its arguments}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 5>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_base(%a: tensor<8xf32>, %z: tensor<f32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op has 'base_dilations'; only forms without them are imported}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 5>, base_dilations = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_padding(%a: tensor<8xf32>, %z: tensor<f32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op needs a 'padding' of 1 pairs}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 5>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_crop(%a: tensor<8xf32>, %z: tensor<f32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op takes elements away around dimension 0; only what adds some is imported}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 5>, padding = dense<[[-1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_start(%a: tensor<8xf32>, %z: tensor<f32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op starts from 'tensor<1xf32>'; needs a scalar of its operand's elements}}
  %0 = "stablehlo.reduce_window"(%a, %v) <{window_dimensions = array<i64: 5>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_sizes(%a: tensor<8xf32>, %z: tensor<f32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op needs 1 sizes of at least 1 and at most 2^31}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_large(%a: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op needs 1 sizes of at least 1 and at most 2^31}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 4611686018427387904>, window_dilations = array<i64: 4>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @window_stride_large(%a: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op needs 1 sizes of at least 1 and at most 2^31}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2147483649>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @window_padding_low(%a: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op adds more than 2^31 elements around dimension 0}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 5>, padding = dense<[[9223372036854775807, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_padding_high(%a: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op adds more than 2^31 elements around dimension 0}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 5>, padding = dense<[[0, 9223372036854775807]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_count(%a: tensor<8xf32>, %z: tensor<f32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op has 6 windows in dimension 0, its result is of 'tensor<4xf32>'}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_two(%a: tensor<8xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce_window' op reduces several tensors; only one is imported}}
  %0:2 = "stablehlo.reduce_window"(%a, %a, %z, %z) <{window_dimensions = array<i64: 5>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
