// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dynamic_slice and dynamic_update_slice, whose start is data: gather and
// scatter at positions counted from there. And chlo.top_k.

#include "OpImport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

/// `start`, one integer of type `element`, as i64 between 0 and `last`: slices
/// that would leave the tensor begin where they just fit.
static Value clampStart(OpBuilder &builder, Location loc, Value start,
                        ElementKind kind, int64_t last) {
  Type i64 = builder.getI64Type();
  bool isUnsigned = kind == ElementKind::Unsigned;
  if (start.getType() != i64)
    start = isUnsigned
                ? arith::ExtUIOp::create(builder, loc, i64, start).getResult()
                : arith::ExtSIOp::create(builder, loc, i64, start).getResult();
  Value limit = arith::ConstantIntOp::create(builder, loc, last, 64);
  if (isUnsigned)
    return arith::MinUIOp::create(builder, loc, start, limit);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  return arith::MinSIOp::create(
      builder, loc, arith::MaxSIOp::create(builder, loc, start, zero), limit);
}

/// The positions, along dimension number `index` of `dims`, of a slice of
/// `sizes`: a tensor of [sizes of dims..., 1].
static Value makePositions(OpImport &import, ArrayRef<int64_t> sizes,
                           unsigned index, unsigned operand, int64_t last) {
  OpBuilder &builder = import.builder;
  Location loc = import.loc();
  SmallVector<int64_t> shape(sizes);
  shape.push_back(1);
  auto type = RankedTensorType::get(shape, builder.getI64Type());
  SmallVector<AffineMap> maps{
      AffineMap::get(shape.size(), 0, builder.getContext()),
      builder.getMultiDimIdentityMap(shape.size())};
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  ElementKind kind = import.kind(operand);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), import.operands[operand],
             import.empty(shape, builder.getI64Type()), maps, loops,
             [&](OpBuilder &at, Location where, ValueRange elements) {
               Value start = clampStart(at, where, elements[0], kind, last);
               Value place = arith::IndexCastOp::create(
                   at, where, at.getI64Type(),
                   linalg::IndexOp::create(at, where, index));
               linalg::YieldOp::create(
                   at, where,
                   arith::AddIOp::create(at, where, start, place).getResult());
             })
      .getResult(0);
}

namespace {
/// Which dimensions of a tensor a slice takes a part of, and where.
struct Moving {
  SmallVector<int64_t> dims; ///< ascending
  Value indices;             ///< [sizes of dims..., number of dims]
  /// Dimensions of the tensor in the order of the parts: `dims`, then the rest.
  SmallVector<int64_t> order;
};
} // namespace

/// For a slice of `sizes` out of `whole`, whose starts are the operands from
/// `first` on.
static FailureOr<Moving> findMoving(OpImport &import, RankedTensorType whole,
                                    ArrayRef<int64_t> sizes, unsigned first) {
  if (static_cast<int64_t>(sizes.size()) != whole.getRank() ||
      import.operands.size() != first + sizes.size())
    return import.emitError()
           << "needs a size and a start for each of " << whole.getRank()
           << " dimensions, has " << sizes.size() << " sizes and "
           << import.operands.size() - first << " starts";
  Moving moving;
  SmallVector<int64_t> movingSizes, rest;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    int64_t extent = whole.getDimSize(dim);
    if (size < 0 || size > extent)
      return import.emitError() << "takes " << size << " elements of dimension "
                                << dim << ", which has " << extent;
    Type start = import.op->getOperand(first + dim).getType();
    if (!isa<IntegerType>(getElementTypeOrSelf(start)) ||
        cast<RankedTensorType>(start).getRank() != 0)
      return import.emitError() << "starts dimension " << dim << " at a "
                                << start << "; needs one integer";
    if (size == extent) {
      rest.push_back(dim);
      continue;
    }
    moving.dims.push_back(dim);
    movingSizes.push_back(size);
  }
  moving.order = moving.dims;
  llvm::append_range(moving.order, rest);
  SmallVector<Value> positions;
  for (auto [index, dim] : llvm::enumerate(moving.dims))
    positions.push_back(
        makePositions(import, movingSizes, index, first + dim,
                      whole.getDimSize(dim) - movingSizes[index]));
  if (positions.size() == 1)
    moving.indices = positions[0];
  else if (!positions.empty())
    moving.indices = tensor::ConcatOp::create(import.builder, import.loc(),
                                              movingSizes.size(), positions);
  return moving;
}

static SmallVector<int64_t> invert(ArrayRef<int64_t> order) {
  SmallVector<int64_t> back(order.size());
  for (auto [index, dim] : llvm::enumerate(order))
    back[dim] = index;
  return back;
}

static Value reorder(OpImport &import, Value value, ArrayRef<int64_t> order) {
  return llvm::is_sorted(order) ? value : import.transpose(value, order);
}

