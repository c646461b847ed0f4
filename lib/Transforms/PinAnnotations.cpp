// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-pin-annotations: keeps the annotations of functions that are inlined.

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_PINANNOTATIONSPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

/// Puts the layouts of the arguments on the uses of the arguments.
static void pinArguments(func::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto layout = func.getArgAttrOfType<LayoutAttr>(index, kLayoutAttr);
    if (!layout)
      continue;
    auto pinned = ConstrainOp::create(builder, argument.getLoc(),
                                      argument.getType(), argument, layout);
    argument.replaceAllUsesExcept(pinned.getResult(), pinned);
    if (func.isPrivate())
      func.removeArgAttr(index, kLayoutAttr);
  }
}

/// Puts the layouts of the results on what is returned.
static void pinResults(func::FuncOp func) {
  for (Block &block : func.getBody()) {
    auto ret = dyn_cast<func::ReturnOp>(block.getTerminator());
    if (!ret)
      continue;
    OpBuilder builder(ret);
    for (OpOperand &operand : ret->getOpOperands())
      if (auto layout = func.getResultAttrOfType<LayoutAttr>(
              operand.getOperandNumber(), kLayoutAttr))
        operand.set(ConstrainOp::create(builder, ret.getLoc(),
                                        operand.get().getType(), operand.get(),
                                        layout));
  }
  if (!func.isPrivate())
    return;
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    func.removeResultAttr(i, StringAttr::get(func.getContext(), kLayoutAttr));
}

namespace {
struct PinAnnotationsPass
    : mlir::dtensor::impl::PinAnnotationsPassBase<PinAnnotationsPass> {
  using Base::Base;
  void runOnOperation() override {
    DenseSet<StringRef> called;
    getOperation().walk(
        [&](func::CallOp call) { called.insert(call.getCallee()); });
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal() || !called.contains(func.getName()))
        continue;
      pinArguments(func);
      pinResults(func);
    }
  }
};
} // namespace
