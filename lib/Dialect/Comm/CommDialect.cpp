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
