// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of kernels: constants, and what a rank knows of itself, made anew
// where a kernel needs them.
#ifndef DTENSOR_LIB_TRANSFORMS_KERNELS_SCALARS_H
#define DTENSOR_LIB_TRANSFORMS_KERNELS_SCALARS_H

#include "KernelBuilder.h"
#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::dtensor {

/// True for a tensor that any layout suits and that its users make themselves.
inline bool isFreeTensor(Value value) {
  return isa<RankedTensorType>(value.getType()) && isFreeValue(value);
}

/// Makes the scalar `value` anew at `builder`: a constant of the program, what
/// a rank knows of itself, and what arithmetic makes of these. Fails on other
/// scalars.
FailureOr<Value> cloneScalar(OpBuilder &builder, KernelFunction &function,
                             Value value, Operation *user);

/// The one element that a freely laid out tensor repeats; zero for an empty
/// tensor, whose contents nobody may rely on.
FailureOr<Value> makeElement(OpBuilder &builder, KernelFunction &function,
                             Value value, Operation *user);

/// Clones what the region of `op` uses of its surroundings, scalars only, to
/// `builder`.
LogicalResult cloneCaptured(OpBuilder &builder, KernelFunction &function,
                            Operation *op, IRMapping &mapping);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_KERNELS_SCALARS_H
