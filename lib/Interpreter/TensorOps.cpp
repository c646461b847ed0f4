// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor ops: they move elements and compute nothing.

#include "LocalOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dtensor::interp;

namespace {

/// Evaluates one tensor op.
class TensorOps {
public:
  explicit TensorOps(const LocalOp &local) : local(local) {}

  LogicalResult empty(tensor::EmptyOp op) {
    FailureOr<TensorPtr> result = make(op.getDynamicSizes());
    return failed(result) ? failure() : give(std::move(*result));
  }
  LogicalResult splat(tensor::SplatOp op) {
    FailureOr<TensorPtr> result = make(op.getDynamicSizes());
    if (failed(result))
      return failure();
    std::fill((*result)->data.begin(), (*result)->data.end(),
              local.operands[0]->data[0]);
    return give(std::move(*result));
  }
  LogicalResult fromElements(tensor::FromElementsOp op) {
    TensorPtr result = makeTensor(op.getType());
    for (auto [i, operand] : llvm::enumerate(local.operands))
      result->data[i] = operand->data[0];
    return give(std::move(result));
  }
  LogicalResult dim(tensor::DimOp op) {
    int64_t index = local.operands[1]->data[0].i;
    ArrayRef<int64_t> shape = local.operands[0]->shape;
    if (index < 0 || index >= static_cast<int64_t>(shape.size()))
      return op.emitOpError() << "asks for dimension " << index
                              << " of a tensor of rank " << shape.size();
    TensorPtr result = makeTensor(op.getType());
    result->data[0] = fromInt(shape[index]);
    return give(std::move(result));
  }
  LogicalResult rank(tensor::RankOp op) {
    TensorPtr result = makeTensor(op.getType());
    result->data[0] = fromInt(local.operands[0]->shape.size());
    return give(std::move(result));
  }

  LogicalResult reshape(tensor::ReshapeOp op) {
    SmallVector<int64_t> shape;
    for (Scalar extent : local.operands[1]->data)
      shape.push_back(extent.i);
    return giveReshaped(shape);
  }
  LogicalResult expand(tensor::ExpandShapeOp op) {
    auto shape = getNumbers(op.getMixedOutputShape());
    return failed(shape) ? failure() : giveReshaped(*shape);
  }
  LogicalResult collapse(tensor::CollapseShapeOp op) {
    SmallVector<int64_t> shape;
    for (ArrayRef<int64_t> dims : op.getReassociationIndices()) {
      shape.push_back(1);
      for (int64_t dim : dims)
        shape.back() *= local.operands[0]->shape[dim];
    }
    return giveReshaped(shape);
  }
  LogicalResult cast(tensor::CastOp op);
  LogicalResult extract(tensor::ExtractOp op);
  LogicalResult insert(tensor::InsertOp op);
  LogicalResult extractSlice(tensor::ExtractSliceOp op);
  LogicalResult insertSlice(tensor::InsertSliceOp op);
  LogicalResult pad(tensor::PadOp op);
  LogicalResult concat(tensor::ConcatOp op);
  LogicalResult generate(tensor::GenerateOp op);

private:
  LogicalResult give(TensorRef result) {
    local.results.push_back(std::move(result));
    return success();
  }
  /// The result, of zeros; checked, because what the program computes may be
  /// negative, or no shape of the result's type.
  FailureOr<TensorPtr> make(ArrayRef<int64_t> shape);
  /// The same with the numbers of `dynamic` for the type's `?`.
  FailureOr<TensorPtr> make(ValueRange dynamic);
  /// The first operand's elements in another shape.
  LogicalResult giveReshaped(ArrayRef<int64_t> shape);
  /// The numbers of `values`: constants, or index values of the program.
  FailureOr<SmallVector<int64_t>> getNumbers(ArrayRef<OpFoldResult> values);
  /// The position of an element whose indices are operands from `first` on.
  FailureOr<int64_t> getPosition(const Tensor &tensor, unsigned first);
  /// Where a slice starts, and how far apart its elements lie. It must have
  /// `count` elements, or any number where that is -1.
  struct Slice {
    SmallVector<int64_t> sizes, steps;
    int64_t start = 0;
  };
  FailureOr<Slice> getSlice(OffsetSizeAndStrideOpInterface op,
                            ArrayRef<int64_t> shape, int64_t count);
  /// Runs a body that makes one element from its indices, for each index
  /// that `isWanted`.
  LogicalResult fill(Block &body, Tensor &result,
                     llvm::function_ref<bool(ArrayRef<int64_t>)> isWanted);

