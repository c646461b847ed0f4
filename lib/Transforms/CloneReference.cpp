// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-clone-reference: keeps the unsharded form of each program beside it.

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_CLONEREFERENCEPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

/// Removes everything that says how values lie on a mesh.
static void stripLayouts(func::FuncOp func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    func.removeArgAttr(i, kLayoutAttr);
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    func.removeResultAttr(i, StringAttr::get(func.getContext(), kLayoutAttr));
  func.walk([](Operation *op) {
    if (!isa<ConstrainOp, RedistributeOp>(op))
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

namespace {
struct CloneReferencePass
    : mlir::dtensor::impl::CloneReferencePassBase<CloneReferencePass> {
  using Base::Base;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> programs;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.isPublic() && !func.isExternal())
        programs.push_back(func);
    for (func::FuncOp func : programs) {
      func::FuncOp copy = func.clone();
      copy.setName((func.getName() + ".reference").str());
      copy.setPrivate();
      copy->setAttr(kReferenceOfAttr, func.getNameAttr());
      stripLayouts(copy);
      symbols.insert(copy);
    }
  }
};
} // namespace
