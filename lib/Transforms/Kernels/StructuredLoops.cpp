// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of scan, gather, scatter and reduce_window, and who builds what.
// SortLoops.cpp has those of sort and top_k.

#include "StructuredLoops.h"

#include "LoopBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

/// One line after the other, with the running value in a register; f32 for
/// floats of 16 bits.
static void buildScan(LoopBuilder &loops, ScanOp op, Value input,
                      Value result) {
  int64_t dim = op.getDim();
  Type element = cast<MemRefType>(input.getType()).getElementType();
  Type wide = loops.getWideType(element);
  SmallVector<Value> sizes = loops.sizesOf(input);
  Value length = sizes[dim];
  sizes[dim] = loops.index(1);
  loops.nest(sizes, [&](ArrayRef<Value> outer) {
    SmallVector<Value> at(outer);
    Value start = loops.identity(op.getOp(), wide);
    loops.fold(length, start, [&](Value i, Value running) {
      at[dim] =
          op.getReverse() ? loops.sub(loops.sub(length, loops.index(1)), i) : i;
      Value next = loops.combine(op.getOp(), running,
                                 loops.widen(loops.load(input, at), wide));
      loops.store(loops.narrow(op.getExclusive() ? running : next, element),
                  result, at);
      return next;
    });
  });
}

//===----------------------------------------------------------------------===//
// gather, scatter
//===----------------------------------------------------------------------===//

/// Element `part` (batch first) of the parts at `indices` as an element of the
/// whole tensor: positions as the data says, and the rest of `part`.
static SmallVector<Value> placeOf(LoopBuilder &loops, ArrayRef<Value> part,
                                  Value indices, ArrayRef<int64_t> dims,
                                  int64_t rank) {
  auto batch = cast<MemRefType>(indices.getType()).getRank() - 1;
  SmallVector<Value> at(rank);
  SmallVector<Value> entry(part.take_front(batch));
  entry.emplace_back();
  for (auto [number, dim] : llvm::enumerate(dims)) {
    entry.back() = loops.index(number);
    at[dim] = loops.toIndex(loops.load(indices, entry));
  }
  ArrayRef<Value> rest = part.drop_front(batch);
  for (Value &place : at)
    if (!place) {
      place = rest.front();
      rest = rest.drop_front();
    }
  return at;
}

static void buildGather(LoopBuilder &loops, GatherOp op, ValueRange inputs,
                        Value result) {
  Value source = inputs[0];
  SmallVector<Value> sizes = loops.sizesOf(source);
  loops.nest(loops.sizesOf(result), [&](ArrayRef<Value> part) {
    SmallVector<Value> at =
        placeOf(loops, part, inputs[1], op.getDims(), sizes.size());
    for (int64_t dim : op.getDims())
      at[dim] = loops.clamp(at[dim], sizes[dim]);
    loops.store(loops.load(source, at), result, part);
  });
}

static void buildScatter(LoopBuilder &loops, ScatterOp op, ValueRange inputs,
                         Value result) {
  Value updates = inputs[0];
  SmallVector<Value> sizes = loops.sizesOf(result);
  loops.nest(loops.sizesOf(updates), [&](ArrayRef<Value> part) {
    SmallVector<Value> at =
        placeOf(loops, part, inputs[1], op.getDims(), sizes.size());
    Value isInside = loops.boolean(true);
    for (int64_t dim : op.getDims())
      isInside = loops.both(isInside, loops.isBelow(at[dim], sizes[dim]));
    loops.when(isInside, [&] {
      Value update = loops.load(updates, part);
      if (op.getOp())
        update = loops.combine(*op.getOp(), loops.load(result, at), update);
      loops.store(update, result, at);
    });
  });
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

static void buildReduceWindow(LoopBuilder &loops, ReduceWindowOp op,
                              Value input, Value result) {
  SmallVector<Value> sizes = loops.sizesOf(input);
  SmallVector<Value> window;
  for (int64_t size : op.getWindow())
    window.push_back(loops.index(size));
  loops.nest(loops.sizesOf(result), [&](ArrayRef<Value> place) {
    loops.nest(window, [&](ArrayRef<Value> offset) {
      SmallVector<Value> at;
      Value isInside = loops.boolean(true);
      for (size_t dim = 0; dim < sizes.size(); ++dim) {
        Value start = loops.mul(place[dim], loops.index(op.getStrides()[dim]));
        Value moved =
            loops.mul(offset[dim], loops.index(op.getDilations()[dim]));
        at.push_back(
            loops.sub(loops.add(start, moved), loops.index(op.getLow()[dim])));
        // Before the start wraps around to a large number.
        isInside = loops.both(isInside, loops.isBelow(at[dim], sizes[dim]));
      }
      loops.when(isInside, [&] {
        loops.store(loops.combine(op.getOp(), loops.load(result, place),
                                  loops.load(input, at)),
                    result, place);
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool mlir::dtensor::hasStructuredLoops(Operation *op) {
  return isa<ScanOp, SortOp, TopKOp, GatherOp, ScatterOp, ReduceWindowOp>(op);
}

RankedTensorType mlir::dtensor::getScratchType(Operation *op) {
  auto orderOf = [&](int64_t dim) {
    auto keys = cast<RankedTensorType>(op->getOperand(0).getType());
    // Positions in one line.
    return RankedTensorType::get({keys.getDimSize(dim)},
                                 IntegerType::get(op->getContext(), 64));
  };
  if (auto sort = dyn_cast<SortOp>(op))
    return orderOf(sort.getDim());
  if (auto topK = dyn_cast<TopKOp>(op))
    return orderOf(topK.getDim());
  return {};
}

void mlir::dtensor::buildStructuredLoops(OpBuilder &builder, Operation *op,
                                         ValueRange inputs, ValueRange results,
                                         Value scratch) {
  LoopBuilder loops(builder, op->getLoc());
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ScanOp scan) { buildScan(loops, scan, inputs[0], results[0]); })
      .Case([&](SortOp sort) {
        buildSort(loops, sort, inputs, results, scratch);
      })
      .Case([&](TopKOp topK) {
        buildTopK(loops, topK, inputs[0], results, scratch);
      })
      .Case([&](GatherOp gather) {
        buildGather(loops, gather, inputs, results[0]);
      })
      .Case([&](ScatterOp scatter) {
        buildScatter(loops, scatter, inputs, results[0]);
      })
      .Case([&](ReduceWindowOp reduce) {
        buildReduceWindow(loops, reduce, inputs[0], results[0]);
      });
}
