// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of kernels: constants of the program, made anew where a kernel needs
// them.

#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::dtensor;

FailureOr<Value> mlir::dtensor::cloneScalar(OpBuilder &builder, Value value,
                                            Operation *user) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return user->emitOpError()
           << "uses a scalar that is not a constant; this is not compiled yet";
  return builder.clone(*constant)->getResult(0);
}

FailureOr<Value> mlir::dtensor::makeElement(OpBuilder &builder, Value value,
                                            Operation *user) {
  Operation *op = value.getDefiningOp();
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return cloneScalar(builder, fill.getInputs()[0], user);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return cloneScalar(builder, splat.getInput(), user);
  TypedAttr attr = cast<TypedAttr>(builder.getZeroAttr(type));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    attr = cast<TypedAttr>(cast<SplatElementsAttr>(constant.getValue())
                               .getSplatValue<Attribute>());
  return arith::ConstantOp::create(builder, value.getLoc(), attr).getResult();
}

LogicalResult mlir::dtensor::cloneCaptured(OpBuilder &builder, Operation *op,
                                           IRMapping &mapping) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured) {
    FailureOr<Value> scalar = cloneScalar(builder, value, op);
    if (failed(scalar))
      return failure();
    mapping.map(value, *scalar);
  }
  return success();
}
