// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bridge between layout attributes and the planner's layouts.

#include "dtensor/Dialect/DTensor/DTensor.h"

using namespace mlir;
using namespace mlir::dtensor;

std::optional<planner::ElementType> mlir::dtensor::getElementType(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  std::string name;
  llvm::raw_string_ostream(name) << type;
  // The planner's names are those of MLIR's text.
  return planner::parseElementType(name);
}

MeshOp mlir::dtensor::lookupMesh(Operation *from, FlatSymbolRefAttr name) {
  return SymbolTable::lookupNearestSymbolFrom<MeshOp>(from, name);
}

planner::Expected<planner::AxisRef>
mlir::dtensor::getAxisRef(const planner::Mesh &mesh, AxisAttr axis) {
  std::string text = axis.getName().str();
  if (axis.getSize() != 0)
    text += ":(" + std::to_string(axis.getPreSize()) + ")" +
            std::to_string(axis.getSize());
  return planner::parseAxisRef(mesh, text);
}

planner::Expected<std::vector<planner::AxisRef>>
mlir::dtensor::getAxisRefs(const planner::Mesh &mesh, ArrayAttr axes) {
  std::vector<planner::AxisRef> refs;
  for (auto axis : axes.getAsRange<AxisAttr>()) {
    planner::Expected<planner::AxisRef> ref = getAxisRef(mesh, axis);
    if (!ref)
      return ref.error();
    refs.push_back(*ref);
  }
  return refs;
}

AxisAttr mlir::dtensor::getAxisAttr(MLIRContext *context,
                                    const planner::Mesh &mesh,
                                    const planner::AxisRef &ref) {
  StringRef name = mesh.axes()[ref.axis].name;
  if (mesh.isWhole(ref))
    return AxisAttr::get(context, name);
  return AxisAttr::get(context, name, ref.preSize, ref.size);
}

ArrayAttr mlir::dtensor::getAxesAttr(MLIRContext *context,
                                     const planner::Mesh &mesh,
                                     ArrayRef<planner::AxisRef> refs) {
  SmallVector<Attribute> axes;
  for (const planner::AxisRef &ref : refs)
    axes.push_back(getAxisAttr(context, mesh, ref));
  return ArrayAttr::get(context, axes);
}

planner::Expected<planner::Layout>
mlir::dtensor::getLayout(const planner::Mesh &mesh, LayoutAttr attr,
                         RankedTensorType type) {
  std::vector<planner::PlacementEntry> entries;
  for (PlacementAttr placement : attr.getPlacements()) {
    planner::Expected<planner::AxisRef> axis =
        getAxisRef(mesh, placement.getAxis());
    if (!axis)
      return axis.error();
    entries.push_back(
        {*axis, placement.getKind(), placement.getDim(), placement.getOp()});
  }
  planner::Openness openness;
  openness.open = attr.getOpen();
  for (int64_t dim : attr.getOpenDims())
    openness.dims.push_back(static_cast<int>(dim));
  planner::Expected<planner::Layout> layout = planner::makeLayout(
      mesh, static_cast<int>(type.getRank()), entries, openness);
  if (!layout)
    return layout;
  std::optional<planner::ElementType> element = getElementType(type);
  if (!element)
    return planner::Error{"element type cannot lie on a mesh"};
  if (planner::Status status = planner::checkElementType(*layout, *element);
      !status)
    return status.error();
  return layout;
}

LayoutAttr mlir::dtensor::getLayoutAttr(FlatSymbolRefAttr meshName,
                                        const planner::Mesh &mesh,
                                        const planner::Layout &layout) {
  MLIRContext *context = meshName.getContext();
  SmallVector<PlacementAttr> placements;
  for (const planner::PlacementEntry &entry : planner::layoutEntries(layout))
    placements.push_back(
        PlacementAttr::get(context, getAxisAttr(context, mesh, entry.axis),
                           entry.kind, entry.dim, entry.op));
  SmallVector<int64_t> openDims(layout.openness.dims.begin(),
                                layout.openness.dims.end());
  return LayoutAttr::get(context, meshName, placements, layout.openness.open,
                         openDims, 0);
}

LogicalResult
mlir::dtensor::verifyLayout(Operation *from, LayoutAttr attr, Type type,
                            llvm::function_ref<InFlightDiagnostic()> emit) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return emit() << "a layout needs a ranked tensor, got " << type;
  MeshOp mesh = lookupMesh(from, attr.getMesh());
  if (!mesh) // (C1)
    return emit() << "unknown mesh " << attr.getMesh()
                  << " (declare it with `dtensor.mesh`)";
  planner::Expected<planner::Layout> layout = // (C2) to (C6)
      getLayout(mesh.getPlannerMesh(), attr, tensor);
  if (!layout)
    return emit() << layout.error().message;
  return success();
}

RankedTensorType mlir::dtensor::getLocalType(const planner::Mesh &mesh,
                                             const planner::Layout &layout,
                                             RankedTensorType type) {
  std::vector<int64_t> shape = type.getShape().vec();
  if (!planner::isEven(layout, shape))
    return {};
  return RankedTensorType::get(planner::maxLocalShape(mesh, layout, shape),
                               type.getElementType());
}
