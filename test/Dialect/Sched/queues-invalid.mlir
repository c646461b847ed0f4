// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// What sched.start and sched.wait refuse; (C1) of sched.collective's parent is
// in ops-invalid.mlir.

dtensor.mesh @mesh ["x" = 2]
sched.program @start_of_compute on @mesh peak 64 {
  %slab = sched.slab : memref<128xi8>
  %a = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %b = sched.view %slab at 64 : memref<128xi8> to memref<4xf32>
  sched.start 0 on 1 {
    // (C1)
    // expected-error @+1 {{'sched.kernel' op stands in a sched.start, which hands over collectives only}}
    sched.kernel @kernels::@k(%a) into(%b) : (memref<4xf32>, memref<4xf32>) -> ()
  }
  sched.wait 0
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @start_of_nothing on @mesh peak 0 {
  %slab = sched.slab : memref<0xi8>
  // (C1)
  // expected-error @+1 {{'sched.start' op hands over no collective}}
  sched.start 0 on 1 {
  }
  sched.wait 0
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @unknown_queue on @mesh peak 64 {
  %slab = sched.slab : memref<128xi8>
  %a = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %b = sched.view %slab at 64 : memref<128xi8> to memref<8xf32>
  // (C2)
  // expected-error @+1 {{'sched.start' op hands event 0 to queue 2; events count from 0 to 2147483647, and there is queue 1}}
  sched.start 0 on 2 {
    sched.collective all_gather %a to %b over ["x"] from_dim 0 shape [8] : memref<4xf32> -> memref<8xf32> from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  }
  sched.wait 0
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @event_used_twice on @mesh peak 64 {
  %slab = sched.slab : memref<128xi8>
  %a = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %b = sched.view %slab at 64 : memref<128xi8> to memref<8xf32>
  sched.start 0 on 1 {
    sched.collective all_gather %a to %b over ["x"] from_dim 0 shape [8] : memref<4xf32> -> memref<8xf32> from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  }
  sched.wait 0
  // (C3)
  // expected-error @+1 {{'sched.start' op has event 0, as another sched.start}}
  sched.start 0 on 1 {
    sched.collective all_gather %a to %b over ["x"] from_dim 0 shape [8] : memref<4xf32> -> memref<8xf32> from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  }
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @never_waited_for on @mesh peak 64 {
  %slab = sched.slab : memref<128xi8>
  %a = sched.view %slab at 0 : memref<128xi8> to memref<4xf32>
  %b = sched.view %slab at 64 : memref<128xi8> to memref<8xf32>
  // (C3)
  // expected-error @+1 {{'sched.start' op must be waited for by one sched.wait 3 after it, there are 0}}
  sched.start 3 on 1 {
    sched.collective all_gather %a to %b over ["x"] from_dim 0 shape [8] : memref<4xf32> -> memref<8xf32> from #dtensor.layout<@mesh, ["x" = shard(0)]> to #dtensor.layout<@mesh, []>
  }
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @waits_for_nothing on @mesh peak 0 {
  %slab = sched.slab : memref<0xi8>
  // (C1)
  // expected-error @+1 {{'sched.wait' op waits for event 1, which no sched.start before it has}}
  sched.wait 1
}
