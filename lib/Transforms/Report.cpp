// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-report: what a program costs one rank.

#include "dtensor/Transforms/Passes.h"

#include "Kernels/Extents.h"
#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Dialect/Sched/Sched.h"
#include "dtensor/Interfaces/ControlFlow.h"
#include "dtensor/Interfaces/ShardingRule.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/Format.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_REPORTPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// What a stretch of a program costs.
struct Cost {
  double recvBytes = 0, commUs = 0, computeUs = 0;
  int64_t collectives = 0;
  double peakBytes = 0; ///< beyond what lives around it

  void add(const Cost &other, double times) {
    recvBytes += times * other.recvBytes;
    commUs += times * other.commUs;
    computeUs += times * other.computeUs;
    collectives += other.collectives;
  }
};

class Report {
public:
  Report(func::FuncOp func, const planner::Topology &machine)
      : func(func), machine(machine), extents(func) {}

  FailureOr<Cost> run();

private:
  FailureOr<Cost> costOf(Block &block);
  FailureOr<Cost> costOf(Operation *op);
  FailureOr<Cost> costOfRegions(Operation *op);
  double bytesOf(Value value) const;
  double pointsOf(Operation *op) const;
  void carryExtents(Operation *op, bool results);

  func::FuncOp func;
  const planner::Topology &machine;
  ExtentAnalysis extents;
};

} // namespace

/// Ops that take no place and no time: what they give is made by its users, or
/// is the same bytes.
static bool isFree(Operation *op) {
  return isFreelyLaidOut(op) ||
         isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, ConstrainOp,
             RedistributeOp, DistributeOp, FullTensorOp>(op);
}

/// At most, over all ranks.
double Report::bytesOf(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  std::optional<planner::ElementType> element =
      type ? getElementType(type) : std::nullopt;
  if (!element || (value.getDefiningOp() && isFree(value.getDefiningOp())))
    return 0;
  double bytes = planner::elementBytes(*element);
  for (int64_t extent : extents.getBounds(value))
    bytes *= static_cast<double>(extent);
  return bytes;
}

/// Scalar steps: those of the loops of a structured op, else one per element of
/// the largest tensor.
double Report::pointsOf(Operation *op) const {
  auto elements = [&](Value value) {
    double count = 1;
    for (int64_t extent : extents.getBounds(value))
      count *= static_cast<double>(extent);
    return count;
  };
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    // Each loop walks over a dimension of some operand.
    SmallVector<double> sizes(structured.getNumLoops(), 1);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isDistributable(operand.get().getType()))
        continue;
      AffineMap map = structured.getMatchingIndexingMap(&operand);
      SmallVector<int64_t> shape = extents.getBounds(operand.get());
      for (auto [expr, extent] : llvm::zip_equal(map.getResults(), shape))
        if (auto loop = dyn_cast<AffineDimExpr>(expr))
          sizes[loop.getPosition()] = static_cast<double>(extent);
    }
    double points = 1;
    for (double size : sizes)
      points *= size;
    return points;
  }
  double most = 0;
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    if (isDistributable(value.getType()))
      most = std::max(most, elements(value));
  return most;
}

/// Arguments and results of loops have the extents of what starts them.
void Report::carryExtents(Operation *op, bool results) {
  for (const ControlTie &tie : getControlTies(op))
    for (Value value : tie.values)
      if (isDistributable(value.getType()) && isa<OpResult>(value) == results)
        extents.replace(tie.sources.front()->get(), value);
}

/// Of the dearer branch; of a loop as often as it runs.
FailureOr<Cost> Report::costOfRegions(Operation *op) {
  carryExtents(op, /*results=*/false);
  Cost cost;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    FailureOr<Cost> inner = costOf(region.front());
    if (failed(inner))
      return failure();
    cost.peakBytes = std::max(cost.peakBytes, inner->peakBytes);
    if (!isa<scf::IfOp>(op)) {
      cost.add(*inner, getTripCount(op));
    } else if (inner->commUs + inner->computeUs >
               cost.commUs + cost.computeUs) {
      inner->peakBytes = cost.peakBytes;
      cost = *inner;
    }
  }
  carryExtents(op, /*results=*/true);
  return cost;
}