static LogicalResult importDynamicSlice(OpImport &import) {
  FailureOr<SmallVector<int64_t>> sizes = import.integers("slice_sizes");
  if (failed(sizes) || import.operands.empty())
    return failure();
  RankedTensorType whole = import.operandTensor(0);
  FailureOr<Moving> moving = findMoving(import, whole, *sizes, /*first=*/1);
  if (failed(moving))
    return failure();
  if (import.resultTensor() !=
      RankedTensorType::get(*sizes, whole.getElementType()))
    return import.emitError()
           << "has a result of type " << import.op->getResult(0).getType();
  if (moving->dims.empty())
    return import.yield(import.operands[0]);
  SmallVector<int64_t> shape;
  for (int64_t dim : moving->order)
    shape.push_back((*sizes)[dim]);
  auto parts = RankedTensorType::get(shape, whole.getElementType());
  Value made =
      GatherOp::create(import.builder, import.loc(), parts, moving->dims,
                       ValueRange{import.operands[0], moving->indices},
                       ValueRange(import.empty(shape, whole.getElementType())))
          .getResult(0);
  return import.yield(reorder(import, made, invert(moving->order)));
}

static LogicalResult importDynamicUpdateSlice(OpImport &import) {
  if (import.operands.size() < 2)
    return import.emitError() << "needs a tensor and what to put into it";
  RankedTensorType whole = import.operandTensor(0);
  RankedTensorType update = import.operandTensor(1);
  FailureOr<Moving> moving =
      findMoving(import, whole, update.getShape(), /*first=*/2);
  if (failed(moving))
    return failure();
  if (import.resultTensor() != whole ||
      update.getElementType() != whole.getElementType())
    return import.emitError()
           << "puts a " << import.op->getOperand(1).getType() << " into a "
           << import.op->getOperand(0).getType();
  if (moving->dims.empty())
    return import.yield(import.operands[1]);
  Value parts = reorder(import, import.operands[1], moving->order);
  return import.yield(
      ScatterOp::create(import.builder, import.loc(), whole, ReduceOpAttr(),
                        import.builder.getDenseI64ArrayAttr(moving->dims),
                        ValueRange{parts, moving->indices},
                        ValueRange(import.operands[0]))
          .getResult(0));
}

/// `value` as signed integers of the same order, or back: floats in the total
/// order (-NaN, -inf, ..., -0, 0, ..., inf, NaN), unsigned ones by flipping the
/// sign. Undoes itself, but for the type.
static Value toKeys(OpImport &import, Value value, ElementKind kind) {
  auto type = cast<RankedTensorType>(value.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type element = import.builder.getIntegerType(width);
  auto keys = RankedTensorType::get(type.getShape(), element);
  Location loc = import.loc();
  if (kind == ElementKind::Unsigned)
    return arith::XOrIOp::create(
        import.builder, loc, value,
        import.constant(keys, APInt::getSignMask(width)));
  if (type != keys)
    value = arith::BitcastOp::create(import.builder, loc, keys, value);
  // Negative floats have the reverse order of their bits.
  Value sign =
      arith::ShRSIOp::create(import.builder, loc, value,
                             import.constant(keys, APInt(width, width - 1)));
  Value flips = arith::AndIOp::create(
      import.builder, loc, sign,
      import.constant(keys, APInt::getSignedMaxValue(width)));
  return arith::XOrIOp::create(import.builder, loc, value, flips);
}

static LogicalResult importTopK(OpImport &import) {
  RankedTensorType source = import.operandTensor(0);
  if (import.op->getNumResults() != 2 || source.getRank() == 0)
    return import.emitError() << "needs a tensor, and gives two";
  SmallVector<Value> inits;
  for (Value result : import.op->getResults()) {
    auto type = dyn_cast_or_null<RankedTensorType>(
        import.form.convert(result.getType()));
    if (!type || type.getRank() != source.getRank() ||
        type.getShape().drop_back() != source.getShape().drop_back() ||
        type.getShape().back() > source.getShape().back())
      return import.emitError() << "has a result of type " << result.getType();
    inits.push_back(import.empty(type.getShape(), type.getElementType()));
  }
  if (getElementTypeOrSelf(inits[0].getType()) != source.getElementType())
    return import.emitError() << "gives elements of another type";
  Type position = getElementTypeOrSelf(inits[1].getType());
  if (!position.isInteger(32) && !position.isInteger(64))
    return import.emitError() << "gives positions of type " << position
                              << "; i32 and i64 are imported";
  ElementKind kind = import.kind();
  bool hasKeys = kind == ElementKind::Float || kind == ElementKind::Unsigned;
  Value input = import.operands[0];
  Type values = inits[0].getType();
  if (hasKeys) {
    input = toKeys(import, input, kind);
    inits[0] = import.empty(cast<RankedTensorType>(values).getShape(),
                            getElementTypeOrSelf(input.getType()));
  }
  auto made =
      TopKOp::create(import.builder, import.loc(), TypeRange(ValueRange(inits)),
                     source.getRank() - 1, ValueRange(input), inits);
  Value largest = made->getResult(0);
  if (hasKeys)
    largest = toKeys(import, largest, kind);
  if (largest.getType() != values)
    largest =
        arith::BitcastOp::create(import.builder, import.loc(), values, largest);
  import.results.push_back(largest);
  import.results.push_back(made->getResult(1));
  return success();
}

void mlir::dtensor::addDynamicSliceRules(ImportRules &rules) {
  rules["stablehlo.dynamic_slice"] = {importDynamicSlice};
  rules["stablehlo.dynamic_update_slice"] = {importDynamicUpdateSlice};
  rules["chlo.top_k"] = {importTopK, 1, false, true};
}
