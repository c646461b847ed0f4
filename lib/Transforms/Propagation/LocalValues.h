// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of a program each rank computes for itself.
#ifndef DTENSOR_LIB_TRANSFORMS_PROPAGATION_LOCALVALUES_H
#define DTENSOR_LIB_TRANSFORMS_PROPAGATION_LOCALVALUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {

/// Marks the ops between `dtensor.to_local` and `dtensor.from_local` with
/// `dtensor.local`: collectives, and whatever uses a local value. What is made
/// of nothing (constants, empty tensors) is either; local ops get copies of
/// their own. Puts a `dtensor.constrain` before each `to_local`, so that its
/// operand has its layout. Fails where an op mixes local values with global
/// tensors, and where a local value is returned.
LogicalResult markLocalOps(func::FuncOp func);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PROPAGATION_LOCALVALUES_H
