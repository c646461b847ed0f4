// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// sched.program, slab, view, input and result: constraints and assembly.

// (C1) of sched.program: the mesh is one of the module.
// expected-error @+1 {{'sched.program' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
sched.program @on_unknown_mesh on @grid peak 0 {
  %slab = sched.slab : memref<0xi8>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
// (C2) of sched.program: exactly one slab.
// expected-error @+1 {{'sched.program' op must begin with its only sched.slab}}
sched.program @without_slab on @mesh peak 0 {
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
// (C2)
// expected-error @+1 {{'sched.program' op must begin with its only sched.slab}}
sched.program @with_two_slabs on @mesh peak 0 {
  %slab = sched.slab : memref<64xi8>
  %second = sched.slab : memref<64xi8>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
// (C2) the slab is the first operation.
// expected-error @+1 {{'sched.program' op must begin with its only sched.slab}}
sched.program @with_a_late_slab on @mesh peak 0 {
  %zero = arith.constant 0 : i32
  %slab = sched.slab : memref<64xi8>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
// expected-error @+1 {{'sched.program' op region should have no arguments}}
"sched.program"() <{sym_name = "with_arguments", mesh = @mesh, peak_bytes = 0 : i64}> ({
^bb0(%argument: i32):
  %slab = sched.slab : memref<0xi8>
}) : () -> ()

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @slab_of_floats on @mesh peak 0 {
  // expected-error @+1 {{'sched.slab' op result #0 must be 1D memref of 8-bit signless integer values, but got 'memref<16xf32>'}}
  %slab = sched.slab : memref<16xf32>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @slab_of_two_dims on @mesh peak 0 {
  // expected-error @+1 {{'sched.slab' op result #0 must be 1D memref of 8-bit signless integer values}}
  %slab = sched.slab : memref<4x4xi8>
}

// -----

func.func @slab_outside_of_a_program(%buffer: memref<64xi8>) {
  // expected-error @+1 {{'sched.slab' op expects parent op 'sched.program'}}
  %slab = sched.slab : memref<64xi8>
  return
}

// -----

func.func @view_outside_of_a_program(%buffer: memref<64xi8>) {
  // expected-error @+1 {{'sched.view' op expects parent op 'sched.program'}}
  %x = sched.view %buffer at 0 : memref<64xi8> to memref<4xi8>
  return
}

// -----

func.func @copy_outside_of_a_program(%buffer: memref<64xi8>) {
  // expected-error @+1 {{'sched.copy' op expects parent op to be one of 'sched.program, sched.loop, sched.if'}}
  sched.copy %buffer to %buffer : memref<64xi8>
  return
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
func.func @input_outside_of_a_program(%buffer: memref<64xi8>) {
  // expected-error @+1 {{'sched.input' op expects parent op 'sched.program'}}
  sched.input "x" %buffer : memref<64xi8> global tensor<64xi8> layout #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
func.func @result_outside_of_a_program(%buffer: memref<64xi8>) {
  // expected-error @+1 {{'sched.result' op expects parent op 'sched.program'}}
  sched.result "x" %buffer : memref<64xi8> global tensor<64xi8> layout #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
func.func @collective_outside_of_a_program(%buffer: memref<64xi8>) {
  // expected-error @+1 {{'sched.collective' op expects parent op to be one of 'sched.program, sched.start, sched.loop, sched.if'}}
  sched.collective slice %buffer to %buffer over ["tp"] shape [64] : memref<64xi8> -> memref<64xi8> from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []>
  return
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @view_ends_beyond_the_slab on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  // (C1) the view lies inside the slab.
  // expected-error @+1 {{'sched.view' op of type 'memref<17xf32>' at offset 448 leaves the slab of 512 bytes}}
  %view = sched.view %slab at 448 : memref<512xi8> to memref<17xf32>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @view_begins_beyond_the_slab on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  // (C1)
  // expected-error @+1 {{'sched.view' op of type 'memref<0xf32>' at offset 576 leaves the slab of 512 bytes}}
  %view = sched.view %slab at 576 : memref<512xi8> to memref<0xf32>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @view_begins_before_the_slab on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  // (C1)
  // expected-error @+1 {{'sched.view' op of type 'memref<4xf32>' at offset -64 leaves the slab of 512 bytes}}
  %view = sched.view %slab at -64 : memref<512xi8> to memref<4xf32>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @view_of_too_many_booleans on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  // (C1) A boolean takes a byte.
  // expected-error @+1 {{'sched.view' op of type 'memref<513xi1>' at offset 0 leaves the slab of 512 bytes}}
  %view = sched.view %slab at 0 : memref<512xi8> to memref<513xi1>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @view_at_an_odd_place on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  // (C2) the offset is a multiple of 64.
  // expected-error @+1 {{'sched.view' op offset 96 is not a multiple of 64}}
  %view = sched.view %slab at 96 : memref<512xi8> to memref<4xf32>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @view_of_unknown_size on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  // expected-error @+1 {{'sched.view' op needs a dense view of static shape, got 'memref<?xf32>'}}
  %view = sched.view %slab at 0 : memref<512xi8> to memref<?xf32>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @view_of_a_view on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<4x4xf32>
  // expected-error @+1 {{'sched.view' op operand #0 must be 1D memref of 8-bit signless integer values, but got 'memref<4x4xf32>'}}
  %view = sched.view %x at 0 : memref<4x4xf32> to memref<4xf32>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @input_of_another_chunk on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  // (C1) the view has the local shape.
  // expected-error @+1 {{'sched.input' op view must have type 'memref<8x2xf32>', the local form of 'tensor<8x8xf32>' under #dtensor.layout<@mesh, ["tp" = shard(1)]>, got 'memref<2x8xf32>'}}
  sched.input "x" %x : memref<2x8xf32> global tensor<8x8xf32> layout #dtensor.layout<@mesh, ["tp" = shard(1)]>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @input_of_another_element_type on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  // (C1)
  // expected-error @+1 {{'sched.input' op view must have type 'memref<2x8xi32>', the local form of 'tensor<8x8xi32>' under #dtensor.layout<@mesh, ["tp" = shard(0)]>, got 'memref<2x8xf32>'}}
  sched.input "x" %x : memref<2x8xf32> global tensor<8x8xi32> layout #dtensor.layout<@mesh, ["tp" = shard(0)]>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @input_of_another_rank on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  // (C1)
  // expected-error @+1 {{'sched.input' op view must have type 'memref<16xf32>', the local form of 'tensor<16xf32>' under #dtensor.layout<@mesh, []>, got 'memref<2x8xf32>'}}
  sched.input "x" %x : memref<2x8xf32> global tensor<16xf32> layout #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @input_with_dim_out_of_range on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  // (C1) The layout is valid for the type.
  // expected-error @+1 {{'sched.input' op shard(2) of axis 'tp': dim 2 is out of range, the tensor has rank 2 (dims 0..1)}}
  sched.input "x" %x : memref<2x8xf32> global tensor<8x8xf32> layout #dtensor.layout<@mesh, ["tp" = shard(2)]>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @result_of_the_whole on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  // (C1)
  // expected-error @+1 {{'sched.result' op view must have type 'memref<8x8xf32>', the local form of 'tensor<8x8xf32>' under #dtensor.layout<@mesh, []>, got 'memref<2x8xf32>'}}
  sched.result "x" %x : memref<2x8xf32> global tensor<8x8xf32> layout #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @result_over_unknown_axis on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  // (C1)
  // expected-error @+1 {{'sched.result' op unknown axis 'x' (the mesh has dp, tp)}}
  sched.result "x" %x : memref<2x8xf32> global tensor<8x8xf32> layout #dtensor.layout<@mesh, ["x" = shard(0)]>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @global_type_is_unranked on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  // expected-error @+1 {{'sched.result' op attribute 'global_type' failed to satisfy constraint: type attribute of ranked tensor of any type values}}
  sched.result "x" %x : memref<2x8xf32> global tensor<*xf32> layout #dtensor.layout<@mesh, []>
}

// -----

// The mesh of the program is looked for before it is verified.
sched.program @result_on_unknown_mesh on @grid peak 64 {
  %slab = sched.slab : memref<64xi8>
  // expected-error @+1 {{'sched.result' op unknown mesh @grid (declare it with `dtensor.mesh`)}}
  sched.result "x" %slab : memref<64xi8> global tensor<64xi8> layout #dtensor.layout<@grid, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2]
dtensor.mesh @other ["dp" = 2]
sched.program @input_on_another_mesh on @mesh peak 64 {
  %slab = sched.slab : memref<64xi8>
  %x = sched.view %slab at 0 : memref<64xi8> to memref<4xf32>
  // expected-error @+1 {{'sched.input' op has a layout on @other, its program is on @mesh}}
  sched.input "x" %x : memref<4xf32> global tensor<8xf32> layout #dtensor.layout<@other, ["dp" = shard(0)]>
}
