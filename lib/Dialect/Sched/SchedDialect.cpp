// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the sched dialect.

#include "dtensor/Dialect/Sched/Sched.h"

#include "dtensor/Planner/Redistribution.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sched;
using mlir::dtensor::parseAxisList;
using mlir::dtensor::parseReduceOp;
using mlir::dtensor::printAxisList;
using mlir::dtensor::printReduceOp;

#include "dtensor/Dialect/Sched/SchedDialect.cpp.inc"
#include "dtensor/Dialect/Sched/SchedEnums.cpp.inc"

/// Parses the name of a kind of collective.
static ParseResult parseKind(OpAsmParser &parser, CollectiveKindAttr &kind) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<CollectiveKind> parsed = symbolizeCollectiveKind(name);
  if (!parsed)
    return parser.emitError(loc)
           << "unknown collective '" << name
           << "' (one of slice, to_partial, scale, all_gather, all_to_all, "
              "permute, reduce_scatter, all_reduce, exchange, broadcast, "
              "reduce, "
              "scatter, gather)";
  kind = CollectiveKindAttr::get(parser.getContext(), *parsed);
  return success();
}

static void printKind(OpAsmPrinter &printer, Operation *,
                      CollectiveKindAttr kind) {
  printer << stringifyCollectiveKind(kind.getValue());
}

#define GET_ATTRDEF_CLASSES
#include "dtensor/Dialect/Sched/SchedAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dtensor/Dialect/Sched/SchedOps.cpp.inc"

// The ODS enumeration and the planner's are cast into each other.
static_assert(static_cast<int>(CollectiveKind::Slice) ==
              static_cast<int>(::dtensor::StepKind::Slice));
static_assert(static_cast<int>(CollectiveKind::Gather) ==
              static_cast<int>(::dtensor::StepKind::Gather));

void SchedDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dtensor/Dialect/Sched/SchedAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dtensor/Dialect/Sched/SchedOps.cpp.inc"
      >();
}

int64_t mlir::sched::getByteSize(ShapedType type) {
  std::optional<::dtensor::ElementType> element =
      mlir::dtensor::getElementType(type.getElementType());
  return element ? type.getNumElements() * ::dtensor::elementBytes(*element)
                 : 0;
}
