// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the planner's steps to operations of the comm dialect.
#ifndef DTENSOR_LIB_CONVERSION_DTENSORTOCOMM_LOWERSTEPS_H
#define DTENSOR_LIB_CONVERSION_DTENSORTOCOMM_LOWERSTEPS_H

#include "dtensor/Dialect/Comm/Comm.h"

#include "mlir/IR/Builders.h"

namespace mlir::dtensor {

/// What a step needs besides itself: the mesh and the global tensor.
struct StepContext {
  FlatSymbolRefAttr meshName;
  const planner::Mesh &mesh;
  RankedTensorType globalType;
};

/// Emits the operation for `step` on the local tensor `input`.
Value lowerStep(OpBuilder &builder, Location loc, const StepContext &context,
                const planner::RedistributionStep &step, Value input);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_CONVERSION_DTENSORTOCOMM_LOWERSTEPS_H
