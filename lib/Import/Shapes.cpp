// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that move elements: reshape, broadcast, transpose, slice, pad and alike;
// and iota.

#include "OpImport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

/// Reports element types of operand 0 and the result that differ.
static LogicalResult checkElementType(OpImport &import) {
  Type from = import.op->getOperand(0).getType();
  Type to = import.op->getResult(0).getType();
  if (getElementTypeOrSelf(from) == getElementTypeOrSelf(to))
    return success();
  return import.emitError()
         << "has an operand of type " << from << " and a result of type " << to
         << "; their element types must be equal";
}

/// Reports a result of another shape than what operands and attributes give.
static LogicalResult checkResultShape(OpImport &import,
                                      ArrayRef<int64_t> expected) {
  auto result = cast<RankedTensorType>(import.op->getResult(0).getType());
  if (result.getShape() == expected)
    return success();
  return import.emitError()
         << "has a result of type " << result
         << "; its operands and attributes give "
         << RankedTensorType::get(expected, result.getElementType());
}

/// The dimensions of attribute `name`: `count` different ones below `rank`.
static FailureOr<SmallVector<int64_t>> getDims(OpImport &import, StringRef name,
                                               std::optional<int64_t> count,
                                               int64_t rank) {
  FailureOr<SmallVector<int64_t>> dims = import.integers(name);
  if (failed(dims))
    return failure();
  if (count && static_cast<int64_t>(dims->size()) != *count)
    return import.emitError()
           << "has " << dims->size() << " '" << name << "', needs " << *count;
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : *dims)
    if (dim < 0 || dim >= rank || !seen.insert(dim).second)
      return import.emitError()
             << "has dimension " << dim << " in '" << name
             << "'; needs different ones in [0, " << rank << ')';
  return dims;
}

static LogicalResult importReshape(OpImport &import) {
  if (failed(checkElementType(import)))
    return failure();
  RankedTensorType from = import.operandTensor(0), to = import.resultTensor();
  if (from.getNumElements() != to.getNumElements())
    return import.emitError()
           << "makes " << to.getNumElements() << " elements out of "
           << from.getNumElements() << "; the numbers must be equal";
  return import.yield(import.reshape(import.operands[0], to.getShape()));
}

static LogicalResult importTranspose(OpImport &import) {
  RankedTensorType from = import.operandTensor(0);
  auto permutation =
      getDims(import, "permutation", from.getRank(), from.getRank());
  if (failed(permutation) || failed(checkElementType(import)))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim : *permutation)
    shape.push_back(from.getDimSize(dim));
  if (failed(checkResultShape(import, shape)))
    return failure();
  return import.yield(import.transpose(import.operands[0], *permutation));
}

static LogicalResult importBroadcast(OpImport &import) {
  RankedTensorType from = import.operandTensor(0), to = import.resultTensor();
  auto dims =
      getDims(import, "broadcast_dimensions", from.getRank(), to.getRank());
  if (failed(dims) || failed(checkElementType(import)))
    return failure();
  // Dimensions of size 1 that grow are dropped first: linalg.broadcast adds
  // dimensions, and its rule knows which.
  SmallVector<int64_t> kept, shape;
  for (auto [index, dim] : llvm::enumerate(*dims)) {
    int64_t size = from.getDimSize(index);
    if (size != to.getDimSize(dim) && size != 1)
      return import.emitError()
             << "broadcasts dimension " << index << " of size " << size
             << " to size " << to.getDimSize(dim) << "; needs size 1";
    if (size != to.getDimSize(dim))
      continue;
    kept.push_back(dim);
    shape.push_back(size);
  }
  if (TypedAttr element = getSplatElement(import.operands[0]))
    return import.yield(arith::ConstantOp::create(
        import.builder, import.loc(),
        DenseElementsAttr::get(to, Attribute(element))));
  Value value = import.reshape(import.operands[0], shape);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(kept.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) { return kept[a] < kept[b]; });
  value = import.transpose(value, order);
  if (static_cast<int64_t>(kept.size()) == to.getRank())
    return import.yield(value);
  SmallVector<int64_t> added;
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (!llvm::is_contained(kept, dim))
      added.push_back(dim);
  Value init = import.empty(to.getShape(), to.getElementType());
  return import.yield(linalg::BroadcastOp::create(import.builder, import.loc(),
                                                  value, init, added)
                          ->getResult(0));
}

