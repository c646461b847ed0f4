// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// sched.copy and sched.collective: constraints and assembly.

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @copy_between_types on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 64 : memref<512xi8> to memref<8x2xf32>
  // expected-error @+1 {{'sched.copy' op requires all operands to have the same type}}
  "sched.copy"(%x, %y) : (memref<2x8xf32>, memref<8x2xf32>) -> ()
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @collective_source_is_not_local on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C1) the source has the local shape of `from`.
  // expected-error @+1 {{'sched.collective' op source must have type 'memref<2x8xf32>', the local form of 'tensor<8x8xf32>' under #dtensor.layout<@mesh, ["tp" = shard(0)]>, got 'memref<8x8xf32>'}}
  sched.collective all_gather %y to %y over ["tp"] shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @collective_target_is_not_local on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C1) the target has the local shape of `to`.
  // expected-error @+1 {{'sched.collective' op target must have type 'memref<8x8xf32>', the local form of 'tensor<8x8xf32>' under #dtensor.layout<@mesh, []>, got 'memref<2x8xf32>'}}
  sched.collective all_gather %x to %x over ["tp"] shape [8, 8] : memref<2x8xf32> -> memref<2x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @collective_of_another_shape on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C1)
  // expected-error @+1 {{'sched.collective' op source must have type 'memref<2x16xf32>', the local form of 'tensor<8x16xf32>' under #dtensor.layout<@mesh, ["tp" = shard(0)]>, got 'memref<2x8xf32>'}}
  sched.collective all_gather %x to %y over ["tp"] shape [8, 16] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @collective_from_dim_out_of_range on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C1) The layouts are valid for the shape.
  // expected-error @+1 {{'sched.collective' op shard(2) of axis 'tp': dim 2 is out of range}}
  sched.collective all_gather %x to %y over ["tp"] shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(2)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @collective_to_unknown_axis on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C1)
  // expected-error @+1 {{'sched.collective' op unknown axis 'x' (the mesh has dp, tp)}}
  sched.collective all_gather %x to %y over ["tp"] shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, ["x" = replicate]>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @collective_with_op_without_type on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C1)
  // expected-error @+1 {{'sched.collective' op partial(band) is not defined on element type f32}}
  sched.collective all_reduce %y to %y over ["tp"] op band shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(band)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @unknown_kind_of_collective on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // expected-error @+1 {{unknown collective 'gossip'}}
  sched.collective gossip %x to %y over ["tp"] shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @unknown_reduce_op on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // expected-error @+1 {{unknown reduce op 'mean' (one of sum, product, min, max, umin, umax, avg, band, bor, bxor)}}
  sched.collective all_reduce %y to %y over ["tp"] op mean shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @axis_without_quotes on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // expected-error @+1 {{expected string}}
  sched.collective all_gather %x to %y over [tp] shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @gather_without_root on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C5)
  // expected-error @+1 {{'sched.collective' op is a kind with a root and needs 'root'}}
  sched.collective gather %x to %y over ["tp"] from_dim 0 shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @all_gather_with_root on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C5)
  // expected-error @+1 {{'sched.collective' op has no use for 'root'}}
  sched.collective all_gather %x to %y root 0 over ["tp"] from_dim 0 shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
sched.program @gather_root_outside on @mesh peak 512 {
  %slab = sched.slab : memref<512xi8>
  %x = sched.view %slab at 0 : memref<512xi8> to memref<2x8xf32>
  %y = sched.view %slab at 128 : memref<512xi8> to memref<8x8xf32>
  // (C5)
  // expected-error @+1 {{'sched.collective' op 'root' 4 is no coordinate in a group of 4 ranks}}
  sched.collective gather %x to %y root 4 over ["tp"] from_dim 0 shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2]
dtensor.mesh @other ["x" = 2]
sched.program @from_one_mesh_to_another on @mesh peak 128 {
  %slab = sched.slab : memref<128xi8>
  %x = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %y = sched.view %slab at 64 : memref<128xi8> to memref<8xf32>
  // (C1)
  // expected-error @+1 {{'sched.collective' op leads from mesh @other to mesh @mesh; a collective is on one}}
  sched.collective all_gather %x to %y over ["x"] from_dim 0 shape [8] : memref<4xf32> -> memref<8xf32> from #dtensor.layout<@other, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
}

// -----

dtensor.mesh @mesh ["dp" = 4]
dtensor.mesh @other ["x" = 2]
sched.program @on_fewer_ranks on @mesh peak 128 {
  %slab = sched.slab : memref<128xi8>
  %x = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %y = sched.view %slab at 64 : memref<128xi8> to memref<8xf32>
  // (C1)
  // expected-error @+1 {{'sched.collective' op is on mesh @other of 2 ranks, its program on 4}}
  sched.collective all_gather %x to %y over ["x"] from_dim 0 shape [8] : memref<4xf32> -> memref<8xf32> from #dtensor.layout<@other, ["x" = shard(0)]> to #dtensor.layout<@other, []>
}

// -----

dtensor.mesh @mesh ["dp" = 2]
sched.program @on_unknown_mesh on @mesh peak 128 {
  %slab = sched.slab : memref<128xi8>
  %x = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %y = sched.view %slab at 64 : memref<128xi8> to memref<8xf32>
  // (C1)
  // expected-error @+1 {{'sched.collective' op unknown mesh @other (declare it with `dtensor.mesh`)}}
  sched.collective all_gather %x to %y over ["x"] from_dim 0 shape [8] : memref<4xf32> -> memref<8xf32> from #dtensor.layout<@other, ["x" = shard(0)]> to #dtensor.layout<@other, []>
}
