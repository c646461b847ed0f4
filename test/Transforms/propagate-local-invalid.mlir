// RUN: %dtensor-opt %s --dtensor-propagate --split-input-file --verify-diagnostics

// Local values and global tensors do not meet; the labels are those of
// dtensor-propagate.

dtensor.mesh @mesh ["x" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
// (C7)
func.func @mixed(%a: tensor<8xf32>, %b: tensor<4xf32>) {
  // expected-note @+1 {{the local value is made here}}
  %l = dtensor.to_local %a : tensor<8xf32> in #rows -> tensor<4xf32>
  // expected-error @+1 {{'arith.addf' op uses a local value, which every rank has its own of, and a global tensor of type 'tensor<4xf32>'; take the tensor's parts with dtensor.to_local, or make a tensor of the local values with dtensor.from_local}}
  %0 = arith.addf %l, %b : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
// (C7), by a scalar
func.func @mixed_by_scalar(%a: tensor<8xindex>) {
  // expected-note @+1 {{the local value is made here}}
  %i = comm.axis_index over @mesh["x"] : index
  // expected-error @+1 {{'linalg.generic' op uses a local value, which every rank has its own of, and a global tensor}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]} outs(%a : tensor<8xindex>) {
  ^bb0(%out: index):
    linalg.yield %i : index
  } -> tensor<8xindex>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
// (C7)
func.func @collective_on_global(%a: tensor<8xf32>) {
  // expected-error @+1 {{'comm.all_reduce' op works on one rank's part, and is given a global tensor of type 'tensor<8xf32>'; take the tensor's parts with dtensor.to_local}}
  %0 = comm.all_reduce sum %a over @mesh["x"] : tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
// (C8)
func.func @returned(%a: tensor<8xf32>) -> tensor<4xf32> {
  %l = dtensor.to_local %a : tensor<8xf32> in #rows -> tensor<4xf32>
  // expected-error @+1 {{'func.return' op returns a local value, which every rank has its own of; make a tensor of them with dtensor.from_local}}
  return %l : tensor<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
// (C7)
func.func @local_of_local(%a: tensor<8xf32>) {
  %l = dtensor.to_local %a : tensor<8xf32> in #rows -> tensor<4xf32>
  // expected-error @+1 {{'dtensor.to_local' op takes a local value; it is what the rank holds already}}
  %m = dtensor.to_local %l : tensor<4xf32> in #rows -> tensor<2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2]
#rows = #dtensor.layout<@mesh, ["x" = shard(0)]>
// (C7)
func.func @local_laid_out(%a: tensor<8xf32>) {
  %l = dtensor.to_local %a : tensor<8xf32> in #rows -> tensor<4xf32>
  // expected-error @+1 {{'dtensor.redistribute' op lays out a local value; make a tensor of them with dtensor.from_local}}
  %m = dtensor.redistribute %l : tensor<4xf32> to #rows
  return
}
