// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise arithmetic on operands of one type.

#include "OpImport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::dtensor;

/// Reports operands that differ from the result in type.
static LogicalResult checkTypes(OpImport &import) {
  Type type = import.op->getResult(0).getType();
  for (auto [index, operand] : llvm::enumerate(import.op->getOperandTypes()))
    if (operand != type)
      return import.emitError()
             << "has operand " << index << " of type " << operand
             << " and a result of type " << type << "; they must be equal";
  return success();
}

/// Yields what a table entry made; null stands for an element type that the
/// op does not have.
static LogicalResult finish(OpImport &import, Value value) {
  if (!value)
    return import.emitError()
           << "is not defined on elements of type "
           << getElementTypeOrSelf(import.op->getOperand(0).getType());
  return import.yield(value);
}

/// `OpTy` on all operands; null for void.
template <typename OpTy> static Value make(OpImport &import) {
  if constexpr (std::is_void_v<OpTy>)
    return {};
  else if constexpr (OpTy::template hasTrait<OpTrait::OneOperand>())
    return OpTy::create(import.builder, import.loc(), import.operands[0]);
  else
    return OpTy::create(import.builder, import.loc(), import.operands[0],
                        import.operands[1]);
}

/// One op for each kind of elements; void where there is none.
template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp,
          typename BoolOp = SignedOp>
static LogicalResult importAs(OpImport &import) {
  if (failed(checkTypes(import)))
    return failure();
  switch (import.kind()) {
  case ElementKind::Float:
    return finish(import, make<FloatOp>(import));
  case ElementKind::Signed:
    return finish(import, make<SignedOp>(import));
  case ElementKind::Unsigned:
    return finish(import, make<UnsignedOp>(import));
  case ElementKind::Bool:
    return finish(import, make<BoolOp>(import));
  }
  return failure();
}

/// A function that makes the value of an op; null where the kind of elements
/// has none.
template <Value (*makeValue)(OpImport &)>
static LogicalResult importWith(OpImport &import) {
  if (failed(checkTypes(import)))
    return failure();
  return finish(import, makeValue(import));
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

static Value makeNegate(OpImport &import) {
  Value x = import.operands[0];
  if (import.kind() == ElementKind::Float)
    return arith::NegFOp::create(import.builder, import.loc(), x);
  if (import.kind() == ElementKind::Bool)
    return {};
  return arith::SubIOp::create(import.builder, import.loc(),
                               import.constant(x.getType(), 0.0), x);
}

static Value makeAbs(OpImport &import) {
  Value x = import.operands[0];
  switch (import.kind()) {
  case ElementKind::Float:
    return math::AbsFOp::create(import.builder, import.loc(), x);
  case ElementKind::Signed:
    return math::AbsIOp::create(import.builder, import.loc(), x);
  default:
    return {};
  }
}

/// 1 / (1 + exp(-x)), in the type of x.
static Value makeLogistic(OpImport &import) {
  if (import.kind() != ElementKind::Float)
    return {};
  OpBuilder &b = import.builder;
  Location loc = import.loc();
  Value x = import.operands[0];
  Value one = import.constant(x.getType(), 1.0);
  Value exp = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, x));
  return arith::DivFOp::create(b, loc, one,
                               arith::AddFOp::create(b, loc, one, exp));
}

/// -1, 0 or 1; zeros and NaNs stay what they are.
static Value makeSign(OpImport &import) {
  OpBuilder &b = import.builder;
  Location loc = import.loc();
  Value x = import.operands[0];
  Value zero = import.constant(x.getType(), 0.0);
  Value one = import.constant(x.getType(), 1.0);
  switch (import.kind()) {
  case ElementKind::Float: {
    // Unordered or equal: NaN, 0.0 and -0.0.
    Value keeps =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UEQ, x, zero);
    Value sign = math::CopySignOp::create(b, loc, one, x);
    return arith::SelectOp::create(b, loc, keeps, x, sign);
  }
  case ElementKind::Signed: {
    Value minusOne = import.constant(x.getType(), -1.0);
    return arith::MaxSIOp::create(b, loc, minusOne,
                                  arith::MinSIOp::create(b, loc, one, x));
  }
  case ElementKind::Unsigned:
    return arith::MinUIOp::create(b, loc, one, x);
  case ElementKind::Bool:
    return {};
  }
  return {};
}

