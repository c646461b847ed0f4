// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of the operations between the global view and one rank's.

#include "dtensor/Dialect/DTensor/DTensor.h"

using namespace mlir;
using namespace mlir::dtensor;

/// Checks that `layout` is a closed one of `global`, and that `local` is what
/// a rank holds in it; `what` names the value.
static LogicalResult verifyPart(Operation *op, LayoutAttr layout, Type global,
                                Type local, const Twine &what) {
  auto emit = [&] { return op->emitOpError() << what << ": "; };
  if (failed(verifyLayout(op, layout, global, emit)))
    return failure();
  if (layout.getOpen())
    return emit() << "has the open layout " << layout
                  << "; name what every axis does and leave out '...'";
  planner::Mesh mesh = lookupMesh(op, layout.getMesh()).getPlannerMesh();
  auto tensor = cast<RankedTensorType>(global);
  RankedTensorType expected =
      getLocalType(*getLayout(mesh, layout, tensor), tensor);
  if (expected != local)
    return emit() << "a rank holds " << expected << " of " << tensor << ", got "
                  << local;
  return success();
}

// (C1) to (C3)
LogicalResult ToLocalOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyPart(*this, getLayout(), getInput().getType(),
                    getResult().getType(), "operand");
}

// (C1) to (C3)
LogicalResult FromLocalOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyPart(*this, getLayout(), getResult().getType(),
                    getInput().getType(), "result");
}

/// (C1), and (C2) or (C3): `locals` are the parts of `globals`.
static LogicalResult verifyParts(ManualOp op, ArrayAttr layouts,
                                 TypeRange globals, TypeRange locals,
                                 StringRef what, StringRef inBody) {
  if (layouts.size() != globals.size())
    return op.emitOpError() << "has " << globals.size() << ' ' << what
                            << "s and " << layouts.size() << " layouts for "
                            << "them; write one for each";
  if (locals.size() != globals.size())
    return op.emitOpError() << "has " << globals.size() << ' ' << what
                            << "s, its body " << inBody << ' ' << locals.size();
  for (auto [index, layout, global, local] :
       llvm::enumerate(layouts.getAsRange<LayoutAttr>(), globals, locals))
    if (failed(
            verifyPart(op, layout, global, local, what + " " + Twine(index))))
      return failure();
  return success();
}

LogicalResult ManualOp::verifySymbolUses(SymbolTableCollection &) {
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  LayoutAttr first;
  for (ArrayAttr layouts : {getInLayouts(), getOutLayouts()})
    for (auto layout : layouts.getAsRange<LayoutAttr>()) {
      if (first && first.getMesh() != layout.getMesh())
        return emitOpError()
               << "has layouts on " << first.getMesh() << " and on "
               << layout.getMesh() << "; a manual region is on one mesh";
      first = first ? first : layout;
    }
  if (failed(verifyParts(*this, getInLayouts(), getInputs().getTypes(),
                         getBody().getArgumentTypes(), "operand", "takes")))
    return failure();
  return verifyParts(*this, getOutLayouts(), getResultTypes(),
                     yield.getOperandTypes(), "result", "yields");
}
