// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharding rules of tensor.extract_slice and tensor.insert_slice.

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

/// The type of the tensor that a slice is a part of.
static RankedTensorType getWholeType(tensor::ExtractSliceOp slice) {
  return slice.getSourceType();
}
static RankedTensorType getWholeType(tensor::InsertSliceOp slice) {
  return slice.getDestType();
}

/// True where `slice` takes all of dimension `dim`.
template <typename OpTy> static bool takesWhole(OpTy slice, unsigned dim) {
  return slice.getStaticOffsets()[dim] == 0 &&
         slice.getStaticStrides()[dim] == 1 &&
         slice.getStaticSizes()[dim] == getWholeType(slice).getDimSize(dim);
}

/// Factors of the whole tensor and of the part. Dimensions taken whole are one
/// factor on both sides; of the others a rank needs all, on both.
template <typename OpTy>
static std::pair<DimFactors, DimFactors> addDims(OpTy slice,
                                                 ShardingRule &rule) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  DimFactors whole, part;
  auto addFactor = [&](int64_t size, FactorKind kind) {
    rule.factors.push_back({size, kind});
    return static_cast<int>(rule.factors.size() - 1);
  };
  for (auto [dim, size] : llvm::enumerate(getWholeType(slice).getShape())) {
    bool isWhole = takesWhole(slice, dim) && !dropped[dim];
    whole.push_back({addFactor(size, isWhole ? FactorKind::Parallel
                                             : FactorKind::NeedReplication)});
    if (isWhole)
      part.push_back(whole.back());
    else if (!dropped[dim])
      part.push_back({addFactor(slice.getStaticSizes()[dim],
                                FactorKind::NeedReplication)});
  }
  return {whole, part};
}

/// The part's sizes are those of `part`, its local type. `?` of it are extents
/// of the result: of the part itself where that is the result, else of the
/// whole tensor.
template <typename OpTy>
static void setLocalSizes(OpTy slice, RankedTensorType part,
                          const RankNumbers &numbers) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> sizes(slice.getStaticSizes());
  SmallVector<Value> extents;
  unsigned partDim = 0;
  for (unsigned dim = 0; dim < sizes.size(); ++dim) {
    if (dropped[dim])
      continue;
    sizes[dim] = part.getDimSize(partDim);
    if (ShapedType::isDynamic(sizes[dim]))
      extents.push_back(numbers.makeExtent(
          0, isa<tensor::ExtractSliceOp>(slice) ? partDim : dim));
    ++partDim;
  }
  slice.setStaticSizes(sizes);
  slice.getSizesMutable().assign(extents);
}

namespace {

struct ExtractSliceRule
    : ShardingRuleOpInterface::ExternalModel<ExtractSliceRule,
                                             tensor::ExtractSliceOp> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    if (!slice.getSizes().empty() || !slice.getStrides().empty())
      return std::nullopt;
    ShardingRule rule;
    auto [whole, part] = addDims(slice, rule);
    rule.roles.assign(op->getNumOperands(), OperandRole::None);
    rule.operands.resize(op->getNumOperands());
    rule.roles[0] = OperandRole::Read;
    rule.operands[0] = whole;
    rule.results.push_back(part);
    rule.carry(slice.getType(), {0});
    return rule;
  }
};

struct ExtractSliceLocalize
    : LocalizeOpInterface::ExternalModel<ExtractSliceLocalize,
                                         tensor::ExtractSliceOp> {
  SmallVector<Value> localize(Operation *op,
                              ArrayRef<RankedTensorType> localTypes,
                              const RankNumbers &numbers) const {
    setLocalSizes(cast<tensor::ExtractSliceOp>(op), localTypes[0], numbers);
    op->getResult(0).setType(localTypes[0]);
    return {op->getResult(0)};
  }
};

struct InsertSliceRule
    : ShardingRuleOpInterface::ExternalModel<InsertSliceRule,
                                             tensor::InsertSliceOp> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    if (!slice.getSizes().empty() || !slice.getStrides().empty())
      return std::nullopt;
    ShardingRule rule;
    auto [whole, part] = addDims(slice, rule);
    rule.roles.assign(op->getNumOperands(), OperandRole::None);
    rule.operands.resize(op->getNumOperands());
    rule.roles[0] = rule.roles[1] = OperandRole::Read;
    rule.operands[0] = part;
    rule.operands[1] = whole;
    rule.results.push_back(whole);
    rule.carry(slice.getType(), {0, 1});
    return rule;
  }
};

struct InsertSliceLocalize
    : LocalizeOpInterface::ExternalModel<InsertSliceLocalize,
                                         tensor::InsertSliceOp> {
  SmallVector<Value> localize(Operation *op,
                              ArrayRef<RankedTensorType> localTypes,
                              const RankNumbers &numbers) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    // Its operands are local already.
    setLocalSizes(slice, slice.getSourceType(), numbers);
    op->getResult(0).setType(localTypes[0]);
    return {op->getResult(0)};
  }
};

} // namespace

void mlir::dtensor::registerSliceShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractSliceOp::attachInterface<ExtractSliceRule,
                                            ExtractSliceLocalize>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceRule,
                                           InsertSliceLocalize>(*context);
  });
}
