// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, numbers and elements of kernels.

#include "LoopBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void LoopBuilder::nest(ValueRange sizes,
                       llvm::function_ref<void(ArrayRef<Value>)> body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> indices;
  Value zero = index(0), one = index(1);
  for (Value size : sizes) {
    auto loop = scf::ForOp::create(builder, loc, zero, size, one);
    indices.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  body(indices);
}

Value LoopBuilder::fold(
    Value size, Value start,
    llvm::function_ref<Value(Value index, Value carried)> body) {
  OpBuilder::InsertionGuard guard(builder);
  auto loop = scf::ForOp::create(builder, loc, index(0), size, index(1), start);
  builder.setInsertionPointToStart(loop.getBody());
  Value next = body(loop.getInductionVar(), loop.getRegionIterArgs()[0]);
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

void LoopBuilder::when(Value condition, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(builder);
  auto branch =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

SmallVector<Value> LoopBuilder::sizesOf(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(
        type.isDynamicDim(dim)
            ? memref::DimOp::create(builder, loc, buffer, dim).getResult()
            : index(type.getDimSize(dim)));
  return sizes;
}

Value LoopBuilder::load(Value buffer, ValueRange at) {
  return memref::LoadOp::create(builder, loc, buffer, at);
}

void LoopBuilder::store(Value value, Value buffer, ValueRange at) {
  memref::StoreOp::create(builder, loc, value, buffer, at);
}

//===----------------------------------------------------------------------===//
// Numbers and conditions
//===----------------------------------------------------------------------===//

Value LoopBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value LoopBuilder::boolean(bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

Value LoopBuilder::toIndex(Value integer) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    integer);
}

Value LoopBuilder::toI64(Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

Value LoopBuilder::add(Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b);
}

Value LoopBuilder::sub(Value a, Value b) {
  return arith::SubIOp::create(builder, loc, a, b);
}

Value LoopBuilder::mul(Value a, Value b) {
  return arith::MulIOp::create(builder, loc, a, b);
}

Value LoopBuilder::bitAnd(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}

Value LoopBuilder::shiftLeft(Value a, Value bits) {
  return arith::ShLIOp::create(builder, loc, a, bits);
}

Value LoopBuilder::atLeastZero(Value a) {
  return arith::MaxSIOp::create(builder, loc, a, index(0));
}

Value LoopBuilder::clamp(Value a, Value size) {
  return arith::MinSIOp::create(builder, loc, atLeastZero(a),
                                sub(size, index(1)));
}

Value LoopBuilder::isBelow(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
}

Value LoopBuilder::isEqual(Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}

Value LoopBuilder::both(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}

Value LoopBuilder::either(Value a, Value b) {
  return arith::OrIOp::create(builder, loc, a, b);
}

Value LoopBuilder::isNot(Value a) {
  return arith::XOrIOp::create(builder, loc, a, boolean(true));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Type LoopBuilder::getWideType(Type element) {
  bool isSmall =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 16;
  return isSmall ? builder.getF32Type() : element;
}

Value LoopBuilder::widen(Value element, Type wide) {
  if (element.getType() == wide)
    return element;
  return arith::ExtFOp::create(builder, loc, wide, element);
}

Value LoopBuilder::narrow(Value wide, Type element) {
  if (wide.getType() == element)
    return wide;
  return arith::TruncFOp::create(builder, loc, element, wide);
}

Value LoopBuilder::identity(ReduceOp op, Type element) {
  auto makeFloat = [&](const llvm::APFloat &value) -> TypedAttr {
    return builder.getFloatAttr(element, value);
  };
  TypedAttr attr;
  if (auto type = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &format = type.getFloatSemantics();
    // Only -0.0 leaves every float as it is when it is added.
    if (op == ReduceOp::Sum)
      attr = makeFloat(llvm::APFloat::getZero(format, /*Negative=*/true));
    else if (op == ReduceOp::Product)
      attr = makeFloat(llvm::APFloat::getOne(format));
    else
      attr = makeFloat(
          llvm::APFloat::getInf(format, /*Negative=*/op == ReduceOp::Max));
  } else {
    unsigned width = element.getIntOrFloatBitWidth();
    llvm::APInt value = llvm::APInt::getZero(width);
    if (op == ReduceOp::Product)
      value = llvm::APInt(width, 1);
    else if (op == ReduceOp::Min)
      value = llvm::APInt::getSignedMaxValue(width);
    else if (op == ReduceOp::Max)
      value = llvm::APInt::getSignedMinValue(width);
    else if (op == ReduceOp::UMin || op == ReduceOp::BAnd)
      value = llvm::APInt::getAllOnes(width);
    attr = builder.getIntegerAttr(element, value);
  }
  return arith::ConstantOp::create(builder, loc, attr);
}

Value LoopBuilder::combine(ReduceOp op, Value a, Value b) {
  if (isa<FloatType>(a.getType())) {
    switch (op) {
    case ReduceOp::Sum:
      return arith::AddFOp::create(builder, loc, a, b);
    case ReduceOp::Product:
      return arith::MulFOp::create(builder, loc, a, b);
    case ReduceOp::Min:
      return arith::MinimumFOp::create(builder, loc, a, b);
    default: // Max; verified
      return arith::MaximumFOp::create(builder, loc, a, b);
    }
  }
  switch (op) {
  case ReduceOp::Sum:
    return arith::AddIOp::create(builder, loc, a, b);
  case ReduceOp::Product:
    return arith::MulIOp::create(builder, loc, a, b);
  case ReduceOp::Min:
    return arith::MinSIOp::create(builder, loc, a, b);
  case ReduceOp::Max:
    return arith::MaxSIOp::create(builder, loc, a, b);
  case ReduceOp::UMin:
    return arith::MinUIOp::create(builder, loc, a, b);
  case ReduceOp::UMax:
    return arith::MaxUIOp::create(builder, loc, a, b);
  case ReduceOp::BAnd:
    return arith::AndIOp::create(builder, loc, a, b);
  case ReduceOp::BOr:
    return arith::OrIOp::create(builder, loc, a, b);
  default: // BXor; verified
    return arith::XOrIOp::create(builder, loc, a, b);
  }
}
