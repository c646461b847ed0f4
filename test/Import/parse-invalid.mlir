// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics
//
// Text that cannot be read.

func.func @no_such_form(%a: tensor<4xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.convolution' has a text form that the importer does not read}}
  %0 = stablehlo.convolution(%a, %a) dim_numbers = [b, f]x[i, o]->[b, f] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_such_clause(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.transpose' has a clause 'order' that the importer does not read}}
  %0 = stablehlo.transpose %a, order = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @wrong_number_of_types(%a: tensor<4xf32>) {
  // expected-error @+1 {{number of operands and types do not match: got 2 operands and 1 types}}
  %0 = stablehlo.add %a, %a : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cut_slice(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = stablehlo.slice %a [0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @constant_without_type() {
  // expected-error @+1 {{custom op 'stablehlo.constant' expected a constant with a type}}
  %0 = stablehlo.constant @f
  return
}

// -----

// expected-error @+1 {{custom op 'sdy.mesh' expected a closing bracket}}
sdy.mesh @mesh = <["x"=2] -> 3>

// -----

func.func @applies_to_two(%a: tensor<4xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.reduce' with 'applies' needs one tensor}}
  %0:2 = stablehlo.reduce(%a init: %a), (%a init: %a) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @cut_text(%a: tensor<4xf32>) {
  // expected-error @+2 {{custom op 'sdy.sharding_constraint' expected a closing bracket}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"
