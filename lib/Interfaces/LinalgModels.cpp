// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharding rules of linalg's structured ops, from their indexing maps: one
// factor per loop.

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dtensor;

/// The reduce op of a combiner of linalg's bodies; none if it is no reduction
/// whose contributions may be combined in any grouping.
static std::optional<planner::ReduceOp> getReduceOp(Operation *combiner) {
  using Result = std::optional<planner::ReduceOp>;
  bool isBool = combiner->getResult(0).getType().isInteger(1);
  return TypeSwitch<Operation *, Result>(combiner)
      .Case<arith::AddFOp>([](auto) { return planner::ReduceOp::Sum; })
      .Case<arith::AddIOp>([&](auto) -> Result {
        if (isBool)
          return planner::ReduceOp::BXor; // addition modulo 2
        return planner::ReduceOp::Sum;
      })
      .Case<arith::MulFOp>([](auto) { return planner::ReduceOp::Product; })
      .Case<arith::MulIOp>([&](auto) -> Result {
        if (isBool)
          return planner::ReduceOp::BAnd;
        return planner::ReduceOp::Product;
      })
      .Case<arith::MaximumFOp>([](auto) { return planner::ReduceOp::Max; })
      .Case<arith::MinimumFOp>([](auto) { return planner::ReduceOp::Min; })
      .Case<arith::MaxSIOp>([](auto) { return planner::ReduceOp::Max; })
      .Case<arith::MinSIOp>([](auto) { return planner::ReduceOp::Min; })
      .Case<arith::MaxUIOp>([](auto) { return planner::ReduceOp::UMax; })
      .Case<arith::MinUIOp>([](auto) { return planner::ReduceOp::UMin; })
      .Case<arith::AndIOp>([](auto) { return planner::ReduceOp::BAnd; })
      .Case<arith::OrIOp>([](auto) { return planner::ReduceOp::BOr; })
      .Case<arith::XOrIOp>([](auto) { return planner::ReduceOp::BXor; })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

/// The one reduce op of all results of `op`; none where they differ or are
/// more than a plain reduction.
static std::optional<planner::ReduceOp> getReduceOp(linalg::LinalgOp op) {
  std::optional<planner::ReduceOp> common;
  for (unsigned i = 0, e = op.getNumDpsInits(); i != e; ++i) {
    SmallVector<Operation *> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), i, combiners) ||
        combiners.size() != 1)
      return std::nullopt;
    std::optional<planner::ReduceOp> reduceOp = getReduceOp(combiners[0]);
    if (!reduceOp || (common && *common != *reduceOp))
      return std::nullopt;
    common = reduceOp;
  }
  return common;
}

/// `expr` without the loops that have one step only: their index is 0.
static AffineExpr dropSingleSteps(AffineExpr expr, ArrayRef<int64_t> ranges) {
  SmallVector<AffineExpr> loops;
  for (auto [loop, range] : llvm::enumerate(ranges))
    loops.push_back(range == 1 ? getAffineConstantExpr(0, expr.getContext())
                               : getAffineDimExpr(loop, expr.getContext()));
  return expr.replaceDims(loops);
}

/// Factors of the dimensions of one operand. A dimension that a window slides
/// over is indexed by several loops, or by one in strides: it is needed whole,
/// and so are these loops.
static DimFactors getDimFactors(AffineMap map, ArrayRef<int64_t> shape,
                                ShardingRule &rule) {
  DimFactors dims;
  SmallVector<int64_t> ranges;
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
    ranges.push_back(rule.factors[loop].size);
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), shape)) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      loop = dyn_cast<AffineDimExpr>(dropSingleSteps(expr, ranges));
    if (loop && ranges[loop.getPosition()] == size) {
      dims.push_back({static_cast<int>(loop.getPosition())});
      continue;
    }
    expr.walk([&](AffineExpr part) {
      if (auto used = dyn_cast<AffineDimExpr>(part))
        rule.factors[used.getPosition()].kind = FactorKind::NeedReplication;
    });
    dims.push_back({static_cast<int>(rule.factors.size())});
    rule.factors.push_back({size, FactorKind::NeedReplication});
  }
  return dims;
}

static OperandRole getRole(linalg::LinalgOp op, OpOperand &operand) {
  if (!isa<RankedTensorType>(operand.get().getType()))
    return OperandRole::None;
  if (!op.isDpsInit(&operand))
    return OperandRole::Read;
  return op.payloadUsesValueFromOperand(&operand) ? OperandRole::Accumulated
                                                  : OperandRole::Destination;
}

