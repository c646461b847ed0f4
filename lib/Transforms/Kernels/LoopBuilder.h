// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short way to write loops on memrefs.
#ifndef DTENSOR_LIB_TRANSFORMS_KERNELS_LOOPBUILDER_H
#define DTENSOR_LIB_TRANSFORMS_KERNELS_LOOPBUILDER_H

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace mlir::dtensor {

/// Builds at `builder`, whose insertion point is inside of the innermost loop
/// while a callback runs. Numbers are of type index unless said otherwise.
class LoopBuilder {
public:
  LoopBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  //===--- Loops ----------------------------------------------------------===//

  /// A loop from 0 below each of `sizes`, the last one innermost.
  void nest(ValueRange sizes, llvm::function_ref<void(ArrayRef<Value>)> body);
  /// A loop that carries a value; the last one is the result.
  Value fold(Value size, Value start,
             llvm::function_ref<Value(Value index, Value carried)> body);
  void when(Value condition, llvm::function_ref<void()> body);

  //===--- Memory ---------------------------------------------------------===//

  SmallVector<Value> sizesOf(Value buffer);
  Value load(Value buffer, ValueRange at);
  void store(Value value, Value buffer, ValueRange at);

  //===--- Numbers and conditions -----------------------------------------===//

  Value index(int64_t value);
  Value boolean(bool value);
  /// From and to an integer of 32 or 64 bits.
  Value toIndex(Value integer);
  Value toI64(Value index);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value bitAnd(Value a, Value b);
  Value shiftLeft(Value a, Value bits);
  /// max(a, 0), min(max(a, 0), size - 1).
  Value atLeastZero(Value a);
  Value clamp(Value a, Value size);
  /// 0 <= a < b, as one unsigned comparison.
  Value isBelow(Value a, Value b);
  Value isEqual(Value a, Value b);
  Value both(Value a, Value b);
  Value either(Value a, Value b);
  Value isNot(Value a);

  //===--- Elements -------------------------------------------------------===//

  /// f32 for floats of 16 bits, else the type itself.
  Type getWideType(Type element);
  Value widen(Value element, Type wide);
  Value narrow(Value wide, Type element);
  /// The value that changes nothing.
  Value identity(ReduceOp op, Type element);
  Value combine(ReduceOp op, Value a, Value b);

  OpBuilder &builder;
  Location loc;
};

/// SortLoops.cpp; `order` is a buffer for the positions of one line.
void buildSort(LoopBuilder &loops, SortOp op, ValueRange inputs,
               ValueRange results, Value order);
void buildTopK(LoopBuilder &loops, TopKOp op, Value input, ValueRange results,
               Value order);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_KERNELS_LOOPBUILDER_H
