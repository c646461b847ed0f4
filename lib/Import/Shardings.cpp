// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shardy's meshes and shardings as dtensor's.

#include "Shardings.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::dtensor;

using Kind = planner::PlacementEntry::Kind;

static constexpr StringLiteral kFrontendAttributes = "mhlo.frontend_attributes";
static constexpr StringLiteral kFrontendMeshes = "xla.sdy.meshes";
static constexpr StringLiteral kFrontendSharding = "xla.sdy.sharding";
static constexpr StringLiteral kSharding = "sdy.sharding";

/// The text of a `#sdy...` attribute, or of a string that holds one.
static std::optional<std::string> getText(Attribute attr) {
  if (auto opaque = dyn_cast_or_null<OpaqueAttr>(attr))
    return opaque.getAttrData().str();
  if (auto string = dyn_cast_or_null<StringAttr>(attr)) {
    // XLA escapes the quotes inside once more.
    std::string text = string.str();
    llvm::erase(text, '\\');
    return text;
  }
  return std::nullopt;
}

/// The sharding among the attributes of a value or an op; null without one.
static Attribute findSharding(DictionaryAttr attributes) {
  if (!attributes)
    return {};
  if (Attribute sharding = attributes.get(kSharding))
    return sharding;
  if (auto frontend = attributes.getAs<DictionaryAttr>(kFrontendAttributes))
    return frontend.get(kFrontendSharding);
  return {};
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

LogicalResult Shardings::addMesh(Location loc, StringRef name,
                                 const shardy::Mesh &mesh) {
  if (mesh.axes.empty()) {
    deviceMeshes.insert(name);
    return success();
  }
  if (!meshes.insert(name).second)
    return success(); // stands in the frontend's attributes too
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  for (Operation &op : *module.getBody())
    if (isa<MeshOp>(op))
      builder.setInsertionPointAfter(&op);
  SmallVector<Attribute> axes;
  for (const auto &[axis, size] : mesh.axes)
    axes.push_back(MeshAxisAttr::get(builder.getContext(), axis, size));
  MeshOp::create(builder, loc, name, builder.getArrayAttr(axes),
                 mesh.devices.empty()
                     ? DenseI64ArrayAttr()
                     : builder.getDenseI64ArrayAttr(mesh.devices));
  return success();
}

LogicalResult Shardings::importMeshes() {
  for (auto mesh : module.getOps<MeshOp>())
    meshes.insert(mesh.getSymName());
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (op.getName().getStringRef() != "sdy.mesh")
      continue;
    auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    std::optional<std::string> text = getText(op.getAttr("mesh"));
    if (!name || !text)
      return op.emitOpError() << "needs the attributes 'sym_name' and 'mesh'";
    auto mesh = shardy::parseMesh(*text);
    if (!mesh)
      return op.emitOpError() << mesh.error().message;
    Location loc = op.getLoc();
    op.erase();
    if (failed(addMesh(loc, name, *mesh)))
      return failure();
  }
  auto frontend = module->getAttrOfType<DictionaryAttr>(kFrontendAttributes);
  std::optional<std::string> text =
      frontend ? getText(frontend.get(kFrontendMeshes)) : std::nullopt;
  if (!text)
    return success();
  auto listed = shardy::parseMeshes(*text);
  if (!listed)
    return module.emitError()
           << "'" << kFrontendMeshes << "': " << listed.error().message;
  for (const auto &[name, mesh] : *listed)
    if (failed(addMesh(module.getLoc(), name, mesh)))
      return failure();
  return success();
}

