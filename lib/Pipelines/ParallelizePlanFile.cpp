// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a dtensor.parallelize_plan from a JSON file:
//
//   {"mesh": "mesh",
//    "styles": [{"pattern": "*.w1", "style": "colwise", "axis": "tp"}],
//    "layouts": [{"pattern": "embedding", "layout": "tp=shard(0)"}],
//    "inputs": [{"index": 0, "layout": "dp=shard(0)", "open": false}],
//    "outputs": [{"index": 0, "layout": "dp=shard(0)"}]}
//
// Layouts have the form that dtensor-plan takes. "mesh" may be left out where
// the program has one mesh, and so may any list.

#include "ParallelizePlanFile.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::dtensor;
namespace json = llvm::json;

namespace {

struct StyleEntry {
  std::string pattern, axis;
  Style style;
};

struct LayoutEntry {
  std::string pattern, layout;
  bool open = false;
};

/// An argument or a result.
struct BoundaryEntry {
  int64_t index = 0;
  std::string layout;
  bool open = false;
};

struct PlanDocument {
  std::string mesh;
  std::vector<StyleEntry> styles;
  std::vector<LayoutEntry> layouts;
  std::vector<BoundaryEntry> inputs, outputs;
};

} // namespace

/// Whoever writes "pattrn" shall hear of it.
static bool hasOnlyFields(const json::Value &value, json::Path path,
                          ArrayRef<StringRef> fields) {
  std::vector<StringRef> others;
  if (const json::Object *object = value.getAsObject())
    for (const auto &entry : *object)
      if (!llvm::is_contained(fields, StringRef(entry.first)))
        others.push_back(entry.first);
  if (others.empty())
    return true;
  // The object is a hash table.
  path.field(*llvm::min_element(others)).report("unknown field");
  return false;
}

// Named by llvm::json, which finds them by their arguments' namespace.
namespace {

bool fromJSON(const json::Value &value, StyleEntry &entry, json::Path path) {
  json::ObjectMapper mapper(value, path);
  std::string style;
  if (!mapper || !hasOnlyFields(value, path, {"pattern", "style", "axis"}) ||
      !mapper.map("pattern", entry.pattern) || !mapper.map("style", style) ||
      !mapper.map("axis", entry.axis))
    return false;
  std::optional<Style> known = symbolizeStyle(style);
  if (!known) {
    path.field("style").report(
        "expected colwise, rowwise, sequence, replicate, fully_sharded or "
        "expert");
    return false;
  }
  entry.style = *known;
  return true;
}

bool fromJSON(const json::Value &value, LayoutEntry &entry, json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && hasOnlyFields(value, path, {"pattern", "layout", "open"}) &&
         mapper.map("pattern", entry.pattern) &&
         mapper.map("layout", entry.layout) &&
         mapper.mapOptional("open", entry.open);
}

bool fromJSON(const json::Value &value, BoundaryEntry &entry, json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && hasOnlyFields(value, path, {"index", "layout", "open"}) &&
         mapper.map("index", entry.index) &&
         mapper.map("layout", entry.layout) &&
         mapper.mapOptional("open", entry.open);
}

bool fromJSON(const json::Value &value, PlanDocument &plan, json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper &&
         hasOnlyFields(value, path,
                       {"mesh", "styles", "layouts", "inputs", "outputs"}) &&
         mapper.mapOptional("mesh", plan.mesh) &&
         mapper.mapOptional("styles", plan.styles) &&
         mapper.mapOptional("layouts", plan.layouts) &&
         mapper.mapOptional("inputs", plan.inputs) &&
         mapper.mapOptional("outputs", plan.outputs);
}

} // namespace

/// The mesh called `name`, or the only one.
static MeshOp findMesh(ModuleOp module, StringRef name, Location loc) {
  SmallVector<std::string> names;
  SmallVector<MeshOp> found;
  for (auto mesh : module.getOps<MeshOp>()) {
    names.push_back(("@" + mesh.getSymName()).str());
    if (name.empty() || mesh.getSymName() == name)
      found.push_back(mesh);
  }
  if (found.size() == 1)
    return found.front();
  InFlightDiagnostic diag = emitError(loc);
  if (name.empty())
    diag << "\"mesh\" must name one of the program's meshes";
  else
    diag << "the program has no mesh @" << name;
  diag << "; it has " << (names.empty() ? "none" : llvm::join(names, ", "));
  return {};
}

