// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arith ops on scalars. Operands are exact values of their types, results
// are rounded (or wrapped around) by the caller. f32 and smaller floats are
// computed in f64: for + - * / that rounds to the same value as computing in
// the type itself.

#include "ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::dtensor::interp;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static uint64_t asUnsigned(Scalar value) {
  return static_cast<uint64_t>(value.i);
}
static Scalar wrapped(uint64_t value) {
  return fromInt(static_cast<int64_t>(value));
}

/// Quotient towards zero; the one quotient that overflows wraps around.
static int64_t quotient(int64_t a, int64_t b) {
  return b == -1 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a / b;
}
static int64_t remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

enum class Rounding { Zero, Down, Up };

template <Rounding rounding>
static Scalar divideSigned(const Scalar *v, ScalarCode &code) {
  if (v[1].i == 0) {
    code.fault = "divides by zero";
    return fromInt(0);
  }
  int64_t result = quotient(v[0].i, v[1].i);
  int64_t rest = remainder(v[0].i, v[1].i);
  bool isNegative = (v[0].i < 0) != (v[1].i < 0);
  if (rest != 0 && rounding == Rounding::Down && isNegative)
    --result;
  if (rest != 0 && rounding == Rounding::Up && !isNegative)
    ++result;
  return fromInt(result);
}

template <bool wantsRest, bool roundsUp>
static Scalar divideUnsigned(const Scalar *v, ScalarCode &code) {
  uint64_t a = code.operand.unsignedValue(v[0]);
  uint64_t b = code.operand.unsignedValue(v[1]);
  if (b == 0) {
    code.fault = "divides by zero";
    return fromInt(0);
  }
  if (wantsRest)
    return wrapped(a % b);
  return wrapped(a / b + (roundsUp && a % b != 0 ? 1 : 0));
}

static Scalar remainderSigned(const Scalar *v, ScalarCode &code) {
  if (v[1].i == 0) {
    code.fault = "divides by zero";
    return fromInt(0);
  }
  return fromInt(remainder(v[0].i, v[1].i));
}

/// Shifts by the width or more, which MLIR leaves open, shift everything out.
enum class Shift { Left, RightSigned, RightUnsigned };

template <Shift shift>
static Scalar shiftBits(const Scalar *v, ScalarCode &code) {
  uint64_t amount = code.operand.unsignedValue(v[1]);
  bool isOut = amount >= code.operand.width;
  if (shift == Shift::RightSigned)
    return fromInt(v[0].i >> (isOut ? 63 : amount));
  if (isOut)
    return fromInt(0);
  if (shift == Shift::Left)
    return wrapped(asUnsigned(v[0]) << amount);
  return wrapped(code.operand.unsignedValue(v[0]) >> amount);
}

