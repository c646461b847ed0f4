// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of kernels: constants of the program, made anew where a kernel needs
// them.
#ifndef DTENSOR_LIB_TRANSFORMS_KERNELS_SCALARS_H
#define DTENSOR_LIB_TRANSFORMS_KERNELS_SCALARS_H

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::dtensor {

/// True for a tensor that any layout suits and that its users make themselves.
inline bool isFreeTensor(Value value) {
  return isa<RankedTensorType>(value.getType()) && isFreeValue(value);
}

/// Makes the scalar `value`, a constant of the program, anew at `builder`.
/// Fails on scalars that the program computes.
FailureOr<Value> cloneScalar(OpBuilder &builder, Value value, Operation *user);

/// The one element that a freely laid out tensor repeats; zero for an empty
/// tensor, whose contents nobody may rely on.
FailureOr<Value> makeElement(OpBuilder &builder, Value value, Operation *user);

/// Clones what the region of `op` uses of its surroundings, constants of the
/// program, to `builder`.
LogicalResult cloneCaptured(OpBuilder &builder, Operation *op,
                            IRMapping &mapping);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_KERNELS_SCALARS_H
