// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that take in programs of other dialects (documented in Passes.td).
#ifndef DTENSOR_IMPORT_PASSES_H
#define DTENSOR_IMPORT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::dtensor {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dtensor/Import/Passes.h.inc"

} // namespace mlir::dtensor

#endif // DTENSOR_IMPORT_PASSES_H
