// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bridge between layout attributes and the planner's layouts.

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dtensor;

std::optional<planner::ElementType> mlir::dtensor::getElementType(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  using planner::ElementType;
  // Asked for every tensor again and again: no text on the way.
  return llvm::TypeSwitch<Type, std::optional<ElementType>>(type)
      .Case<Float64Type>([](Type) { return ElementType::F64; })
      .Case<Float32Type>([](Type) { return ElementType::F32; })
      .Case<Float16Type>([](Type) { return ElementType::F16; })
      .Case<BFloat16Type>([](Type) { return ElementType::BF16; })
      .Case<Float8E4M3FNType>([](Type) { return ElementType::F8E4M3FN; })
      .Case<Float8E5M2Type>([](Type) { return ElementType::F8E5M2; })
      .Case<IntegerType>([](IntegerType integer) -> std::optional<ElementType> {
        if (!integer.isSignless())
          return std::nullopt;
        switch (integer.getWidth()) {
        case 1:
          return ElementType::I1;
        case 8:
          return ElementType::I8;
        case 16:
          return ElementType::I16;
        case 32:
          return ElementType::I32;
        case 64:
          return ElementType::I64;
        default:
          return std::nullopt;
        }
      })
      .Default([](Type) { return std::nullopt; });
}

MeshOp mlir::dtensor::lookupMesh(Operation *from, FlatSymbolRefAttr name) {
  return SymbolTable::lookupNearestSymbolFrom<MeshOp>(from, name);
}

FailureOr<planner::Mesh>
mlir::dtensor::verifyMesh(Operation *from, FlatSymbolRefAttr name,
                          llvm::function_ref<InFlightDiagnostic()> emit) {
  Operation *symbol = SymbolTable::lookupNearestSymbolFrom(from, name);
  if (!symbol)
    return emit() << "unknown mesh " << name
                  << " (declare it with `dtensor.mesh`)";
  auto mesh = dyn_cast<MeshOp>(symbol);
  if (!mesh)
    return emit() << name << " is no dtensor.mesh but a " << symbol->getName();
  planner::Expected<planner::Mesh> form = mesh.checkPlannerMesh();
  if (!form)
    return emit() << "mesh " << name
                  << " is not valid: " << form.error().message;
  return *form;
}

planner::Expected<planner::AxisRef>
mlir::dtensor::getAxisRef(const planner::Mesh &mesh, AxisAttr axis) {
  std::string text = axis.getName().str();
  // A name is no text to parse: "x:(1)2" is not the part of an axis.
  if (mesh.findAxis(text) < 0) {
    std::string names;
    for (const planner::MeshAxis &known : mesh.axes())
      names += (names.empty() ? "" : ", ") + known.name;
    return planner::Error{"unknown axis '" + text + "' (the mesh has " + names +
                          ")"};
  }
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
  std::optional<planner::ElementType> element = getElementType(type);
  if (!element) {
    std::string name;
    llvm::raw_string_ostream(name) << type.getElementType();
    return planner::Error{"element type " + name + " cannot lie on a mesh"};
  }
  std::vector<planner::PlacementEntry> entries;
  for (PlacementAttr placement : attr.getPlacements()) {
    planner::Expected<planner::AxisRef> axis =
        getAxisRef(mesh, placement.getAxis());
    if (!axis)
      return axis.error();
    entries.push_back(
        {*axis, placement.getKind(), placement.getDim(), placement.getOp()});
    if (placement.getKind() != planner::PlacementEntry::Kind::Partial)
      continue;
    // On every axis that is written, also those of size 1. // (C6)
    planner::Layout single;
    single.partials.push_back({*axis, placement.getOp()});
    if (planner::Status status = planner::checkElementType(single, *element);
        !status)
      return status.error();
  }
  planner::Openness openness;
  openness.open = attr.getOpen();
  for (int64_t dim : attr.getOpenDims()) {
    if (dim < 0 || dim >= type.getRank()) // (C4)
      return planner::Error{"open dim " + std::to_string(dim) +
                            " is out of range, the tensor has rank " +
                            std::to_string(type.getRank())};
    openness.dims.push_back(static_cast<int>(dim));
  }
  return planner::makeLayout(mesh, static_cast<int>(type.getRank()), entries,
                             openness);
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
  FailureOr<planner::Mesh> mesh = verifyMesh(from, attr.getMesh(), emit);
  if (failed(mesh)) // (C1)
    return failure();
  planner::Expected<planner::Layout> layout = // (C2) to (C6)
      getLayout(*mesh, attr, tensor);
  if (!layout)
    return emit() << layout.error().message;
  return success();
}

RankedTensorType mlir::dtensor::getLocalType(const planner::Layout &layout,
                                             RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, axes] : llvm::zip_equal(shape, layout.dims)) {
    int64_t parts = planner::totalSize(axes);
    size = size % parts == 0 ? size / parts : ShapedType::kDynamic;
  }
  return RankedTensorType::get(shape, type.getElementType());
}