static Value makeNot(OpImport &import) {
  Value x = import.operands[0];
  if (import.kind() == ElementKind::Float)
    return {};
  unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  return arith::XOrIOp::create(
      import.builder, import.loc(), x,
      import.constant(x.getType(), APInt::getAllOnes(width)));
}

static Value makeSquare(OpImport &import) {
  Value x = import.operands[0];
  if (import.kind() == ElementKind::Float)
    return arith::MulFOp::create(import.builder, import.loc(), x, x);
  if (import.kind() == ElementKind::Bool)
    return {};
  return arith::MulIOp::create(import.builder, import.loc(), x, x);
}

//===----------------------------------------------------------------------===//
// Integer division and shifts, total where arith is not
//===----------------------------------------------------------------------===//

namespace {
/// Division that is defined for every divisor: by zero it gives -1 and leaves
/// the dividend as the remainder; the smallest integer by -1 gives itself and
/// leaves 0.
struct SafeDivision {
  OpImport &import;
  Value dividend, divisor;
  Value byZero; ///< i1; null where the divisor is known to be harmless

  explicit SafeDivision(OpImport &import)
      : import(import), dividend(import.operands[0]),
        divisor(import.operands[1]) {
    if (isHarmless())
      return;
    OpBuilder &b = import.builder;
    Location loc = import.loc();
    Type type = divisor.getType();
    byZero = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, divisor,
                                   import.constant(type, 0.0));
    Value replaced = byZero;
    if (import.kind() == ElementKind::Signed) {
      unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
      Value smallest = import.constant(type, APInt::getSignedMinValue(width));
      Value isSmallest = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                               dividend, smallest);
      Value byMinusOne =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, divisor,
                                import.constant(type, -1.0));
      replaced = arith::OrIOp::create(
          b, loc, byZero,
          arith::AndIOp::create(b, loc, isSmallest, byMinusOne));
    }
    divisor = arith::SelectOp::create(b, loc, replaced,
                                      import.constant(type, 1.0), divisor);
  }

  /// A constant that is neither 0 nor -1.
  bool isHarmless() const {
    auto element = dyn_cast_or_null<IntegerAttr>(getSplatElement(divisor));
    return element && !element.getValue().isZero() &&
           !element.getValue().isAllOnes();
  }
  Value orElse(Value forZero, Value result) const {
    if (!byZero)
      return result;
    return arith::SelectOp::create(import.builder, import.loc(), byZero,
                                   forZero, result);
  }
};
} // namespace

static Value makeDivide(OpImport &import) {
  OpBuilder &b = import.builder;
  if (import.kind() == ElementKind::Float)
    return make<arith::DivFOp>(import);
  if (import.kind() == ElementKind::Bool)
    return {};
  SafeDivision safe(import);
  Value quotient;
  if (import.kind() == ElementKind::Unsigned)
    quotient =
        arith::DivUIOp::create(b, import.loc(), safe.dividend, safe.divisor);
  else
    quotient =
        arith::DivSIOp::create(b, import.loc(), safe.dividend, safe.divisor);
  if (!safe.byZero)
    return quotient;
  return safe.orElse(import.constant(quotient.getType(), -1.0), quotient);
}

static Value makeRemainder(OpImport &import) {
  OpBuilder &b = import.builder;
  if (import.kind() == ElementKind::Float)
    return make<arith::RemFOp>(import);
  if (import.kind() == ElementKind::Bool)
    return {};
  SafeDivision safe(import);
  Value remainder;
  if (import.kind() == ElementKind::Unsigned)
    remainder =
        arith::RemUIOp::create(b, import.loc(), safe.dividend, safe.divisor);
  else
    remainder =
        arith::RemSIOp::create(b, import.loc(), safe.dividend, safe.divisor);
  return safe.orElse(safe.dividend, remainder);
}

