// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes within the dtensor and sched dialects (documented in Passes.td).
#ifndef DTENSOR_TRANSFORMS_PASSES_H
#define DTENSOR_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::dtensor {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dtensor/Transforms/Passes.h.inc"

} // namespace mlir::dtensor

#endif // DTENSOR_TRANSFORMS_PASSES_H
