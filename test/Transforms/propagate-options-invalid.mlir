// RUN: not %dtensor-opt %s --dtensor-propagate=unknown-ops=maybe 2>&1 | FileCheck %s --check-prefix=UNKNOWN-OPS
// RUN: not %dtensor-opt %s --dtensor-propagate=topology=builtin:moon 2>&1 | FileCheck %s --check-prefix=TOPOLOGY
// RUN: not %dtensor-opt %s --dtensor-insert-redistributions=implicit=never 2>&1 | FileCheck %s --check-prefix=IMPLICIT
// RUN: not %dtensor-opt %s --dtensor-verify-stage=stage=done 2>&1 | FileCheck %s --check-prefix=STAGE
//
// Options that the passes do not know.

// UNKNOWN-OPS: error: dtensor-propagate: unknown-ops must be 'error' or 'replicate', got 'maybe'
// TOPOLOGY: error: dtensor-propagate: {{.*}}moon
// IMPLICIT: error: dtensor-insert-redistributions: implicit must be 'allow', 'warn' or 'forbid', got 'never'
// STAGE: error: dtensor-verify-stage: unknown stage 'done' (one of laid-out, explicit, local, scheduled)
module {
}
