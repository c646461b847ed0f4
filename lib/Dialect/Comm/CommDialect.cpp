// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration and shared assembly of the comm dialect.

#include "dtensor/Dialect/Comm/Comm.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::comm;
using mlir::dtensor::parseReduceOp;
using mlir::dtensor::printReduceOp;

#include "dtensor/Dialect/Comm/CommDialect.cpp.inc"
#include "dtensor/Dialect/Comm/CommInterfaces.cpp.inc"

/// Parses `@mesh["dp", "x":(1)2]`.
static ParseResult parseAxes(OpAsmParser &parser, FlatSymbolRefAttr &mesh,
                             ArrayAttr &axes) {
  return failure(parser.parseAttribute(mesh) ||
                 mlir::dtensor::parseAxisList(parser, axes));
}

static void printAxes(OpAsmPrinter &printer, Operation *op,
                      FlatSymbolRefAttr mesh, ArrayAttr axes) {
  printer.printAttributeWithoutType(mesh);
  mlir::dtensor::printAxisList(printer, op, axes);
}

/// Parses `@mesh["dp"]` or `@mesh groups [[0, 1], [2, 3]]`.
static ParseResult parseGroup(OpAsmParser &parser, FlatSymbolRefAttr &mesh,
                              ArrayAttr &axes, ArrayAttr &groups) {
  Builder &builder = parser.getBuilder();
  if (parser.parseAttribute(mesh))
    return failure();
  if (failed(parser.parseOptionalKeyword("groups")))
    return mlir::dtensor::parseAxisList(parser, axes);
  SmallVector<Attribute> all;
  auto parseRanks = [&] {
    SmallVector<int64_t> ranks;
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(ranks.emplace_back());
        }))
      return failure();
    all.push_back(builder.getDenseI64ArrayAttr(ranks));
    return success();
  };
  axes = builder.getArrayAttr({});
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRanks))
    return failure();
  groups = builder.getArrayAttr(all);
  return success();
}

static void printGroup(OpAsmPrinter &printer, Operation *op,
                       FlatSymbolRefAttr mesh, ArrayAttr axes,
                       ArrayAttr groups) {
  if (!groups)
    return printAxes(printer, op, mesh, axes);
  printer.printAttributeWithoutType(mesh);
  printer << " groups [";
  llvm::interleaveComma(groups.getAsRange<DenseI64ArrayAttr>(), printer,
                        [&](DenseI64ArrayAttr group) {
                          printer << '[';
                          llvm::interleaveComma(group.asArrayRef(), printer);
                          printer << ']';
                        });
  printer << ']';
}

#define GET_TYPEDEF_CLASSES
#include "dtensor/Dialect/Comm/CommTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dtensor/Dialect/Comm/CommOps.cpp.inc"

namespace {
/// All ops of the dialect may go wherever their function's body goes.
struct CommInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void CommDialect::initialize() {
  addInterfaces<CommInlinerInterface>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dtensor/Dialect/Comm/CommTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dtensor/Dialect/Comm/CommOps.cpp.inc"
      >();
}
