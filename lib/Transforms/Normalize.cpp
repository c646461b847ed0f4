// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-normalize: writes upstream ops that have no sharding rule with such
// that have one.

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_NORMALIZEPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// Rewrites one op; each function gives the value that takes its place, or null
/// where the op stays as it is.
class Normalization {
public:
  explicit Normalization(Operation *op) : builder(op), loc(op->getLoc()) {}

  Value pad(tensor::PadOp op);
  Value generate(tensor::GenerateOp op);
  Value reshape(tensor::ReshapeOp op);
  Value gather(tensor::GatherOp op);
  Value scatter(tensor::ScatterOp op);
  Value dim(tensor::DimOp op);
  Value softmax(linalg::SoftmaxOp op);

private:
  Value empty(RankedTensorType type) {
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  }
  Value fillWith(Value scalar, RankedTensorType type);

  OpBuilder builder;
  Location loc;
};

} // namespace

/// A tensor that repeats `scalar`. An element of a tensor is broadcast: a fill
/// takes scalars of the program only.
Value Normalization::fillWith(Value scalar, RankedTensorType type) {
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  if (!extract || !extract.getIndices().empty())
    return linalg::FillOp::create(builder, loc, scalar, empty(type))
        .getResult(0);
  SmallVector<AffineMap> maps{
      AffineMap::get(type.getRank(), 0, builder.getContext()),
      builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), extract.getTensor(), empty(type),
             maps, loops,
             [](OpBuilder &at, Location where, ValueRange elements) {
               linalg::YieldOp::create(at, where, elements[0]);
             })
      .getResult(0);
}

/// Padding of one value around a tensor is the tensor put into that value.
Value Normalization::pad(tensor::PadOp op) {
  Value value = op.getConstantPaddingValue();
  if (!value || !op.getLow().empty() || !op.getHigh().empty() ||
      !op.getType().hasStaticShape() ||
      llvm::any_of(op.getStaticLow(), [](int64_t n) { return n < 0; }) ||
      llvm::any_of(op.getStaticHigh(), [](int64_t n) { return n < 0; }))
    return {};
  if (Operation *def = value.getDefiningOp();
      def && op.getRegion().isAncestor(def->getParentRegion()))
    value = builder.clone(*def)->getResult(0); // a constant inside of the body
  RankedTensorType source = op.getSourceType();
  return tensor::InsertSliceOp::create(
      builder, loc, op.getSource(), fillWith(value, op.getResultType()),
      op.getMixedLowPad(),
      getAsIndexOpFoldResult(builder.getContext(), source.getShape()),
      SmallVector<OpFoldResult>(source.getRank(), builder.getIndexAttr(1)));
}

/// The body computes each element from its indices.
Value Normalization::generate(tensor::GenerateOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  if (!type.hasStaticShape())
    return {};
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  Block &body = op.getBody().front();
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), ValueRange(), empty(type),
             builder.getMultiDimIdentityMap(type.getRank()), loops,
             [&](OpBuilder &at, Location where, ValueRange) {
               IRMapping mapping;
               for (BlockArgument index : body.getArguments())
                 mapping.map(index, linalg::IndexOp::create(
                                        at, where, index.getArgNumber())
                                        .getResult());
               for (Operation &inner : body.without_terminator())
                 at.clone(inner, mapping);
               linalg::YieldOp::create(
                   at, where,
                   mapping.lookupOrDefault(
                       body.getTerminator()->getOperand(0)));
             })
      .getResult(0);
}

/// Between static shapes, by way of one dimension where they do not nest.
Value Normalization::reshape(tensor::ReshapeOp op) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto result = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!result || !source.hasStaticShape() || !result.hasStaticShape())
    return {};
  if (source == result)
    return op.getSource();
  if (auto groups = getReassociationIndicesForReshape(source, result)) {
    if (source.getRank() > result.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, result,
                                             op.getSource(), *groups);
    return tensor::ExpandShapeOp::create(builder, loc, result, op.getSource(),
                                         *groups);
  }
  auto flat =
      RankedTensorType::get({source.getNumElements()}, source.getElementType());
  auto allDims = [](RankedTensorType type) {
    SmallVector<ReassociationIndices> groups(1);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      groups[0].push_back(dim);
    return groups;
  };
  Value line = op.getSource();
  if (source.getRank() != 1)
    line = source.getRank() == 0
               ? tensor::ExpandShapeOp::create(builder, loc, flat, line,
                                               ArrayRef<ReassociationIndices>())
                     .getResult()
               : tensor::CollapseShapeOp::create(builder, loc, flat, line,
                                                 allDims(source))
                     .getResult();
  return tensor::ExpandShapeOp::create(builder, loc, result, line,
                                       allDims(result));
}

/// The shape of gathered parts without the dimensions of size 1 that they keep.
static RankedTensorType getPartType(RankedTensorType whole,
                                    RankedTensorType indices,
                                    ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  for (int64_t dim = 0; dim < whole.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      shape.push_back(whole.getDimSize(dim));
  return RankedTensorType::get(shape, whole.getElementType());
}

/// How to bring parts from `slim` to the type that keeps dimensions of size 1.
static std::optional<SmallVector<ReassociationIndices>>
getPartGroups(RankedTensorType slim, RankedTensorType kept) {
  return getReassociationIndicesForReshape(kept, slim);
}

Value Normalization::gather(tensor::GatherOp op) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  if (!source.hasStaticShape() || !indices.hasStaticShape() ||
      !indices.getElementType().isInteger())
    return {};
  RankedTensorType slim = getPartType(source, indices, op.getGatherDims());
  auto groups = getPartGroups(slim, result);
  if (slim != result && !groups)
    return {};
  Value parts = GatherOp::create(builder, loc, slim, op.getGatherDims(),
                                 ValueRange{op.getSource(), op.getIndices()},
                                 ValueRange(empty(slim)))
                    .getResult(0);
  if (slim == result)
    return parts;
  return tensor::ExpandShapeOp::create(builder, loc, result, parts, *groups);
}

