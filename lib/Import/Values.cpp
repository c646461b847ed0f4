// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, conversions, comparisons and choices.

#include "OpImport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LogicalResult importConstant(OpImport &import) {
  auto elements = import.op->getAttrOfType<ElementsAttr>("value");
  if (!elements ||
      elements.getShapedType() != import.op->getResult(0).getType())
    return import.emitError() << "needs attribute 'value' with elements of its "
                                 "result's type";
  TypedAttr value = elements;
  Type element = getElementTypeOrSelf(import.resultType());
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    if (dense.getElementType() != element)
      dense = dense.bitcast(element);
    if (import.form.kind != BodyForm::Program)
      return import.yield(
          arith::ConstantOp::create(
              import.builder, import.loc(),
              import.form.kind == BodyForm::Scalars
                  ? cast<TypedAttr>(dense.getSplatValue<Attribute>())
                  : DenseElementsAttr::get(
                        cast<ShapedType>(import.resultType()),
                        dense.getSplatValue<Attribute>()))
              .getResult());
    value = dense;
  } else if (elements.getElementType() != element ||
             import.form.kind != BodyForm::Program) {
    return import.emitError() << "has elements in a form that the importer "
                                 "does not read; write 'dense<...>'";
  }
  return import.yield(
      arith::ConstantOp::create(import.builder, import.loc(), value));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Type withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

