// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of parallelize_plan and its entries; the patterns of styles.

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Where in `name` one can be after `pattern`, having been at `from` before.
/// Sets of positions keep this linear in both, whatever the pattern.
static llvm::BitVector advance(StringRef pattern, StringRef name,
                               llvm::BitVector from) {
  while (!pattern.empty()) {
    char token = pattern.front();
    pattern = pattern.drop_front();
    llvm::BitVector to(from.size());
    if (token == '*') {
      if (int first = from.find_first(); first >= 0)
        to.set(first, from.size());
    } else if (token == '{') {
      auto [names, rest] = pattern.split('}');
      SmallVector<StringRef> alternatives;
      names.split(alternatives, ',');
      for (StringRef alternative : alternatives)
        to |= advance(alternative, name, from);
      pattern = rest;
    } else {
      for (int at : from.set_bits())
        if (static_cast<size_t>(at) < name.size() && name[at] == token)
          to.set(at + 1);
    }
    from = to;
  }
  return from;
}

bool mlir::dtensor::matchesPattern(StringRef pattern, StringRef name) {
  llvm::BitVector start(name.size() + 1);
  start.set(0);
  return advance(pattern, name, start).test(name.size());
}

/// What is wrong with a pattern; empty where nothing is.
static StringRef checkPattern(StringRef pattern) {
  if (pattern.empty())
    return "is empty";
  while (!pattern.empty()) {
    size_t brace = pattern.find_first_of("{}");
    if (brace == StringRef::npos)
      return "";
    if (pattern[brace] == '}')
      return "has a '}' without '{'";
    pattern = pattern.drop_front(brace + 1);
    size_t end = pattern.find_first_of("{}");
    if (end == StringRef::npos)
      return "has a '{' without '}'";
    if (pattern[end] == '{')
      return "has a '{' inside of '{...}'";
    SmallVector<StringRef> names;
    pattern.take_front(end).split(names, ',');
    if (llvm::any_of(names, [](StringRef name) { return name.empty(); }))
      return "has an empty name in '{...}'";
    pattern = pattern.drop_front(end + 1);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Styles
//===----------------------------------------------------------------------===//

ParseResult mlir::dtensor::parseStyle(OpAsmParser &parser, StyleAttr &style) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<Style> known = symbolizeStyle(name);
  if (!known)
    return parser.emitError(loc)
           << "unknown style '" << name
           << "' (one of colwise, rowwise, sequence, replicate, "
              "fully_sharded, expert)";
  style = StyleAttr::get(parser.getContext(), *known);
  return success();
}

void mlir::dtensor::printStyle(OpAsmPrinter &printer, Operation *,
                               StyleAttr style) {
  printer << stringifyStyle(style.getValue());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult ParallelizePlanOp::verifyRegions() {
  // (C2)
  for (Operation &op : getEntries().getOps())
    if (!isa<StyleOp, PlaceOp, PrepareInputOp, PrepareOutputOp>(op))
      return op.emitOpError() << "stands in a dtensor.parallelize_plan, which "
                                 "holds dtensor.style, dtensor.place, "
                                 "dtensor.prepare_input and "
                                 "dtensor.prepare_output only";
  return success();
}

LogicalResult ParallelizePlanOp::verifySymbolUses(SymbolTableCollection &) {
  // (C1)
  return verifyMesh(*this, getMeshAttr(), [&] { return emitOpError(); });
}

/// Checks that `axis` is one of the plan that `op` stands in. Where that has no
/// mesh, the plan itself says so.
static LogicalResult verifyAxis(Operation *op, AxisAttr axis) {
  auto plan = cast<ParallelizePlanOp>(op->getParentOp());
  MeshOp mesh = lookupMesh(plan, plan.getMeshAttr());
  if (!mesh)
    return success();
  planner::Expected<planner::Mesh> checked = mesh.checkPlannerMesh();
  if (!checked)
    return success();
  auto ref = getAxisRef(*checked, axis);
  if (!ref)
    return op->emitOpError() << ref.error().message;
  return success();
}

/// (C1) of style and place.
static LogicalResult verifyPattern(Operation *op, StringRef pattern) {
  if (StringRef problem = checkPattern(pattern); !problem.empty())
    return op->emitOpError() << "pattern \"" << pattern << "\" " << problem
                             << "; write names, '*' and '{a,b}'";
  return success();
}

/// (C2) of ops with placements.
static LogicalResult verifyAxes(Operation *op, ArrayAttr placements) {
  for (auto placement : placements.getAsRange<PlacementAttr>())
    if (failed(verifyAxis(op, placement.getAxis())))
      return failure();
  return success();
}

LogicalResult StyleOp::verify() { return verifyPattern(*this, getPattern()); }

LogicalResult StyleOp::verifySymbolUses(SymbolTableCollection &) {
  // (C2)
  return verifyAxis(*this, AxisAttr::get(getContext(), getAxis()));
}

LogicalResult PlaceOp::verify() { return verifyPattern(*this, getPattern()); }

LogicalResult PlaceOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyAxes(*this, getPlacements());
}

LogicalResult PrepareInputOp::verify() {
  // (C1)
  if (static_cast<int64_t>(getIndex()) < 0)
    return emitOpError() << "prepares argument "
                         << static_cast<int64_t>(getIndex())
                         << "; arguments count from 0";
  return success();
}

LogicalResult PrepareInputOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyAxes(*this, getPlacements());
}

LogicalResult PrepareOutputOp::verify() {
  // (C1)
  if (static_cast<int64_t>(getIndex()) < 0)
    return emitOpError() << "prepares result "
                         << static_cast<int64_t>(getIndex())
                         << "; results count from 0";
  return success();
}

LogicalResult PrepareOutputOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyAxes(*this, getPlacements());
}
