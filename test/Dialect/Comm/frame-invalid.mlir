// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics
//
// Frames (F1 to F3), comm.scale and comm.local_extent.

dtensor.mesh @mesh ["x" = 4]
dtensor.mesh @other ["x" = 4]

// (F1)
func.func @layout_on_another_mesh(%a: tensor<?xf32>) {
  // expected-error @+1 {{'comm.all_gather' op 'from' is a layout on @other, the collective on @mesh}}
  %0 = comm.all_gather %a over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #dtensor.layout<@other, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (F1)
func.func @open_layout(%a: tensor<?xf32>) {
  // expected-error @+1 {{'comm.all_gather' op 'to' must not be open}}
  %0 = comm.all_gather %a over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, [...]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (F1)
func.func @negative_shape(%a: tensor<?xf32>) {
  // expected-error @+1 {{'comm.all_gather' op the frame's shape has a negative extent}}
  %0 = comm.all_gather %a over @mesh["x"] dim 0 : tensor<?xf32> -> tensor<7xf32> of [-7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (F2)
func.func @not_the_local_type(%a: tensor<2xf32>) {
  // expected-error @+1 {{'comm.all_gather' op 'from' has the local type 'tensor<?xf32>', got 'tensor<2xf32>'}}
  %0 = comm.all_gather %a over @mesh["x"] dim 0 : tensor<2xf32> -> tensor<7xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (F3)
func.func @not_what_is_made(%a: tensor<?x7xf32>) {
  // expected-error @+1 {{'comm.all_to_all' op 'to' is not what the collective makes of 'from': that is [x=shard(1)]}}
  %0 = comm.all_to_all %a over @mesh["x"] split 1 concat 0 : tensor<?x7xf32> -> tensor<7x7xf32> of [7, 7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (F3)
func.func @nothing_to_reduce(%a: tensor<?xf32>) {
  // expected-error @+1 {{'comm.all_reduce' op 'to' is not what the collective makes of 'from'}}
  %0 = comm.all_reduce sum %a over @mesh["x"] : tensor<?xf32> of [7] from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, ["x" = shard(0)]>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C3) of exchange
func.func @exchange_without_frame(%a: tensor<4xf32>) {
  // expected-error @+1 {{'comm.exchange' op needs its frame (`of [SHAPE] from LAYOUT to LAYOUT`)}}
  %0 = comm.exchange %a over @mesh["x"] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C5) of scale
func.func @scale_of_max(%a: tensor<4xf32>) {
  // expected-error @+1 {{'comm.scale' op scales between sum and avg, got 'max'}}
  %0 = comm.scale max %a over @mesh["x"] : tensor<4xf32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C5) of scale
func.func @scale_of_integers(%a: tensor<4xi32>) {
  // expected-error @+1 {{'comm.scale' op element type 'i32' has no reduce op 'avg'}}
  %0 = comm.scale sum %a over @mesh["x"] : tensor<4xi32>
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C1) of local_extent
func.func @extent_over_unknown_axis() {
  // expected-error @+1 {{'comm.local_extent' op unknown axis 'y' (the mesh has x)}}
  %0 = comm.local_extent 7 over @mesh["y"] : index
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C1) of local_extent
func.func @extent_over_no_axis() {
  // expected-error @+1 {{'comm.local_extent' op needs at least one axis}}
  %0 = comm.local_extent 7 over @mesh[] : index
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C1) of local_extent
func.func @extent_over_one_axis_twice() {
  // expected-error @+1 {{'comm.local_extent' op axes}}
  %0 = comm.local_extent 7 over @mesh["x", "x"] : index
  return
}

// -----

dtensor.mesh @mesh ["x" = 4]

// (C2) of local_extent
func.func @extent_of_negative_size() {
  // expected-error @+1 {{'comm.local_extent' op 'size' must be at least 0, got -7}}
  %0 = comm.local_extent -7 over @mesh["x"] : index
  return
}
