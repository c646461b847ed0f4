// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sdy.manual_computation: its body on the parts that ranks hold, between
// dtensor.to_local and dtensor.from_local. Axes that are not manual replicate:
// their ranks run the body on the same values, which is right whatever the
// shardings in the body ask for.

#include "ProgramImporter.h"

using namespace mlir;
using namespace mlir::dtensor;

/// `layout` on the manual axes alone, closed.
static LayoutAttr keepManualAxes(LayoutAttr layout, ArrayAttr axes) {
  SmallVector<PlacementAttr> kept;
  for (PlacementAttr placement : layout.getPlacements())
    if (placement.getKind() != planner::PlacementEntry::Kind::Replicate &&
        llvm::any_of(axes.getAsRange<StringAttr>(), [&](StringAttr axis) {
          return axis.getValue() == placement.getAxis().getName();
        }))
      kept.push_back(placement);
  return LayoutAttr::get(layout.getContext(), layout.getMesh(), kept,
                         /*open=*/false, {}, /*priority=*/0);
}

/// The mesh that all of `layouts` are on; null where there is none.
static FlatSymbolRefAttr findMesh(ArrayRef<LayoutAttr> layouts) {
  for (LayoutAttr layout : layouts)
    if (layout)
      return layout.getMesh();
  return {};
}

LogicalResult ProgramImporter::importManual(OpImport &import) {
  Operation *op = import.op;
  auto emit = [&] { return import.emitError(); };
  auto axes = op->getAttrOfType<ArrayAttr>("manual_axes");
  if (manualMesh)
    return emit() << "stands in another one; only one level is imported";
  if (!axes || !llvm::all_of(axes, llvm::IsaPred<StringAttr>) ||
      op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() ||
      op->getRegion(0).getNumArguments() != op->getNumOperands())
    return emit() << "needs 'manual_axes', and a body of one block with an "
                     "argument for each operand";
  SmallVector<LayoutAttr> inputs, outputs;
  if (failed(shardings.getLayouts(op->getAttr("in_shardings"),
                                  op->getOperandTypes(), inputs, emit)) ||
      failed(shardings.getLayouts(op->getAttr("out_shardings"),
                                  op->getResultTypes(), outputs, emit)))
    return failure();
  FlatSymbolRefAttr mesh = findMesh(inputs);
  if (!mesh)
    mesh = findMesh(outputs);
  if (!mesh)
    return emit() << "has no sharding on a mesh of several devices";
  auto onMesh = [&](LayoutAttr layout) {
    if (!layout)
      return LayoutAttr::get(op->getContext(), mesh, {}, false, {}, 0);
    return keepManualAxes(layout, axes);
  };

  Block &body = op->getRegion(0).front();
  IRMapping values;
  for (auto [argument, operand, layout] :
       llvm::zip_equal(body.getArguments(), import.operands, inputs)) {
    Type local = import.form.convert(argument.getType());
    if (!local)
      return emit() << "has a body that takes " << argument.getType();
    values.map(argument, ToLocalOp::create(import.builder, import.loc(), local,
                                           operand, onMesh(layout))
                             .getResult());
  }
  manualMesh = mesh;
  FailureOr<SmallVector<Value>> returned =
      importBlock(body, values, import.form, import.builder);
  manualMesh = {};
  if (failed(returned))
    return failure();
  if (returned->size() != op->getNumResults())
    return emit() << "has " << op->getNumResults()
                  << " results, its body gives " << returned->size();
  for (auto [value, type, layout] :
       llvm::zip_equal(*returned, op->getResultTypes(), outputs)) {
    Type global = import.form.convert(type);
    if (!global)
      return emit() << "has a result of type " << type;
    import.results.push_back(FromLocalOp::create(
        import.builder, import.loc(), global, value, onMesh(layout)));
  }
  return success();
}
