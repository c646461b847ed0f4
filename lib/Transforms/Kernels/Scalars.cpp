// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of kernels: constants, and what a rank knows of itself, made anew
// where a kernel needs them.

#include "Scalars.h"

#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::dtensor;

/// What a rank knows of itself: an integer where all ranks know the same. Null
/// for other ops.
static Attribute getRankNumber(Operation *op) {
  if (auto extent = dyn_cast<comm::LocalExtentOp>(op))
    return getLocalExtent(extent);
  if (auto index = dyn_cast<comm::AxisIndexOp>(op))
    return sched::AxisIndexAttr::get(op->getContext(), index.getAxesAttr());
  return {};
}

/// True for arithmetic on scalars that a kernel can do again.
static bool isScalarArithmetic(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         hasNoTensors(op) && op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

FailureOr<Value> mlir::dtensor::cloneScalar(OpBuilder &builder,
                                            KernelFunction &function,
                                            Value value, Operation *user) {
  llvm::SetVector<Operation *> needed;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || (!getRankNumber(op) && !isScalarArithmetic(op)))
      return user->emitOpError() << "uses a scalar that is not a constant; "
                                    "this is not compiled yet";
    if (needed.insert(op))
      llvm::append_range(pending, op->getOperands());
  }
  SmallVector<Operation *> order = needed.takeVector();
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  IRMapping mapping;
  for (Operation *op : order) {
    Attribute number = getRankNumber(op);
    if (!number)
      builder.clone(*op, mapping);
    else if (auto fixed = dyn_cast<IntegerAttr>(number))
      mapping.map(op->getResult(0), arith::ConstantIndexOp::create(
                                        builder, op->getLoc(), fixed.getInt())
                                        .getResult());
    else
      mapping.map(op->getResult(0), function.bring(number));
  }
  return mapping.lookup(value);
}

FailureOr<Value> mlir::dtensor::makeElement(OpBuilder &builder,
                                            KernelFunction &function,
                                            Value value, Operation *user) {
  Operation *op = value.getDefiningOp();
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return cloneScalar(builder, function, fill.getInputs()[0], user);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return cloneScalar(builder, function, splat.getInput(), user);
  TypedAttr attr = cast<TypedAttr>(builder.getZeroAttr(type));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    attr = cast<TypedAttr>(cast<SplatElementsAttr>(constant.getValue())
                               .getSplatValue<Attribute>());
  return arith::ConstantOp::create(builder, value.getLoc(), attr).getResult();
}

LogicalResult mlir::dtensor::cloneCaptured(OpBuilder &builder,
                                           KernelFunction &function,
                                           Operation *op, IRMapping &mapping) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured) {
    FailureOr<Value> scalar = cloneScalar(builder, function, value, op);
    if (failed(scalar))
      return failure();
    mapping.map(value, *scalar);
  }
  return success();
}
