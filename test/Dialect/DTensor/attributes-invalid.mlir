// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// Misuse of the discardable attributes: on arguments and results, then on
// operations.

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{argument 0 of @layout_is_an_integer: attribute 'dtensor.layout' must be a #dtensor.layout, got 1}}
func.func private @layout_is_an_integer(tensor<8xf32> {dtensor.layout = 1})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{result 0 of @layout_is_a_string: attribute 'dtensor.layout' must be a #dtensor.layout, got "S(0)"}}
func.func private @layout_is_a_string() -> (tensor<8xf32> {dtensor.layout = "S(0)"})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{argument 0 of @name_is_a_symbol: attribute 'dtensor.name' must be a string}}
func.func private @name_is_a_symbol(tensor<8xf32> {dtensor.name = @weight})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{argument 0 of @global_type_is_no_type: attribute 'dtensor.global_type' must be a tensor type}}
func.func private @global_type_is_no_type(tensor<8xf32> {dtensor.global_type = 8})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{argument 0 of @global_type_is_a_buffer: attribute 'dtensor.global_type' must be a tensor type}}
func.func private @global_type_is_a_buffer(tensor<8xf32> {dtensor.global_type = memref<8xf32>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{result 0 of @global_type_is_unranked: attribute 'dtensor.global_type' must be a tensor type}}
func.func private @global_type_is_unranked() -> (tensor<8xf32> {dtensor.global_type = tensor<*xf32>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// The layout is checked against the global type.
// expected-error @+1 {{argument 0 of @layout_of_the_global_type: shard(1) of axis 'x': dim 1 is out of range, the tensor has rank 1 (dims 0..0)}}
func.func private @layout_of_the_global_type(tensor<8x8xf32> {dtensor.global_type = tensor<32xf32>, dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(1)]>})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{argument 0 of @unknown_argument_attribute: attribute 'dtensor.sharding' has no meaning here}}
func.func private @unknown_argument_attribute(tensor<8xf32> {dtensor.sharding = 1})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{result 0 of @unknown_result_attribute: attribute 'dtensor.sharding' has no meaning here}}
func.func private @unknown_result_attribute() -> (tensor<8xf32> {dtensor.sharding = 1})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{argument 0 of @layouts_of_an_argument: attribute 'dtensor.layouts' has no meaning here}}
func.func private @layouts_of_an_argument(tensor<8xf32> {dtensor.layouts = [#dtensor.layout<@mesh, []>]})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// expected-error @+1 {{argument 0 of @reference_of_an_argument: attribute 'dtensor.reference_of' has no meaning here}}
func.func private @reference_of_an_argument(tensor<8xf32> {dtensor.reference_of = "main"})

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// A layout is one of a value, not of a function.
// expected-error @+1 {{'func.func' op attribute 'dtensor.layout' has no meaning on an operation}}
func.func private @layout_of_a_function(tensor<8xf32>) attributes {dtensor.layout = #dtensor.layout<@mesh, []>}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @layout_of_an_operation(%input: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.layout' has no meaning on an operation}}
  %active = math.tanh %input {dtensor.layout = #dtensor.layout<@mesh, []>} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @name_of_an_operation(%input: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.name' has no meaning on an operation}}
  %active = math.tanh %input {dtensor.name = "x"} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @global_type_of_an_operation(%input: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.global_type' has no meaning on an operation}}
  %active = math.tanh %input {dtensor.global_type = tensor<8xf32>} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @fewer_layouts_than_results(%input: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.layouts' must be an array with one layout for each of its 1 results}}
  %active = math.tanh %input {dtensor.layouts = []} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @one_layout_without_an_array(%input: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.layouts' must be an array with one layout for each of its 1 results}}
  %active = math.tanh %input {dtensor.layouts = #dtensor.layout<@mesh, []>} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @more_layouts_than_operands(%input: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.operand_layouts' must be an array with one layout for each of its 1 operands}}
  %active = math.tanh %input {dtensor.operand_layouts = [unit, unit]} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @layouts_hold_strings(%input: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.layouts' must hold layouts or 'unit', got "S(0)"}}
  %active = math.tanh %input {dtensor.layouts = ["S(0)"]} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @layouts_on_unknown_mesh(%input: tensor<8xf32>) -> tensor<8xf32> {
  // (C1)
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.layouts', entry 0: unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %active = math.tanh %input {dtensor.layouts = [#dtensor.layout<@grid, []>]} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @operand_layouts_out_of_range(%input: tensor<8xf32>) -> tensor<8xf32> {
  // (C4)
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.operand_layouts', entry 0: shard(1) of axis 'x': dim 1 is out of range, the tensor has rank 1 (dims 0..0)}}
  %active = math.tanh %input {dtensor.operand_layouts = [#dtensor.layout<@mesh, ["x" = shard(1)]>]} : tensor<8xf32>
  return %active : tensor<8xf32>
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @layouts_of_scalars(%input: f32) {
  // expected-error @+1 {{'math.tanh' op attribute 'dtensor.layouts', entry 0: a layout needs a ranked tensor, got 'f32'}}
  %active = math.tanh %input {dtensor.layouts = [#dtensor.layout<@mesh, []>]} : f32
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
// The location is that of the argument.
func.func @location_of_an_argument(%first: tensor<8xf32>,
    // expected-error @+1 {{argument 1 of @location_of_an_argument: unknown axis 'w'}}
    %second: tensor<8xf32> {dtensor.layout = #dtensor.layout<@mesh, ["w" = shard(0)]>}) {
  return
}