static LogicalResult importReverse(OpImport &import) {
  RankedTensorType type = import.operandTensor(0);
  int64_t rank = type.getRank();
  auto dims = getDims(import, "dimensions", std::nullopt, rank);
  if (failed(dims) || failed(checkElementType(import)) ||
      failed(checkResultShape(import, type.getShape())))
    return failure();
  OpBuilder &b = import.builder;
  SmallVector<AffineExpr> read;
  for (int64_t dim = 0; dim < rank; ++dim) {
    AffineExpr expr = b.getAffineDimExpr(dim);
    if (llvm::is_contained(*dims, dim))
      expr = b.getAffineConstantExpr(type.getDimSize(dim) - 1) - expr;
    read.push_back(expr);
  }
  SmallVector<AffineMap> maps = {AffineMap::get(rank, 0, read, b.getContext()),
                                 b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value init = import.empty(type.getShape(), type.getElementType());
  auto generic = linalg::GenericOp::create(
      b, import.loc(), TypeRange(type), ValueRange(import.operands[0]),
      ValueRange(init), maps, loops,
      [](OpBuilder &body, Location loc, ValueRange args) {
        linalg::YieldOp::create(body, loc, args[0]);
      });
  return import.yield(generic.getResult(0));
}

static SmallVector<OpFoldResult> toIndices(OpImport &import,
                                           ArrayRef<int64_t> values) {
  return llvm::map_to_vector(values, [&](int64_t value) {
    return OpFoldResult(import.builder.getIndexAttr(value));
  });
}

static LogicalResult importSlice(OpImport &import) {
  RankedTensorType type = import.operandTensor(0);
  auto starts = import.integers("start_indices");
  auto limits = import.integers("limit_indices");
  auto strides = import.integers("strides");
  if (failed(starts) || failed(limits) || failed(strides) ||
      failed(checkElementType(import)))
    return failure();
  size_t rank = type.getRank();
  if (starts->size() != rank || limits->size() != rank ||
      strides->size() != rank)
    return import.emitError() << "needs a start, a limit and a stride for each "
                                 "of the operand's "
                              << rank << " dimensions";
  SmallVector<int64_t> sizes;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t start = (*starts)[dim], limit = (*limits)[dim],
            stride = (*strides)[dim];
    if (start < 0 || limit < start || limit > type.getDimSize(dim) ||
        stride < 1)
      return import.emitError() << "takes [" << start << ":" << limit << ":"
                                << stride << "] of dimension " << dim
                                << ", which has size " << type.getDimSize(dim);
    sizes.push_back(llvm::divideCeil(limit - start, stride));
  }
  if (failed(checkResultShape(import, sizes)))
    return failure();
  return import.yield(tensor::ExtractSliceOp::create(
      import.builder, import.loc(), import.operands[0],
      toIndices(import, *starts), toIndices(import, sizes),
      toIndices(import, *strides)));
}

static LogicalResult importConcatenate(OpImport &import) {
  if (import.operands.empty())
    return import.emitError() << "needs at least one operand";
  RankedTensorType first = import.operandTensor(0);
  auto dim = getDims(import, "dimension", 1, first.getRank());
  if (failed(dim) || failed(checkElementType(import)))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  shape[dim->front()] = 0;
  for (unsigned i = 0; i < import.operands.size(); ++i) {
    RankedTensorType type = import.operandTensor(i);
    SmallVector<int64_t> other(type.getShape());
    if (type.getRank() == first.getRank()) {
      shape[dim->front()] += type.getDimSize(dim->front());
      other[dim->front()] = first.getDimSize(dim->front());
    }
    if (ArrayRef(other) != first.getShape() ||
        import.op->getOperand(i).getType() !=
            cast<RankedTensorType>(import.op->getOperand(0).getType())
                .clone(type.getShape()))
      return import.emitError()
             << "has operand " << i << " of type "
             << import.op->getOperand(i).getType() << " beside "
             << import.op->getOperand(0).getType()
             << "; they may differ in dimension " << dim->front() << " only";
  }
  if (failed(checkResultShape(import, shape)))
    return failure();
  return import.yield(tensor::ConcatOp::create(import.builder, import.loc(),
                                               dim->front(), import.operands));
}

/// Padding between elements, or negative padding (which drops elements): what
/// is left of the operand, put with strides into a tensor of padding.
static Value padWithGaps(OpImport &import, ArrayRef<int64_t> low,
                         ArrayRef<int64_t> interior) {
  OpBuilder &b = import.builder;
  Location loc = import.loc();
  RankedTensorType from = import.operandTensor(0), to = import.resultTensor();
  Value target = import.empty(to.getShape(), to.getElementType());
  if (TypedAttr element = getSplatElement(import.operands[1]))
    target =
        import.fill(arith::ConstantOp::create(b, loc, element), to.getShape());
  else if (to.getRank() != 0)
    target = linalg::BroadcastOp::create(
                 b, loc, import.operands[1], target,
                 llvm::to_vector(llvm::seq<int64_t>(to.getRank())))
                 ->getResult(0);
  SmallVector<int64_t> starts, sizes, offsets, strides;
  SmallVector<int64_t> ones(from.getRank(), 1);
  for (auto [dim, size] : llvm::enumerate(from.getShape())) {
    // Element i comes to lie at low + i * stride.
    int64_t stride = interior[dim] + 1;
    int64_t first = low[dim] < 0 ? llvm::divideCeil(-low[dim], stride) : 0;
    int64_t end = to.getDimSize(dim) - low[dim] <= 0
                      ? 0
                      : llvm::divideCeil(to.getDimSize(dim) - low[dim], stride);
    starts.push_back(std::min(first, size));
    sizes.push_back(std::max<int64_t>(std::min(end, size) - starts.back(), 0));
    offsets.push_back(low[dim] + starts.back() * stride);
    strides.push_back(stride);
    if (sizes.back() == 0)
      return target; // nothing is left
  }
  Value kept = tensor::ExtractSliceOp::create(
      b, loc, import.operands[0], toIndices(import, starts),
      toIndices(import, sizes), toIndices(import, ones));
  return tensor::InsertSliceOp::create(
      b, loc, kept, target, toIndices(import, offsets),
      toIndices(import, sizes), toIndices(import, strides));
}

