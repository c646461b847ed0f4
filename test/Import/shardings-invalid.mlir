// RUN: %dtensor-opt %s --dtensor-import-stablehlo --split-input-file --verify-diagnostics
//
// Shardings that cannot be.

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{argument 0 of @unknown_mesh: sharding names mesh @other, which no sdy.mesh of the module declares}}
func.func @unknown_mesh(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{argument 0 of @rank: sharding has 2 dimensions, the tensor has 1}}
func.func @rank(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{result 0 of @result: sharding has 0 dimensions, the tensor has 1}}
func.func @result(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, []>}) { return %a : tensor<8xf32> }

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{argument 0 of @unknown_axis: unknown axis 'y' (the mesh has x)}}
func.func @unknown_axis(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{argument 0 of @not_a_sharding: sharding cannot be read: expected '}' at}}
func.func @not_a_sharding(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x" p1}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{argument 0 of @cut_string: sharding cannot be read: expected ']' at '' in}}
func.func @cut_string(%a: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{}"}}) { return }

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{argument 0 of @zero_part: sharding cannot be read: sizes of a part of axis "x" must be at least 1}}
func.func @zero_part(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)0}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{argument 0 of @no_sharding: sharding must be a #sdy.sharding, got 3 : i32}}
func.func @no_sharding(%a: tensor<8xf32> {sdy.sharding = 3 : i32}) { return }

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @one_per_result(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.tanh' op has 2 shardings for 1 results}}
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{}]>]>} : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @constraint(%a: tensor<8xf32>) {
  // expected-error @+1 {{'sdy.sharding_constraint' op sharding names mesh @m, which no sdy.mesh of the module declares}}
  %0 = sdy.sharding_constraint %a <@m, [{}]> : tensor<8xf32>
  return
}

// -----

// expected-error @+1 {{'sdy.mesh' op expected an integer at}}
sdy.mesh @mesh = <["x"=y]>
func.func @f() { return }

// -----

// expected-error @+1 {{sizes}}
sdy.mesh @mesh = <["x"=0]>
func.func @f() { return }

// -----

// expected-error @+1 {{'sdy.mesh' op needs the attributes 'sym_name' and 'mesh'}}
"sdy.mesh"() : () -> ()
func.func @f() { return }

// -----

// expected-error @+1 {{'xla.sdy.meshes': expected '#sdy.mesh' at}}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = 3}"}} {
  func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.tanh %a : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
