// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-verify-stage: checks the invariant of a stage of the pipeline.

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Dialect/Sched/Sched.h"
#include "dtensor/Interfaces/ControlFlow.h"
#include "dtensor/Interfaces/ShardingRule.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// laid-out
//===----------------------------------------------------------------------===//

static LogicalResult checkLaidOut(Value value, Operation *at) {
  if (!isDistributable(value.getType()) || isLocal(value))
    return success();
  LayoutAttr layout = getValueLayout(value);
  if (!layout)
    return at->emitOpError() << "stage laid-out: a tensor has no layout";
  if (layout.getOpen())
    return at->emitOpError()
           << "stage laid-out: layout " << layout << " is still open";
  return success();
}

static LogicalResult verifyLaidOut(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments())
    if (failed(checkLaidOut(argument, func)))
      return failure();
  WalkResult result =
      func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op->hasAttr(kLocalAttr))
          return WalkResult::skip();
        // Global tensors are the same for all ranks, and for the one rank that
        // the unsharded program runs on.
        if (isa_and_nonnull<comm::CommDialect>(op->getDialect())) {
          op->emitOpError()
              << "stage laid-out: speaks of ranks in a program of "
                 "global tensors; write it in one of local tensors "
                 "(stage local), or in a dtensor.manual";
          return WalkResult::interrupt();
        }
        if (op->getParentOp() != func && !isControlFlow(op->getParentOp()))
          return WalkResult::advance(); // bodies of structured ops hold scalars
        if (isControlFlow(op))
          for (Region &region : op->getRegions())
            for (Value argument : region.getArguments())
              if (failed(checkLaidOut(argument, op)))
                return WalkResult::interrupt();
        for (Value value : op->getResults())
          if (failed(checkLaidOut(value, op)))
            return WalkResult::interrupt();
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// explicit
//===----------------------------------------------------------------------===//

/// Checks that the layouts of `op` are one sharding of its factors: that the
/// factors' axes can be read off them, and give just these layouts again.
static LogicalResult checkRule(Operation *op) {
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule)
    return success(); // replicated, by choice of the user
  SmallVector<std::pair<LayoutAttr, planner::Layout>> operands, results;
  auto read = [&](auto &list, LayoutAttr attr, Type type) {
    list.emplace_back();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !attr)
      return;
    planner::Mesh mesh = lookupMesh(op, attr.getMesh()).getPlannerMesh();
    list.back() = {attr, *getLayout(mesh, attr, tensor)};
  };
  for (OpOperand &operand : op->getOpOperands())
    read(operands, getOperandLayout(operand), operand.get().getType());
  for (OpResult result : op->getResults())
    read(results, getValueLayout(result), result.getType());

  FactorAxes axes(rule->factors.size());
  auto collect = [&](const DimFactors &dims, const planner::Layout &layout) {
    for (auto [dim, factors] : llvm::enumerate(dims)) {
      auto parts = splitByFactors(*rule, factors, layout.dims[dim]);
      for (auto [factor, part] : llvm::zip_equal(factors, parts))
        if (axes[factor].empty() &&
            rule->factors[factor].kind != FactorKind::NeedReplication)
          axes[factor] = part;
    }
  };
  for (auto [dims, entry] : llvm::zip_equal(rule->operands, operands))
    if (entry.first)
      collect(dims, entry.second);
  for (auto [dims, entry] : llvm::zip_equal(rule->results, results))
    if (entry.first)
      collect(dims, entry.second);

  // Sums that are handed on unfinished.
  for (const CarriedSum &sum : rule->carried)
    for (unsigned operand : sum.operands)
      if (operands[operand].first && axes[sum.factor].empty())
        for (const planner::PartialAxis &partial :
             operands[operand].second.partials)
          axes[sum.factor].push_back(partial.axis);

  auto refuse = [&](const auto &entry) {
    return op->emitOpError()
           << "stage explicit: layout " << entry.first
           << " does not agree with the others by its rule " << rule->str();
  };
  for (auto [index, entry] : llvm::enumerate(operands))
    if (entry.first && rule->roles[index] != OperandRole::None &&
        projectOperandLayout(*rule, op, index, axes) != entry.second)
      return refuse(entry);
  for (auto [dims, entry] : llvm::zip_equal(rule->results, results))
    if (entry.first && projectResultLayout(*rule, dims, axes) != entry.second)
      return refuse(entry);
  return success();
}

