// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the layouts that propagation wrote.
#ifndef DTENSOR_INTERFACES_VALUELAYOUTS_H
#define DTENSOR_INTERFACES_VALUELAYOUTS_H

#include "dtensor/Dialect/DTensor/DTensor.h"

namespace mlir::dtensor {

/// The layout of `value`, from the annotation of its argument, or from the op
/// that makes it; null where it has none.
LayoutAttr getValueLayout(Value value);

/// The layout that `operand`'s owner takes it in; null where nothing is known.
LayoutAttr getOperandLayout(OpOperand &operand);

/// True for types that can have a layout.
inline bool isDistributable(Type type) { return isa<RankedTensorType>(type); }

/// True for what every rank computes for itself: results of dtensor.to_local,
/// and of ops that dtensor-propagate marked. No layout speaks of it.
bool isLocal(Value value);

/// True where no operand and no result is a tensor with a layout: all are of
/// other types, or local.
bool hasNoTensors(Operation *op);

} // namespace mlir::dtensor

#endif // DTENSOR_INTERFACES_VALUELAYOUTS_H
