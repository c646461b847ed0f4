// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-insert-redistributions: makes every change of layout an operation.
//
//   %1 = linalg.matmul ... {dtensor.layouts = [partial(sum)]}
//   %2 = math.tanh %1 {dtensor.operand_layouts = [replicated]}
// becomes
//   %r = dtensor.redistribute %1 to replicated
//   %2 = math.tanh %r

#include "dtensor/Transforms/Passes.h"

#include "Propagation/LayoutPricing.h"
#include "dtensor/Interfaces/ControlFlow.h"
#include "dtensor/Interfaces/ShardingRule.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_INSERTREDISTRIBUTIONSPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

namespace {

struct InsertRedistributionsPass
    : mlir::dtensor::impl::InsertRedistributionsPassBase<
          InsertRedistributionsPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult insert(func::FuncOp func, const planner::Topology &topology);
  LogicalResult visitOperand(OpOperand &operand,
                             const planner::Topology &topology);
  LogicalResult report(OpOperand &operand, LayoutAttr have, LayoutAttr need,
                       const planner::Topology &topology);

  Value findMade(OpOperand &operand, LayoutAttr need);

  /// Redistributions made, by value, layout and the block that they stand in,
  /// for users to share.
  DenseMap<std::tuple<Value, LayoutAttr, Block *>, Value> made;
};

} // namespace

/// Says what an unwritten redistribution would do: "all_reduce over tp (65536
/// bytes received per rank)".
static std::string describePlan(const planner::Mesh &mesh,
                                const planner::RedistributionPlan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      plan.steps, os,
      [&](const planner::RedistributionStep &step) {
        os << planner::stepKindName(step.kind) << " over "
           << planner::printAxisRefs(mesh, step.axes);
      },
      " then ");
  os << " (" << plan.recvBytesMax << " bytes received per rank)";
  return text;
}

/// Reports a redistribution that the program does not write; a failure where
/// `implicit` is forbid.
LogicalResult
InsertRedistributionsPass::report(OpOperand &operand, LayoutAttr have,
                                  LayoutAttr need,
                                  const planner::Topology &topology) {
  Operation *op = operand.getOwner();
  if (implicit == "allow")
    return success();
  auto type = cast<RankedTensorType>(operand.get().getType());
  planner::Mesh mesh = lookupMesh(op, have.getMesh()).getPlannerMesh();
  LayoutPricing pricing(mesh, topology);
  auto plan = pricing.plan(type, *getLayout(mesh, have, type),
                           *getLayout(mesh, need, type));
  if (plan && llvm::none_of(plan->steps, [](const auto &step) {
        return planner::isCollective(step.kind);
      }))
    return success();  // moves nothing between ranks
  std::string written; // a diagnostic would put the type into quotes
  llvm::raw_string_ostream(written)
      << "dtensor.redistribute %value : " << type << " to " << need;
  bool forbidden = implicit == "forbid";
  InFlightDiagnostic diag = forbidden ? op->emitOpError() : op->emitWarning();
  diag << (forbidden ? "" : "implicit redistribution: ") << "operand "
       << operand.getOperandNumber() << " has layout " << have
       << " and is needed as " << need << "; this takes "
       << (plan ? describePlan(mesh, *plan) : plan.error().message)
       << "; write `" << written << "`";
  return failure(forbidden);
}

/// What another user's redistribution made of `operand`, in the operand's own
/// block or around it; ops are visited in program order.
Value InsertRedistributionsPass::findMade(OpOperand &operand, LayoutAttr need) {
  Block *last = operand.get().getParentBlock();
  for (Block *block = operand.getOwner()->getBlock();;
       block = block->getParentOp()->getBlock()) {
    if (Value known = made.lookup({operand.get(), need, block}))
      return known;
    if (block == last)
      return {};
  }
}

/// Makes a freely laid out value anew, on layout `need`: what repeats one
/// scalar is not worth moving.
static Value remake(OpBuilder &builder, Value value, LayoutAttr need) {
  Operation *copy = builder.clone(*value.getDefiningOp());
  copy->setAttr(kLayoutsAttr, builder.getArrayAttr(need));
  SmallVector<Attribute> operands;
  for (OpOperand &operand : copy->getOpOperands()) {
    if (!isDistributable(operand.get().getType())) {
      operands.push_back(builder.getUnitAttr());
      continue;
    }
    OpBuilder before(copy);
    operand.set(remake(before, operand.get(), need));
    operands.push_back(need);
  }
  if (!operands.empty())
    copy->setAttr(kOperandLayoutsAttr, builder.getArrayAttr(operands));
  return copy->getResult(0);
}

static bool isPartial(LayoutAttr layout) {
  return llvm::any_of(layout.getPlacements(), [](PlacementAttr placement) {
    return placement.getKind() == planner::PlacementEntry::Kind::Partial;
  });
}

LogicalResult
InsertRedistributionsPass::visitOperand(OpOperand &operand,
                                        const planner::Topology &topology) {
  Operation *op = operand.getOwner();
  if (!isDistributable(operand.get().getType()) || isLocal(operand.get()))
    return success();
  LayoutAttr have = getValueLayout(operand.get());
  LayoutAttr need = getOperandLayout(operand);
  if (!have || !need)
    return op->emitOpError()
           << "operand " << operand.getOperandNumber()
           << " has no layout; run dtensor-propagate directly before";
  if (have == need)
    return success();
  if (isFreeValue(operand.get()) && !isPartial(need)) {
    OpBuilder builder(op);
    operand.set(remake(builder, operand.get(), need));
    return success();
  }
  Value shared = findMade(operand, need);
  if (!shared) {
    if (failed(report(operand, have, need, topology)))
      return failure();
    // Before the loops in which the value stays the same.
    Block *block = getHoistedBlock(op, operand.get());
    OpBuilder builder(block->findAncestorOpInBlock(*op));
    shared = RedistributeOp::create(
        builder, op->getLoc(), operand.get().getType(), operand.get(), need);
    made[{operand.get(), need, block}] = shared;
  }
  operand.set(shared);
  return success();
}

LogicalResult
InsertRedistributionsPass::insert(func::FuncOp func,
                                  const planner::Topology &topology) {
  for (Operation *op : getProgramOps(func)) {
    if (isa<RedistributeOp>(op))
      continue; // takes its operand as it is
    for (OpOperand &operand : op->getOpOperands())
      if (failed(visitOperand(operand, topology)))
        return failure();
    if (auto constrain = dyn_cast<ConstrainOp>(op)) {
      // The operand now has the layout that the op stood for.
      constrain.getResult().replaceAllUsesWith(constrain.getInput());
      constrain.erase();
    }
  }
  return success();
}

void InsertRedistributionsPass::runOnOperation() {
  if (implicit != "allow" && implicit != "warn" && implicit != "forbid") {
    getOperation().emitError()
        << "dtensor-insert-redistributions: implicit must be 'allow', 'warn' "
           "or 'forbid', got '"
        << implicit << "'";
    return signalPassFailure();
  }
  auto topologyOrError = planner::parseTopology(topology);
  if (!topologyOrError) {
    getOperation().emitError() << "dtensor-insert-redistributions: "
                               << topologyOrError.error().message;
    return signalPassFailure();
  }
  made.clear();
  for (auto func : getOperation().getOps<func::FuncOp>())
    if (!func.isExternal() && failed(insert(func, *topologyOrError)))
      return signalPassFailure();
}