static std::optional<ShardingRule> getLinalgRule(linalg::LinalgOp op) {
  if (op.hasDynamicShape() || !op.hasPureTensorSemantics())
    return std::nullopt;
  ShardingRule rule;
  std::optional<planner::ReduceOp> reduceOp = getReduceOp(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [iterator, size] :
       llvm::zip_equal(op.getIteratorTypesArray(), ranges)) {
    Factor factor{size, FactorKind::Parallel};
    if (iterator == utils::IteratorType::reduction) {
      factor.kind =
          reduceOp ? FactorKind::Reduction : FactorKind::NeedReplication;
      factor.reduceOp = reduceOp.value_or(planner::ReduceOp::Sum);
    }
    rule.factors.push_back(factor);
  }
  for (OpOperand &operand : op->getOpOperands()) {
    OperandRole role = getRole(op, operand);
    DimFactors dims;
    if (role != OperandRole::None) {
      auto type = cast<RankedTensorType>(operand.get().getType());
      dims = getDimFactors(op.getMatchingIndexingMap(&operand), type.getShape(),
                           rule);
    }
    rule.roles.push_back(role);
    rule.operands.push_back(dims);
    if (op.isDpsInit(&operand))
      rule.results.push_back(dims);
  }
  // A loop may be called a reduction and still appear in a result. Where it is
  // in all of them every rank computes its own part; in some, nothing is known.
  for (int index = 0, e = rule.factors.size(); index != e; ++index) {
    Factor &factor = rule.factors[index];
    unsigned appearances = llvm::count_if(rule.results, [&](auto &dims) {
      return llvm::any_of(dims, [&](ArrayRef<int> factors) {
        return llvm::is_contained(factors, index);
      });
    });
    if (factor.kind != FactorKind::Reduction || appearances == 0)
      continue;
    factor.kind = appearances == rule.results.size()
                      ? FactorKind::Parallel
                      : FactorKind::NeedReplication;
  }
  // (A copy may convert.)
  if (isa<linalg::TransposeOp, linalg::CopyOp, linalg::BroadcastOp>(op) &&
      getElementTypeOrSelf(op->getOperand(0).getType()) ==
          getElementTypeOrSelf(op->getResult(0).getType()))
    rule.carry(op->getResult(0).getType(), {0});
  return rule;
}

namespace {

template <typename OpTy>
struct StructuredModel
    : ShardingRuleOpInterface::ExternalModel<StructuredModel<OpTy>, OpTy> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    return getLinalgRule(cast<linalg::LinalgOp>(op));
  }
};

/// Indices that the body reads count from the start of the whole tensor: those
/// of a rank begin at the offset of its part.
template <typename OpTy>
struct StructuredLocalize
    : LocalizeOpInterface::ExternalModel<StructuredLocalize<OpTy>, OpTy> {
  SmallVector<Value> localize(Operation *op,
                              ArrayRef<RankedTensorType> localTypes,
                              const RankNumbers &numbers) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    SmallVector<linalg::IndexOp> indices(
        linalgOp.getBlock()->getOps<linalg::IndexOp>());
    DenseMap<int64_t, Value> offsets; // by loop; null where there is none
    for (linalg::IndexOp index : indices) {
      auto [it, isNew] = offsets.try_emplace(index.getDim());
      if (isNew)
        it->second = makeLoopOffset(linalgOp, index.getDim(), numbers);
      if (!it->second)
        continue;
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(index);
      Value global = arith::AddIOp::create(builder, index.getLoc(),
                                           index.getResult(), it->second);
      index.getResult().replaceAllUsesExcept(global, global.getDefiningOp());
    }
    for (auto [result, type] : llvm::zip_equal(op->getResults(), localTypes))
      if (type)
        result.setType(type);
    return llvm::to_vector_of<Value>(op->getResults());
  }

private:
  /// The offset of a dimension that loop `loop` walks over.
  static Value makeLoopOffset(linalg::LinalgOp op, unsigned loop,
                              const RankNumbers &numbers) {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (expr == getAffineDimExpr(loop, op->getContext()))
          return numbers.makeOffset(operand.getOperandNumber(), dim);
    }
    return {};
  }
};

template <typename... Ops> void attachStructured(MLIRContext *context) {
  (Ops::template attachInterface<StructuredModel<Ops>, StructuredLocalize<Ops>>(
       *context),
   ...);
}

} // namespace

void mlir::dtensor::registerLinalgShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachStructured<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
  });
}
