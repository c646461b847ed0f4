// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// What dtensor.to_local, from_local and manual refuse.

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @to_local_on_unknown_axis(%a: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.to_local' op operand: unknown axis 'w' (the mesh has x, y)}}
  %l = dtensor.to_local %a : tensor<8xf32> in #dtensor.layout<@mesh, ["w" = shard(0)]> -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @to_local_in_open_layout(%a: tensor<8xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.to_local' op operand: has the open layout #dtensor.layout<@mesh, ["x" = shard(0), ...]>; name what every axis does and leave out '...'}}
  %l = dtensor.to_local %a : tensor<8xf32> in #dtensor.layout<@mesh, ["x" = shard(0), ...]> -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @to_local_of_other_type(%a: tensor<8xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.to_local' op operand: a rank holds 'tensor<4xf32>' of 'tensor<8xf32>', got 'tensor<8xf32>'}}
  %l = dtensor.to_local %a : tensor<8xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @from_local_on_unknown_axis(%l: tensor<4xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.from_local' op result: unknown axis 'w' (the mesh has x, y)}}
  %a = dtensor.from_local %l : tensor<4xf32> in #dtensor.layout<@mesh, ["w" = shard(0)]> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @from_local_in_open_layout(%l: tensor<4xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.from_local' op result: has the open layout #dtensor.layout<@mesh, ["x" = shard(0), ...]>; name what every axis does and leave out '...'}}
  %a = dtensor.from_local %l : tensor<4xf32> in #dtensor.layout<@mesh, ["x" = shard(0), ...]> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @from_local_of_other_type(%l: tensor<4xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.from_local' op result: a rank holds 'tensor<?xf32>' of 'tensor<7xf32>', got 'tensor<4xf32>'}}
  %a = dtensor.from_local %l : tensor<4xf32> in #dtensor.layout<@mesh, ["x" = shard(0)]> -> tensor<7xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
func.func @manual_without_layout(%a: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.manual' op has 1 operands and 0 layouts for them; write one for each}}
  %r = dtensor.manual(%a) in [] out [#rows] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<4xf32>):
    dtensor.yield %l : tensor<4xf32>
  }
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
dtensor.mesh @other ["x" = 2]
func.func @manual_on_two_meshes(%a: tensor<8xf32>) {
  // (C1)
  // expected-error @+1 {{'dtensor.manual' op has layouts on @mesh and on @other; a manual region is on one mesh}}
  %r = dtensor.manual(%a) in [#dtensor.layout<@mesh, ["x" = shard(0)]>] out [#dtensor.layout<@other, ["x" = shard(0)]>] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<4xf32>):
    dtensor.yield %l : tensor<4xf32>
  }
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
func.func @manual_with_few_arguments(%a: tensor<8xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.manual' op has 1 operands, its body takes 0}}
  %r = dtensor.manual(%a) in [#rows] out [#rows] : (tensor<8xf32>) -> tensor<8xf32> {
    %l = tensor.empty() : tensor<4xf32>
    dtensor.yield %l : tensor<4xf32>
  }
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
func.func @manual_of_other_type(%a: tensor<8xf32>) {
  // (C2)
  // expected-error @+1 {{'dtensor.manual' op operand 0: a rank holds 'tensor<4xf32>' of 'tensor<8xf32>', got 'tensor<8xf32>'}}
  %r = dtensor.manual(%a) in [#rows] out [#rows] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<8xf32>):
    %e = tensor.empty() : tensor<4xf32>
    dtensor.yield %e : tensor<4xf32>
  }
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
func.func @manual_yields_other_type(%a: tensor<8xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.manual' op result 0: a rank holds 'tensor<3xf32>' of 'tensor<6xf32>', got 'tensor<4xf32>'}}
  %r = dtensor.manual(%a) in [#rows] out [#rows] : (tensor<8xf32>) -> tensor<6xf32> {
  ^bb0(%l: tensor<4xf32>):
    dtensor.yield %l : tensor<4xf32>
  }
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
func.func @manual_yields_too_few(%a: tensor<8xf32>) {
  // (C3)
  // expected-error @+1 {{'dtensor.manual' op has 1 results, its body yields 0}}
  %r = dtensor.manual(%a) in [#rows] out [#rows] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%l: tensor<4xf32>):
    dtensor.yield
  }
  return
}

// -----

func.func @local_with_value(%a: tensor<8xf32>) {
  // expected-error @+1 {{attribute 'dtensor.local' has no value, got 1 : i64}}
  %0 = math.exp %a {dtensor.local = 1} : tensor<8xf32>
  return
}

// -----

// expected-error @+1 {{argument 0 of @gradient_of_integers: requires a gradient of type 'tensor<8xi32>'; only tensors of floats have one}}
func.func @gradient_of_integers(%a: tensor<8xi32> {dtensor.requires_grad}) {
  return
}

// -----

// expected-error @+1 {{argument 0 of @gradient_with_value: attribute 'dtensor.requires_grad' has no value, got true}}
func.func @gradient_with_value(%a: tensor<8xf32> {dtensor.requires_grad = true}) {
  return
}
