// RUN: %dtensor-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics --dtensor-spmd-pipeline
//
// Programs that were accepted, or that crashed or failed late: cases by number
// (README.md). All are refused where they are wrong, before anything runs.

// 124990: an op without a rule failed late, with an error about something else.
// It is named, with what can be done.
dtensor.mesh @four ["x" = 4]
func.func @case_124990(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) -> tensor<4xf32> {
  // expected-error @+1 {{'other.op' op has no sharding rule; compute it on every rank with unknown-ops=replicate, or give it one with dtensor.rule}}
  %0 = "other.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// 180346: scalars of two meshes, stacked, failed somewhere in the middle.
dtensor.mesh @one ["x" = 4]
dtensor.mesh @other ["x" = 2]
// expected-error @+2 {{has a layout on @other, another is on @one; a function uses one mesh}}
// expected-note @+1 {{the other layout is here}}
func.func @case_180346(%a: tensor<1xf32> {dtensor.layout = #dtensor.layout<@one, []>},
                       %b: tensor<1xf32> {dtensor.layout = #dtensor.layout<@other, []>}) -> tensor<2xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// 152963, 159709: sizes that are not known compiled for some, and crashed.
// Refused for now.
dtensor.mesh @four ["x" = 4]
// expected-error @+1 {{has a tensor of dynamic shape 'tensor<?xf32>'; programs have static global shapes}}
func.func @case_152963(%a: tensor<?xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(0)]>}) -> tensor<?xf32> {
  %0 = math.tanh %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// shardy 11: a tensor that is sharded and partial by one axis.
dtensor.mesh @two ["x" = 2]
// expected-error @+1 {{argument 0 of @shardy_11: axis 'x' is used twice in one layout; name each axis once}}
func.func @shardy_11(%a: tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@two, ["x" = shard(1), "x" = partial(sum)]>}) -> tensor<4x4xf32> {
  return %a : tensor<4x4xf32>
}

// -----

// shardy 42: more dimensions in the layout than in the tensor: a crash.
dtensor.mesh @four ["x" = 4]
// expected-error @+1 {{argument 0 of @shardy_42: shard(1) of axis 'x': dim 1 is out of range, the tensor has rank 1 (dims 0..0)}}
func.func @shardy_42(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@four, ["x" = shard(1)]>}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// shardy 43: an axis that the mesh does not have: a crash.
dtensor.mesh @four ["x" = 4]
// expected-error @+1 {{argument 0 of @shardy_43: unknown axis 'y' (the mesh has x)}}
func.func @shardy_43(%a: tensor<4xf32> {dtensor.layout = #dtensor.layout<@four, ["y" = shard(0)]>}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
