// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of the dtensor dialect's structured ops, inside a kernel.
#ifndef DTENSOR_LIB_TRANSFORMS_KERNELS_STRUCTUREDLOOPS_H
#define DTENSOR_LIB_TRANSFORMS_KERNELS_STRUCTUREDLOOPS_H

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/Builders.h"

namespace mlir::dtensor {

/// True for ops that buildStructuredLoops knows.
bool hasStructuredLoops(Operation *op);

/// The type of the memory that the loops of `op` need besides operands and
/// results; null where they need none.
RankedTensorType getScratchType(Operation *op);

/// Writes the loops of `op` at `builder`: from the buffers of its inputs to
/// those of its results. Where the op reads its destinations, the buffers of
/// the results hold their values already. `scratch` is a buffer of
/// getScratchType, where that is one.
void buildStructuredLoops(OpBuilder &builder, Operation *op, ValueRange inputs,
                          ValueRange results, Value scratch);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_KERNELS_STRUCTUREDLOOPS_H
