// RUN: %dtensor-opt %s --dtensor-outline-kernels --split-input-file --verify-diagnostics
//
// What cannot be compiled to kernels yet.

func.func @no_structured_op(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{'tensor.cast' op cannot be compiled to a kernel yet}}
  %0 = tensor.cast %a : tensor<2x2xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @computed_scalar(%a: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'linalg.fill' op uses a scalar that is not a constant; this is not compiled yet}}
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}

// -----

func.func @unexplained_extent(%n: index) -> tensor<?xf32> {
  // expected-error @+1 {{'tensor.empty' op has a dynamic extent that does not come from a layout; write comm.local_extent}}
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}

// -----

func.func @arithmetic_in_f8(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error @+1 {{'arith.negf' op computes in 'f8E4M3FN', which can only be moved; convert it first}}
  %0 = arith.negf %a : tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// -----

// expected-error @+1 {{'func.func' op is called @kernels, the name of the module of kernels; rename it}}
func.func private @kernels()

// -----

dtensor.mesh @mesh ["x" = 2]

#id = affine_map<(i) -> (i)>
func.func @place_of_the_rank_in_a_body(%a: tensor<4xindex>) -> tensor<4xindex> {
  %e = tensor.empty() : tensor<4xindex>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<4xindex>) outs(%e : tensor<4xindex>) {
  ^bb0(%x: index, %out: index):
    // expected-error @+1 {{'comm.axis_index' op stands in the body of 'linalg.generic'; move it before that op}}
    %i = comm.axis_index over @mesh["x"] : index
    linalg.yield %i : index
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

dtensor.mesh @mesh ["x" = 2]
dtensor.mesh @other ["x" = 2] devices = [1, 0]
func.func @index_on_another_mesh(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  // expected-error @+1 {{'comm.axis_index' op is on mesh @other, the program on @mesh; name axes of that}}
  %i = comm.axis_index over @other["x"] : index
  %n = arith.index_cast %i : index to i64
  %s = tensor.splat %n : tensor<4xi64>
  %f = arith.sitofp %s : tensor<4xi64> to tensor<4xf32>
  return %f : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @loop_of_unknown_length(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = comm.axis_index over @mesh["x"] : index
  // expected-error @+1 {{'scf.for' op has bounds that are no constants; how often a loop runs is part of the schedule}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
    %y = math.sin %x : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @loop_that_carries_a_scalar(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op carries a value of type 'index'; iterations leave tensors to each other}}
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a, %k = %c0) -> (tensor<4xf32>, index) {
    scf.yield %x, %i : tensor<4xf32>, index
  }
  return %r#0 : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @branch_that_gives_a_scalar(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.if' op gives a value of type 'index'; branches give tensors}}
  %r = scf.if %yes -> (index) {
    scf.yield %c0 : index
  } else {
    scf.yield %c1 : index
  }
  %n = arith.index_cast %r : index to i64
  %s = tensor.splat %n : tensor<4xi64>
  %f = arith.sitofp %s : tensor<4xi64> to tensor<4xf32>
  return %f : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @unsigned_loop(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %n = arith.constant 200 : i8
  // expected-error @+1 {{'scf.for' op compares its bounds as unsigned numbers; loops of a schedule count with signed ones}}
  %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) : i8 {
    %y = math.sin %x : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @endless_loop(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  // expected-error @+1 {{'scf.for' op has a step of 0, and would not end}}
  %r = scf.for %i = %c0 to %c5 step %c0 iter_args(%x = %a) -> (tensor<4xf32>) {
    %y = math.sin %x : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @loop_that_is_too_long(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %c0 = arith.constant -9223372036854775807 : i64
  %c5 = arith.constant 9223372036854775807 : i64
  %c1 = arith.constant 1 : i64
  // expected-error @+1 {{'scf.for' op has bounds -9223372036854775807 and 9223372036854775807, further apart than 64 bits can say}}
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a) -> (tensor<4xf32>) : i64 {
    %y = math.sin %x : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
func.func @ranks_part(%a: tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>})
    -> (tensor<4xf32> {dtensor.global_type = tensor<4xf32>, dtensor.layout = #dtensor.layout<@mesh, []>}) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{this differs}}
  %i = comm.axis_index over @mesh["x"] : index
  %c = arith.cmpi eq, %i, %c0 : index
  // expected-error @+1 {{'scf.if' op decides about 'comm.all_reduce', in which all ranks must meet, by what differs between ranks; communicate outside of the branch}}
  %r = scf.if %c -> (tensor<4xf32>) {
    %s = comm.all_reduce sum %a over @mesh["x"] : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