  const LocalOp &local;
};

} // namespace

FailureOr<SmallVector<int64_t>>
TensorOps::getNumbers(ArrayRef<OpFoldResult> values) {
  SmallVector<int64_t> numbers;
  for (OpFoldResult value : values) {
    if (auto attr = dyn_cast<Attribute>(value)) {
      numbers.push_back(::cast<IntegerAttr>(attr).getInt());
      continue;
    }
    TensorRef known = local.lookup(::cast<Value>(value));
    if (!known)
      return local.op->emitOpError() << "uses an index that is not known";
    numbers.push_back(known->data[0].i);
  }
  return numbers;
}

FailureOr<TensorPtr> TensorOps::make(ArrayRef<int64_t> shape) {
  auto type = ::cast<RankedTensorType>(local.op->getResult(0).getType());
  bool fits = static_cast<int64_t>(shape.size()) == type.getRank();
  for (size_t d = 0; fits && d < shape.size(); ++d)
    fits = shape[d] >= 0 &&
           (type.isDynamicDim(d) || type.getDimSize(d) == shape[d]);
  if (!fits) {
    InFlightDiagnostic diagnostic = local.op->emitOpError()
                                    << "makes a tensor of shape [";
    llvm::interleaveComma(shape, diagnostic);
    return diagnostic << "], which is none of " << type;
  }
  auto whole = RankedTensorType::get(shape, type.getElementType());
  if (std::string problem = checkType(whole); !problem.empty())
    return local.op->emitOpError() << problem;
  return makeTensor(whole);
}

FailureOr<TensorPtr> TensorOps::make(ValueRange dynamic) {
  auto type = ::cast<RankedTensorType>(local.op->getResult(0).getType());
  auto numbers = getNumbers(getAsOpFoldResult(dynamic));
  if (failed(numbers))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  const int64_t *next = numbers->begin();
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent) && next != numbers->end())
      extent = *next++;
  return make(shape);
}

LogicalResult TensorOps::giveReshaped(ArrayRef<int64_t> shape) {
  FailureOr<TensorPtr> result = make(shape);
  if (failed(result))
    return failure();
  if ((*result)->size() != local.operands[0]->size())
    return local.op->emitOpError()
           << "makes " << (*result)->size() << " elements of "
           << local.operands[0]->size();
  (*result)->data = local.operands[0]->data;
  return give(std::move(*result));
}

LogicalResult TensorOps::cast(tensor::CastOp op) {
  FailureOr<TensorPtr> checked = make(local.operands[0]->shape);
  return failed(checked) ? failure() : give(local.operands[0]);
}

FailureOr<int64_t> TensorOps::getPosition(const Tensor &tensor,
                                          unsigned first) {
  int64_t position = 0;
  for (auto [d, extent] : llvm::enumerate(tensor.shape)) {
    int64_t index = local.operands[first + d]->data[0].i;
    if (index < 0 || index >= extent)
      return local.op->emitOpError()
             << "accesses index " << index << " in dimension " << d
             << ", which has " << extent << " elements";
    position = position * extent + index;
  }
  return position;
}

LogicalResult TensorOps::extract(tensor::ExtractOp op) {
  FailureOr<int64_t> position = getPosition(*local.operands[0], 1);
  if (failed(position))
    return failure();
  TensorPtr result = makeTensor(op.getType());
  result->data[0] = local.operands[0]->data[*position];
  return give(std::move(result));
}

