// RUN: %dtensor-opt %s --dtensor-import-stablehlo --split-input-file --verify-diagnostics
//
// Ops that move or combine elements, with dimensions that do not fit.

func.func @reshape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reshape' op makes 5 elements out of 4; the numbers must be equal}}
  %0 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @transpose_repeats(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.transpose' op has dimension 0 in 'permutation'; needs different ones in [0, 2)}}
  %0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<4x5xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @transpose_result(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.transpose' op has a result of type 'tensor<4x5xf32>'; its operands and attributes give 'tensor<5x4xf32>'}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @transpose_attribute(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.transpose' op needs attribute 'permutation' with integers}}
  %0 = "stablehlo.transpose"(%a) : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @broadcast_size(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op broadcasts dimension 0 of size 4 to size 5; needs size 1}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @broadcast_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op has 2 'broadcast_dimensions', needs 1}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<4xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @slice_limit(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op takes [0:5:1] of dimension 0, which has size 4}}
  %0 = stablehlo.slice %a [0:5] : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @concatenate(%a: tensor<4x2xf32>, %b: tensor<5x2xf32>) {
  // expected-error @+1 {{'stablehlo.concatenate' op has operand 1 of type 'tensor<5x2xf32>' beside 'tensor<4x2xf32>'; they may differ in dimension 1 only}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x2xf32>, tensor<5x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @pad_between_by_a_negative_amount(%a: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op pads dimension 0 of size 4 by [0, 0, -1]; needs amounts up to 2^30, not negative between elements and in total}}
  %0 = stablehlo.pad %a, %c, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_drops_more_than_there_is(%a: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op pads dimension 0 of size 4 by [-3, -2, 0]; needs}}
  %0 = stablehlo.pad %a, %c, low = [-3], high = [-2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @iota() {
  // expected-error @+1 {{'stablehlo.iota' op has dimension 1 in 'iota_dimension'; needs different ones in [0, 1)}}
  %0 = stablehlo.iota dim = 1 : tensor<4xi32>
  return
}

// -----

func.func @dot_sizes(%a: tensor<4x8xf32>, %b: tensor<7x2xf32>) {
  // expected-error @+1 {{'stablehlo.dot_general' op pairs contracted dimension 1 of size 8 with dimension 0 of size 7}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<7x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_counts(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.dot_general' op has 1 contracted dimensions on the left and 2 on the right}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0, 1] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_dims(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.dot_general' op has dimension 2 among the batch and contracted ones of the left operand; needs different ones in [0, 2)}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_result(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.dot_general' op has a result of type 'tensor<2x4xf32>'; its operands give 'tensor<4x2xf32>'}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dot_elements(%a: tensor<4x8xi1>, %b: tensor<8x2xi1>) {
  // expected-error @+1 {{'stablehlo.dot_general' op needs operands and a result that are all floats or all integers of more than one bit, got elements 'i1'}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xi1>, tensor<8x2xi1>) -> tensor<4x2xi1>
  return
}

// -----

func.func @reduce_result(%a: tensor<4x8xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'stablehlo.reduce' op has a result of type 'tensor<8xf32>'; its operands give 'tensor<4xf32>'}}
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_dims(%a: tensor<4x8xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'stablehlo.reduce' op has dimension 2 in 'dimensions'; needs different ones in [0, 2)}}
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [2] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_start(%a: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op starts from a value that is no constant, and its body is not one of add, multiply}}
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_body_without_block(%a: tensor<4xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'stablehlo.reduce' op needs as many initial values as tensors}}
  %0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 0>}> ({}) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_body_moves_elements(%a: tensor<4xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{'stablehlo.reshape' op stands in the body of a reduction; only elementwise operations are imported there}}
    %r = stablehlo.reshape %x : (tensor<f32>) -> tensor<f32>
    stablehlo.return %r : tensor<f32>
  }
  return
}

// -----

func.func @reduce_body_yields_less(%a: tensor<4xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error @+1 {{'stablehlo.reduce' op has a body that does not yield what it takes}}
  %0 = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    stablehlo.return
  }
  return
}

// -----

func.func @reduce_body_sees_outside(%a: tensor<4xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    // expected-error @+1 {{'stablehlo.add' op uses a value from outside of its region as operand 1}}
    %r = stablehlo.add %x, %c : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }
  return
}
