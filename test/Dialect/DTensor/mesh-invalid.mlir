// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// dtensor.mesh: constraints (C1) to (C3) and its assembly.

// (C1) names match [A-Za-z_][A-Za-z0-9_]*.
// expected-error @+1 {{'dtensor.mesh' op bad axis name '1x' (names match [A-Za-z_][A-Za-z0-9_]*)}}
dtensor.mesh @name_begins_with_a_digit ["1x" = 2]

// -----

// (C1)
// expected-error @+1 {{'dtensor.mesh' op bad axis name '' (names match}}
dtensor.mesh @name_is_empty ["" = 2]

// -----

// (C1)
// expected-error @+1 {{'dtensor.mesh' op bad axis name 'd-p' (names match}}
dtensor.mesh @name_with_a_dash ["d-p" = 2]

// -----

// (C1)
// expected-error @+1 {{'dtensor.mesh' op bad axis name 'x y' (names match}}
dtensor.mesh @name_with_a_blank ["x y" = 2]

// -----

// (C1) The text of a part is no name.
// expected-error @+1 {{'dtensor.mesh' op bad axis name 'x:(1)2' (names match}}
dtensor.mesh @name_is_a_part ["x:(1)2" = 2]

// -----

// (C1)
// expected-error @+1 {{'dtensor.mesh' op bad axis name 'é' (names match}}
dtensor.mesh @name_beyond_ascii ["é" = 2]

// -----

// (C1) names differ.
// expected-error @+1 {{'dtensor.mesh' op axis 'x' appears twice in the mesh; name each axis once}}
dtensor.mesh @names_repeat ["x" = 2, "y" = 3, "x" = 4]

// -----

// (C2) sizes are at least 1.
// expected-error @+1 {{'dtensor.mesh' op axis 'y' has size 0, but sizes start at 1}}
dtensor.mesh @size_zero ["x" = 2, "y" = 0]

// -----

// (C2)
// expected-error @+1 {{'dtensor.mesh' op axis 'x' has size -4, but sizes start at 1}}
dtensor.mesh @size_negative ["x" = -4]

// -----

// The number of ranks is bounded.
// expected-error @+1 {{'dtensor.mesh' op axis 'y' of size 65536 makes the mesh larger than 2^31 ranks}}
dtensor.mesh @too_many_ranks ["x" = 65536, "y" = 65536]

// -----

// (C3) devices is a permutation of the ranks: too few.
// expected-error @+1 {{'dtensor.mesh' op device order lists 3 devices, but the mesh has 4 ranks; list each of 0..3 once}}
dtensor.mesh @devices_too_few ["x" = 4] devices = [0, 1, 2]

// -----

// (C3) too many.
// expected-error @+1 {{'dtensor.mesh' op device order lists 5 devices, but the mesh has 4 ranks; list each of 0..3 once}}
dtensor.mesh @devices_too_many ["x" = 2, "y" = 2] devices = [0, 1, 2, 3, 4]

// -----

// (C3) one twice.
// expected-error @+1 {{'dtensor.mesh' op device 1 appears twice in the device order; list each of 0..3 once}}
dtensor.mesh @devices_repeat ["x" = 4] devices = [0, 1, 2, 1]

// -----

// (C3) one beyond the last.
// expected-error @+1 {{'dtensor.mesh' op device 4 in the device order is outside 0..3}}
dtensor.mesh @devices_start_at_one ["x" = 4] devices = [1, 2, 3, 4]

// -----

// (C3) one below the first.
// expected-error @+1 {{'dtensor.mesh' op device -1 in the device order is outside 0..3}}
dtensor.mesh @devices_negative ["x" = 4] devices = [-1, 0, 1, 2]

// -----

// expected-error @+1 {{expected string}}
dtensor.mesh @axis_without_quotes [x = 2]

// -----

// expected-error @+1 {{expected '='}}
dtensor.mesh @axis_without_size ["x"]

// -----

// expected-error @+1 {{expected '='}}
dtensor.mesh @devices_without_equal ["x" = 2] devices [0, 1]

// -----

// expected-error @+1 {{expected valid '@'-identifier for symbol name}}
dtensor.mesh ["x" = 2]

// -----

// expected-error @+1 {{attribute 'axes' failed to satisfy constraint: array of mesh axes}}
"dtensor.mesh"() <{sym_name = "axes_of_another_kind", axes = [#dtensor.axis<"x">]}> : () -> ()

// -----

// expected-note @+1 {{see existing symbol definition here}}
dtensor.mesh @names_in_a_module_differ ["x" = 2]
// expected-error @+1 {{redefinition of symbol named 'names_in_a_module_differ'}}
dtensor.mesh @names_in_a_module_differ ["y" = 2]

// -----

func.func @meshes_stand_in_modules() {
  // expected-error @+1 {{symbol's parent must have the SymbolTable trait}}
  dtensor.mesh @mesh ["x" = 2]
  return
}
