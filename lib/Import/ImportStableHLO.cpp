// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-import-stablehlo: StableHLO with Shardy annotations to linalg with
// layouts.
//
//   %1 = stablehlo.dot_general %x, %w, ...      ->  linalg.matmul ...
//   {sdy.sharding = #sdy.sharding<@m, [{"x"}]>} ->  {dtensor.layout = ...}

#include "dtensor/Import/Passes.h"

#include "ProgramImporter.h"
#include "dtensor/Import/StubDialects.h"

#include "dtensor/Dialect/Comm/Comm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_IMPORTSTABLEHLOPASS
#include "dtensor/Import/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

/// Removes what frontends say about a whole module.
static void dropModuleAttributes(ModuleOp module) {
  SmallVector<StringAttr> dropped;
  for (NamedAttribute attribute : module->getDiscardableAttrs()) {
    StringRef dialect = attribute.getName().getValue().split('.').first;
    if (dialect == "mhlo" || dialect == "jax" || dialect == "sdy" ||
        dialect == "stablehlo" || !attribute.getNameDialect())
      dropped.push_back(attribute.getName());
  }
  for (StringAttr name : dropped)
    module->removeDiscardableAttr(name);
}

/// A program without mesh is one for a single device.
static void ensureMesh(ModuleOp module) {
  if (!module.getOps<MeshOp>().empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  StringRef name = "mesh";
  if (SymbolTable::lookupSymbolIn(module, name))
    name = "single_rank_mesh";
  MeshOp::create(
      builder, module.getLoc(), name,
      builder.getArrayAttr(MeshAxisAttr::get(builder.getContext(), "rank", 1)),
      DenseI64ArrayAttr());
}

namespace {
struct ImportStableHLOPass
    : mlir::dtensor::impl::ImportStableHLOPassBase<ImportStableHLOPass> {
  using Base::Base;

  LogicalResult importModule(ModuleOp module) {
    if (!needsImport(module))
      return success();
    Shardings shardings(module);
    if (failed(shardings.importMeshes()))
      return failure();
    for (Operation &op : *module.getBody())
      if (isForeignOp(&op))
        return op.emitOpError() << "stands outside of functions";
    ProgramImporter importer(module, shardings);
    SmallVector<func::FuncOp> old(module.getOps<func::FuncOp>());
    if (!old.empty() &&
        llvm::none_of(old, [](func::FuncOp func) { return func.isPublic(); }))
      return module.emitError() << "has no public function to import";
    for (func::FuncOp func : old)
      if (func.isPublic() && failed(importer.importFunction(func)))
        return failure();
    for (func::FuncOp func : old)
      func.erase();
    dropModuleAttributes(module);
    ensureMesh(module);
    return success();
  }

  void runOnOperation() override {
    if (failed(importModule(getOperation())))
      signalPassFailure();
  }
};
} // namespace
