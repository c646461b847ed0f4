// RUN: %dtensor-opt %s --split-input-file --verify-diagnostics

// What sched.loop and sched.if refuse, and counters outside of their loops.

dtensor.mesh @mesh ["x" = 2]
sched.program @loop_of_no_iteration on @mesh peak 256 {
  %slab = sched.slab : memref<256xi8>
  %c = sched.view %slab at 0 : memref<256xi8> to memref<i1>
  %a = sched.view %slab at 64 : memref<256xi8> to memref<4xf32>
  %b = sched.view %slab at 128 : memref<256xi8> to memref<4xf32>
  // (C1)
  // expected-error @+1 {{'sched.loop' op of number 0 runs 0 times; numbers count from 0 to 2147483647, and it runs at least once}}
  sched.loop 0 times 0 {
    sched.copy %a to %b : memref<4xf32>
  }
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @loops_of_one_number on @mesh peak 256 {
  %slab = sched.slab : memref<256xi8>
  %c = sched.view %slab at 0 : memref<256xi8> to memref<i1>
  %a = sched.view %slab at 64 : memref<256xi8> to memref<4xf32>
  %b = sched.view %slab at 128 : memref<256xi8> to memref<4xf32>
  sched.loop 3 times 2 {
    sched.copy %a to %b : memref<4xf32>
  }
  // (C1)
  // expected-error @+1 {{'sched.loop' op has number 3, as another loop}}
  sched.loop 3 times 2 {
    sched.copy %a to %b : memref<4xf32>
  }
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @loop_of_nothing on @mesh peak 256 {
  %slab = sched.slab : memref<256xi8>
  %c = sched.view %slab at 0 : memref<256xi8> to memref<i1>
  %a = sched.view %slab at 64 : memref<256xi8> to memref<4xf32>
  %b = sched.view %slab at 128 : memref<256xi8> to memref<4xf32>
  // (C2)
  // expected-error @+1 {{'sched.loop' op has no steps}}
  sched.loop 0 times 2 {
  }
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @loop_with_constant on @mesh peak 256 {
  %slab = sched.slab : memref<256xi8>
  %c = sched.view %slab at 0 : memref<256xi8> to memref<i1>
  %a = sched.view %slab at 64 : memref<256xi8> to memref<4xf32>
  %b = sched.view %slab at 128 : memref<256xi8> to memref<4xf32>
  sched.loop 0 times 2 {
    // (C2)
    // expected-error @+1 {{'arith.constant' op is no step; move it out of 'sched.loop'}}
    %z = arith.constant 0.0 : f32
  }
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @if_with_constant on @mesh peak 256 {
  %slab = sched.slab : memref<256xi8>
  %c = sched.view %slab at 0 : memref<256xi8> to memref<i1>
  %a = sched.view %slab at 64 : memref<256xi8> to memref<4xf32>
  %b = sched.view %slab at 128 : memref<256xi8> to memref<4xf32>
  sched.if %c {
    // (C2)
    // expected-error @+1 {{'arith.constant' op is no step; move it out of 'sched.if'}}
    %z = arith.constant 0.0 : f32
  } else {
  } : memref<i1>
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @if_by_floats on @mesh peak 256 {
  %slab = sched.slab : memref<256xi8>
  %c = sched.view %slab at 0 : memref<256xi8> to memref<i1>
  %a = sched.view %slab at 64 : memref<256xi8> to memref<4xf32>
  %b = sched.view %slab at 128 : memref<256xi8> to memref<4xf32>
  // (C1)
  // expected-error @+1 {{'sched.if' op needs one i1 as its condition, got 'memref<4xf32>'}}
  sched.if %a {
  } else {
  } : memref<4xf32>
}

// -----

dtensor.mesh @mesh ["x" = 2]
sched.program @counter_of_no_loop on @mesh peak 256 {
  %slab = sched.slab : memref<256xi8>
  %c = sched.view %slab at 0 : memref<256xi8> to memref<i1>
  %a = sched.view %slab at 64 : memref<256xi8> to memref<4xf32>
  %b = sched.view %slab at 128 : memref<256xi8> to memref<4xf32>
  sched.loop 0 times 2 {
    // (C2) of sched.kernel
    // expected-error @+1 {{'sched.kernel' op 'extents' has #sched.counter<1 from 0 step 1>, and stands in no such loop}}
    sched.kernel @kernels::@k(%a) into(%b) extents [#sched.counter<1 from 0 step 1>] : (memref<4xf32>, memref<4xf32>) -> ()
  }
}
