// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-print-rules: says how each op may be sharded.

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Interfaces/ControlFlow.h"
#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_PRINTRULESPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

static void printRule(Operation *op) {
  if (isFreelyLaidOut(op)) {
    op->emitRemark() << "is made anew for any layout";
    return;
  }
  if (isa<ConstrainOp, RedistributeOp>(op)) {
    op->emitRemark() << "rule " << getElementwiseRule(op).str();
    return;
  }
  if (std::optional<ShardingRule> rule = getShardingRule(op))
    op->emitRemark() << "rule " << rule->str();
  else if (isa<AttentionOp, OnesOp, ZerosOp, FullOp, EmptyOp, RandOp, RandnOp,
               RngBitsOp, DistributeOp, FullTensorOp>(op))
    op->emitRemark() << "is written with other ops before layouts are found";
  else if (isControlFlow(op))
    op->emitRemark() << "hands on what it carries in one layout";
  else
    op->emitRemark() << "has no sharding rule";
}

namespace {
struct PrintRulesPass
    : mlir::dtensor::impl::PrintRulesPassBase<PrintRulesPass> {
  using Base::Base;
  void runOnOperation() override {
    auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
    for (auto func : getOperation().getOps<func::FuncOp>())
      func.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op == func || isa<func::ReturnOp>(op) || endsControlFlow(op))
          return WalkResult::advance();
        if (llvm::any_of(op->getOperandTypes(), isTensor) ||
            llvm::any_of(op->getResultTypes(), isTensor))
          printRule(op);
        // Bodies of structured ops hold scalars.
        return isControlFlow(op) ? WalkResult::advance() : WalkResult::skip();
      });
    markAllAnalysesPreserved();
  }
};
} // namespace
