// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --mlir-print-op-generic %s | %dtensor-opt | FileCheck %s

// dtensor.mesh: every form is printed as it is written.

// CHECK: dtensor.mesh @one_axis ["x" = 4]{{$}}
dtensor.mesh @one_axis ["x" = 4]

// CHECK: dtensor.mesh @axes_in_the_order_written ["tp" = 4, "dp" = 2]{{$}}
dtensor.mesh @axes_in_the_order_written ["tp" = 4, "dp" = 2]

// CHECK: dtensor.mesh @axis_of_size_one ["x" = 1, "y" = 3]{{$}}
dtensor.mesh @axis_of_size_one ["x" = 1, "y" = 3]

// CHECK: dtensor.mesh @letters_digits_underscores ["_" = 2, "A_9z" = 2, "__x1" = 2]{{$}}
dtensor.mesh @letters_digits_underscores ["_" = 2, "A_9z" = 2, "__x1" = 2]

// CHECK: dtensor.mesh @axes_differ_by_case ["x" = 2, "X" = 3]{{$}}
dtensor.mesh @axes_differ_by_case ["x" = 2, "X" = 3]

// CHECK: dtensor.mesh @ring ["x" = 4] devices = [3, 1, 2, 0]{{$}}
dtensor.mesh @ring ["x" = 4] devices = [3, 1, 2, 0]

// CHECK: dtensor.mesh @device_order_over_two_axes ["x" = 2, "y" = 3] devices = [5, 4, 3, 2, 1, 0]{{$}}
dtensor.mesh @device_order_over_two_axes ["x" = 2, "y" = 3] devices = [5, 4, 3, 2, 1, 0]

// CHECK: dtensor.mesh @"a name with blanks" ["x" = 2]{{$}}
dtensor.mesh @"a name with blanks" ["x" = 2]

// CHECK: dtensor.mesh @attributes_after_axes ["x" = 2] {test.note = "kept"}
dtensor.mesh @attributes_after_axes ["x" = 2] {test.note = "kept"}

// CHECK: dtensor.mesh @attributes_after_devices ["x" = 2] devices = [1, 0] {test.note = "kept"}
dtensor.mesh @attributes_after_devices ["x" = 2] devices = [1, 0] {test.note = "kept"}

// CHECK: dtensor.mesh @private ["x" = 2] {sym_visibility = "private"}
dtensor.mesh @private ["x" = 2] {sym_visibility = "private"}

// CHECK: dtensor.mesh @generic_form ["x" = 2, "y" = 2] devices = [0, 2, 1, 3]{{$}}
"dtensor.mesh"() <{sym_name = "generic_form",
                   axes = [#dtensor.mesh_axis<"x" = 2>, #dtensor.mesh_axis<"y" = 2>],
                   devices = array<i64: 0, 2, 1, 3>}> : () -> ()

// A module inside a module has meshes of its own.
// CHECK: module @inner
module @inner {
  // CHECK-NEXT: dtensor.mesh @ring ["y" = 2]{{$}}
  dtensor.mesh @ring ["y" = 2]
  // CHECK-NEXT: func.func private @nearest_mesh_is_meant(tensor<4xf32> {dtensor.layout = #dtensor.layout<@ring, ["y" = shard(0)]>})
  func.func private @nearest_mesh_is_meant(tensor<4xf32> {dtensor.layout = #dtensor.layout<@ring, ["y" = shard(0)]>})
}

// The parts of a mesh and of a layout are attributes by themselves too.
// CHECK: module @attributes attributes {
// CHECK-SAME: test.axis = #dtensor.axis<"x">
// CHECK-SAME: test.mesh_axis = #dtensor.mesh_axis<"x" = 4>
// CHECK-SAME: test.part = #dtensor.axis<"x":(1)2>
// CHECK-SAME: test.partial = #dtensor.placement<"x" = partial(sum)>
// CHECK-SAME: test.pin = #dtensor.placement<"x" = replicate>
// CHECK-SAME: test.reduce_op = #dtensor<reduce_op umax>
// CHECK-SAME: test.shard = #dtensor.placement<"x":(2)2 = shard(1)>
module @attributes attributes {
  test.axis = #dtensor.axis<"x">,
  test.mesh_axis = #dtensor.mesh_axis<"x" = 4>,
  test.part = #dtensor.axis<"x":(1)2>,
  test.partial = #dtensor.placement<"x" = partial(sum)>,
  test.pin = #dtensor.placement<"x" = replicate>,
  test.reduce_op = #dtensor<reduce_op umax>,
  test.shard = #dtensor.placement<"x":(2)2 = shard(1)>
} {}
