// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of kernels: constants, and what a rank knows of itself, made anew
// where a kernel needs them.

#include "Scalars.h"

#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// The induction variable of a loop that has a number; null for other values.
static Attribute getCounter(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp())
          : scf::ForOp();
  if (!loop || argument != loop.getInductionVar())
    return {};
  auto number = loop->getAttrOfType<IntegerAttr>(kLoopNumberAttr);
  std::optional<int64_t> start = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!number || !start || !step)
    return {};
  return sched::CounterAttr::get(value.getContext(), number.getInt(), *start,
                                 *step);
}

/// Makes `value` at `builder`; `made` has what is there already. False where a
/// kernel cannot.
static bool cloneInto(OpBuilder &builder, KernelFunction &function, Value value,
                      IRMapping &made) {
  if (made.contains(value))
    return true;
  if (Attribute counter = getCounter(value)) {
    Value number = function.bring(counter);
    if (number.getType() != value.getType())
      number = arith::IndexCastOp::create(builder, value.getLoc(),
                                          value.getType(), number);
    made.map(value, number);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  Attribute number = getRankNumber(op);
  if (!number && !isScalarArithmetic(op))
    return false;
  for (Value operand : op->getOperands())
    if (!cloneInto(builder, function, operand, made))
      return false;
  if (!number)
    builder.clone(*op, made);
  else if (auto fixed = dyn_cast<IntegerAttr>(number))
    made.map(value, arith::ConstantIndexOp::create(builder, op->getLoc(),
                                                   fixed.getInt())
                        .getResult());
  else
    made.map(value, function.bring(number));
  return true;
}

FailureOr<Value> mlir::dtensor::cloneScalar(OpBuilder &builder,
                                            KernelFunction &function,
                                            Value value, Operation *user) {
  IRMapping made;
  if (!cloneInto(builder, function, value, made))
    return user->emitOpError() << "uses a scalar that is not a constant; "
                                  "this is not compiled yet";
  return made.lookup(value);
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
