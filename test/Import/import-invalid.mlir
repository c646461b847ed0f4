// RUN: %dtensor-opt %s --dtensor-import-stablehlo --split-input-file --verify-diagnostics --allow-unregistered-dialect
//
// What the importer refuses: unknown ops, and types that do not agree.

func.func @unknown_op(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op is not among the operations that the importer knows}}
  %0 = "stablehlo.rng_bit_generator"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unknown_call(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op calls @cublas.gemm, which the importer does not know}}
  %0 = stablehlo.custom_call @cublas.gemm(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @assertions_are_named(%a: tensor<4xf32>) {
  // expected-warning @+1 {{assertion @check.expect_eq is not imported}}
  stablehlo.custom_call @check.expect_eq(%a, %a) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

// expected-warning @+1 {{argument 0 of @gspmd: 'mhlo.sharding' is not imported, the layout stays open; export with Shardy}}
func.func @gspmd(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
  // expected-warning @+1 {{@Sharding: 'mhlo.sharding' is not imported}}
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 of @dynamic: it has type 'tensor<?xf32>'; needs a tensor of static shape}}
func.func @dynamic(%a: tensor<?xf32>) {
  %0 = stablehlo.tanh %a : tensor<?xf32>
  return
}

// -----

func.func @complex(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.convert' op result 0 has type 'tensor<4xcomplex<f32>>'; needs a tensor of static shape}}
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// expected-error @+1 {{argument 0 of @token: it has type '!stablehlo.token'; needs a tensor}}
func.func @token(%a: !stablehlo.token) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return
}

// -----

func.func @shapes_disagree(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.add' op has operand 1 of type 'tensor<5xf32>' and a result of type 'tensor<4xf32>'; they must be equal}}
  %0 = stablehlo.add %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @element_types_disagree(%a: tensor<4xi8>, %b: tensor<4xui8>) {
  // expected-error @+1 {{'stablehlo.add' op has operand 0 of type 'tensor<4xi8>' and a result of type 'tensor<4xui8>'; they must be equal}}
  %0 = stablehlo.add %a, %b : (tensor<4xi8>, tensor<4xui8>) -> tensor<4xui8>
  return
}

// -----

func.func @not_on_these_elements(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.tanh' op is not defined on elements of type 'i32'}}
  %0 = stablehlo.tanh %a : tensor<4xi32>
  return
}

// -----

func.func @operands(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.add' op has 1 operands, needs 2}}
  %0 = "stablehlo.add"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_result(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.tanh' op has no result}}
  "stablehlo.tanh"(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @constant_of_another_type() {
  // expected-error @+1 {{'stablehlo.constant' op needs attribute 'value' with elements of its result's type}}
  %0 = "stablehlo.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @convert_shapes(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.convert' op has operand 0 of type 'tensor<4xf32>' and a result of type 'tensor<5xf64>'; their shapes must be equal}}
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<5xf64>
  return
}

// -----

func.func @bitcast_width(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op changes the width of elements}}
  %0 = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi16>
  return
}

// -----

func.func @compare_types(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'stablehlo.compare' op compares 'tensor<4xf32>' with 'tensor<4xf64>'; they must be equal}}
  %0 = stablehlo.compare EQ, %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_direction(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op has no comparison direction 'LESS' (one of EQ, NE, LT, LE, GT, GE)}}
  %0 = stablehlo.compare LESS, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_total_order(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op compares in total order (TOTALORDER), which the importer does not know; use FLOAT}}
  %0 = stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @select_predicate(%p: tensor<3xi1>, %a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.select' op has operand 0 of type 'tensor<3xi1>'; needs 'tensor<4xi1>' or a scalar}}
  %0 = stablehlo.select %p, %a, %a : tensor<3xi1>, tensor<4xf32>
  return
}

// -----

func.func @clamp_bounds(%lo: tensor<3xf32>, %a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.clamp' op has operand 0 of type 'tensor<3xf32>'; needs 'tensor<4xf32>' or a scalar}}
  %0 = stablehlo.clamp %lo, %a, %a : (tensor<3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @calls_itself(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  // expected-error @+1 {{'func.call' op calls @calls_itself, which calls itself}}
  %1 = call @calls_itself(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func @calls_a_declaration(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  // expected-error @+1 {{'func.call' op calls @declared, which has no body of one block}}
  %1 = call @declared(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @inside_of_control_flow(%a: tensor<4xf32>) {
  %p = arith.constant true
  scf.if %p {
    // expected-error @+1 {{'stablehlo.tanh' op stands inside of 'scf.if'; only bodies of functions and reductions are imported}}
    %0 = stablehlo.tanh %a : tensor<4xf32>
  }
  return
}

// -----

// expected-error @+1 {{has no public function to import}}
module {
  func.func private @f(%a: tensor<4xf32>) {
    %0 = stablehlo.tanh %a : tensor<4xf32>
    return
  }
}

// -----

// expected-error @+1 {{'stablehlo.constant' op stands outside of functions}}
%0 = stablehlo.constant dense<1.0> : tensor<f32>

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' op calls @returns_nothing, which returns 0 values for 1 results}}
  %0 = call @returns_nothing(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @returns_nothing(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  stablehlo.return
}

// -----

func.func @too_long(%a: tensor<4xf32>, %i: tensor<i32>) -> tensor<5xf32> {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op takes 5 elements of dimension 0, which has 4}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @few_starts(%a: tensor<4x4xf32>, %i: tensor<i32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op needs a size and a start for each of 2 dimensions, has 2 sizes and 1 starts}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2, 2] : (tensor<4x4xf32>, tensor<i32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @float_start(%a: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op starts dimension 0 at a 'tensor<f32>'; needs one integer}}
  %0 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @too_many(%a: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{'chlo.top_k' op has a result of type 'tensor<5xf32>'}}
  %v, %i = chlo.top_k(%a, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return %v : tensor<5xf32>
}
