// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What propagation knows of one function.
#ifndef DTENSOR_LIB_TRANSFORMS_PROPAGATION_STATE_H
#define DTENSOR_LIB_TRANSFORMS_PROPAGATION_STATE_H

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <deque>

namespace mlir::dtensor {

/// Why an axis shards a dimension of a value: an op's rule brought it from
/// another value. Axes without one come from the value's annotation.
struct AxisOrigin {
  int64_t dim = 0;
  planner::AxisRef axis;
  Operation *via = nullptr;
  Value from; ///< null for an annotation of the function's results
};

/// A way to shard an op and what it costs, in microseconds.
struct ShardingPrice {
  FactorAxes axes;
  double operands = 0, compute = 0, results = 0;
  double total() const { return operands + compute + results; }
};

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

  /// Whether to keep the reasons below.
  bool explains = false;
  DenseMap<Value, SmallVector<AxisOrigin>> origins;
  /// The shardings that an op could have, the one that it has first, the others
  /// by price.
  DenseMap<Operation *, SmallVector<ShardingPrice>> prices;

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
