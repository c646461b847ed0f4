// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom assembly of the foreign operations.
#ifndef DTENSOR_LIB_IMPORT_PARSEOPS_H
#define DTENSOR_LIB_IMPORT_PARSEOPS_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::dtensor {

using ParseFn = ParseResult (*)(OpAsmParser &parser, OperationState &state);

/// The parser of the custom assembly of `name` ("stablehlo.add"); one that
/// reports the op as unreadable where there is none.
const ParseFn &getForeignParser(llvm::StringRef name);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_IMPORT_PARSEOPS_H