LogicalResult TensorOps::insert(tensor::InsertOp op) {
  FailureOr<int64_t> position = getPosition(*local.operands[1], 2);
  if (failed(position))
    return failure();
  auto result = std::make_shared<Tensor>(*local.operands[1]);
  result->data[*position] = local.operands[0]->data[0];
  return give(std::move(result));
}

FailureOr<TensorOps::Slice>
TensorOps::getSlice(OffsetSizeAndStrideOpInterface op, ArrayRef<int64_t> shape,
                    int64_t count) {
  auto offsets = getNumbers(op.getMixedOffsets());
  auto sizes = getNumbers(op.getMixedSizes());
  auto strides = getNumbers(op.getMixedStrides());
  if (failed(offsets) || failed(sizes) || failed(strides))
    return failure();
  Slice slice;
  slice.sizes = *sizes;
  SmallVector<int64_t> elements = getStrides(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t first = (*offsets)[d], size = (*sizes)[d];
    int64_t last = first + (size - 1) * (*strides)[d];
    if (size < 0 || (size > 0 && (std::min(first, last) < 0 ||
                                  std::max(first, last) >= shape[d])))
      return local.op->emitOpError()
             << "takes elements " << first << " to " << last << " of dimension "
             << d << ", which has " << shape[d] << " elements";
    slice.start += first * elements[d];
    slice.steps.push_back((*strides)[d] * elements[d]);
  }
  if (count >= 0 && llvm::product_of(slice.sizes) != count)
    return local.op->emitOpError()
           << "has sizes of " << llvm::product_of(slice.sizes)
           << " elements for a tensor of " << count;
  return slice;
}

LogicalResult TensorOps::extractSlice(tensor::ExtractSliceOp op) {
  const Tensor &source = *local.operands[0];
  auto slice = getSlice(op, source.shape, -1);
  if (failed(slice))
    return failure();
  SmallVector<int64_t> shape;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [d, size] : llvm::enumerate(slice->sizes))
    if (!dropped.test(d))
      shape.push_back(size);
  FailureOr<TensorPtr> result = make(shape);
  if (failed(result))
    return failure();
  if ((*result)->size() > 0)
    copyStrided(slice->sizes, source.data.data() + slice->start, slice->steps,
                (*result)->data.data(), getStrides(slice->sizes));
  return give(std::move(*result));
}

LogicalResult TensorOps::insertSlice(tensor::InsertSliceOp op) {
  const Tensor &source = *local.operands[0];
  auto result = std::make_shared<Tensor>(*local.operands[1]);
  auto slice = getSlice(op, result->shape, source.size());
  if (failed(slice))
    return failure();
  if (source.size() > 0)
    copyStrided(slice->sizes, source.data.data(), getStrides(slice->sizes),
                result->data.data() + slice->start, slice->steps);
  return give(std::move(result));
}

LogicalResult
TensorOps::fill(Block &body, Tensor &result,
                llvm::function_ref<bool(ArrayRef<int64_t>)> isWanted) {
  FailureOr<ScalarProgram> program = ScalarProgram::compile(body, local.lookup);
  if (failed(program))
    return failure();
  LogicalResult status = success();
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index, int64_t position) {
    if (failed(status) || !isWanted(index))
      return;
    for (auto [d, i] : llvm::enumerate(index))
      program->setArgument(d, fromInt(i));
    status = program->run(index);
    result.data[position] = program->result(0);
  });
  return status;
}