static Value convertFloat(OpBuilder &b, Location loc, Value value, Type type) {
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(b, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(b, loc, type, value);
  // f16 and bf16 (and the kinds of f8) meet in f32.
  Value wide =
      arith::ExtFOp::create(b, loc, withElement(type, b.getF32Type()), value);
  return arith::TruncFOp::create(b, loc, type, wide);
}

static Value convertInteger(OpBuilder &b, Location loc, Value value, Type type,
                            ElementKind from) {
  unsigned width =
      getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (width > to)
    return arith::TruncIOp::create(b, loc, type, value);
  if (from == ElementKind::Signed)
    return arith::ExtSIOp::create(b, loc, type, value);
  return arith::ExtUIOp::create(b, loc, type, value);
}

Value OpImport::convertElements(Value value, Type from, Type to) const {
  ElementKind fromKind = getElementKind(from), toKind = getElementKind(to);
  Type element = getElementTypeOrSelf(to);
  if (element.isUnsignedInteger())
    element = builder.getIntegerType(element.getIntOrFloatBitWidth());
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  Type type = withElement(value.getType(), element);
  if (toKind == ElementKind::Bool) {
    Value zero = constant(value.getType(), 0.0);
    if (fromKind == ElementKind::Float)
      return arith::CmpFOp::create(builder, loc(), arith::CmpFPredicate::UNE,
                                   value, zero);
    return arith::CmpIOp::create(builder, loc(), arith::CmpIPredicate::ne,
                                 value, zero);
  }
  bool isSigned = fromKind == ElementKind::Signed;
  if (fromKind == ElementKind::Float) {
    if (toKind == ElementKind::Float)
      return convertFloat(builder, loc(), value, type);
    if (toKind == ElementKind::Unsigned)
      return arith::FPToUIOp::create(builder, loc(), type, value);
    return arith::FPToSIOp::create(builder, loc(), type, value);
  }
  if (toKind != ElementKind::Float)
    return convertInteger(builder, loc(), value, type, fromKind);
  if (isSigned)
    return arith::SIToFPOp::create(builder, loc(), type, value);
  return arith::UIToFPOp::create(builder, loc(), type, value);
}

/// Reports a result whose shape is not that of operand `i`.
static LogicalResult checkShape(OpImport &import, unsigned i) {
  auto operand = cast<ShapedType>(import.op->getOperand(i).getType());
  auto result = cast<ShapedType>(import.op->getResult(0).getType());
  if (operand.getShape() == result.getShape())
    return success();
  return import.emitError() << "has operand " << i << " of type " << operand
                            << " and a result of type " << result
                            << "; their shapes must be equal";
}

static LogicalResult importConvert(OpImport &import) {
  if (failed(checkShape(import, 0)))
    return failure();
  return import.yield(import.convertElements(
      import.operands[0], import.op->getOperand(0).getType(),
      import.op->getResult(0).getType()));
}

static LogicalResult importBitcast(OpImport &import) {
  if (failed(checkShape(import, 0)))
    return failure();
  Type from = import.operands[0].getType(), to = import.resultType();
  if (getElementTypeOrSelf(from).getIntOrFloatBitWidth() !=
      getElementTypeOrSelf(to).getIntOrFloatBitWidth())
    return import.emitError() << "changes the width of elements; only a change "
                                 "between types of one width is imported";
  if (from == to)
    return import.yield(import.operands[0]);
  return import.yield(arith::BitcastOp::create(import.builder, import.loc(), to,
                                               import.operands[0]));
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Directions, and their places in the tables below. On floats only NE holds
/// for NaN.
static constexpr std::pair<StringLiteral, int> kDirections[] = {
    {"EQ", 0}, {"NE", 1}, {"LT", 2}, {"LE", 3}, {"GT", 4}, {"GE", 5}};
static constexpr arith::CmpFPredicate kFloatPredicates[] = {
    arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
    arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
    arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
static constexpr arith::CmpIPredicate kSignedPredicates[] = {
    arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
    arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
    arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge};
static constexpr arith::CmpIPredicate kUnsignedPredicates[] = {
    arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
    arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
    arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};

static LogicalResult importCompare(OpImport &import) {
  if (import.op->getOperand(0).getType() != import.op->getOperand(1).getType())
    return import.emitError()
           << "compares " << import.op->getOperand(0).getType() << " with "
           << import.op->getOperand(1).getType() << "; they must be equal";
  if (failed(checkShape(import, 0)))
    return failure();
  if (getElementKind(import.op->getResult(0).getType()) != ElementKind::Bool)
    return import.emitError() << "needs a result of i1 elements";
  if (import.keyword("compare_type") == "TOTALORDER")
    return import.emitError() << "compares in total order (TOTALORDER), which "
                                 "the importer does not know; use FLOAT";
  StringRef direction = import.keyword("comparison_direction");
  const auto *found = llvm::find_if(
      kDirections, [&](const auto &entry) { return entry.first == direction; });
  if (found == std::end(kDirections))
    return import.emitError() << "has no comparison direction '" << direction
                              << "' (one of EQ, NE, LT, LE, GT, GE)";
  OpBuilder &b = import.builder;
  Value lhs = import.operands[0], rhs = import.operands[1];
  if (import.kind() == ElementKind::Float)
    return import.yield(arith::CmpFOp::create(
        b, import.loc(), kFloatPredicates[found->second], lhs, rhs));
  // Booleans order as unsigned: false before true.
  arith::CmpIPredicate predicate = import.kind() == ElementKind::Signed
                                       ? kSignedPredicates[found->second]
                                       : kUnsignedPredicates[found->second];
  return import.yield(
      arith::CmpIOp::create(b, import.loc(), predicate, lhs, rhs));
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// `value`, repeated to the shape of the result where it has rank 0.
static Value broadcastScalar(OpImport &import, Value value) {
  auto result = dyn_cast<RankedTensorType>(import.resultType());
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!result || !type || type.getRank() == result.getRank())
    return value;
  Value init = import.empty(result.getShape(), type.getElementType());
  return linalg::BroadcastOp::create(
             import.builder, import.loc(), value, init,
             llvm::to_vector(llvm::seq<int64_t>(result.getRank())))
      ->getResult(0);
}

/// Reports an operand that is neither of the result's shape nor a scalar, or
/// (unless it is a predicate) of another element type.
static LogicalResult checkScalarOrSame(OpImport &import, unsigned i,
                                       bool isPredicate) {
  auto operand = cast<RankedTensorType>(import.op->getOperand(i).getType());
  auto result = cast<RankedTensorType>(import.op->getResult(0).getType());
  Type element =
      isPredicate ? import.builder.getI1Type() : result.getElementType();
  if ((operand.getRank() == 0 || operand.getShape() == result.getShape()) &&
      operand.getElementType() == element)
    return success();
  return import.emitError()
         << "has operand " << i << " of type " << operand << "; needs "
         << RankedTensorType::get(result.getShape(), element) << " or a scalar";
}

static LogicalResult importSelect(OpImport &import) {
  Type result = import.op->getResult(0).getType();
  if (import.op->getOperand(1).getType() != result ||
      import.op->getOperand(2).getType() != result)
    return import.emitError()
           << "chooses between " << import.op->getOperand(1).getType()
           << " and " << import.op->getOperand(2).getType()
           << " for a result of type " << result << "; they must be equal";
  if (failed(checkScalarOrSame(import, 0, /*isPredicate=*/true)))
    return failure();
  Value predicate = broadcastScalar(import, import.operands[0]);
  // A choice between true and false is the predicate; frontends end boolean
  // reductions so, and without it the combiner is one op.
  auto onTrue =
      dyn_cast_or_null<IntegerAttr>(getSplatElement(import.operands[1]));
  auto onFalse =
      dyn_cast_or_null<IntegerAttr>(getSplatElement(import.operands[2]));
  if (onTrue && onFalse && onTrue.getType().isInteger(1) &&
      onTrue.getValue().isOne() && onFalse.getValue().isZero())
    return import.yield(predicate);
  return import.yield(arith::SelectOp::create(import.builder, import.loc(),
                                              predicate, import.operands[1],
                                              import.operands[2]));
}

/// min(max(low, x), high).
static LogicalResult importClamp(OpImport &import) {
  if (import.op->getOperand(1).getType() != import.op->getResult(0).getType())
    return import.emitError()
           << "clamps " << import.op->getOperand(1).getType()
           << " to a result of type " << import.op->getResult(0).getType()
           << "; they must be equal";
  if (failed(checkScalarOrSame(import, 0, /*isPredicate=*/false)) ||
      failed(checkScalarOrSame(import, 2, /*isPredicate=*/false)))
    return failure();
  OpBuilder &b = import.builder;
  Location loc = import.loc();
  Value low = broadcastScalar(import, import.operands[0]);
  Value x = import.operands[1];
  Value high = broadcastScalar(import, import.operands[2]);
  switch (import.kind(1)) {
  case ElementKind::Float:
    return import.yield(arith::MinimumFOp::create(
        b, loc, arith::MaximumFOp::create(b, loc, low, x), high));
  case ElementKind::Signed:
    return import.yield(arith::MinSIOp::create(
        b, loc, arith::MaxSIOp::create(b, loc, low, x), high));
  case ElementKind::Unsigned:
  case ElementKind::Bool:
    return import.yield(arith::MinUIOp::create(
        b, loc, arith::MaxUIOp::create(b, loc, low, x), high));
  }
  return failure();
}

/// Ops whose results are their operands.
static LogicalResult importIdentity(OpImport &import) {
  if (import.op->getOperandTypes() != import.op->getResultTypes())
    return import.emitError() << "needs results of the types of its operands";
  import.results = import.operands;
  return success();
}

void mlir::dtensor::addValueRules(ImportRules &rules) {
  rules["arith.constant"] = {importConstant, 0, true};
  rules["sdy.constant"] = {importConstant, 0, true};
  rules["stablehlo.bitcast_convert"] = {importBitcast, 1, true};
  rules["stablehlo.clamp"] = {importClamp, 3, true};
  rules["stablehlo.compare"] = {importCompare, 2, true};
  rules["stablehlo.constant"] = {importConstant, 0, true};
  rules["stablehlo.convert"] = {importConvert, 1, true};
  rules["stablehlo.optimization_barrier"] = {importIdentity, -1, false, true};
  rules["stablehlo.select"] = {importSelect, 3, true};
}