Value Normalization::scatter(tensor::ScatterOp op) {
  auto whole = cast<RankedTensorType>(op.getDest().getType());
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  auto kept = cast<RankedTensorType>(op.getSource().getType());
  if (!whole.hasStaticShape() || !indices.hasStaticShape() ||
      !indices.getElementType().isInteger())
    return {};
  RankedTensorType slim = getPartType(whole, indices, op.getScatterDims());
  Value updates = op.getSource();
  if (slim != kept) {
    auto groups = getPartGroups(slim, kept);
    if (!groups)
      return {};
    updates =
        tensor::CollapseShapeOp::create(builder, loc, slim, updates, *groups);
  }
  return ScatterOp::create(builder, loc, whole, ReduceOpAttr(),
                           builder.getDenseI64ArrayAttr(op.getScatterDims()),
                           ValueRange{updates, op.getIndices()},
                           ValueRange(op.getDest()))
      .getResult(0);
}

Value Normalization::dim(tensor::DimOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  std::optional<int64_t> index = op.getConstantIndex();
  if (!type || !index || *index < 0 || *index >= type.getRank() ||
      type.isDynamicDim(*index))
    return {};
  return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(*index));
}

/// Upstream's largest element skips NaN, which no reduction between ranks does.
/// A line with NaN in it is all NaN in the end, whichever way.
Value Normalization::softmax(linalg::SoftmaxOp op) {
  if (!op.getInputOperandType().hasStaticShape())
    return {};
  FailureOr<SmallVector<Value>> made = op.decomposeOperation(builder);
  if (failed(made))
    return {};
  for (Operation *at = op->getPrevNode(); at; at = at->getPrevNode()) {
    auto generic = dyn_cast<linalg::GenericOp>(at);
    if (!generic || generic.getInputs()[0] != op.getInput() ||
        generic.getNumReductionLoops() != 1)
      continue;
    // What starts the search must not be NaN either.
    auto type = cast<FloatType>(op.getInputOperandType().getElementType());
    auto fill = generic.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
    fill.getInputsMutable().assign(arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(type,
                             llvm::APFloat::getInf(type.getFloatSemantics(),
                                                   /*Negative=*/true))));
    fill.getInputs()[0].getDefiningOp()->moveBefore(fill);
    generic.walk([](arith::MaxNumFOp skips) {
      OpBuilder inner(skips);
      skips.replaceAllUsesWith(arith::MaximumFOp::create(inner, skips.getLoc(),
                                                         skips.getLhs(),
                                                         skips.getRhs())
                                   .getResult());
      skips.erase();
    });
    break;
  }
  return made->front();
}

/// Elementwise ops of two results become structured ops: kernels are made of
/// these, and of elementwise ops of one result. math.sincos is its two parts.
static bool normalizeTwoResults(Operation *op) {
  auto type = op->getNumResults() == 2
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || !type.hasStaticShape() ||
      !OpTrait::hasElementwiseMappableTraits(op) ||
      llvm::any_of(op->getOperandTypes(), [](Type operand) {
        return !isa<RankedTensorType>(operand);
      }))
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto both = dyn_cast<math::SincosOp>(op)) {
    Value input = both.getOperand();
    both->getResult(0).replaceAllUsesWith(
        math::SinOp::create(builder, loc, input));
    both->getResult(1).replaceAllUsesWith(
        math::CosOp::create(builder, loc, input));
    return true;
  }
  SmallVector<Value> inits;
  for (Type result : op->getResultTypes())
    inits.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                            getElementTypeOrSelf(result)));
  SmallVector<AffineMap> maps(op->getNumOperands() + 2,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto made = linalg::GenericOp::create(
      builder, loc, op->getResultTypes(), op->getOperands(), inits, maps, loops,
      [&](OpBuilder &at, Location where, ValueRange elements) {
        OperationState state(
            where, op->getName(), elements.take_front(op->getNumOperands()),
            llvm::map_to_vector(
                op->getResultTypes(),
                [](Type result) { return getElementTypeOrSelf(result); }),
            op->getAttrs());
        linalg::YieldOp::create(at, where, at.create(state)->getResults());
      });
  op->replaceAllUsesWith(made);
  return true;
}

/// The value that takes the place of `op`; null where it stays.
static Value normalize(Operation *op) {
  Normalization with(op);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](tensor::PadOp pad) { return with.pad(pad); })
      .Case(
          [&](tensor::GenerateOp generate) { return with.generate(generate); })
      .Case([&](tensor::ReshapeOp reshape) { return with.reshape(reshape); })
      .Case([&](tensor::GatherOp gather) { return with.gather(gather); })
      .Case([&](tensor::ScatterOp scatter) { return with.scatter(scatter); })
      .Case([&](tensor::DimOp dim) { return with.dim(dim); })
      .Case([&](linalg::SoftmaxOp softmax) { return with.softmax(softmax); })
      .Case([&](tensor::CastOp cast) {
        bool changes = cast.getSource().getType() != cast.getType();
        return changes ? Value() : cast.getSource();
      })
      .Default(Value());
}

namespace {
struct NormalizePass : mlir::dtensor::impl::NormalizePassBase<NormalizePass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (!op->hasAttr(kRuleAttr) && op->getNumResults() != 0)
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (normalizeTwoResults(op)) {
        op->erase();
        continue;
      }
      if (op->getNumResults() != 1)
        continue;
      if (Value made = normalize(op)) {
        op->getResult(0).replaceAllUsesWith(made);
        op->erase();
      }
    }
  }
};
} // namespace
