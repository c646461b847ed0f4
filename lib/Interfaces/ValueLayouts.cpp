// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the layouts that propagation wrote.

#include "dtensor/Interfaces/ValueLayouts.h"

#include "dtensor/Interfaces/ControlFlow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::dtensor;

/// Entry `index` of the array attribute `name` of `op`.
static LayoutAttr getEntry(Operation *op, StringRef name, unsigned index) {
  auto layouts = op->getAttrOfType<ArrayAttr>(name);
  if (!layouts || index >= layouts.size())
    return {};
  return dyn_cast<LayoutAttr>(layouts[index]);
}

/// The layout of an argument of a loop's region: that of the operand or result
/// which it is one with.
static LayoutAttr getCarriedLayout(BlockArgument argument, Operation *loop) {
  for (const ControlTie &tie : getControlTies(loop)) {
    if (!llvm::is_contained(tie.values, argument))
      continue;
    if (auto result = dyn_cast<OpResult>(tie.values.back()))
      return getEntry(loop, kLayoutsAttr, result.getResultNumber());
    OpOperand *init = tie.sources.front();
    return getEntry(loop, kOperandLayoutsAttr, init->getOperandNumber());
  }
  return {};
}

LayoutAttr mlir::dtensor::getValueLayout(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isControlFlow(parent))
      return getCarriedLayout(argument, parent);
    auto func = dyn_cast<FunctionOpInterface>(parent);
    if (!func || !argument.getOwner()->isEntryBlock())
      return {};
    return func.getArgAttrOfType<LayoutAttr>(argument.getArgNumber(),
                                             kLayoutAttr);
  }
  auto result = cast<OpResult>(value);
  if (auto redistribute = dyn_cast<RedistributeOp>(result.getOwner()))
    return redistribute.getLayout();
  if (auto fromLocal = dyn_cast<FromLocalOp>(result.getOwner()))
    return fromLocal.getLayout();
  return getEntry(result.getOwner(), kLayoutsAttr, result.getResultNumber());
}

LayoutAttr mlir::dtensor::getOperandLayout(OpOperand &operand) {
  if (auto ret = dyn_cast<func::ReturnOp>(operand.getOwner()))
    return ret->getParentOfType<func::FuncOp>().getResultAttrOfType<LayoutAttr>(
        operand.getOperandNumber(), kLayoutAttr);
  if (auto toLocal = dyn_cast<ToLocalOp>(operand.getOwner()))
    return toLocal.getLayout();
  return getEntry(operand.getOwner(), kOperandLayoutsAttr,
                  operand.getOperandNumber());
}

bool mlir::dtensor::isLocal(Value value) {
  Operation *def = value.getDefiningOp();
  return def && (isa<ToLocalOp>(def) || def->hasAttr(kLocalAttr));
}

bool mlir::dtensor::hasNoTensors(Operation *op) {
  auto isGlobalTensor = [](Value value) {
    return isDistributable(value.getType()) && !isLocal(value);
  };
  return llvm::none_of(op->getOperands(), isGlobalTensor) &&
         llvm::none_of(op->getResults(), isGlobalTensor);
}
