// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math ops on scalars, computed in f64 by the C library and rounded once.

#include "ScalarOps.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::dtensor::interp;

#define UNARY_F(EXPRESSION)                                                    \
  [](const Scalar *v, ScalarCode &) -> Scalar {                                \
    double a = v[0].f;                                                         \
    return fromFloat(EXPRESSION);                                              \
  }
#define BINARY_F(EXPRESSION)                                                   \
  [](const Scalar *v, ScalarCode &) -> Scalar {                                \
    double a = v[0].f, b = v[1].f;                                             \
    return fromFloat(EXPRESSION);                                              \
  }
#define TEST_F(EXPRESSION)                                                     \
  [](const Scalar *v, ScalarCode &) -> Scalar {                                \
    double a = v[0].f;                                                         \
    return fromInt(EXPRESSION);                                                \
  }

/// Ties to even whatever the rounding mode of the process.
static double roundToEven(double value) {
  double rounded = std::round(value);
  bool isTie = std::fabs(value - std::trunc(value)) == 0.5;
  return isTie ? 2 * std::round(value / 2) : rounded;
}

static Scalar fusedMultiplyAdd(const Scalar *v, ScalarCode &code) {
  // In f32 itself: through f64 the sum would be rounded twice.
  if (code.result.kind == ElementFormat::F32)
    return fromFloat(std::fmaf(static_cast<float>(v[0].f),
                               static_cast<float>(v[1].f),
                               static_cast<float>(v[2].f)));
  return fromFloat(std::fma(v[0].f, v[1].f, v[2].f));
}

/// An exponent of a type that is not the base's.
static Scalar powerOfInteger(const Scalar *v, ScalarCode &) {
  return fromFloat(std::pow(v[0].f, static_cast<double>(v[1].i)));
}

static Scalar integerPower(const Scalar *v, ScalarCode &code) {
  int64_t exponent = v[1].i;
  auto base = static_cast<uint64_t>(v[0].i);
  if (exponent < 0) {
    if (v[0].i == 0)
      code.fault = "raises zero to a negative power";
    bool isOdd = exponent & 1;
    return fromInt(v[0].i == 1 ? 1 : v[0].i == -1 ? (isOdd ? -1 : 1) : 0);
  }
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return fromInt(static_cast<int64_t>(result));
}

static Scalar countLeadingZeros(const Scalar *v, ScalarCode &code) {
  uint64_t bits = code.operand.unsignedValue(v[0]);
  return fromInt(llvm::countl_zero(bits) - (64 - int(code.operand.width)));
}

static Scalar countTrailingZeros(const Scalar *v, ScalarCode &code) {
  uint64_t bits = code.operand.unsignedValue(v[0]);
  return fromInt(bits ? llvm::countr_zero(bits) : int(code.operand.width));
}

static Scalar countOnes(const Scalar *v, ScalarCode &code) {
  return fromInt(llvm::popcount(code.operand.unsignedValue(v[0])));
}

static Scalar clampFloat(const Scalar *v, ScalarCode &) {
  // The upper bound wins over a lower one that is larger. A number that is none
  // stays so.
  double low = v[1].f, high = v[2].f;
  double raised = v[0].f < low ? low : v[0].f;
  return fromFloat(raised > high ? high : raised);
}

/// The smallest normal number of the operand's type: small ones are normal f64.
static Scalar isNormal(const Scalar *v, ScalarCode &code) {
  double smallest = 0;
  switch (code.operand.kind) {
  case ElementFormat::F64:
    smallest = std::numeric_limits<double>::min();
    break;
  case ElementFormat::F32:
  case ElementFormat::BF16: // the exponents of f32
    smallest = std::numeric_limits<float>::min();
    break;
  default:
    smallest = 0x1p-14; // f16 and f8E5M2; f8E4M3FN is never computed with
  }
  double size = std::fabs(v[0].f);
  return fromInt(std::isfinite(size) && size >= smallest ? -1 : 0);
}

ArrayRef<ScalarRow> mlir::dtensor::interp::getMathRows() {
  static const ScalarRow rows[] = {
      {"math.absf", UNARY_F(std::fabs(a))},
      {"math.absi",
       [](const Scalar *v, ScalarCode &) {
         auto bits = static_cast<uint64_t>(v[0].i);
         return fromInt(static_cast<int64_t>(v[0].i < 0 ? 0 - bits : bits));
       }},
      {"math.acos", UNARY_F(std::acos(a))},
      {"math.acosh", UNARY_F(std::acosh(a))},
      {"math.asin", UNARY_F(std::asin(a))},
      {"math.asinh", UNARY_F(std::asinh(a))},
      {"math.atan", UNARY_F(std::atan(a))},
      {"math.atan2", BINARY_F(std::atan2(a, b))},
      {"math.atanh", UNARY_F(std::atanh(a))},
      {"math.cbrt", UNARY_F(std::cbrt(a))},
      {"math.ceil", UNARY_F(std::ceil(a))},
      {"math.clampf", clampFloat},
      {"math.copysign", BINARY_F(std::copysign(a, b))},
      {"math.cos", UNARY_F(std::cos(a))},
      {"math.cosh", UNARY_F(std::cosh(a))},
      {"math.ctlz", countLeadingZeros},
      {"math.ctpop", countOnes},
      {"math.cttz", countTrailingZeros},
      {"math.erf", UNARY_F(std::erf(a))},
      {"math.erfc", UNARY_F(std::erfc(a))},
      {"math.exp", UNARY_F(std::exp(a))},
      {"math.exp2", UNARY_F(std::exp2(a))},
      {"math.expm1", UNARY_F(std::expm1(a))},
      {"math.floor", UNARY_F(std::floor(a))},
      {"math.fma", fusedMultiplyAdd},
      {"math.fpowi", powerOfInteger},
      {"math.ipowi", integerPower},
      {"math.isfinite", TEST_F(std::isfinite(a))},
      {"math.isinf", TEST_F(std::isinf(a))},
      {"math.isnan", TEST_F(std::isnan(a))},
      {"math.isnormal", isNormal},
      {"math.log", UNARY_F(std::log(a))},
      {"math.log10", UNARY_F(std::log10(a))},
      {"math.log1p", UNARY_F(std::log1p(a))},
      {"math.log2", UNARY_F(std::log2(a))},
      {"math.powf", BINARY_F(std::pow(a, b))},
      {"math.round", UNARY_F(std::round(a))},
      {"math.roundeven", UNARY_F(roundToEven(a))},
      {"math.rsqrt", UNARY_F(1 / std::sqrt(a))},
      {"math.sin", UNARY_F(std::sin(a))},
      {"math.sinh", UNARY_F(std::sinh(a))},
      {"math.sqrt", UNARY_F(std::sqrt(a))},
      {"math.tan", UNARY_F(std::tan(a))},
      {"math.tanh", UNARY_F(std::tanh(a))},
      {"math.trunc", UNARY_F(std::trunc(a))},
  };
  return rows;
}