static LogicalResult importPad(OpImport &import) {
  RankedTensorType type = import.operandTensor(0);
  auto low = import.integers("edge_padding_low");
  auto high = import.integers("edge_padding_high");
  auto interior = import.integers("interior_padding");
  if (failed(low) || failed(high) || failed(interior) ||
      failed(checkElementType(import)))
    return failure();
  size_t rank = type.getRank();
  if (low->size() != rank || high->size() != rank || interior->size() != rank)
    return import.emitError() << "needs low, high and interior padding for "
                                 "each of the operand's "
                              << rank << " dimensions";
  if (import.op->getOperand(1).getType() !=
      RankedTensorType::get(
          {}, getElementTypeOrSelf(import.op->getOperand(0).getType())))
    return import.emitError() << "needs a padding value of rank 0 and the "
                                 "operand's element type";
  SmallVector<int64_t> shape;
  bool isPlain = true;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = type.getDimSize(dim), l = (*low)[dim], h = (*high)[dim],
            between = (*interior)[dim];
    constexpr int64_t kMax = int64_t(1) << 30; // sums cannot overflow
    int64_t padded = l + h;
    if (std::min(l, h) < -kMax || std::max({l, h, between, size}) > kMax ||
        between < 0 ||
        (padded += size + std::max<int64_t>(size - 1, 0) * between) < 0)
      return import.emitError()
             << "pads dimension " << dim << " of size " << size << " by [" << l
             << ", " << h << ", " << between
             << "]; needs amounts up to 2^30, not negative between elements "
                "and in total";
    isPlain &= l >= 0 && h >= 0 && between == 0;
    shape.push_back(padded);
  }
  if (failed(checkResultShape(import, shape)))
    return failure();
  if (!isPlain)
    return import.yield(padWithGaps(import, *low, *interior));
  OpBuilder &b = import.builder;
  Value padding;
  if (TypedAttr element = getSplatElement(import.operands[1]))
    padding = arith::ConstantOp::create(b, import.loc(), element);
  else
    padding = tensor::ExtractOp::create(b, import.loc(), import.operands[1],
                                        ValueRange());
  return import.yield(tensor::PadOp::create(
      b, import.loc(), import.resultTensor(), import.operands[0],
      toIndices(import, *low), toIndices(import, *high), padding));
}

static LogicalResult importIota(OpImport &import) {
  RankedTensorType type = import.resultTensor();
  auto dim = getDims(import, "iota_dimension", 1, type.getRank());
  if (failed(dim))
    return failure();
  OpBuilder &b = import.builder;
  int64_t rank = type.getRank();
  Value init = import.empty(type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, import.loc(), TypeRange(type), ValueRange(), ValueRange(init),
      ArrayRef<AffineMap>(b.getMultiDimIdentityMap(rank)), loops,
      [&](OpBuilder &body, Location loc, ValueRange) {
        Value index = linalg::IndexOp::create(body, loc, dim->front());
        Type element = type.getElementType();
        bool isFloat = isa<FloatType>(element);
        Value value = arith::IndexCastOp::create(
            body, loc, isFloat ? body.getI64Type() : element, index);
        if (isFloat)
          value = arith::SIToFPOp::create(body, loc, element, value);
        linalg::YieldOp::create(body, loc, value);
      });
  return import.yield(generic.getResult(0));
}

void mlir::dtensor::addShapeRules(ImportRules &rules) {
  rules["stablehlo.broadcast_in_dim"] = {importBroadcast, 1, false};
  rules["stablehlo.concatenate"] = {importConcatenate, -1, false};
  rules["stablehlo.iota"] = {importIota, 0, false};
  rules["stablehlo.pad"] = {importPad, 2, false};
  rules["stablehlo.reshape"] = {importReshape, 1, false};
  rules["stablehlo.reverse"] = {importReverse, 1, false};
  rules["stablehlo.slice"] = {importSlice, 1, false};
  rules["stablehlo.transpose"] = {importTranspose, 1, false};
}