/// The placements that `text` says; `what` stands in diagnostics.
static FailureOr<ArrayAttr> readPlacements(OpBuilder &builder, Location loc,
                                           MeshOp mesh, StringRef text,
                                           const Twine &what) {
  // Dimensions are checked where the plan meets the program.
  constexpr int kAnyRank = 64;
  auto layout =
      planner::parseLayout(mesh.getPlannerMesh(), kAnyRank, text.str());
  if (!layout)
    return emitError(loc) << "\"layout\" of " << what << ": "
                          << layout.error().message;
  LayoutAttr attr = getLayoutAttr(FlatSymbolRefAttr::get(mesh.getSymNameAttr()),
                                  mesh.getPlannerMesh(), *layout);
  SmallVector<Attribute> placements(attr.getPlacements().begin(),
                                    attr.getPlacements().end());
  return builder.getArrayAttr(placements);
}

template <typename OpTy>
static LogicalResult addBoundary(OpBuilder &builder, Location loc, MeshOp mesh,
                                 const BoundaryEntry &entry, StringRef what) {
  FailureOr<ArrayAttr> placements = readPlacements(
      builder, loc, mesh, entry.layout, what + " " + Twine(entry.index));
  if (failed(placements))
    return failure();
  OpTy::create(builder, loc, builder.getI64IntegerAttr(entry.index),
               *placements, entry.open ? builder.getUnitAttr() : UnitAttr());
  return success();
}

static LogicalResult addEntries(OpBuilder &builder, Location loc, MeshOp mesh,
                                const PlanDocument &plan) {
  for (const StyleEntry &entry : plan.styles)
    StyleOp::create(builder, loc, entry.pattern, entry.style, entry.axis);
  for (const LayoutEntry &entry : plan.layouts) {
    FailureOr<ArrayAttr> placements =
        readPlacements(builder, loc, mesh, entry.layout,
                       "pattern \"" + Twine(entry.pattern) + "\"");
    if (failed(placements))
      return failure();
    PlaceOp::create(builder, loc, builder.getStringAttr(entry.pattern),
                    *placements,
                    entry.open ? builder.getUnitAttr() : UnitAttr());
  }
  for (const BoundaryEntry &entry : plan.inputs)
    if (failed(addBoundary<PrepareInputOp>(builder, loc, mesh, entry, "input")))
      return failure();
  for (const BoundaryEntry &entry : plan.outputs)
    if (failed(
            addBoundary<PrepareOutputOp>(builder, loc, mesh, entry, "output")))
      return failure();
  return success();
}

LogicalResult mlir::dtensor::addParallelizePlan(ModuleOp module,
                                                StringRef path) {
  MLIRContext *context = module.getContext();
  Location loc = FileLineColLoc::get(context, path, 0, 0);
  std::string message;
  auto file = openInputFile(path, &message);
  if (!file)
    return emitError(loc) << message;
  llvm::Expected<PlanDocument> plan =
      json::parse<PlanDocument>(file->getBuffer(), "plan");
  if (!plan)
    return emitError(loc) << "is no parallelisation plan: "
                          << llvm::toString(plan.takeError());
  for (auto own : module.getOps<ParallelizePlanOp>())
    return own.emitOpError() << "is a plan of the program's own, and "
                                "--parallelize brings another; keep one";
  MeshOp mesh = findMesh(module, plan->mesh, loc);
  if (!mesh)
    return failure();
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(module.getBody());
  auto op =
      ParallelizePlanOp::create(builder, loc, "from_file", mesh.getSymName());
  builder.setInsertionPointToStart(&op.getEntries().emplaceBlock());
  if (failed(addEntries(builder, loc, mesh, *plan)))
    return failure();
  return verify(op);
}
