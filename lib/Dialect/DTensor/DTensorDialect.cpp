// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the dtensor dialect and verification of its discardable
// attributes.

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::dtensor;

#include "dtensor/Dialect/DTensor/DTensorDialect.cpp.inc"

namespace {
/// All ops of the dialect may go wherever their function's body goes.
struct DTensorInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void DTensorDialect::initialize() {
  addInterfaces<DTensorInlinerInterface>();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dtensor/Dialect/DTensor/DTensorOps.cpp.inc"
      >();
}

/// Checks an array attribute with one layout per value (or unit for values
/// that are no tensors).
static LogicalResult verifyLayoutArray(Operation *op, NamedAttribute attribute,
                                       TypeRange types, StringRef what) {
  auto layouts = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!layouts || layouts.size() != types.size())
    return op->emitOpError()
           << "attribute '" << attribute.getName().getValue()
           << "' must be an array with one layout for each of its "
           << types.size() << ' ' << what;
  for (auto [index, layout, type] : llvm::enumerate(layouts, types)) {
    if (isa<UnitAttr>(layout))
      continue;
    auto attr = dyn_cast<LayoutAttr>(layout);
    if (!attr)
      return op->emitOpError()
             << "attribute '" << attribute.getName().getValue()
             << "' must hold layouts or 'unit', got " << layout;
    auto emit = [&, position = index] {
      return op->emitOpError()
             << "attribute '" << attribute.getName().getValue() << "', entry "
             << position << ": ";
    };
    if (failed(verifyLayout(op, attr, type, emit)))
      return failure();
  }
  return success();
}

LogicalResult
DTensorDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == kLayoutsAttr)
    return verifyLayoutArray(op, attribute, op->getResultTypes(), "results");
  if (name == kOperandLayoutsAttr)
    return verifyLayoutArray(op, attribute, op->getOperandTypes(), "operands");
  if (name == kLocalAttr) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError() << "attribute 'dtensor.local' has no value, got "
                               << attribute.getValue();
    return success();
  }
  if (name == kReferenceOfAttr) {
    if (!isa<FunctionOpInterface>(op) || !isa<StringAttr>(attribute.getValue()))
      return op->emitOpError() << "attribute 'dtensor.reference_of' names, on "
                                  "a function, the one "
                                  "it is the unsharded form of, as a string";
    return success();
  }
  if (name == kLocalValuesAttr) {
    if (!isa<FunctionOpInterface>(op) || !isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError() << "attribute 'dtensor.local_values' has no "
                                  "value and is for functions";
    return success();
  }
  if (name == kRuleAttr) {
    auto rule = dyn_cast<RuleAttr>(attribute.getValue());
    if (!rule)
      return op->emitOpError() << "attribute 'dtensor.rule' must be a "
                                  "#dtensor.rule, got "
                               << attribute.getValue();
    auto factors =
        getRuleFactors(rule, op->getOperandTypes(), op->getResultTypes());
    if (!factors)
      return op->emitOpError() << factors.error().message;
    return success();
  }
  return op->emitOpError() << "attribute '" << name
                           << "' has no meaning on an operation";
}

/// Checks the attribute of an argument or result of type `type`.
static LogicalResult verifyValueAttribute(Operation *op,
                                          NamedAttribute attribute, Type type,
                                          Type globalType, bool isArgument,
                                          Location loc, const Twine &value) {
  StringRef name = attribute.getName().getValue();
  auto emit = [&] { return emitError(loc) << value << ": "; };
  if (name == kLayoutAttr) {
    auto attr = dyn_cast<LayoutAttr>(attribute.getValue());
    if (!attr)
      return emit() << "attribute 'dtensor.layout' must be a #dtensor.layout, "
                       "got "
                    << attribute.getValue();
    return verifyLayout(op, attr, globalType ? globalType : type, emit);
  }
  if (name == kGlobalTypeAttr) {
    auto attr = dyn_cast<TypeAttr>(attribute.getValue());
    if (!attr || !isa<RankedTensorType>(attr.getValue()))
      return emit() << "attribute 'dtensor.global_type' must be a tensor type";
    if (!isa<RankedTensorType>(type))
      return emit()
             << "attribute 'dtensor.global_type' is for tensors, not for "
             << type;
    return success();
  }
  if (name == kNameAttr && isArgument) {
    if (!isa<StringAttr>(attribute.getValue()))
      return emit() << "attribute 'dtensor.name' must be a string";
    return success();
  }
  if (name == kRequiresGradAttr) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return emit() << "attribute 'dtensor.requires_grad' has no value, got "
                    << attribute.getValue();
    if (!isa<RankedTensorType>(type) ||
        !isa<FloatType>(getElementTypeOrSelf(type)))
      return emit() << "requires a gradient of type " << type
                    << "; only tensors of floats have one";
    return success();
  }
  return emit() << "attribute '" << name << "' has no meaning here";
}

LogicalResult
DTensorDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                         unsigned argIndex,
                                         NamedAttribute attribute) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return success();
  Location loc =
      func.isExternal() ? op->getLoc() : func.getArgument(argIndex).getLoc();
  auto global = func.getArgAttrOfType<TypeAttr>(argIndex, kGlobalTypeAttr);
  return verifyValueAttribute(
      op, attribute, func.getArgumentTypes()[argIndex],
      global ? global.getValue() : Type(),
      /*isArgument=*/true, isa<UnknownLoc>(loc) ? op->getLoc() : loc,
      "argument " + Twine(argIndex) + " of @" + func.getName());
}

LogicalResult
DTensorDialect::verifyRegionResultAttribute(Operation *op, unsigned regionIndex,
                                            unsigned resultIndex,
                                            NamedAttribute attribute) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return success();
  auto global =
      func.getResultAttrOfType<TypeAttr>(resultIndex, kGlobalTypeAttr);
  return verifyValueAttribute(
      op, attribute, func.getResultTypes()[resultIndex],
      global ? global.getValue() : Type(), /*isArgument=*/false, op->getLoc(),
      "result " + Twine(resultIndex) + " of @" + func.getName());
}
