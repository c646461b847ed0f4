// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from one dialect to another (documented in Passes.td).
#ifndef DTENSOR_CONVERSION_PASSES_H
#define DTENSOR_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::dtensor {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dtensor/Conversion/Passes.h.inc"

} // namespace mlir::dtensor

#endif // DTENSOR_CONVERSION_PASSES_H
