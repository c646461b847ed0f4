// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of sort and top_k: the positions of a line are sorted by the elements
// that they name, then the line is written in their order. The network of
// Batcher's merge exchange (Knuth, The Art of Computer Programming, 5.2.2,
// algorithm M) sorts any length in place with n log^2 n comparisons; that equal
// elements compare by their positions makes it stable.

#include "LoopBuilder.h"

using namespace mlir;
using namespace mlir::dtensor;

/// True where `a` comes before `b`: NaN is the largest, zeros are equal.
static Value comesBefore(LoopBuilder &loops, Value a, Value b,
                         bool descending) {
  OpBuilder &builder = loops.builder;
  Location loc = loops.loc;
  Type type = a.getType();
  if (!isa<FloatType>(type)) {
    bool isBool = type.isInteger(1);
    auto predicate =
        descending ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt;
    if (isBool)
      predicate =
          descending ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::ult;
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value smaller = descending ? b : a, larger = descending ? a : b;
  Value isLess = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                       smaller, larger);
  Value isNumber = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ORD, smaller, smaller);
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      larger, larger);
  return arith::OrIOp::create(builder, loc, isLess,
                              loops.both(isNumber, isNaN));
}

/// Sorts `order`, positions 0 to n - 1, by the elements of the line of `keys`
/// at `line` (whose entry `dim` is free).
static void sortOrder(LoopBuilder &loops, Value keys, ArrayRef<Value> line,
                      int64_t dim, bool descending, Value order) {
  int64_t size = cast<MemRefType>(order.getType()).getDimSize(0);
  loops.nest(loops.index(size), [&](ArrayRef<Value> i) {
    loops.store(loops.toI64(i[0]), order, i);
  });
  int64_t levels = size > 1 ? llvm::Log2_64_Ceil(size) : 0;
  Type wide =
      loops.getWideType(cast<MemRefType>(keys.getType()).getElementType());
  auto keyOf = [&](Value position) {
    SmallVector<Value> at(line);
    at[dim] = loops.toIndex(position);
    return loops.widen(loops.load(keys, at), wide);
  };
  // One pass of the network: places i and i + distance, where i & mask is
  // remainder.
  auto pass = [&](Value mask, Value remainder, Value distance) {
    Value count = loops.atLeastZero(loops.sub(loops.index(size), distance));
    loops.nest(count, [&](ArrayRef<Value> i) {
      Value isMine = loops.isEqual(loops.bitAnd(i[0], mask), remainder);
      loops.when(isMine, [&] {
        Value j = loops.add(i[0], distance);
        Value a = loops.load(order, i[0]), b = loops.load(order, j);
        Value keyA = keyOf(a), keyB = keyOf(b);
        Value isLater = comesBefore(loops, keyB, keyA, descending);
        Value isEarlier = comesBefore(loops, keyA, keyB, descending);
        Value ties =
            loops.both(loops.isBelow(loops.toIndex(b), loops.toIndex(a)),
                       loops.isNot(isEarlier));
        loops.when(loops.either(isLater, ties), [&] {
          loops.store(b, order, i[0]);
          loops.store(a, order, j);
        });
      });
    });
  };
  Value one = loops.index(1);
  loops.nest(loops.index(levels), [&](ArrayRef<Value> level) {
    // p = 2^(levels - 1 - level)
    Value last = loops.sub(loops.index(levels), one);
    Value p = loops.shiftLeft(one, loops.sub(last, level[0]));
    pass(p, loops.index(0), p);
    // q = 2^(levels - 1), ..., 2 p
    loops.nest(level[0], [&](ArrayRef<Value> step) {
      Value q = loops.shiftLeft(one, loops.sub(last, step[0]));
      pass(p, p, loops.sub(q, p));
    });
  });
}

/// Calls `write(line)` for every line of `keys`, once `order` is its order.
static void
forEachSortedLine(LoopBuilder &loops, Value keys, int64_t dim, bool descending,
                  Value order,
                  llvm::function_ref<void(ArrayRef<Value> line)> write) {
  SmallVector<Value> sizes = loops.sizesOf(keys);
  sizes[dim] = loops.index(1);
  loops.nest(sizes, [&](ArrayRef<Value> line) {
    sortOrder(loops, keys, line, dim, descending, order);
    write(line);
  });
}

void mlir::dtensor::buildSort(LoopBuilder &loops, SortOp op, ValueRange inputs,
                              ValueRange results, Value order) {
  int64_t dim = op.getDim();
  Value length = loops.sizesOf(order)[0];
  forEachSortedLine(loops, inputs[0], dim, op.getDescending(), order,
                    [&](ArrayRef<Value> line) {
                      loops.nest(length, [&](ArrayRef<Value> i) {
                        SmallVector<Value> from(line), to(line);
                        from[dim] = loops.toIndex(loops.load(order, i));
                        to[dim] = i[0];
                        for (auto [input, result] :
                             llvm::zip_equal(inputs, results))
                          loops.store(loops.load(input, from), result, to);
                      });
                    });
}

void mlir::dtensor::buildTopK(LoopBuilder &loops, TopKOp op, Value input,
                              ValueRange results, Value order) {
  int64_t dim = op.getDim();
  Value length = loops.sizesOf(results[0])[dim];
  forEachSortedLine(
      loops, input, dim, /*descending=*/true, order, [&](ArrayRef<Value> line) {
        loops.nest(length, [&](ArrayRef<Value> i) {
          SmallVector<Value> from(line), to(line);
          Value position = loops.load(order, i);
          from[dim] = loops.toIndex(position);
          to[dim] = i[0];
          loops.store(loops.load(input, from), results[0], to);
          Type type = cast<MemRefType>(results[1].getType()).getElementType();
          if (!type.isInteger(64))
            position = arith::TruncIOp::create(loops.builder, loops.loc, type,
                                               position);
          loops.store(position, results[1], to);
        });
      });
}