FailureOr<Cost> Report::costOf(Operation *op) {
  if (isControlFlow(op))
    return costOfRegions(op);
  if (failed(extents.visit(op)))
    return failure();
  Cost cost;
  auto start = dyn_cast<comm::StartOp>(op);
  auto addCollective = [&](comm::CollectiveOpInterface collective) {
    planner::RedistributionStep step =
        comm::priceCollective(collective, machine);
    cost.recvBytes += static_cast<double>(step.recvBytesMax);
    cost.commUs += step.timeUs;
    cost.collectives += planner::isCollective(step.kind);
  };
  if (start)
    for (auto inner :
         start.getBody().front().getOps<comm::CollectiveOpInterface>())
      addCollective(inner);
  if (auto collective = dyn_cast<comm::CollectiveOpInterface>(op))
    addCollective(collective);
  if (start || isa<comm::CollectiveOpInterface, comm::WaitOp>(op) ||
      hasNoTensors(op) || isFree(op) || op->hasTrait<OpTrait::IsTerminator>())
    return cost;
  double bytes = 0;
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    bytes += bytesOf(value);
  cost.computeUs = machine.kernelFloorUs + pointsOf(op) / machine.flopsPerUs +
                   bytes / machine.memoryBytesPerUs;
  return cost;
}

FailureOr<Cost> Report::costOf(Block &block) {
  // Values of this block end with their last user in it, or in what is in it.
  DenseMap<Operation *, SmallVector<Value>> endingAt;
  for (Operation &op : block)
    for (Value result : op.getResults()) {
      Operation *last = &op;
      for (Operation *user : result.getUsers()) {
        user = block.findAncestorOpInBlock(*user);
        if (last->isBeforeInBlock(user))
          last = user;
      }
      endingAt[last].push_back(result);
    }
  Cost total;
  double live = 0;
  for (Operation &op : block) {
    FailureOr<Cost> cost = costOf(&op);
    if (failed(cost))
      return failure();
    total.add(*cost, 1);
    for (Value result : op.getResults())
      live += bytesOf(result);
    total.peakBytes = std::max(total.peakBytes, live + cost->peakBytes);
    for (Value value : endingAt.lookup(&op))
      live -= bytesOf(value);
  }
  return total;
}

FailureOr<Cost> Report::run() {
  FailureOr<Cost> cost = costOf(func.getBody().front());
  if (succeeded(cost))
    for (Value argument : func.getArguments())
      cost->peakBytes += bytesOf(argument);
  return cost;
}

namespace {
struct ReportPass : mlir::dtensor::impl::ReportPassBase<ReportPass> {
  using Base::Base;
  void runOnOperation() override {
    auto machine = planner::parseTopology(topology);
    if (!machine) {
      getOperation().emitError()
          << "dtensor-report: " << machine.error().message;
      return signalPassFailure();
    }
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isPrivate() || func.isExternal())
        continue;
      if (!llvm::hasSingleElement(func.getBody())) {
        func.emitOpError() << "has several blocks; the report takes one";
        return signalPassFailure();
      }
      FailureOr<Cost> cost = Report(func, *machine).run();
      if (failed(cost))
        return signalPassFailure();
      std::string text;
      llvm::raw_string_ostream(text) << llvm::format(
          "@%s: receives %.0f bytes per rank in %lld collective%s (%.4g us), "
          "computes %.4g us, in all %.4g us; holds %.0f bytes per rank at most",
          func.getName().str().c_str(), cost->recvBytes,
          static_cast<long long>(cost->collectives),
          cost->collectives == 1 ? "" : "s", cost->commUs, cost->computeUs,
          cost->commUs + cost->computeUs, cost->peakBytes);
      func.emitRemark() << text;
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
