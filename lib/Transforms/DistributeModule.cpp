// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// distributeModule: layouts of parameters, inputs and outputs by callbacks.

#include "dtensor/Transforms/DistributeModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

class Distribution {
public:
  Distribution(MeshOp mesh, const DistributeCallbacks &callbacks)
      : name(FlatSymbolRefAttr::get(mesh.getSymNameAttr())),
        mesh(mesh.getPlannerMesh()), callbacks(callbacks) {}

  LogicalResult run(func::FuncOp func) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (failed(layOutArgument(func, i)))
        return failure();
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      if (failed(layOutResult(func, i)))
        return failure();
    return success();
  }

private:
  LogicalResult layOutArgument(func::FuncOp func, unsigned index) {
    auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[index]);
    if (!type || func.getArgAttr(index, kLayoutAttr))
      return success();
    auto parameter = func.getArgAttrOfType<StringAttr>(index, kNameAttr);
    std::optional<planner::Layout> layout;
    if (parameter) {
      if (callbacks.partition)
        layout = callbacks.partition(parameter, type, mesh);
      if (!layout)
        layout = planner::Layout::replicated(type.getRank());
    } else if (callbacks.input) {
      layout = callbacks.input(index, type, mesh);
    }
    if (!layout)
      return success();
    FailureOr<LayoutAttr> attr = check(func, *layout, type, "argument", index);
    if (succeeded(attr))
      func.setArgAttr(index, kLayoutAttr, *attr);
    return attr;
  }

  LogicalResult layOutResult(func::FuncOp func, unsigned index) {
    auto type = dyn_cast<RankedTensorType>(func.getResultTypes()[index]);
    if (!type || func.getResultAttr(index, kLayoutAttr) || !callbacks.output)
      return success();
    std::optional<planner::Layout> layout = callbacks.output(index, type, mesh);
    if (!layout)
      return success();
    FailureOr<LayoutAttr> attr = check(func, *layout, type, "result", index);
    if (succeeded(attr))
      func.setResultAttr(index, kLayoutAttr, *attr);
    return attr;
  }

  /// The attribute of `layout`, where it is one of `type`.
  FailureOr<LayoutAttr> check(func::FuncOp func, const planner::Layout &layout,
                              RankedTensorType type, StringRef what,
                              unsigned index) {
    auto emit = [&] {
      return func.emitOpError() << what << ' ' << index
                                << " is given a layout that does not fit: ";
    };
    if (layout.rank() != type.getRank())
      return emit() << "it is for rank " << layout.rank() << ", the type is "
                    << type;
    LayoutAttr attr = getLayoutAttr(name, mesh, layout);
    if (failed(verifyLayout(func, attr, type, emit)))
      return failure();
    return attr;
  }

  FlatSymbolRefAttr name;
  planner::Mesh mesh;
  const DistributeCallbacks &callbacks;
};

} // namespace

LogicalResult
mlir::dtensor::distributeModule(ModuleOp module, StringRef mesh,
                                const DistributeCallbacks &callbacks) {
  auto op = module.lookupSymbol<MeshOp>(mesh);
  if (!op)
    return module.emitError()
           << "has no dtensor.mesh @" << mesh << " to distribute it on";
  if (auto checked = op.checkPlannerMesh(); !checked)
    return op.emitOpError() << checked.error().message;
  Distribution distribution(op, callbacks);
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal() && failed(distribution.run(func)))
      return failure();
  return success();
}
