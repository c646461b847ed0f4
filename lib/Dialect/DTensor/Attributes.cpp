// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly of the dtensor dialect's attributes: axes, placements, layouts.

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dtensor;

#include "dtensor/Dialect/DTensor/DTensorEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dtensor/Dialect/DTensor/DTensorAttrs.cpp.inc"

using Kind = planner::PlacementEntry::Kind;

// The ODS enumeration and the planner's are cast into each other.
static_assert(static_cast<int>(ReduceOp::Sum) ==
              static_cast<int>(planner::ReduceOp::Sum));
static_assert(static_cast<int>(ReduceOp::Avg) ==
              static_cast<int>(planner::ReduceOp::Avg));
static_assert(static_cast<int>(ReduceOp::BXor) ==
              static_cast<int>(planner::ReduceOp::BXor));

void DTensorDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dtensor/Dialect/DTensor/DTensorAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Parses `"x"` or `"x":(1)2`.
static FailureOr<AxisAttr> parseAxis(AsmParser &parser) {
  std::string name;
  int64_t preSize = 1, size = 0;
  if (parser.parseString(&name))
    return failure();
  if (succeeded(parser.parseOptionalColon())) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseLParen() || parser.parseInteger(preSize) ||
        parser.parseRParen() || parser.parseInteger(size))
      return failure();
    if (preSize < 1 || size < 1) {
      parser.emitError(loc)
          << "sizes of a part of axis \"" << name << "\" must be at least 1";
      return failure();
    }
  }
  return AxisAttr::get(parser.getContext(), name, preSize, size);
}

static void printAxis(AsmPrinter &printer, AxisAttr axis) {
  printer.printString(axis.getName());
  if (axis.getSize() != 0)
    printer << ":(" << axis.getPreSize() << ")" << axis.getSize();
}

Attribute AxisAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<AxisAttr> axis = parseAxis(parser);
  if (failed(axis) || parser.parseGreater())
    return {};
  return *axis;
}

void AxisAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printAxis(printer, *this);
  printer << '>';
}

ParseResult mlir::dtensor::parseAxisList(AsmParser &parser, ArrayAttr &axes) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        FailureOr<AxisAttr> axis = parseAxis(parser);
        if (failed(axis))
          return failure();
        list.push_back(*axis);
        return success();
      }))
    return failure();
  axes = ArrayAttr::get(parser.getContext(), list);
  return success();
}

void mlir::dtensor::printAxisList(AsmPrinter &printer, ArrayAttr axes) {
  printer << '[';
  llvm::interleaveComma(axes.getAsRange<AxisAttr>(), printer,
                        [&](AxisAttr axis) { printAxis(printer, axis); });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Reduce ops
//===----------------------------------------------------------------------===//

/// Parses the name of a reduce op.
static FailureOr<planner::ReduceOp> parseReduceOpName(AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<planner::ReduceOp> op = planner::parseReduceOp(name);
  if (op)
    return *op;
  parser.emitError(loc) << "unknown reduce op '" << name
                        << "' (one of sum, product, min, max, umin, umax, avg, "
                           "band, bor, bxor)";
  return failure();
}

ParseResult mlir::dtensor::parseReduceOp(OpAsmParser &parser,
                                         ReduceOpAttr &op) {
  FailureOr<planner::ReduceOp> parsed = parseReduceOpName(parser);
  if (failed(parsed))
    return failure();
  op = ReduceOpAttr::get(parser.getContext(), static_cast<ReduceOp>(*parsed));
  return success();
}

void mlir::dtensor::printReduceOp(OpAsmPrinter &printer, Operation *,
                                  ReduceOpAttr op) {
  printer << stringifyReduceOp(op.getValue());
}

ParseResult mlir::dtensor::parseOptionalReduceOp(OpAsmParser &parser,
                                                 ReduceOpAttr &op) {
  for (uint32_t value = 0; value <= getMaxEnumValForReduceOp(); ++value) {
    auto candidate = static_cast<ReduceOp>(value);
    if (failed(parser.parseOptionalKeyword(stringifyReduceOp(candidate))))
      continue;
    op = ReduceOpAttr::get(parser.getContext(), candidate);
    break;
  }
  return success();
}

void mlir::dtensor::printOptionalReduceOp(OpAsmPrinter &printer, Operation *op,
                                          ReduceOpAttr reduceOp) {
  if (reduceOp)
    printReduceOp(printer, op, reduceOp);
}

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

/// Parses `"tp" = shard(1)`, `"tp" = replicate` or `"tp" = partial(sum)`.
static FailureOr<PlacementAttr> parsePlacement(AsmParser &parser) {
  FailureOr<AxisAttr> axis = parseAxis(parser);
  if (failed(axis) || parser.parseEqual())
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  MLIRContext *context = parser.getContext();
  if (keyword == "replicate")
    return PlacementAttr::get(context, *axis, Kind::Replicate, 0,
                              planner::ReduceOp::Sum);
  if (keyword == "shard") {
    int64_t dim = 0;
    if (parser.parseLParen() || parser.parseInteger(dim) ||
        parser.parseRParen())
      return failure();
    return PlacementAttr::get(context, *axis, Kind::Shard, dim,
                              planner::ReduceOp::Sum);
  }
  if (keyword == "partial") {
    if (parser.parseLParen())
      return failure();
    FailureOr<planner::ReduceOp> op = parseReduceOpName(parser);
    if (failed(op) || parser.parseRParen())
      return failure();
    return PlacementAttr::get(context, *axis, Kind::Partial, 0, *op);
  }
  parser.emitError(loc) << "unknown placement '" << keyword
                        << "' (one of shard(dim), replicate, partial(op))";
  return failure();
}

static void printPlacement(AsmPrinter &printer, PlacementAttr placement) {
  printAxis(printer, placement.getAxis());
  switch (placement.getKind()) {
  case Kind::Shard:
    printer << " = shard(" << placement.getDim() << ')';
    return;
  case Kind::Replicate:
    printer << " = replicate";
    return;
  case Kind::Partial:
    printer << " = partial(" << planner::reduceOpName(placement.getOp()) << ')';
    return;
  }
}

Attribute PlacementAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<PlacementAttr> placement = parsePlacement(parser);
  if (failed(placement) || parser.parseGreater())
    return {};
  return *placement;
}

void PlacementAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printPlacement(printer, *this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Parses the open dimensions of `...(0, 2)`.
static ParseResult parseOpenDims(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &dims) {
  return parser.parseCommaSeparatedList(
      [&] { return parser.parseInteger(dims.emplace_back()); });
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  FlatSymbolRefAttr mesh;
  SmallVector<PlacementAttr> placements;
  SmallVector<int64_t> openDims;
  bool open = false;
  int64_t priority = 0;
  if (parser.parseLess() || parser.parseAttribute(mesh) || parser.parseComma())
    return {};
  auto parseEntry = [&]() -> ParseResult {
    if (open)
      return parser.emitError(parser.getCurrentLocation(),
                              "'...' must be the last entry of a layout");
    if (succeeded(parser.parseOptionalEllipsis())) {
      open = true;
      if (succeeded(parser.parseOptionalLParen()) &&
          (parseOpenDims(parser, openDims) || parser.parseRParen()))
        return failure();
      return success();
    }
    FailureOr<PlacementAttr> placement = parsePlacement(parser);
    if (failed(placement))
      return failure();
    placements.push_back(*placement);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    llvm::SMLoc loc;
    if (parser.parseKeyword("priority") || parser.parseEqual() ||
        parser.getCurrentLocation(&loc) || parser.parseInteger(priority))
      return {};
    if (priority < 0) {
      parser.emitError(loc) << "priority must be at least 0, got " << priority;
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return LayoutAttr::get(parser.getContext(), mesh, placements, open, openDims,
                         priority);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printAttributeWithoutType(getMesh());
  printer << ", [";
  llvm::interleaveComma(getPlacements(), printer, [&](PlacementAttr placement) {
    printPlacement(printer, placement);
  });
  if (getOpen()) {
    printer << (getPlacements().empty() ? "..." : ", ...");
    if (!getOpenDims().empty()) {
      printer << '(';
      llvm::interleaveComma(getOpenDims(), printer);
      printer << ')';
    }
  }
  printer << ']';
  if (getPriority() != 0)
    printer << ", priority = " << getPriority();
  printer << '>';
}

ParseResult mlir::dtensor::parsePlacements(OpAsmParser &parser,
                                           ArrayAttr &placements,
                                           UnitAttr &open) {
  SmallVector<Attribute> list;
  auto parseEntry = [&]() -> ParseResult {
    if (open)
      return parser.emitError(parser.getCurrentLocation(),
                              "'...' must be the last entry of a layout");
    if (succeeded(parser.parseOptionalEllipsis())) {
      open = parser.getBuilder().getUnitAttr();
      return success();
    }
    FailureOr<PlacementAttr> placement = parsePlacement(parser);
    if (failed(placement))
      return failure();
    list.push_back(*placement);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  placements = parser.getBuilder().getArrayAttr(list);
  return success();
}

void mlir::dtensor::printPlacements(OpAsmPrinter &printer, Operation *,
                                    ArrayAttr placements, UnitAttr open) {
  printer << '[';
  llvm::interleaveComma(
      placements.getAsRange<PlacementAttr>(), printer,
      [&](PlacementAttr placement) { printPlacement(printer, placement); });
  if (open)
    printer << (placements.empty() ? "..." : ", ...");
  printer << ']';
}
