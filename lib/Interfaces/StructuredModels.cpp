// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharding rules of the dtensor dialect's structured ops.

#include "dtensor/Interfaces/ShardingRule.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// A rule under construction: factors are made as dimensions need them.
class RuleBuilder {
public:
  int add(int64_t size, FactorKind kind) {
    rule.factors.push_back({size, kind});
    return static_cast<int>(rule.factors.size()) - 1;
  }
  /// A tensor all of whose dimensions are new factors; those of `whole` are
  /// needed whole.
  DimFactors addDims(RankedTensorType type, ArrayRef<int64_t> whole) {
    DimFactors dims;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      dims.push_back({add(size, llvm::is_contained(whole, dim)
                                    ? FactorKind::NeedReplication
                                    : FactorKind::Parallel)});
    return dims;
  }
  void operand(OperandRole role, DimFactors dims) {
    rule.roles.push_back(role);
    rule.operands.push_back(std::move(dims));
  }
  /// A destination and its result.
  void destination(OperandRole role, const DimFactors &dims) {
    operand(role, dims);
    rule.results.push_back(dims);
  }

  ShardingRule rule;
};

} // namespace

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// All tensors alike, lines of one dimension whole.
template <typename OpTy> static ShardingRule getLineRule(OpTy op) {
  RuleBuilder builder;
  DimFactors dims = builder.addDims(typeOf(op.getInputs()[0]), op.getDim());
  for (size_t i = 0; i < op.getInputs().size(); ++i)
    builder.operand(OperandRole::Read, dims);
  for (size_t i = 0; i < op.getInits().size(); ++i)
    builder.destination(OperandRole::Destination, dims);
  return builder.rule;
}

static ShardingRule getRule(ScanOp op) { return getLineRule(op); }
static ShardingRule getRule(SortOp op) { return getLineRule(op); }

static ShardingRule getRule(TopKOp op) {
  RuleBuilder builder;
  DimFactors dims = builder.addDims(typeOf(op.getInputs()[0]), op.getDim());
  builder.operand(OperandRole::Read, dims);
  int64_t k = typeOf(op.getInits()[0]).getDimSize(op.getDim());
  dims[op.getDim()] = {builder.add(k, FactorKind::NeedReplication)};
  builder.destination(OperandRole::Destination, dims);
  builder.destination(OperandRole::Destination, dims);
  return builder.rule;
}

/// Factors of a whole tensor, of indices into it, and of the parts at these.
/// `batchKind` is that of the dimensions that the indices have of their own.
static std::array<DimFactors, 3>
addParts(RuleBuilder &builder, RankedTensorType whole, RankedTensorType indices,
         ArrayRef<int64_t> dims, FactorKind batchKind) {
  DimFactors wholeDims = builder.addDims(whole, dims);
  DimFactors indexDims, partDims;
  for (int64_t size : indices.getShape().drop_back())
    indexDims.push_back({builder.add(size, batchKind)});
  partDims = indexDims;
  indexDims.push_back(
      {builder.add(indices.getShape().back(), FactorKind::NeedReplication)});
  for (int64_t dim = 0; dim < whole.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      partDims.push_back(wholeDims[dim]);
  return {wholeDims, indexDims, partDims};
}

static ShardingRule getRule(GatherOp op) {
  RuleBuilder builder;
  auto [source, indices, parts] =
      addParts(builder, typeOf(op.getInputs()[0]), typeOf(op.getInputs()[1]),
               op.getDims(), FactorKind::Parallel);
  builder.operand(OperandRole::Read, source);
  builder.operand(OperandRole::Read, indices);
  builder.destination(OperandRole::Destination, parts);
  return builder.rule;
}

/// Updates are contributions where they are combined; where the last one
/// counts, all ranks need all of them.
static ShardingRule getRule(ScatterOp op) {
  RuleBuilder builder;
  auto [target, indices, updates] = addParts(
      builder, typeOf(op.getInits()[0]), typeOf(op.getInputs()[1]),
      op.getDims(),
      op.getOp() ? FactorKind::Reduction : FactorKind::NeedReplication);
  if (op.getOp())
    for (Factor &factor : builder.rule.factors)
      factor.reduceOp = static_cast<planner::ReduceOp>(*op.getOp());
  builder.operand(OperandRole::Read, updates);
  builder.operand(OperandRole::Read, indices);
  builder.destination(OperandRole::Accumulated, target);
  return builder.rule;
}

static ShardingRule getRule(ReduceWindowOp op) {
  RuleBuilder builder;
  RankedTensorType source = typeOf(op.getInputs()[0]);
  RankedTensorType target = typeOf(op.getInits()[0]);
  SmallVector<int64_t> slides;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    if (op.getWindow()[dim] != 1 || op.getStrides()[dim] != 1 ||
        op.getLow()[dim] != 0 || op.getHigh()[dim] != 0)
      slides.push_back(dim);
  DimFactors sourceDims = builder.addDims(source, slides);
  DimFactors targetDims = sourceDims;
  for (int64_t dim : slides)
    targetDims[dim] = {
        builder.add(target.getDimSize(dim), FactorKind::NeedReplication)};
  builder.operand(OperandRole::Read, sourceDims);
  builder.destination(OperandRole::Accumulated, targetDims);
  return builder.rule;
}

namespace {

template <typename OpTy>
struct StructuredModel
    : ShardingRuleOpInterface::ExternalModel<StructuredModel<OpTy>, OpTy> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    for (Value operand : op->getOperands())
      if (!typeOf(operand).hasStaticShape())
        return std::nullopt; // local already
    return getRule(cast<OpTy>(op));
  }
};

template <typename... Ops> void attach(MLIRContext *context) {
  (Ops::template attachInterface<StructuredModel<Ops>>(*context), ...);
}

} // namespace

void mlir::dtensor::registerStructuredShardingModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DTensorDialect *) {
    attach<ScanOp, SortOp, TopKOp, GatherOp, ScatterOp, ReduceWindowOp>(
        context);
  });
}
