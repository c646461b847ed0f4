// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions that import one foreign op share.

#include "OpImport.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ElementKind mlir::dtensor::getElementKind(Type type) {
  type = getElementTypeOrSelf(type);
  if (isa<FloatType>(type))
    return ElementKind::Float;
  if (type.isInteger(1))
    return ElementKind::Bool;
  return type.isUnsignedInteger() ? ElementKind::Unsigned : ElementKind::Signed;
}

Type BodyForm::convert(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return {};
  Type element = tensor.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), integer.getWidth());
  if (!getElementType(element))
    return {};
  if (kind == Program)
    return RankedTensorType::get(tensor.getShape(), element);
  if (tensor.getRank() != 0)
    return {};
  return kind == Scalars ? element
                         : Type(RankedTensorType::get(shape, element));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Value makeConstant(const OpImport &import, Type type,
                          TypedAttr element) {
  TypedAttr attr = element;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attr = DenseElementsAttr::get(tensor, Attribute(element));
  return arith::ConstantOp::create(import.builder, import.loc(), attr);
}

Value OpImport::constant(Type type, double value) const {
  Type element = getElementTypeOrSelf(type);
  if (isa<FloatType>(element))
    return makeConstant(*this, type, FloatAttr::get(element, value));
  return constant(type, APInt(element.getIntOrFloatBitWidth(),
                              static_cast<int64_t>(value), /*isSigned=*/true,
                              /*implicitTrunc=*/true));
}

Value OpImport::constant(Type type, const APInt &value) const {
  return makeConstant(*this, type,
                      IntegerAttr::get(getElementTypeOrSelf(type), value));
}

TypedAttr mlir::dtensor::getSplatElement(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return {};
  if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
    return cast<TypedAttr>(splat.getSplatValue<Attribute>());
  return isa<ShapedType>(constant.getType()) ? TypedAttr()
                                             : constant.getValue();
}

Value OpImport::empty(ArrayRef<int64_t> shape, Type element) const {
  return tensor::EmptyOp::create(builder, loc(), shape, element);
}

Value OpImport::fill(Value scalar, ArrayRef<int64_t> shape) const {
  return linalg::FillOp::create(builder, loc(), ValueRange(scalar),
                                ValueRange(empty(shape, scalar.getType())))
      .getResult(0);
}

/// The finest groups of neighbouring dimensions of `from` and of `to` that hold
/// the same elements; dimensions of size 1 without partner go to a neighbour.
static void matchDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                      SmallVectorImpl<ReassociationIndices> &fromGroups,
                      SmallVectorImpl<ReassociationIndices> &toGroups) {
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    ReassociationIndices &left = fromGroups.emplace_back();
    ReassociationIndices &right = toGroups.emplace_back();
    int64_t leftSize = from[i], rightSize = to[j];
    left.push_back(i++);
    right.push_back(j++);
    while (leftSize != rightSize) {
      if (leftSize < rightSize && i < from.size()) {
        leftSize *= from[i];
        left.push_back(i++);
      } else if (rightSize < leftSize && j < to.size()) {
        rightSize *= to[j];
        right.push_back(j++);
      } else {
        break; // only with empty tensors; the rest joins below
      }
    }
  }
  if (fromGroups.empty())
    return; // one side has rank 0
  for (; i < from.size(); ++i)
    fromGroups.back().push_back(i);
  for (; j < to.size(); ++j)
    toGroups.back().push_back(j);
}

static bool allSingle(ArrayRef<ReassociationIndices> groups) {
  return llvm::all_of(groups, [](const ReassociationIndices &group) {
    return group.size() == 1;
  });
}

Value OpImport::reshape(Value value, ArrayRef<int64_t> shape) const {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  auto result = RankedTensorType::get(shape, type.getElementType());
  if (TypedAttr element = getSplatElement(value))
    return makeConstant(*this, result, element);
  SmallVector<ReassociationIndices> fromGroups, toGroups;
  if (type.getNumElements() == 0) {
    // Sizes tell nothing about how empty dimensions match: through one.
    fromGroups.emplace_back(llvm::to_vector<2>(llvm::seq(type.getRank())));
    toGroups.emplace_back(llvm::to_vector<2>(llvm::seq(result.getRank())));
  } else {
    matchDims(type.getShape(), shape, fromGroups, toGroups);
  }
  bool collapses = !allSingle(fromGroups) || (shape.empty() && type.getRank());
  if (collapses)
    value = tensor::CollapseShapeOp::create(builder, loc(), value, fromGroups);
  if (value.getType() == result)
    return value;
  return tensor::ExpandShapeOp::create(builder, loc(), result, value, toGroups);
}

Value OpImport::transpose(Value value, ArrayRef<int64_t> permutation) const {
  if (llvm::equal(permutation, llvm::seq<int64_t>(permutation.size())))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  if (TypedAttr element = getSplatElement(value))
    return makeConstant(
        *this, RankedTensorType::get(shape, type.getElementType()), element);
  return linalg::TransposeOp::create(builder, loc(), value,
                                     empty(shape, type.getElementType()),
                                     permutation)
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> OpImport::integers(StringRef name) const {
  Attribute attr = op->getAttr(name);
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attr))
    return llvm::to_vector(array.asArrayRef());
  if (auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attr)) {
    SmallVector<int64_t> values;
    for (const APInt &value : elements.getValues<APInt>())
      values.push_back(value.getSExtValue());
    return values;
  }
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return SmallVector<int64_t>{integer.getInt()};
  return emitError() << "needs attribute '" << name << "' with integers";
}

StringRef OpImport::keyword(StringRef name) const {
  auto attr = op->getAttrOfType<OpaqueAttr>(name);
  if (!attr)
    return "";
  StringRef text = attr.getAttrData();
  text.consume_back(">");
  return text.rsplit(' ').second;
}

std::optional<ReduceOp> mlir::dtensor::getBodyReduceOp(Region &region,
                                                       ElementKind kind) {
  if (!region.hasOneBlock())
    return std::nullopt;
  Block &body = region.front();
  if (body.getOperations().size() != 2 || body.getNumArguments() != 2 ||
      body.front().getNumOperands() != 2 ||
      body.front().getOperand(0) == body.front().getOperand(1) ||
      !llvm::all_of(body.front().getOperands(),
                    [&](Value operand) {
                      return llvm::is_contained(body.getArguments(), operand);
                    }) ||
      body.back().getName().getStringRef() != "stablehlo.return" ||
      body.back().getOperands() != body.front().getResults())
    return std::nullopt;
  bool isBool = kind == ElementKind::Bool;
  bool isUnsigned = kind == ElementKind::Unsigned;
  return llvm::StringSwitch<std::optional<ReduceOp>>(
             body.front().getName().getStringRef())
      // On booleans add means or, multiply and.
      .Case("stablehlo.add", isBool ? ReduceOp::BOr : ReduceOp::Sum)
      .Case("stablehlo.multiply", isBool ? ReduceOp::BAnd : ReduceOp::Product)
      .Case("stablehlo.maximum", isBool       ? ReduceOp::BOr
                                 : isUnsigned ? ReduceOp::UMax
                                              : ReduceOp::Max)
      .Case("stablehlo.minimum", isBool       ? ReduceOp::BAnd
                                 : isUnsigned ? ReduceOp::UMin
                                              : ReduceOp::Min)
      .Case("stablehlo.and", ReduceOp::BAnd)
      .Case("stablehlo.or", ReduceOp::BOr)
      .Case("stablehlo.xor", ReduceOp::BXor)
      .Default(std::nullopt);
}
