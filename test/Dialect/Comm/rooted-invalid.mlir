// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// Collectives with a root: (R1), and (C1) to (C5) and (F3) of each. And
// comm.axis_index.

dtensor.mesh @mesh ["x" = 4]
func.func @broadcast_over_unknown_mesh(%a: tensor<4xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.broadcast' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %0 = comm.broadcast %a root 0 over @grid["x"] : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @broadcast_root_is_the_size(%a: tensor<4xf32>) {
  // (R1)
  // expected-error @+1 {{'comm.broadcast' op 'root' 4 is no coordinate in a group of 4 ranks (0 to 3)}}
  %0 = comm.broadcast %a root 4 over @mesh["x"] : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @broadcast_root_is_negative(%a: tensor<4xf32>) {
  // (R1)
  // expected-error @+1 {{'comm.broadcast' op 'root' -1 is no coordinate in a group of 4 ranks (0 to 3)}}
  %0 = comm.broadcast %a root -1 over @mesh["x"] : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @broadcast_between_different_parts(%a: tensor<?xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.broadcast' op 'from' shards dimension 0 over the axes of the group, so its ranks hold different parts; use comm.scatter or comm.all_gather}}
  %0 = comm.broadcast %a root 0 over @mesh["x"] : tensor<?xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4, "y" = 2]
func.func @broadcast_keeps_the_layout(%a: tensor<?xf32>) {
  // (F3)
  // expected-error @+1 {{'comm.broadcast' op 'to' is not what the collective makes of 'from': that is [y=shard(0)]}}
  %0 = comm.broadcast %a root 0 over @mesh["x"] : tensor<?xf32> of [7] from #dtensor.layout<@mesh, ["y" = shard(0)]> to #dtensor.layout<@mesh, ["y" = shard(0), "x" = partial(sum)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @reduce_root_is_the_size(%a: tensor<4xf32>) {
  // (R1)
  // expected-error @+1 {{'comm.reduce' op 'root' 4 is no coordinate in a group of 4 ranks (0 to 3)}}
  %0 = comm.reduce sum %a root 4 over @mesh["x"] : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @reduce_of_integers_to_an_average(%a: tensor<4xi32>) {
  // (C5)
  // expected-error @+1 {{'comm.reduce' op element type 'i32' has no reduce op 'avg'}}
  %0 = comm.reduce avg %a root 0 over @mesh["x"] : tensor<4xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @scatter_root_is_the_size(%a: tensor<8xf32>) {
  // (R1)
  // expected-error @+1 {{'comm.scatter' op 'root' 4 is no coordinate in a group of 4 ranks (0 to 3)}}
  %0 = comm.scatter %a root 4 over @mesh["x"] dim 0 : tensor<8xf32> -> tensor<2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @scatter_dim_is_the_rank(%a: tensor<8xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.scatter' op 'dim' 1 is out of range for a tensor of rank 1}}
  %0 = comm.scatter %a root 0 over @mesh["x"] dim 1 : tensor<8xf32> -> tensor<2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @scatter_does_not_divide(%a: tensor<7xf32>) {
  // (C4)
  // expected-error @+1 {{'comm.scatter' op dimension 0 of size 7 does not divide by the group of 4 ranks}}
  %0 = comm.scatter %a root 0 over @mesh["x"] dim 0 : tensor<7xf32> -> tensor<2xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @gather_root_is_the_size(%a: tensor<2xf32>) {
  // (R1)
  // expected-error @+1 {{'comm.gather' op 'root' 4 is no coordinate in a group of 4 ranks (0 to 3)}}
  %0 = comm.gather %a root 4 over @mesh["x"] dim 0 : tensor<2xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @gather_dim_is_negative(%a: tensor<2xf32>) {
  // (C3)
  // expected-error @+1 {{'comm.gather' op 'dim' -1 is out of range for a tensor of rank 1}}
  %0 = comm.gather %a root 0 over @mesh["x"] dim -1 : tensor<2xf32> -> tensor<8xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @gather_is_too_short(%a: tensor<2xf32>) {
  // (C4)
  // expected-error @+1 {{'comm.gather' op result must have type 'tensor<8xf32>', got 'tensor<4xf32>'}}
  %0 = comm.gather %a root 0 over @mesh["x"] dim 0 : tensor<2xf32> -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]
func.func @gather_of_unequal_pieces(%a: tensor<?xf32>) {
  // (C2)
  // expected-error @+1 {{'comm.gather' op needs static shapes or a frame}}
  %0 = comm.gather %a root 0 over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C1) of axis_index
func.func @index_over_unknown_mesh() {
  // expected-error @+1 {{'comm.axis_index' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  %0 = comm.axis_index over @grid["x"] : index
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C1) of axis_index
func.func @index_over_unknown_axis() {
  // expected-error @+1 {{'comm.axis_index' op unknown axis 'y' (the mesh has x)}}
  %0 = comm.axis_index over @mesh["y"] : index
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C1) of axis_index
func.func @index_over_no_axis() {
  // expected-error @+1 {{'comm.axis_index' op needs at least one axis}}
  %0 = comm.axis_index over @mesh[] : index
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C1) of axis_index
func.func @index_over_one_axis_twice() {
  // expected-error @+1 {{'comm.axis_index' op axes}}
  %0 = comm.axis_index over @mesh["x", "x"] : index
  return
}
