// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `?` stands for in the local types of a function.
#ifndef DTENSOR_LIB_TRANSFORMS_KERNELS_EXTENTS_H
#define DTENSOR_LIB_TRANSFORMS_KERNELS_EXTENTS_H

#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Dialect/Sched/Sched.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {

/// The extents of a tensor, one per dimension: an IntegerAttr where all ranks
/// hold the same, else a sched::ExtentAttr.
using Extents = SmallVector<Attribute, 4>;

/// What `op` gives: an IntegerAttr or a sched::ExtentAttr.
Attribute getLocalExtent(comm::LocalExtentOp op);

/// Extents of the values of a function at stage local, where pieces need not
/// be equal: from the layouts of the arguments and the frames of collectives,
/// through the ops. Ops are to be visited in program order.
class ExtentAnalysis {
public:
  /// Starts with the arguments. Arguments without layout have static types.
  explicit ExtentAnalysis(func::FuncOp func);

  /// Notes the extents of the results of `op`; reports where one of them has a
  /// `?` that nothing explains.
  LogicalResult visit(Operation *op);

  const Extents &get(Value value) const { return extents.find(value)->second; }
  /// Lets `made` stand for `old`.
  void replace(Value old, Value made);

  /// The largest shape of `value` over all ranks.
  SmallVector<int64_t> getBounds(Value value) const;

private:
  Extents fromType(RankedTensorType type) const;
  Extents fromLayout(const planner::Mesh &mesh, const planner::Layout &layout,
                     ArrayRef<int64_t> shape) const;
  std::optional<Extents> compute(Operation *op, OpResult result) const;

  MLIRContext *context;
  DenseMap<Value, Extents> extents;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_KERNELS_EXTENTS_H
