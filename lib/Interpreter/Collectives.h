// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of layout on the values of all ranks: what comm ops do, and the ways
// of global tensors onto ranks and back.
#ifndef DTENSOR_LIB_INTERPRETER_COLLECTIVES_H
#define DTENSOR_LIB_INTERPRETER_COLLECTIVES_H

#include "Tensor.h"

#include "dtensor/Dialect/Comm/Comm.h"

namespace mlir::dtensor::interp {

/// One value per rank.
using RankValues = std::vector<TensorRef>;

/// The values after a change of layout, for every rank. An error where the
/// change is none that a step can make.
planner::Expected<RankValues> changeLayout(const planner::Mesh &mesh,
                                           const comm::CollectiveChange &change,
                                           const RankValues &values);

/// What each rank holds of `global` under `layout`. Partial: the value on
/// coordinate 0 and the identity elsewhere, or for operators that a repeated
/// value does not harm the value everywhere.
planner::Expected<RankValues> distribute(const planner::Mesh &mesh,
                                         const planner::Layout &layout,
                                         const TensorRef &global);

/// The global tensor of shape `shape`. An error where replicas differ.
planner::Expected<TensorRef> assemble(const planner::Mesh &mesh,
                                      const planner::Layout &layout,
                                      ArrayRef<int64_t> shape,
                                      const RankValues &values);

} // namespace mlir::dtensor::interp

#endif // DTENSOR_LIB_INTERPRETER_COLLECTIVES_H
