// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-clone-reference: keeps the unsharded form of each program beside it.

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_CLONEREFERENCEPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

/// The mesh that the function's layouts are on; null where it has none.
static FlatSymbolRefAttr findMesh(func::FuncOp func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (auto layout = func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr))
      return layout.getMesh();
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (auto layout = func.getResultAttrOfType<LayoutAttr>(i, kLayoutAttr))
      return layout.getMesh();
  FlatSymbolRefAttr mesh;
  func.walk([&](Operation *op) {
    if (auto constrain = dyn_cast<ConstrainOp>(op))
      mesh = constrain.getLayout().getMesh();
    if (auto redistribute = dyn_cast<RedistributeOp>(op))
      mesh = redistribute.getLayout().getMesh();
  });
  return mesh;
}

/// Replicates everything: all layouts go, but the results still say which mesh
/// it is.
static void stripLayouts(func::FuncOp func) {
  FlatSymbolRefAttr mesh = findMesh(func);
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    func.removeArgAttr(i, kLayoutAttr);
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (mesh && isa<RankedTensorType>(type))
      func.setResultAttr(
          i, kLayoutAttr,
          LayoutAttr::get(func.getContext(), mesh, {}, false, {}, 0));
  func.walk([](Operation *op) {
    if (!isa<ConstrainOp, RedistributeOp>(op))
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

/// True where ranks compute something each of their own: one rank cannot do so
/// for them.
static bool speaksOfRanks(func::FuncOp func) {
  return func
      .walk([](Operation *op) {
        bool isLocal = isa<ToLocalOp, FromLocalOp>(op) ||
                       isa_and_nonnull<comm::CommDialect>(op->getDialect());
        return isLocal ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct CloneReferencePass
    : mlir::dtensor::impl::CloneReferencePassBase<CloneReferencePass> {
  using Base::Base;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> programs;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.isPublic() && !func.isExternal() && !speaksOfRanks(func))
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
