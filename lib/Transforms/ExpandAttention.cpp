// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-expand-attention: writes attention with linalg, so that rules,
// kernels and matrix products are those of other ops.
//
//   %o = dtensor.attention ins(%q, %k, %v)
// becomes, for queries of [batch, m, d] and keys of [batch, n, d],
//   scores  = q kT * scale            [batch, m, n]
//   weights = exp(scores - their maximum)
//   %o      = weights v / the weights' sum

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

namespace mlir::dtensor {
#define GEN_PASS_DEF_EXPANDATTENTIONPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

namespace {

class AttentionExpansion {
public:
  explicit AttentionExpansion(AttentionOp op)
      : op(op), builder(op), loc(op.getLoc()) {
    type = cast<RankedTensorType>(op.getInits()[0].getType());
    wide = type.getElementType();
    if (wide.getIntOrFloatBitWidth() == 16)
      wide = builder.getF32Type();
  }
  Value expand();

private:
  using Body = llvm::function_ref<Value(OpBuilder &, ValueRange)>;

  Value flatten(Value tensor);
  Value unflatten(Value tensor);
  Value fill(ArrayRef<int64_t> shape, const llvm::APFloat &value);
  Value number(OpBuilder &at, double value) {
    return arith::ConstantOp::create(at, loc, at.getFloatAttr(wide, value));
  }
  Value transposed(Value keys);
  Value product(Value a, Value b);
  /// An op over [batch, m, n]; an operand of rank 2 has no third index.
  Value generic(ValueRange inputs, Value init, bool reduces, Body body);
  Value scale(Value scores);

  AttentionOp op;
  OpBuilder builder;
  Location loc;
  RankedTensorType type;
  Type wide;
};

} // namespace

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// All batches but the last two dimensions as one.
static SmallVector<ReassociationIndices> groupBatches(int64_t rank) {
  ReassociationIndices batches;
  for (int64_t dim = 0; dim + 2 < rank; ++dim)
    batches.push_back(dim);
  return {batches, {rank - 2}, {rank - 1}};
}

/// Brings `tensor` to [batch, rows, columns] of the wide type.
Value AttentionExpansion::flatten(Value tensor) {
  ArrayRef<int64_t> shape = shapeOf(tensor);
  if (shape.size() == 2) {
    SmallVector<ReassociationIndices> groups{{0, 1}, {2}};
    auto flat =
        RankedTensorType::get({1, shape[0], shape[1]}, type.getElementType());
    tensor = tensor::ExpandShapeOp::create(builder, loc, flat, tensor, groups);
  } else if (shape.size() > 3) {
    tensor = tensor::CollapseShapeOp::create(builder, loc, tensor,
                                             groupBatches(shape.size()));
  }
  if (wide == type.getElementType())
    return tensor;
  return arith::ExtFOp::create(
      builder, loc, RankedTensorType::get(shapeOf(tensor), wide), tensor);
}

/// The reverse of flatten, to the type of the result.
Value AttentionExpansion::unflatten(Value tensor) {
  if (wide != type.getElementType())
    tensor = arith::TruncFOp::create(
        builder, loc,
        RankedTensorType::get(shapeOf(tensor), type.getElementType()), tensor);
  if (type.getRank() == 2)
    return tensor::CollapseShapeOp::create(
        builder, loc, tensor, SmallVector<ReassociationIndices>{{0, 1}, {2}});
  if (type.getRank() > 3)
    return tensor::ExpandShapeOp::create(builder, loc, type, tensor,
                                         groupBatches(type.getRank()));
  return tensor;
}

Value AttentionExpansion::fill(ArrayRef<int64_t> shape,
                               const llvm::APFloat &value) {
  Value empty = tensor::EmptyOp::create(builder, loc, shape, wide);
  Value element = arith::ConstantOp::create(builder, loc,
                                            builder.getFloatAttr(wide, value));
  return linalg::FillOp::create(builder, loc, element, empty).getResult(0);
}

Value AttentionExpansion::transposed(Value keys) {
  ArrayRef<int64_t> shape = shapeOf(keys);
  Value empty = tensor::EmptyOp::create(
      builder, loc, ArrayRef{shape[0], shape[2], shape[1]}, wide);
  return linalg::TransposeOp::create(builder, loc, keys, empty,
                                     ArrayRef<int64_t>{0, 2, 1})
      ->getResult(0);
}

Value AttentionExpansion::product(Value a, Value b) {
  SmallVector<int64_t> shape{shapeOf(a)[0], shapeOf(a)[1], shapeOf(b)[2]};
  const auto &format = cast<FloatType>(wide).getFloatSemantics();
  Value init = fill(shape, llvm::APFloat::getZero(format));
  return linalg::BatchMatmulOp::create(builder, loc, ValueRange{a, b}, init)
      .getResult(0);
}

Value AttentionExpansion::generic(ValueRange inputs, Value init, bool reduces,
                                  Body body) {
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands(inputs);
  operands.push_back(init);
  for (Value operand : operands)
    maps.push_back(AffineMap::getMultiDimIdentityMap(3, context)
                       .getMajorSubMap(shapeOf(operand).size()));
  SmallVector<utils::IteratorType> iterators(3, utils::IteratorType::parallel);
  if (reduces)
    iterators.back() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             builder, loc, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &at, Location, ValueRange arguments) {
               linalg::YieldOp::create(at, loc, body(at, arguments));
             })
      .getResult(0);
}