static Scalar compareIntegers(const Scalar *v, ScalarCode &code) {
  int64_t a = v[0].i, b = v[1].i;
  uint64_t ua = code.operand.unsignedValue(v[0]);
  uint64_t ub = code.operand.unsignedValue(v[1]);
  switch (static_cast<arith::CmpIPredicate>(code.immediate)) {
  case arith::CmpIPredicate::eq:
    return fromInt(a == b);
  case arith::CmpIPredicate::ne:
    return fromInt(a != b);
  case arith::CmpIPredicate::slt:
    return fromInt(a < b);
  case arith::CmpIPredicate::sle:
    return fromInt(a <= b);
  case arith::CmpIPredicate::sgt:
    return fromInt(a > b);
  case arith::CmpIPredicate::sge:
    return fromInt(a >= b);
  case arith::CmpIPredicate::ult:
    return fromInt(ua < ub);
  case arith::CmpIPredicate::ule:
    return fromInt(ua <= ub);
  case arith::CmpIPredicate::ugt:
    return fromInt(ua > ub);
  case arith::CmpIPredicate::uge:
    return fromInt(ua >= ub);
  }
  return fromInt(0);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static Scalar compareFloats(const Scalar *v, ScalarCode &code) {
  using Predicate = arith::CmpFPredicate;
  double a = v[0].f, b = v[1].f;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (static_cast<Predicate>(code.immediate)) {
  case Predicate::AlwaysFalse:
    return fromInt(0);
  case Predicate::OEQ:
    return fromInt(a == b);
  case Predicate::OGT:
    return fromInt(a > b);
  case Predicate::OGE:
    return fromInt(a >= b);
  case Predicate::OLT:
    return fromInt(a < b);
  case Predicate::OLE:
    return fromInt(a <= b);
  case Predicate::ONE:
    return fromInt(!unordered && a != b);
  case Predicate::ORD:
    return fromInt(!unordered);
  case Predicate::UEQ:
    return fromInt(unordered || a == b);
  case Predicate::UGT:
    return fromInt(unordered || a > b);
  case Predicate::UGE:
    return fromInt(unordered || a >= b);
  case Predicate::ULT:
    return fromInt(unordered || a < b);
  case Predicate::ULE:
    return fromInt(unordered || a <= b);
  case Predicate::UNE:
    return fromInt(a != b);
  case Predicate::UNO:
    return fromInt(unordered);
  case Predicate::AlwaysTrue:
    return fromInt(1);
  }
  return fromInt(0);
}

/// The larger (or smaller) of two numbers, +0.0 above -0.0. Of a NaN and a
/// number: the NaN, or with `keepsNumber` the number.
template <bool wantsLarger, bool keepsNumber>
static Scalar extremum(const Scalar *v, ScalarCode &) {
  double a = v[0].f, b = v[1].f;
  if (std::isnan(a) || std::isnan(b)) {
    bool takeFirst = std::isnan(a) != keepsNumber;
    return takeFirst ? v[0] : v[1];
  }
  if (a == b)
    return std::signbit(a) == wantsLarger ? v[1] : v[0];
  return (a > b) == wantsLarger ? v[0] : v[1];
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Out of range, which MLIR leaves open, gives the nearest end; NaN gives 0.
static Scalar floatToSigned(const Scalar *v, ScalarCode &code) {
  double value = std::trunc(v[0].f);
  double end = std::ldexp(1.0, static_cast<int>(code.result.width) - 1);
  if (std::isnan(value))
    return fromInt(0);
  if (value >= end)
    return fromInt(std::numeric_limits<int64_t>::max() >>
                   (64 - code.result.width));
  if (value < -end)
    return fromInt(std::numeric_limits<int64_t>::min() >>
                   (64 - code.result.width));
  return fromInt(static_cast<int64_t>(value));
}

static Scalar floatToUnsigned(const Scalar *v, ScalarCode &code) {
  double value = std::trunc(v[0].f);
  double end = std::ldexp(1.0, static_cast<int>(code.result.width));
  if (std::isnan(value) || value <= 0)
    return fromInt(0);
  if (value >= end)
    return fromInt(-1);
  return wrapped(static_cast<uint64_t>(value));
}

static Scalar signedToFloat(const Scalar *v, ScalarCode &code) {
  // Through f64 a large number would be rounded twice.
  if (code.result.kind == ElementFormat::F32)
    return fromFloat(static_cast<float>(v[0].i));
  return fromFloat(static_cast<double>(v[0].i));
}

static Scalar unsignedToFloat(const Scalar *v, ScalarCode &code) {
  uint64_t value = code.operand.unsignedValue(v[0]);
  if (code.result.kind == ElementFormat::F32)
    return fromFloat(static_cast<float>(value));
  return fromFloat(static_cast<double>(value));
}

static Scalar bitcastScalar(const Scalar *v, ScalarCode &code) {
  char bytes[8] = {};
  encodeElements(code.operand, v, 1, bytes);
  Scalar result;
  decodeElements(code.result, bytes, 1, &result);
  return result;
}

static Scalar keep(const Scalar *v, ScalarCode &) { return v[0]; }

static Scalar extendUnsigned(const Scalar *v, ScalarCode &code) {
  return wrapped(code.operand.unsignedValue(v[0]));
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

#define BINARY_F(EXPRESSION)                                                   \
  [](const Scalar *v, ScalarCode &) -> Scalar {                                \
    double a = v[0].f, b = v[1].f;                                             \
    return fromFloat(EXPRESSION);                                              \
  }
#define BINARY_U(EXPRESSION)                                                   \
  [](const Scalar *v, ScalarCode &) -> Scalar {                                \
    uint64_t a = asUnsigned(v[0]), b = asUnsigned(v[1]);                       \
    return wrapped(EXPRESSION);                                                \
  }

/// The signed or unsigned extremum of integers.
template <bool wantsLarger, bool isSigned>
static Scalar integerExtremum(const Scalar *v, ScalarCode &code) {
  bool less = isSigned ? v[0].i < v[1].i
                       : code.operand.unsignedValue(v[0]) <
                             code.operand.unsignedValue(v[1]);
  return less == wantsLarger ? v[1] : v[0];
}

ArrayRef<ScalarRow> mlir::dtensor::interp::getArithRows() {
  static const ScalarRow rows[] = {
      {"arith.addf", BINARY_F(a + b)},
      {"arith.subf", BINARY_F(a - b)},
      {"arith.mulf", BINARY_F(a * b)},
      {"arith.divf", BINARY_F(a / b)},
      {"arith.remf", BINARY_F(std::fmod(a, b))},
      {"arith.negf",
       [](const Scalar *v, ScalarCode &) { return fromFloat(-v[0].f); }},
      {"arith.maximumf", extremum<true, false>},
      {"arith.minimumf", extremum<false, false>},
      {"arith.maxnumf", extremum<true, true>},
      {"arith.minnumf", extremum<false, true>},
      {"arith.cmpf", compareFloats},
      {"arith.addi", BINARY_U(a + b)},
      {"arith.subi", BINARY_U(a - b)},
      {"arith.muli", BINARY_U(a * b)},
      {"arith.andi", BINARY_U(a & b)},
      {"arith.ori", BINARY_U(a | b)},
      {"arith.xori", BINARY_U(a ^ b)},
      {"arith.divsi", divideSigned<Rounding::Zero>},
      {"arith.floordivsi", divideSigned<Rounding::Down>},
      {"arith.ceildivsi", divideSigned<Rounding::Up>},
      {"arith.divui", divideUnsigned<false, false>},
      {"arith.ceildivui", divideUnsigned<false, true>},
      {"arith.remui", divideUnsigned<true, false>},
      {"arith.remsi", remainderSigned},
      {"arith.shli", shiftBits<Shift::Left>},
      {"arith.shrsi", shiftBits<Shift::RightSigned>},
      {"arith.shrui", shiftBits<Shift::RightUnsigned>},
      {"arith.maxsi", integerExtremum<true, true>},
      {"arith.minsi", integerExtremum<false, true>},
      {"arith.maxui", integerExtremum<true, false>},
      {"arith.minui", integerExtremum<false, false>},
      {"arith.cmpi", compareIntegers},
      {"arith.select",
       [](const Scalar *v, ScalarCode &) { return v[0].i ? v[1] : v[2]; }},
      {"arith.extf", keep},
      {"arith.truncf", keep},
      {"arith.extsi", keep},
      {"arith.extui", extendUnsigned},
      {"arith.trunci", keep},
      {"arith.index_cast", keep},
      {"arith.index_castui", extendUnsigned},
      {"arith.sitofp", signedToFloat},
      {"arith.uitofp", unsignedToFloat},
      {"arith.fptosi", floatToSigned},
      {"arith.fptoui", floatToUnsigned},
      {"arith.bitcast", bitcastScalar},
      {"tensor.bitcast", bitcastScalar},
  };
  return rows;
}

std::optional<ScalarCode> mlir::dtensor::interp::getScalarCode(Operation *op) {
  StringRef name = op->getName().getStringRef();
  for (ArrayRef<ScalarRow> rows : {getArithRows(), getMathRows()})
    for (const auto &[rowName, function] : rows) {
      if (rowName != name)
        continue;
      ScalarCode code;
      code.function = function;
      auto operand =
          getElementFormat(getElementTypeOrSelf(op->getOperand(0).getType()));
      auto result =
          getElementFormat(getElementTypeOrSelf(op->getResult(0).getType()));
      if (!operand || !result)
        return std::nullopt;
      code.operand = *operand;
      code.result = *result;
      if (auto compare = dyn_cast<arith::CmpIOp>(op))
        code.immediate = static_cast<int64_t>(compare.getPredicate());
      if (auto compare = dyn_cast<arith::CmpFOp>(op))
        code.immediate = static_cast<int64_t>(compare.getPredicate());
      return code;
    }
  return std::nullopt;
}
