// RUN: %dtensor-opt %s --dtensor-verify-stage=stage=scheduled --split-input-file --verify-diagnostics
//
// The invariant of stage scheduled.

// expected-error @+1 {{'builtin.module' op stage scheduled: has no sched.program}}
module {
}

// -----

dtensor.mesh @mesh ["x" = 2]

sched.program @placed on @mesh peak 0 {
  %slab = sched.slab : memref<0xi8>
}

// expected-error @+1 {{'func.func' op stage scheduled: must be a sched.program}}
func.func @left() {
  return
}