/// Scaled scores; those of keys that a query does not see are -inf.
Value AttentionExpansion::scale(Value scores) {
  auto d = static_cast<double>(shapeOf(op.getInputs()[0]).back());
  double factor =
      op.getScale() ? op.getScaleAttr().getValueAsDouble() : 1 / std::sqrt(d);
  int64_t ahead = shapeOf(scores)[2] - shapeOf(scores)[1];
  Value empty = tensor::EmptyOp::create(builder, loc, shapeOf(scores), wide);
  return generic(
      scores, empty, /*reduces=*/false,
      [&](OpBuilder &at, ValueRange arguments) -> Value {
        Value scaled =
            arith::MulFOp::create(at, loc, arguments[0], number(at, factor));
        if (!op.getCausal())
          return scaled;
        Value query = linalg::IndexOp::create(at, loc, 1);
        Value key = linalg::IndexOp::create(at, loc, 2);
        Value last = arith::AddIOp::create(
            at, loc, query, arith::ConstantIndexOp::create(at, loc, ahead));
        Value isSeen = arith::CmpIOp::create(at, loc, arith::CmpIPredicate::ule,
                                             key, last);
        return arith::SelectOp::create(at, loc, isSeen, scaled,
                                       number(at, -HUGE_VAL));
      });
}

Value AttentionExpansion::expand() {
  Value q = flatten(op.getInputs()[0]), k = flatten(op.getInputs()[1]);
  Value v = flatten(op.getInputs()[2]);
  const auto &format = cast<FloatType>(wide).getFloatSemantics();
  Value scores = scale(product(q, transposed(k)));
  ArrayRef<int64_t> rows = shapeOf(scores).drop_back();
  Value largest = generic(
      scores, fill(rows, llvm::APFloat::getInf(format, true)),
      /*reduces=*/true, [&](OpBuilder &at, ValueRange arguments) -> Value {
        return arith::MaximumFOp::create(at, loc, arguments[0], arguments[1]);
      });
  Value empty = tensor::EmptyOp::create(builder, loc, shapeOf(scores), wide);
  Value weights =
      generic({scores, largest}, empty, /*reduces=*/false,
              [&](OpBuilder &at, ValueRange arguments) -> Value {
                return math::ExpOp::create(
                    at, loc,
                    arith::SubFOp::create(at, loc, arguments[0], arguments[1]));
              });
  Value sum = generic(
      weights, fill(rows, llvm::APFloat::getZero(format)),
      /*reduces=*/true, [&](OpBuilder &at, ValueRange arguments) -> Value {
        return arith::AddFOp::create(at, loc, arguments[1], arguments[0]);
      });
  Value weighted = product(weights, v);
  Value out = tensor::EmptyOp::create(builder, loc, shapeOf(weighted), wide);
  return unflatten(generic({weighted, sum}, out, /*reduces=*/false,
                           [&](OpBuilder &at, ValueRange arguments) -> Value {
                             return arith::DivFOp::create(at, loc, arguments[0],
                                                          arguments[1]);
                           }));
}

namespace {
struct ExpandAttentionPass
    : mlir::dtensor::impl::ExpandAttentionPassBase<ExpandAttentionPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation().walk([&](AttentionOp op) { ops.push_back(op); });
    for (AttentionOp op : ops) {
      op->getResult(0).replaceAllUsesWith(AttentionExpansion(op).expand());
      op->erase();
    }
  }
};
} // namespace
