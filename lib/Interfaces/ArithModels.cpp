// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharding rules of arith and math ops on tensors: everything elementwise,
// and constants.

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// Any op of the Elementwise trait; on scalars it has no rule and needs none.
template <typename OpTy>
struct ElementwiseModel
    : ShardingRuleOpInterface::ExternalModel<ElementwiseModel<OpTy>, OpTy> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    if (!isa<RankedTensorType>(op->getResult(0).getType()))
      return std::nullopt;
    return getElementwiseRule(op);
  }
};

/// A splat is the same in every chunk; other constants are needed whole, and
/// cut after.
struct ConstantRule
    : ShardingRuleOpInterface::ExternalModel<ConstantRule, arith::ConstantOp> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type)
      return std::nullopt;
    ShardingRule rule = getElementwiseRule(op);
    if (!isFreelyLaidOut(op))
      for (Factor &factor : rule.factors)
        factor.kind = FactorKind::NeedReplication;
    return rule;
  }
};

/// The splat of the local type: an op where an extent differs by rank.
struct ConstantLocalize
    : LocalizeOpInterface::ExternalModel<ConstantLocalize, arith::ConstantOp> {
  SmallVector<Value> localize(Operation *op,
                              ArrayRef<RankedTensorType> localTypes,
                              const RankNumbers &numbers) const {
    auto constant = cast<arith::ConstantOp>(op);
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat || !localTypes[0])
      return {constant};
    if (!localTypes[0].hasStaticShape()) {
      OpBuilder builder(op);
      SmallVector<Value> extents;
      for (int64_t dim = 0; dim < localTypes[0].getRank(); ++dim)
        if (localTypes[0].isDynamicDim(dim))
          extents.push_back(numbers.makeExtent(0, dim));
      auto element = arith::ConstantOp::create(
          builder, op->getLoc(),
          cast<TypedAttr>(splat.getSplatValue<Attribute>()));
      Value made = tensor::SplatOp::create(builder, op->getLoc(), localTypes[0],
                                           element, extents);
      constant.getResult().replaceAllUsesWith(made);
      op->erase();
      return {made};
    }
    constant.setValueAttr(DenseElementsAttr::get(
        localTypes[0], splat.getSplatValue<Attribute>()));
    constant.getResult().setType(localTypes[0]);
    return {constant};
  }
};

/// Attaches the elementwise rule to those of `Ops` that have the trait.
template <typename... Ops> void attachElementwise(MLIRContext *context) {
  auto attach = [&](auto *tag) {
    using OpTy = std::remove_pointer_t<decltype(tag)>;
    if constexpr (OpTy::template hasTrait<OpTrait::Elementwise>())
      OpTy::template attachInterface<ElementwiseModel<OpTy>>(*context);
  };
  (attach(static_cast<Ops *>(nullptr)), ...);
}

} // namespace

void mlir::dtensor::registerArithShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachElementwise<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
        >(context);
    arith::ConstantOp::attachInterface<ConstantRule, ConstantLocalize>(
        *context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachElementwise<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
        >(context);
  });
}
