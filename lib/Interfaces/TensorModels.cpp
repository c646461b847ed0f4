// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharding rules of tensor ops: empty, splat, reshapes, concat. SliceModels.cpp
// has those of slices.

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

/// The extents of the dimensions of a result that are `?`.
static SmallVector<Value>
makeExtents(RankedTensorType type,
            llvm::function_ref<Value(unsigned, unsigned)> makeExtent) {
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      extents.push_back(makeExtent(0, dim));
  return extents;
}

namespace {

/// Every dimension on its own.
template <typename OpTy>
struct SourceRule
    : ShardingRuleOpInterface::ExternalModel<SourceRule<OpTy>, OpTy> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<IndexType>))
      return std::nullopt; // dynamic extents
    return getElementwiseRule(op);
  }
};

/// Extents of `?` are operands, after what else the op takes.
template <typename OpTy>
struct SourceLocalize
    : LocalizeOpInterface::ExternalModel<SourceLocalize<OpTy>, OpTy> {
  SmallVector<Value> localize(Operation *op,
                              ArrayRef<RankedTensorType> localTypes,
                              const RankNumbers &numbers) const {
    SmallVector<Value> operands(op->getOperands());
    llvm::append_range(operands,
                       makeExtents(localTypes[0], numbers.makeExtent));
    op->setOperands(operands);
    op->getResult(0).setType(localTypes[0]);
    return {op->getResult(0)};
  }
};

/// Pieces one after the other: along that dimension each is whole.
struct ConcatRule
    : ShardingRuleOpInterface::ExternalModel<ConcatRule, tensor::ConcatOp> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    auto concat = cast<tensor::ConcatOp>(op);
    RankedTensorType result = concat.getResultType();
    if (!result.hasStaticShape())
      return std::nullopt;
    int64_t dim = concat.getDim();
    ShardingRule rule;
    auto addFactor = [&](int64_t size, FactorKind kind) {
      rule.factors.push_back({size, kind});
      return static_cast<int>(rule.factors.size()) - 1;
    };
    DimFactors dims;
    for (auto [index, size] : llvm::enumerate(result.getShape()))
      dims.push_back({addFactor(size, static_cast<int64_t>(index) == dim
                                          ? FactorKind::NeedReplication
                                          : FactorKind::Parallel)});
    rule.results.push_back(dims);
    for (Type type : op->getOperandTypes()) {
      int64_t size = cast<RankedTensorType>(type).getDimSize(dim);
      dims[dim] = {addFactor(size, FactorKind::NeedReplication)};
      rule.roles.push_back(OperandRole::Read);
      rule.operands.push_back(dims);
    }
    rule.carry(result,
               llvm::to_vector(llvm::seq<unsigned>(0, op->getNumOperands())));
    return rule;
  }
};

/// A reshape: the dimensions of the side with more of them are the factors,
/// each dimension of the other side has those of its group.
template <typename OpTy>
struct ReshapeRule
    : ShardingRuleOpInterface::ExternalModel<ReshapeRule<OpTy>, OpTy> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    auto reshape = cast<OpTy>(op);
    auto source = cast<RankedTensorType>(reshape.getSrc().getType());
    auto result = cast<RankedTensorType>(reshape.getResult().getType());
    if (!source.hasStaticShape() || !result.hasStaticShape())
      return std::nullopt;
    bool expands = result.getRank() > source.getRank();
    ShardingRule rule;
    DimFactors fine, coarse;
    for (auto [dim, size] :
         llvm::enumerate((expands ? result : source).getShape())) {
      // A scalar has no dimension to hold what is sharded of the other side.
      bool isScalar = (expands ? source : result).getRank() == 0;
      rule.factors.push_back({size, isScalar ? FactorKind::NeedReplication
                                             : FactorKind::Parallel});
      fine.push_back({static_cast<int>(dim)});
    }
    for (const ReassociationIndices &group :
         reshape.getReassociationIndices()) {
      coarse.push_back(llvm::SmallVector<int, 1>(group.begin(), group.end()));
      for (int64_t factor : group)
        rule.factors[factor].mustDivide = group.size() > 1;
    }
    // Reassociation to rank 0 has no groups.
    coarse.resize(expands ? source.getRank() : result.getRank());
    rule.roles.assign(op->getNumOperands(), OperandRole::None);
    rule.operands.resize(op->getNumOperands());
    rule.roles[0] = OperandRole::Read;
    rule.operands[0] = expands ? coarse : fine;
    rule.results.push_back(expands ? fine : coarse);
    rule.carry(result, {0});
    return rule;
  }
};

/// The shape that expand_shape repeats as an attribute is the local one.
struct ExpandLocalize
    : LocalizeOpInterface::ExternalModel<ExpandLocalize,
                                         tensor::ExpandShapeOp> {
  SmallVector<Value> localize(Operation *op,
                              ArrayRef<RankedTensorType> localTypes,
                              const RankNumbers &numbers) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    expand.setStaticOutputShape(localTypes[0].getShape());
    expand.getOutputShapeMutable().assign(
        makeExtents(localTypes[0], numbers.makeExtent));
    expand.getResult().setType(localTypes[0]);
    return {expand.getResult()};
  }
};

/// One element, from anywhere: a rank needs all of them.
struct ExtractRule
    : ShardingRuleOpInterface::ExternalModel<ExtractRule, tensor::ExtractOp> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    auto source = cast<tensor::ExtractOp>(op).getTensor().getType();
    ShardingRule rule;
    rule.roles.assign(op->getNumOperands(), OperandRole::None);
    rule.operands.resize(op->getNumOperands());
    rule.roles[0] = OperandRole::Read;
    for (auto [dim, size] : llvm::enumerate(source.getShape())) {
      rule.factors.push_back({size, FactorKind::NeedReplication});
      rule.operands[0].push_back({static_cast<int>(dim)});
    }
    rule.results.emplace_back();
    return rule;
  }
};

} // namespace

void mlir::dtensor::registerTensorShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<SourceRule<tensor::EmptyOp>,
                                     SourceLocalize<tensor::EmptyOp>>(*context);
    tensor::SplatOp::attachInterface<SourceRule<tensor::SplatOp>,
                                     SourceLocalize<tensor::SplatOp>>(*context);
    tensor::ExpandShapeOp::attachInterface<ReshapeRule<tensor::ExpandShapeOp>,
                                           ExpandLocalize>(*context);
    tensor::CollapseShapeOp::attachInterface<
        ReshapeRule<tensor::CollapseShapeOp>>(*context);
    tensor::ConcatOp::attachInterface<ConcatRule>(*context);
    tensor::ExtractOp::attachInterface<ExtractRule>(*context);
  });
}
