// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops and branches hand on.

#include "dtensor/Interfaces/ControlFlow.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::dtensor;

bool mlir::dtensor::isControlFlow(Operation *op) {
  return isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op);
}

bool mlir::dtensor::endsControlFlow(Operation *op) {
  return isa<scf::YieldOp, scf::ConditionOp>(op) &&
         isControlFlow(op->getParentOp());
}

static SmallVector<ControlTie> getTies(scf::ForOp loop) {
  SmallVector<ControlTie> ties;
  for (auto [init, yielded, argument, result] : llvm::zip_equal(
           loop.getInitArgsMutable(), *loop.getYieldedValuesMutable(),
           loop.getRegionIterArgs(), loop.getResults()))
    ties.push_back({{&init, &yielded}, {argument, result}});
  return ties;
}

static SmallVector<ControlTie> getTies(scf::IfOp branch) {
  SmallVector<ControlTie> ties;
  for (OpResult result : branch.getResults()) {
    unsigned i = result.getResultNumber();
    ties.push_back({{&branch.thenYield()->getOpOperand(i),
                     &branch.elseYield()->getOpOperand(i)},
                    {result}});
  }
  return ties;
}

static SmallVector<ControlTie> getTies(scf::WhileOp loop) {
  SmallVector<ControlTie> ties;
  for (auto [init, yielded, argument] : llvm::zip_equal(
           loop.getInitsMutable(), loop.getYieldOp()->getOpOperands(),
           loop.getBeforeArguments()))
    ties.push_back({{&init, &yielded}, {argument}});
  for (auto [passed, argument, result] :
       llvm::zip_equal(loop.getConditionOp().getArgsMutable(),
                       loop.getAfterArguments(), loop.getResults()))
    ties.push_back({{&passed}, {argument, result}});
  return ties;
}

SmallVector<ControlTie> mlir::dtensor::getControlTies(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getTies(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return getTies(branch);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return getTies(loop);
  return {};
}

static void collectOps(Block &block, SmallVectorImpl<Operation *> &ops) {
  for (Operation &op : block) {
    ops.push_back(&op);
    if (!isControlFlow(&op) || op.hasAttr(kLocalAttr))
      continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        collectOps(inner, ops);
  }
}

SmallVector<Operation *> mlir::dtensor::getProgramOps(func::FuncOp func) {
  SmallVector<Operation *> ops;
  collectOps(func.getBody().front(), ops);
  return ops;
}

double mlir::dtensor::getTripCount(Operation *op) {
  constexpr double kUnknownTrips = 16;
  if (isa<scf::IfOp>(op))
    return 1;
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return kUnknownTrips;
  std::optional<int64_t> start = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!start || !end || !step || *step < 1)
    return kUnknownTrips;
  double length = static_cast<double>(*end) - static_cast<double>(*start);
  return std::max(1.0, length / static_cast<double>(*step));
}

Block *mlir::dtensor::getHoistedBlock(Operation *op, Value value) {
  Block *block = op->getBlock();
  while (block != value.getParentBlock()) {
    Operation *parent = block->getParentOp();
    if (!isa<scf::ForOp, scf::WhileOp>(parent))
      break;
    block = parent->getBlock();
  }
  return block;
}