FailureOr<FlatSymbolRefAttr>
Shardings::getMesh(const shardy::Sharding &sharding, EmitFn emit) {
  std::string name = sharding.meshName;
  if (sharding.inlined) {
    // Equal meshes share their name: it spells them out.
    name = "mesh";
    for (const auto &[axis, size] : sharding.inlined->axes)
      name += "_" + axis + std::to_string(size);
    for (int64_t device : sharding.inlined->devices)
      name += "_" + std::to_string(device);
    if (failed(addMesh(module.getLoc(), name, *sharding.inlined)))
      return failure();
  }
  if (!meshes.contains(name) && !deviceMeshes.contains(name))
    return emit() << "sharding names mesh @" << name
                  << ", which no sdy.mesh of the module declares";
  return FlatSymbolRefAttr::get(module.getContext(), name);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

FailureOr<LayoutAttr> Shardings::convert(const shardy::Sharding &sharding,
                                         Type type, EmitFn emit) {
  MLIRContext *context = module.getContext();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return emit() << "has a sharding and is no tensor, but " << type;
  FailureOr<FlatSymbolRefAttr> mesh = getMesh(sharding, emit);
  if (failed(mesh))
    return failure();
  if (deviceMeshes.contains(mesh->getValue()))
    return LayoutAttr();
  if (sharding.dims.size() != static_cast<size_t>(tensor.getRank()))
    return emit() << "sharding has " << sharding.dims.size()
                  << " dimensions, the tensor has " << tensor.getRank();

  SmallVector<PlacementAttr> placements;
  auto add = [&](const shardy::Axis &axis, Kind kind, int64_t dim,
                 planner::ReduceOp op) {
    placements.push_back(PlacementAttr::get(
        context, AxisAttr::get(context, axis.name, axis.preSize, axis.size),
        kind, dim, op));
  };
  SmallVector<int64_t> openDims;
  // Shardy orders dimensions, a layout has one priority: the strongest of the
  // dimensions that say something.
  std::optional<int64_t> priority;
  for (auto [index, dim] : llvm::enumerate(sharding.dims)) {
    for (const shardy::Axis &axis : dim.axes)
      add(axis, Kind::Shard, index, planner::ReduceOp::Sum);
    if (dim.open)
      openDims.push_back(index);
    if (dim.priority || !dim.axes.empty() || !dim.open)
      priority =
          std::min(priority.value_or(INT64_MAX), dim.priority.value_or(0));
  }
  auto reduction = *planner::parseReduceOp(sharding.reduction);
  if (getElementTypeOrSelf(type).isUnsignedInteger()) {
    if (reduction == planner::ReduceOp::Max)
      reduction = planner::ReduceOp::UMax;
    if (reduction == planner::ReduceOp::Min)
      reduction = planner::ReduceOp::UMin;
  }
  for (const shardy::Axis &axis : sharding.unreduced)
    add(axis, Kind::Partial, 0, reduction);
  for (const shardy::Axis &axis : sharding.replicated)
    add(axis, Kind::Replicate, 0, planner::ReduceOp::Sum);
  bool isOpen = !openDims.empty();
  if (openDims.size() == sharding.dims.size())
    openDims.clear(); // all of them: the short form
  return LayoutAttr::get(context, *mesh, placements, isOpen, openDims,
                         priority.value_or(0));
}

FailureOr<LayoutAttr> Shardings::parseAndConvert(StringRef text, Type type,
                                                 EmitFn emit) {
  auto sharding = shardy::parseSharding(text);
  if (!sharding)
    return emit() << "sharding cannot be read: " << sharding.error().message;
  return convert(*sharding, type, emit);
}

FailureOr<LayoutAttr> Shardings::getLayout(Attribute sharding, Type type,
                                           EmitFn emit) {
  std::optional<std::string> text = getText(sharding);
  if (!text)
    return emit() << "sharding must be a #sdy.sharding, got " << sharding;
  return parseAndConvert(*text, type, emit);
}

FailureOr<LayoutAttr> Shardings::getLayout(DictionaryAttr attributes, Type type,
                                           EmitFn emit) {
  if (!attributes)
    return LayoutAttr();
  Attribute sharding = findSharding(attributes);
  if (!sharding)
    return attributes.getAs<LayoutAttr>(kLayoutAttr);
  return getLayout(sharding, type, emit);
}

LogicalResult Shardings::getLayouts(Operation *op,
                                    SmallVectorImpl<LayoutAttr> &layouts) {
  Attribute attr = findSharding(op->getAttrDictionary());
  if (!attr)
    return success();
  auto emit = [&] { return op->emitOpError(); };
  std::optional<std::string> text = getText(attr);
  if (!text)
    return emit() << "sharding must be a #sdy.sharding_per_value, got " << attr;
  if (!StringRef(*text).contains("sharding_per_value")) {
    if (op->getNumResults() != 1)
      return emit() << "has one sharding for " << op->getNumResults()
                    << " results; write a #sdy.sharding_per_value";
    FailureOr<LayoutAttr> layout =
        parseAndConvert(*text, op->getResult(0).getType(), emit);
    if (failed(layout))
      return failure();
    layouts.push_back(*layout);
    return success();
  }
  auto shardings = shardy::parsePerValue(*text);
  if (!shardings)
    return emit() << "sharding cannot be read: " << shardings.error().message;
  if (shardings->size() != op->getNumResults())
    return emit() << "has " << shardings->size() << " shardings for "
                  << op->getNumResults() << " results";
  for (auto [sharding, type] :
       llvm::zip_equal(*shardings, op->getResultTypes())) {
    FailureOr<LayoutAttr> layout = convert(sharding, type, emit);
    if (failed(layout))
      return failure();
    layouts.push_back(*layout);
  }
  return success();
}

LogicalResult Shardings::getLayouts(Attribute list, TypeRange types,
                                    SmallVectorImpl<LayoutAttr> &layouts,
                                    EmitFn emit) {
  auto checkCount = [&](size_t count) -> LogicalResult {
    if (count == types.size())
      return success();
    return emit() << "has " << count << " shardings for " << types.size()
                  << " values";
  };
  auto add = [&](FailureOr<LayoutAttr> layout) -> LogicalResult {
    if (succeeded(layout))
      layouts.push_back(*layout);
    return layout;
  };
  if (auto array = dyn_cast_or_null<ArrayAttr>(list)) {
    if (failed(checkCount(array.size())))
      return failure();
    for (auto [sharding, type] : llvm::zip_equal(array, types))
      if (failed(add(getLayout(sharding, type, emit))))
        return failure();
    return success();
  }
  std::optional<std::string> text = list ? getText(list) : std::nullopt;
  if (!text)
    return emit() << "has no list of shardings";
  auto shardings = shardy::parsePerValue(*text);
  if (!shardings)
    return emit() << "sharding cannot be read: " << shardings.error().message;
  if (failed(checkCount(shardings->size())))
    return failure();
  for (auto [sharding, type] : llvm::zip_equal(*shardings, types))
    if (failed(add(convert(sharding, type, emit))))
      return failure();
  return success();
}
