// RUN: %dtensor-opt %s --dtensor-place-buffers --split-input-file --verify-diagnostics
//
// What dtensor-place-buffers needs.

// expected-error @+1 {{'func.func' op argument 0 of type 'f32' is no tensor; programs take and give tensors}}
func.func @scalar_argument(%a: f32) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

// expected-error @+1 {{'func.func' op result 0 of type 'f32' is no tensor; programs take and give tensors}}
func.func @scalar_result(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) -> f32 {
  %0 = arith.constant 0.0 : f32
  return %0 : f32
}

// -----

// expected-error @+1 {{'func.func' op argument 0 lacks dtensor.layout or dtensor.global_type; run convert-dtensor-to-comm before}}
func.func @global_argument(%a: tensor<4xf32>) {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

// expected-error @+1 {{'func.func' op result 0 lacks dtensor.layout or dtensor.global_type; run convert-dtensor-to-comm before}}
func.func @global_result(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op has neither arguments nor results}}
func.func @nothing() {
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]

func.func @compute_is_left(
    %a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // expected-error @+1 {{'math.exp' op is no step; run dtensor-outline-kernels before}}
  %0 = math.exp %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]

#whole = #dtensor.layout<@mesh, []>

// expected-error @+1 {{'func.func' op has two arguments called 'arg1'; give them names that differ}}
func.func @names_are_ambiguous(
    %a: tensor<4xf32> {dtensor.name = "arg1", dtensor.global_type = tensor<4xf32>, dtensor.layout = #whole},
    %b: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #whole}) {
  return
}