static LogicalResult verifyExplicit(func::FuncOp func) {
  if (failed(verifyLaidOut(func)))
    return failure();
  for (Operation *op : getProgramOps(func)) {
    if (isa<ConstrainOp>(op))
      return op->emitOpError() << "stage explicit: must be gone";
    if (isa<RedistributeOp>(op))
      continue;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isDistributable(operand.get().getType()) || isLocal(operand.get()))
        continue;
      LayoutAttr have = getValueLayout(operand.get());
      LayoutAttr need = getOperandLayout(operand);
      if (!need)
        return op->emitOpError() << "stage explicit: says not which layout it "
                                    "takes operand "
                                 << operand.getOperandNumber() << " in";
      if (have != need)
        return op->emitOpError()
               << "stage explicit: operand " << operand.getOperandNumber()
               << " has layout " << have << " and is needed as " << need;
    }
    if (!hasNoTensors(op) && !isa<func::ReturnOp, ToLocalOp, FromLocalOp>(op) &&
        failed(checkRule(op)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// local
//===----------------------------------------------------------------------===//

/// Checks that an argument or result has the local type of its global one.
static LogicalResult checkBoundary(func::FuncOp func, Type type,
                                   LayoutAttr layout, TypeAttr global,
                                   const Twine &what) {
  if (!isDistributable(type))
    return success();
  if (!layout || !global)
    return func.emitOpError() << "stage local: " << what
                              << " lacks dtensor.layout or dtensor.global_type";
  planner::Mesh mesh = lookupMesh(func, layout.getMesh()).getPlannerMesh();
  auto globalType = cast<RankedTensorType>(global.getValue());
  RankedTensorType local =
      getLocalType(*getLayout(mesh, layout, globalType), globalType);
  if (local != type)
    return func.emitOpError()
           << "stage local: " << what << " has type " << type
           << ", the local type of " << globalType << " is " << local;
  return success();
}

static LogicalResult verifyLocal(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (failed(
            checkBoundary(func, argument.getType(),
                          func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr),
                          func.getArgAttrOfType<TypeAttr>(i, kGlobalTypeAttr),
                          "argument " + Twine(i))))
      return failure();
  }
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (failed(checkBoundary(
            func, type, func.getResultAttrOfType<LayoutAttr>(i, kLayoutAttr),
            func.getResultAttrOfType<TypeAttr>(i, kGlobalTypeAttr),
            "result " + Twine(i))))
      return failure();
  WalkResult result = func.walk([](Operation *op) {
    if (isa<ConstrainOp, RedistributeOp, ToLocalOp, FromLocalOp, ManualOp>(
            op) ||
        op->hasAttr(kLayoutsAttr) || op->hasAttr(kOperandLayoutsAttr) ||
        op->hasAttr(kLocalAttr)) {
      op->emitOpError() << "stage local: still speaks of global tensors";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// scheduled, and the pass
//===----------------------------------------------------------------------===//

static LogicalResult verifyScheduled(ModuleOp module) {
  if (module.getOps<sched::ProgramOp>().empty())
    return module.emitOpError() << "stage scheduled: has no sched.program";
  for (auto func : module.getOps<func::FuncOp>())
    return func.emitOpError() << "stage scheduled: must be a sched.program";
  return success();
}

namespace {
struct VerifyStagePass
    : mlir::dtensor::impl::VerifyStagePassBase<VerifyStagePass> {
  using Base::Base;
  void runOnOperation() override {
    using Check = LogicalResult (*)(func::FuncOp);
    Check check = llvm::StringSwitch<Check>(stage)
                      .Case("laid-out", verifyLaidOut)
                      .Case("explicit", verifyExplicit)
                      .Case("local", verifyLocal)
                      .Default(nullptr);
    if (stage == "scheduled") {
      if (failed(verifyScheduled(getOperation())))
        signalPassFailure();
      return;
    }
    if (!check) {
      getOperation().emitError()
          << "dtensor-verify-stage: unknown stage '" << stage
          << "' (one of laid-out, explicit, local, scheduled)";
      return signalPassFailure();
    }
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && failed(check(func)))
        return signalPassFailure();
  }
};
} // namespace
