// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that copy parts of tensors: slices, insertions, concatenations.

#include "KernelBuilder.h"
#include "Scalars.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::dtensor;

/// Offsets inside of `whole`: those that are computed are moved to where the
/// part fits, so that no kernel leaves its buffer.
static LogicalResult makeOffsets(OpBuilder &builder, KernelFunction &function,
                                 OffsetSizeAndStrideOpInterface slice,
                                 ArrayRef<OpFoldResult> sizes, Value whole,
                                 SmallVectorImpl<OpFoldResult> &offsets) {
  Location loc = slice.getLoc();
  auto number = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  };
  for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    auto computed = dyn_cast<Value>(offset);
    if (!computed) {
      offsets.push_back(offset);
      continue;
    }
    FailureOr<Value> scalar = cloneScalar(builder, function, computed, slice);
    if (failed(scalar))
      return failure();
    // The last place: extent - ((size - 1) * stride + 1).
    Value one = number(builder.getIndexAttr(1));
    Value reach = arith::MulIOp::create(
        builder, loc,
        arith::SubIOp::create(builder, loc, number(sizes[dim]), one),
        number(builder.getIndexAttr(slice.getStaticStrides()[dim])));
    Value extent = number(memref::getMixedSize(builder, loc, whole, dim));
    Value last = arith::SubIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, extent, one), reach);
    Value low = arith::MaxSIOp::create(builder, loc, *scalar,
                                       number(builder.getIndexAttr(0)));
    offsets.push_back(
        arith::MinSIOp::create(builder, loc, low, last).getResult());
  }
  return success();
}

/// The sizes of `slice`; those that differ by rank are arguments of the kernel.
static SmallVector<OpFoldResult> makeSizes(OpBuilder &builder,
                                           const KernelFunction &function,
                                           OffsetSizeAndStrideOpInterface slice,
                                           ArrayRef<Attribute> extents) {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(slice.getStaticSizes())) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(builder.getIndexAttr(size));
      continue;
    }
    Attribute extent = extents[dim];
    sizes.push_back(llvm::find_if(function.extents, [&](const auto &entry) {
                      return entry.first == extent;
                    })->second);
  }
  return sizes;
}

/// The view of `whole` that `slice` says, with the shape of `part`.
static FailureOr<Value> makeView(OpBuilder &builder, KernelFunction &function,
                                 OffsetSizeAndStrideOpInterface slice,
                                 ArrayRef<Attribute> extents, Value whole,
                                 RankedTensorType part) {
  SmallVector<OpFoldResult> sizes =
      makeSizes(builder, function, slice, extents);
  SmallVector<OpFoldResult> offsets;
  if (failed(makeOffsets(builder, function, slice, sizes, whole, offsets)))
    return failure();
  SmallVector<OpFoldResult> strides =
      getAsIndexOpFoldResult(builder.getContext(), slice.getStaticStrides());
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      part.getShape(), cast<MemRefType>(whole.getType()), offsets, sizes,
      strides);
  return memref::SubViewOp::create(builder, slice.getLoc(), type, whole,
                                   offsets, sizes, strides)
      .getResult();
}

FailureOr<Kernel> KernelBuilder::buildSlice(tensor::ExtractSliceOp slice) {
  Kernel kernel{{}, {slice.getSource()}, {slice.getResult()}, {}};
  KernelFunction function =
      startFunction(slice.getLoc(), kernel.inputs, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  FailureOr<Value> view =
      makeView(builder, function, slice, extents->get(slice.getSource()),
               function.buffers[0], slice.getType());
  if (failed(view))
    return failure();
  linalg::CopyOp::create(builder, slice.getLoc(), ValueRange(*view),
                         ValueRange(function.buffers[1]));
  finish(function, kernel);
  return kernel;
}

FailureOr<Kernel> KernelBuilder::buildInsert(tensor::InsertSliceOp insert) {
  Value source = insert.getSource(), whole = insert.getDest();
  bool isMade = isFreeTensor(whole);
  Kernel kernel{{}, {source}, {insert.getResult()}, {}};
  if (!isMade && whole != source)
    kernel.inputs.push_back(whole);
  Location loc = insert.getLoc();
  KernelFunction function = startFunction(loc, kernel.inputs, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  Value target = function.buffers.back();
  if (isMade) {
    FailureOr<Value> element = makeElement(builder, function, whole, insert);
    if (failed(element))
      return failure();
    linalg::FillOp::create(builder, loc, ValueRange(*element),
                           ValueRange(target));
  } else {
    linalg::CopyOp::create(
        builder, loc, ValueRange(function.buffers[whole == source ? 0 : 1]),
        ValueRange(target));
  }
  if (!llvm::is_contained(insert.getSourceType().getShape(), 0)) {
    FailureOr<Value> view =
        makeView(builder, function, insert, extents->get(insert.getResult()),
                 target, insert.getSourceType());
    if (failed(view))
      return failure();
    linalg::CopyOp::create(builder, loc, ValueRange(function.buffers[0]),
                           ValueRange(*view));
  }
  finish(function, kernel);
  return kernel;
}

FailureOr<Kernel> KernelBuilder::buildConcat(tensor::ConcatOp concat) {
  Kernel kernel{{}, {}, {concat.getResult()}, {}};
  for (Value input : concat.getInputs())
    if (!llvm::is_contained(kernel.inputs, input))
      kernel.inputs.push_back(input);
  Location loc = concat.getLoc();
  KernelFunction function = startFunction(loc, kernel.inputs, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  Value target = function.buffers.back();
  int64_t rank = concat.getResultType().getRank();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(rank, builder.getIndexAttr(1));
  int64_t start = 0;
  for (Value input : concat.getInputs()) {
    if (llvm::is_contained(cast<RankedTensorType>(input.getType()).getShape(),
                           0))
      continue; // no part of the target, whose views begin inside of it
    Value source =
        function
            .buffers[llvm::find(kernel.inputs, input) - kernel.inputs.begin()];
    offsets[concat.getDim()] = builder.getIndexAttr(start);
    Value part = memref::SubViewOp::create(
        builder, loc, target, offsets,
        memref::getMixedSizes(builder, loc, source), strides);
    linalg::CopyOp::create(builder, loc, ValueRange(source), ValueRange(part));
    // The joined dimension is whole on every rank.
    start +=
        cast<RankedTensorType>(input.getType()).getDimSize(concat.getDim());
  }
  finish(function, kernel);
  return kernel;
}
