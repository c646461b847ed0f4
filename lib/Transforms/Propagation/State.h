// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What propagation knows of one function.
#ifndef DTENSOR_LIB_TRANSFORMS_PROPAGATION_STATE_H
#define DTENSOR_LIB_TRANSFORMS_PROPAGATION_STATE_H

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <deque>

namespace mlir::dtensor {

/// Layouts of a function's values while they are being found. Maps are looked
/// up only, never walked, so that no order but the program's reaches a result.
struct PropagationState {
  func::FuncOp func;
  FlatSymbolRefAttr meshName;
  planner::Mesh mesh;

  /// What is known of each tensor value. Open layouts may still grow.
  DenseMap<Value, planner::Layout> layouts;
  /// Annotations that count only after those of lower numbers: the priorities
  /// of values and of results of the function, where they are not 0.
  DenseMap<Value, int64_t> priorities;
  SmallVector<int64_t> resultPriorities;
  /// Ops with a rule, in program order, without the freely laid out ones.
  SmallVector<Operation *> ops;
  DenseMap<Operation *, const ShardingRule *> rules;
  /// The rules themselves; elementwise ops of one type share one.
  std::deque<ShardingRule> ruleStorage;
  /// Layouts that results of the function must have; none where open.
  SmallVector<std::optional<planner::Layout>> resultLayouts;
  /// Annotations of results that propagation may complete.
  SmallVector<std::optional<planner::Layout>> openResultLayouts;
  /// The layouts that each op takes its operands in, once chosen.
  DenseMap<Operation *, SmallVector<planner::Layout>> operandLayouts;

  func::ReturnOp getReturn() {
    return cast<func::ReturnOp>(func.getBody().front().getTerminator());
  }
};

/// True where the two (sub-)axes share ranks.
inline bool overlap(const planner::AxisRef &a, const planner::AxisRef &b) {
  return a.axis == b.axis && a.preSize < b.preSize * b.size &&
         b.preSize < a.preSize * a.size;
}

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PROPAGATION_STATE_H
