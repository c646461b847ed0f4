// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --mlir-print-op-generic %s | %dtensor-opt | FileCheck %s

// sched.collective: each kind, with the options that it may carry.

dtensor.mesh @mesh ["dp" = 2, "tp" = 4]

// CHECK-LABEL: sched.program @every_kind_of_collective
sched.program @every_kind_of_collective on @mesh peak 1024 {
  %slab = sched.slab : memref<1024xi8>
  // CHECK: %[[WHOLE:.*]] = sched.view %{{.*}} at 0
  %whole = sched.view %slab at 0 : memref<1024xi8> to memref<8x8xf32>
  // CHECK-NEXT: %[[OTHER:.*]] = sched.view %{{.*}} at 256
  %other = sched.view %slab at 256 : memref<1024xi8> to memref<8x8xf32>
  // CHECK-NEXT: %[[ROWS:.*]] = sched.view %{{.*}} at 512
  %rows = sched.view %slab at 512 : memref<1024xi8> to memref<2x8xf32>
  // CHECK-NEXT: %[[COLUMNS:.*]] = sched.view %{{.*}} at 576
  %columns = sched.view %slab at 576 : memref<1024xi8> to memref<8x2xf32>
  // CHECK-NEXT: %[[ROW:.*]] = sched.view %{{.*}} at 640
  %row = sched.view %slab at 640 : memref<1024xi8> to memref<1x8xf32>
  // CHECK-NEXT: %[[OTHER_ROW:.*]] = sched.view %{{.*}} at 704
  %other_row = sched.view %slab at 704 : memref<1024xi8> to memref<1x8xf32>
  // CHECK-NEXT: %[[HALF:.*]] = sched.view %{{.*}} at 768
  %half = sched.view %slab at 768 : memref<1024xi8> to memref<4x8xf32>

  // CHECK-NEXT: sched.collective slice %[[WHOLE]] to %[[ROWS]] over ["tp"] to_dim 0 shape [8, 8] : memref<8x8xf32> -> memref<2x8xf32> from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, ["tp" = shard(0)]>{{$}}
  sched.collective slice %whole to %rows over ["tp"] to_dim 0 shape [8, 8] : memref<8x8xf32> -> memref<2x8xf32> from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, ["tp" = shard(0)]>

  // CHECK-NEXT: sched.collective to_partial %[[WHOLE]] to %[[OTHER]] over ["tp"] op sum shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, ["tp" = partial(sum)]>{{$}}
  sched.collective to_partial %whole to %other over ["tp"] op sum shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, ["tp" = partial(sum)]>

  // CHECK-NEXT: sched.collective to_partial %[[ROWS]] to %[[WHOLE]] over ["tp"] op max from_dim 0 shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, ["tp" = partial(max)]>{{$}}
  sched.collective to_partial %rows to %whole over ["tp"] op max from_dim 0 shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, ["tp" = partial(max)]>

  // CHECK-NEXT: sched.collective scale %[[WHOLE]] to %[[OTHER]] over ["tp"] op avg shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, ["tp" = partial(avg)]>{{$}}
  sched.collective scale %whole to %other over ["tp"] op avg shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, ["tp" = partial(avg)]>

  // CHECK-NEXT: sched.collective all_gather %[[ROWS]] to %[[WHOLE]] over ["tp"] from_dim 0 shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>{{$}}
  sched.collective all_gather %rows to %whole over ["tp"] from_dim 0 shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>

  // CHECK-NEXT: sched.collective all_gather %[[ROW]] to %[[WHOLE]] over ["dp", "tp"] from_dim 0 shape [8, 8] : memref<1x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = shard(0)]> to #dtensor.layout<@mesh, []>{{$}}
  sched.collective all_gather %row to %whole over ["dp", "tp"] from_dim 0 shape [8, 8] : memref<1x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = shard(0)]> to #dtensor.layout<@mesh, []>

  // CHECK-NEXT: sched.collective all_gather %[[HALF]] to %[[WHOLE]] over ["tp":(1)2] from_dim 0 shape [8, 8] : memref<4x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp":(1)2 = shard(0)]> to #dtensor.layout<@mesh, []>{{$}}
  sched.collective all_gather %half to %whole over ["tp":(1)2] from_dim 0 shape [8, 8] : memref<4x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp":(1)2 = shard(0)]> to #dtensor.layout<@mesh, []>

  // CHECK-NEXT: sched.collective all_to_all %[[ROWS]] to %[[COLUMNS]] over ["tp"] from_dim 0 to_dim 1 shape [8, 8] : memref<2x8xf32> -> memref<8x2xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, ["tp" = shard(1)]>{{$}}
  sched.collective all_to_all %rows to %columns over ["tp"] from_dim 0 to_dim 1 shape [8, 8] : memref<2x8xf32> -> memref<8x2xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, ["tp" = shard(1)]>

  // CHECK-NEXT: sched.collective permute %[[ROW]] to %[[OTHER_ROW]] over ["dp", "tp"] shape [8, 8] : memref<1x8xf32> -> memref<1x8xf32> from #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = shard(0)]> to #dtensor.layout<@mesh, ["tp" = shard(0), "dp" = shard(0)]>{{$}}
  sched.collective permute %row to %other_row over ["dp", "tp"] shape [8, 8] : memref<1x8xf32> -> memref<1x8xf32> from #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = shard(0)]> to #dtensor.layout<@mesh, ["tp" = shard(0), "dp" = shard(0)]>

  // CHECK-NEXT: sched.collective reduce_scatter %[[WHOLE]] to %[[ROWS]] over ["tp"] op sum to_dim 0 shape [8, 8] : memref<8x8xf32> -> memref<2x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, ["tp" = shard(0)]>{{$}}
  sched.collective reduce_scatter %whole to %rows over ["tp"] op sum to_dim 0 shape [8, 8] : memref<8x8xf32> -> memref<2x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, ["tp" = shard(0)]>

  // CHECK-NEXT: sched.collective all_reduce %[[WHOLE]] to %[[OTHER]] over ["tp"] op sum shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, []>{{$}}
  sched.collective all_reduce %whole to %other over ["tp"] op sum shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, []>

  // CHECK-NEXT: sched.collective exchange %[[ROWS]] to %[[HALF]] over ["dp", "tp"] shape [8, 8] : memref<2x8xf32> -> memref<4x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, ["dp" = shard(0)]> {test.note = 1 : i64}{{$}}
  sched.collective exchange %rows to %half over ["dp", "tp"] shape [8, 8] : memref<2x8xf32> -> memref<4x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, ["dp" = shard(0)]> {test.note = 1 : i64}

  // CHECK: sched.collective broadcast %[[WHOLE]] to %[[OTHER]] root 3 over ["tp"] shape [8, 8]
  sched.collective broadcast %whole to %other root 3 over ["tp"] shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, []>
  // CHECK-NEXT: sched.collective reduce %[[WHOLE]] to %[[OTHER]] root 0 over ["tp"] op sum shape [8, 8]
  sched.collective reduce %whole to %other root 0 over ["tp"] op sum shape [8, 8] : memref<8x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, []>
  // CHECK-NEXT: sched.collective scatter %[[WHOLE]] to %[[ROWS]] root 1 over ["tp"] to_dim 0 shape [8, 8]
  sched.collective scatter %whole to %rows root 1 over ["tp"] to_dim 0 shape [8, 8] : memref<8x8xf32> -> memref<2x8xf32> from #dtensor.layout<@mesh, []> to #dtensor.layout<@mesh, ["tp" = shard(0)]>
  // CHECK-NEXT: sched.collective gather %[[ROWS]] to %[[WHOLE]] root 2 over ["tp"] from_dim 0 shape [8, 8]
  sched.collective gather %rows to %whole root 2 over ["tp"] from_dim 0 shape [8, 8] : memref<2x8xf32> -> memref<8x8xf32> from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
  // CHECK-NEXT: sched.kernel @kernels::@kernel0(%[[WHOLE]]) into(%[[OTHER]]) extents [#sched.extent<7 over ["tp"] max 2>, #sched.index<["dp", "tp"]>]
  sched.kernel @kernels::@kernel0(%whole) into(%other) extents [#sched.extent<7 over ["tp"] max 2>, #sched.index<["dp", "tp"]>] : (memref<8x8xf32>, memref<8x8xf32>) -> ()
}

// CHECK-LABEL: sched.program @queue
sched.program @queue on @mesh peak 64 {
  %slab = sched.slab : memref<128xi8>
  %a = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %b = sched.view %slab at 64 : memref<128xi8> to memref<8xf32>
  // CHECK: sched.start 0 on 1 {
  // CHECK-NEXT: sched.collective all_gather
  // CHECK-NEXT: }
  sched.start 0 on 1 {
    sched.collective all_gather %a to %b over ["dp"] from_dim 0 shape [8] : memref<4xf32> -> memref<8xf32> from #dtensor.layout<@mesh, ["dp" = shard(0)]> to #dtensor.layout<@mesh, []>
  }
  // CHECK-NEXT: sched.wait 0
  sched.wait 0
}
