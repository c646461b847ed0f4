// RUN: %dtensor-opt %s --dtensor-import-stablehlo --split-input-file --verify-diagnostics
//
// Forms of manual computations and their collectives that are not imported.

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @shardings_count(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has 2 shardings for 1 values}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    %1 = stablehlo.tanh %b : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @part_type(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'dtensor.to_local' op operand: a rank holds 'tensor<2xf32>' of 'tensor<4xf32>', got 'tensor<3xf32>'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<3xf32>) {
    %1 = stablehlo.slice %b [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <[]>
func.func @one_device(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has no sharding on a mesh of several devices}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
    %1 = stablehlo.tanh %b : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @no_axes(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op needs 'manual_axes', and a body of one block with an argument for each operand}}
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
  ^bb0(%b: tensor<2xf32>):
    sdy.return %b : tensor<2xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @no_argument(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op needs 'manual_axes', and a body of one block with an argument for each operand}}
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = ["x"]}> ({
    %b = stablehlo.constant dense<1.0> : tensor<2xf32>
    sdy.return %b : tensor<2xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @body_type(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has a body that takes 'tensor<?xf32>'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<?xf32>) {
    sdy.return %b : tensor<?xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @body_results(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has 1 results, its body gives 2}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    sdy.return %b, %b : tensor<2xf32>, tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @no_shardings(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has no list of shardings}}
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = ["x"]}> ({
  ^bb0(%b: tensor<2xf32>):
    sdy.return %b : tensor<2xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @groups_missing(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_reduce' op needs 'replica_groups' of two dimensions}}
    %1 = "stablehlo.all_reduce"(%b) <{}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @groups_of_unknown_ranks(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_reduce' op 'replica_groups': a group has rank 5, the mesh has ranks 0 to 3}}
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 2], [1, 5]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @groups_without_all_ranks(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_reduce' op 'replica_groups': rank 2 is in no group; every rank runs every collective}}
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @groups_with_a_rank_twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_reduce' op 'replica_groups': rank 0 is in the groups twice}}
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @groups_of_large_numbers(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_reduce' op 'replica_groups': a group has rank -1, the mesh has ranks 0 to 3}}
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1], [2, 1267650600228229401496703205376]]> : tensor<2x2xi128>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @groups_of_replicas(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_reduce' op has groups of replicas of the program; needs 'use_global_device_ids' for groups of ranks}}
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @all_replicas(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_reduce' op has groups of replicas of the program; needs 'use_global_device_ids' for groups of ranks}}
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @exchange_without_channel(%a: tensor<4x4xf32>) -> tensor<8x2xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x4xf32>) {
    // expected-error @+1 {{'stablehlo.all_to_all' op has groups of replicas of the program; needs a 'channel_handle' for groups of ranks}}
    %1 = "stablehlo.all_to_all"(%b) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
    sdy.return %1 : tensor<4x2xf32>
  } : (tensor<4x4xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @exchange_with_channel_0(%a: tensor<4x4xf32>) -> tensor<8x2xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x4xf32>) {
    // expected-error @+1 {{'stablehlo.all_to_all' op has groups of replicas of the program; needs a 'channel_handle' for groups of ranks}}
    %1 = "stablehlo.all_to_all"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
    sdy.return %1 : tensor<4x2xf32>
  } : (tensor<4x4xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @reduce_body(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_reduce' op has a body that is not one of add, multiply, maximum, minimum, and, or, xor of its arguments}}
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.subtract %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @gather_dim(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_gather' op needs 'all_gather_dim' in [0, 1)}}
    %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @gather_type(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.all_gather' op has a result of type 'tensor<2xf32>'; its operands give 'tensor<4xf32>'}}
    %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @outside(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.all_gather' op stands outside of a manual computation; a program of global tensors has no ranks}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  return %a : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @id_outside() {
  // expected-error @+1 {{'stablehlo.partition_id' op stands outside of a manual computation; a program of global tensors has no ranks}}
  %0 = stablehlo.partition_id : tensor<ui32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>
func.func @id_of_other_order(%a: tensor<4xf32>) -> tensor<2xui32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'stablehlo.partition_id' op on mesh @mesh, whose devices are in another order, is not imported}}
    %1 = stablehlo.partition_id : tensor<ui32>
    %2 = stablehlo.reshape %1 : (tensor<ui32>) -> tensor<1xui32>
    sdy.return %2 : tensor<1xui32>
  } : (tensor<4xf32>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @same_dimension(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x4xf32>) {
    // expected-error @+1 {{'stablehlo.all_to_all' op splits and joins dimension 0; only different ones are imported}}
    %1 = "stablehlo.all_to_all"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    sdy.return %1 : tensor<2x4xf32>
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @nested(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>) {
    // expected-error @+1 {{'sdy.manual_computation' op stands in another one; only one level is imported}}
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y"} (%c: tensor<1xf32>) {
      sdy.return %c : tensor<1xf32>
    } : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
