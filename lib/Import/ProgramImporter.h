// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports the public functions of a module, with what they call.
#ifndef DTENSOR_LIB_IMPORT_PROGRAMIMPORTER_H
#define DTENSOR_LIB_IMPORT_PROGRAMIMPORTER_H

#include "OpImport.h"
#include "Shardings.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {

class ProgramImporter : public BlockImporter {
public:
  ProgramImporter(ModuleOp module, Shardings &shardings);

  /// Makes the imported form of `func` before it, under the same name. The
  /// caller erases the old one when all are imported.
  LogicalResult importFunction(func::FuncOp func);

  FailureOr<SmallVector<Value>> importBlock(Block &block, IRMapping &values,
                                            const BodyForm &form,
                                            OpBuilder &builder) override;
  FlatSymbolRefAttr getManualMesh() const override { return manualMesh; }

private:
  /// Imports `op` and maps its results.
  LogicalResult importOp(Operation *op, IRMapping &values, const BodyForm &form,
                         OpBuilder &builder);
  LogicalResult importForeign(OpImport &import);
  LogicalResult importCall(OpImport &import);
  LogicalResult importCustomCall(OpImport &import);
  LogicalResult importConstraint(OpImport &import);
  LogicalResult importManual(OpImport &import);
  LogicalResult importNative(OpImport &import, IRMapping &values);
  /// Applies the shardings on the op to its results.
  LogicalResult constrainResults(OpImport &import);
  FailureOr<Type> getType(Type type, const Twine &value, EmitFn emit);

  Shardings &shardings;
  SymbolTable symbols;
  ImportRules rules;
  /// Functions whose bodies are being imported, outermost first.
  SmallVector<func::FuncOp> active;
  /// The mesh of the manual computation that is being imported.
  FlatSymbolRefAttr manualMesh;
  /// Ops imported so far: calls may multiply them.
  int64_t numOps = 0;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_IMPORT_PROGRAMIMPORTER_H
