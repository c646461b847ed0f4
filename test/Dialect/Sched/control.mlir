// RUN: %dtensor-opt %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --verify-roundtrip %s -o %t
// RUN: %dtensor-opt --emit-bytecode %s | %dtensor-opt | FileCheck %s
// RUN: %dtensor-opt --mlir-print-op-generic %s | %dtensor-opt | FileCheck %s

// sched.loop and sched.if.

dtensor.mesh @mesh ["x" = 2]

// CHECK-LABEL: sched.program @control
sched.program @control on @mesh peak 256 {
  %slab = sched.slab : memref<256xi8>
  %c = sched.view %slab at 0 : memref<256xi8> to memref<i1>
  %a = sched.view %slab at 64 : memref<256xi8> to memref<4xf32>
  %b = sched.view %slab at 128 : memref<256xi8> to memref<4xf32>
  // CHECK: sched.loop 0 times 10 carries(%[[A:.*]]) {
  sched.loop 0 times 10 carries(%a) {
    // CHECK-NEXT: sched.loop 1 times 2 {
    sched.loop 1 times 2 {
      // CHECK-NEXT: sched.kernel @kernels::@k(%[[A]]) into(%[[B:.*]]) extents [#sched.counter<0 from 3 step -1>, #sched.counter<1 from 0 step 2>]
      sched.kernel @kernels::@k(%a) into(%b) extents [#sched.counter<0 from 3 step -1>, #sched.counter<1 from 0 step 2>] : (memref<4xf32>, memref<4xf32>) -> ()
    // CHECK-NEXT: }
    }
    // CHECK-NEXT: sched.copy %[[B]] to %[[A]]
    sched.copy %b to %a : memref<4xf32>
  // CHECK-NEXT: } : memref<4xf32>
  } : memref<4xf32>
  // CHECK-NEXT: sched.if %[[C:.*]] gives(%[[B]]) {
  sched.if %c gives(%b) {
    sched.copy %a to %b : memref<4xf32>
  // CHECK: } else {
  } else {
    sched.loop 2 times 1 {
      sched.copy %a to %b : memref<4xf32>
    }
  // CHECK: } : memref<i1>, memref<4xf32>
  } : memref<i1>, memref<4xf32>
  // CHECK-NEXT: sched.if %[[C]] {
  sched.if %c {
  } else {
  } : memref<i1>
}
