// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-ins for the dialects of frontends (stablehlo, sdy, chlo, mhlo): enough
// to read their text without linking them.
#ifndef DTENSOR_IMPORT_STUBDIALECTS_H
#define DTENSOR_IMPORT_STUBDIALECTS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::dtensor {

/// Adds the stand-ins. Do not combine with the real dialects in one context.
void registerStubDialects(DialectRegistry &registry);

/// True for the ops of the dialects above; they are what an import replaces.
bool isForeignOp(Operation *op);
/// True when `module` has ops or shardings that an import replaces.
bool needsImport(ModuleOp module);

} // namespace mlir::dtensor

#endif // DTENSOR_IMPORT_STUBDIALECTS_H