LogicalResult TensorOps::pad(tensor::PadOp op) {
  const Tensor &source = *local.operands[0];
  auto low = getNumbers(op.getMixedLowPad());
  auto high = getNumbers(op.getMixedHighPad());
  if (failed(low) || failed(high))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [d, extent] : llvm::enumerate(source.shape)) {
    if ((*low)[d] < 0 || (*high)[d] < 0)
      return op.emitOpError() << "pads dimension " << d << " by " << (*low)[d]
                              << " and " << (*high)[d] << " elements";
    shape.push_back(extent + (*low)[d] + (*high)[d]);
  }
  FailureOr<TensorPtr> made = make(shape);
  if (failed(made))
    return failure();
  TensorPtr result = std::move(*made);
  auto isOutside = [&](ArrayRef<int64_t> index) {
    for (size_t d = 0; d < index.size(); ++d)
      if (index[d] < (*low)[d] || index[d] >= (*low)[d] + source.shape[d])
        return true;
    return false;
  };
  if (failed(fill(op.getRegion().front(), *result, isOutside)))
    return failure();
  SmallVector<int64_t> strides = getStrides(result->shape);
  int64_t start = 0;
  for (auto [stride, offset] : llvm::zip_equal(strides, *low))
    start += stride * offset;
  if (source.size() > 0)
    copyStrided(source.shape, source.data.data(), getStrides(source.shape),
                result->data.data() + start, strides);
  return give(std::move(result));
}

LogicalResult TensorOps::concat(tensor::ConcatOp op) {
  SmallVector<int64_t> shape(ArrayRef<int64_t>(local.operands[0]->shape));
  for (const TensorRef &piece : local.operands.drop_front()) {
    shape[op.getDim()] += piece->shape[op.getDim()];
    for (auto [d, extent] : llvm::enumerate(piece->shape))
      if (d != op.getDim() && extent != shape[d])
        return op.emitOpError() << "joins pieces of " << shape[d] << " and "
                                << extent << " elements in dimension " << d;
  }
  FailureOr<TensorPtr> made = make(shape);
  if (failed(made))
    return failure();
  TensorPtr result = std::move(*made);
  SmallVector<int64_t> strides = getStrides(result->shape);
  int64_t start = 0;
  for (const TensorRef &piece : local.operands) {
    if (piece->size() > 0)
      copyStrided(piece->shape, piece->data.data(), getStrides(piece->shape),
                  result->data.data() + start, strides);
    start += piece->shape[op.getDim()] * strides[op.getDim()];
  }
  return give(std::move(result));
}

LogicalResult TensorOps::generate(tensor::GenerateOp op) {
  FailureOr<TensorPtr> made = make(op.getDynamicExtents());
  if (failed(made))
    return failure();
  TensorPtr result = std::move(*made);
  if (failed(fill(op.getBody().front(), *result,
                  [](ArrayRef<int64_t>) { return true; })))
    return failure();
  return give(std::move(result));
}

std::optional<LogicalResult>
mlir::dtensor::interp::evaluateTensorOp(const LocalOp &local) {
  using Result = std::optional<LogicalResult>;
  TensorOps ops(local);
  return llvm::TypeSwitch<Operation *, Result>(local.op)
      .Case([&](tensor::EmptyOp op) { return ops.empty(op); })
      .Case([&](tensor::SplatOp op) { return ops.splat(op); })
      .Case([&](tensor::FromElementsOp op) { return ops.fromElements(op); })
      .Case([&](tensor::DimOp op) { return ops.dim(op); })
      .Case([&](tensor::RankOp op) { return ops.rank(op); })
      .Case([&](tensor::ExpandShapeOp op) { return ops.expand(op); })
      .Case([&](tensor::CollapseShapeOp op) { return ops.collapse(op); })
      .Case([&](tensor::ReshapeOp op) { return ops.reshape(op); })
      .Case([&](tensor::CastOp op) { return ops.cast(op); })
      .Case([&](tensor::ExtractOp op) { return ops.extract(op); })
      .Case([&](tensor::InsertOp op) { return ops.insert(op); })
      .Case([&](tensor::ExtractSliceOp op) { return ops.extractSlice(op); })
      .Case([&](tensor::InsertSliceOp op) { return ops.insertSlice(op); })
      .Case([&](tensor::PadOp op) { return ops.pad(op); })
      .Case([&](tensor::ConcatOp op) { return ops.concat(op); })
      .Case([&](tensor::GenerateOp op) { return ops.generate(op); })
      .Default([](Operation *) { return Result(); });
}