/// Shifts by the width or more (also by "negative" amounts) shift all bits
/// out; arithmetic ones leave the sign everywhere.
template <typename OpTy> static Value makeShift(OpImport &import) {
  if (import.kind() == ElementKind::Float || import.kind() == ElementKind::Bool)
    return {};
  OpBuilder &b = import.builder;
  Location loc = import.loc();
  Value x = import.operands[0], amount = import.operands[1];
  Type type = x.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value last = import.constant(type, APInt(width, width - 1));
  Value inRange =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, amount, last);
  Value clamped = arith::SelectOp::create(b, loc, inRange, amount, last);
  Value shifted = OpTy::create(b, loc, x, clamped);
  if (std::is_same_v<OpTy, arith::ShRSIOp>)
    return shifted;
  return arith::SelectOp::create(b, loc, inRange, shifted,
                                 import.constant(type, 0.0));
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void mlir::dtensor::addElementwiseRules(ImportRules &rules) {
  auto unary = [&](StringRef name, ImportFn import) {
    rules[name] = {import, 1, true};
  };
  auto binary = [&](StringRef name, ImportFn import) {
    rules[name] = {import, 2, true};
  };
  unary("stablehlo.abs", importWith<makeAbs>);
  unary("stablehlo.cbrt", importAs<math::CbrtOp, void>);
  unary("stablehlo.ceil", importAs<math::CeilOp, void>);
  unary("stablehlo.cosine", importAs<math::CosOp, void>);
  unary("stablehlo.count_leading_zeros",
        importAs<void, math::CountLeadingZerosOp>);
  unary("stablehlo.exponential", importAs<math::ExpOp, void>);
  unary("stablehlo.exponential_minus_one", importAs<math::ExpM1Op, void>);
  unary("stablehlo.floor", importAs<math::FloorOp, void>);
  unary("stablehlo.log", importAs<math::LogOp, void>);
  unary("stablehlo.log_plus_one", importAs<math::Log1pOp, void>);
  unary("stablehlo.logistic", importWith<makeLogistic>);
  unary("stablehlo.negate", importWith<makeNegate>);
  unary("stablehlo.not", importWith<makeNot>);
  unary("stablehlo.popcnt", importAs<void, math::CtPopOp>);
  unary("stablehlo.round_nearest_afz", importAs<math::RoundOp, void>);
  unary("stablehlo.round_nearest_even", importAs<math::RoundEvenOp, void>);
  unary("stablehlo.rsqrt", importAs<math::RsqrtOp, void>);
  unary("stablehlo.sign", importWith<makeSign>);
  unary("stablehlo.sine", importAs<math::SinOp, void>);
  unary("stablehlo.sqrt", importAs<math::SqrtOp, void>);
  unary("stablehlo.tan", importAs<math::TanOp, void>);
  unary("stablehlo.tanh", importAs<math::TanhOp, void>);
  unary("chlo.acos", importAs<math::AcosOp, void>);
  unary("chlo.asin", importAs<math::AsinOp, void>);
  unary("chlo.atan", importAs<math::AtanOp, void>);
  unary("chlo.cosh", importAs<math::CoshOp, void>);
  unary("chlo.erf", importAs<math::ErfOp, void>);
  unary("chlo.erfc", importAs<math::ErfcOp, void>);
  unary("chlo.sinh", importAs<math::SinhOp, void>);
  unary("chlo.square", importWith<makeSquare>);
  unary("chlo.tan", importAs<math::TanOp, void>);

  // On booleans add and maximum mean or, multiply and minimum mean and.
  binary("stablehlo.add",
         importAs<arith::AddFOp, arith::AddIOp, arith::AddIOp, arith::OrIOp>);
  binary("stablehlo.and", importAs<void, arith::AndIOp>);
  binary("stablehlo.atan2", importAs<math::Atan2Op, void>);
  binary("stablehlo.divide", importWith<makeDivide>);
  binary("stablehlo.maximum", importAs<arith::MaximumFOp, arith::MaxSIOp,
                                       arith::MaxUIOp, arith::OrIOp>);
  binary("stablehlo.minimum", importAs<arith::MinimumFOp, arith::MinSIOp,
                                       arith::MinUIOp, arith::AndIOp>);
  binary("stablehlo.multiply",
         importAs<arith::MulFOp, arith::MulIOp, arith::MulIOp, arith::AndIOp>);
  binary("stablehlo.or", importAs<void, arith::OrIOp>);
  binary("stablehlo.power",
         importAs<math::PowFOp, math::IPowIOp, math::IPowIOp, void>);
  binary("stablehlo.remainder", importWith<makeRemainder>);
  binary("stablehlo.shift_left", importWith<makeShift<arith::ShLIOp>>);
  binary("stablehlo.shift_right_arithmetic",
         importWith<makeShift<arith::ShRSIOp>>);
  binary("stablehlo.shift_right_logical",
         importWith<makeShift<arith::ShRUIOp>>);
  binary("stablehlo.subtract",
         importAs<arith::SubFOp, arith::SubIOp, arith::SubIOp, void>);
  binary("stablehlo.xor", importAs<void, arith::XOrIOp>);
}
