// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// (C1) of collectives that list groups.

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @groups_of_two_sizes(%a: tensor<6xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op groups must have one size, got 2 and 1 ranks}}
  %0 = comm.all_reduce sum %a over @mesh groups [[0, 1], [2]] : tensor<6xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @groups_with_unknown_rank(%a: tensor<6xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op a group has rank 4, the mesh has ranks 0 to 3}}
  %0 = comm.all_reduce sum %a over @mesh groups [[0, 1], [2, 4]] : tensor<6xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @groups_with_negative_rank(%a: tensor<6xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op a group has rank -1, the mesh has ranks 0 to 3}}
  %0 = comm.all_reduce sum %a over @mesh groups [[0, 1], [2, -1]] : tensor<6xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @groups_with_rank_twice(%a: tensor<6xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op rank 1 is in the groups twice}}
  %0 = comm.all_reduce sum %a over @mesh groups [[0, 1], [1, 2]] : tensor<6xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @groups_without_rank(%a: tensor<6xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op rank 2 is in no group; every rank runs every collective}}
  %0 = comm.all_reduce sum %a over @mesh groups [[0, 1]] : tensor<6xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @no_groups(%a: tensor<6xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op rank 0 is in no group; every rank runs every collective}}
  %0 = comm.all_reduce sum %a over @mesh groups [] : tensor<6xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @axes_and_groups(%a: tensor<6xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_reduce' op has axes and groups; name one of them}}
  %0 = "comm.all_reduce"(%a) <{op = #dtensor<reduce_op sum>, mesh = @mesh, axes = [#dtensor.axis<"x">], groups = [array<i64: 0, 1>, array<i64: 2, 3>]}> : (tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @groups_and_frame(%a: tensor<?xf32>) {
  // (C1)
  // expected-error @+1 {{'comm.all_gather' op has groups and a frame; a frame is of axes}}
  %0 = comm.all_gather %a over @mesh groups [[0, 1], [2, 3]] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 2, "y" = 2]
func.func @pieces_of_groups(%a: tensor<6xf32>) {
  // (C4) p is the size of a group.
  // expected-error @+1 {{'comm.all_gather' op result must have type 'tensor<12xf32>', got 'tensor<24xf32>'}}
  %0 = comm.all_gather %a over @mesh groups [[0, 3], [1, 2]] dim 0 : tensor<6xf32> -> tensor<24xf32>
  return
}
