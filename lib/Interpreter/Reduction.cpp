// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of scalars.

#include "Reduction.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::dtensor::interp;
using ::dtensor::ReduceOp;

Scalar mlir::dtensor::interp::getIdentity(ReduceOp op, ElementFormat format) {
  bool isFloat = format.isFloat();
  uint64_t top = uint64_t(1) << (format.width - 1);
  switch (op) {
  case ReduceOp::Sum:
  case ReduceOp::Avg:
    return isFloat ? fromFloat(-0.0) : fromInt(0);
  case ReduceOp::Product:
    return isFloat ? fromFloat(1) : fromInt(1);
  case ReduceOp::Min:
    return isFloat ? fromFloat(HUGE_VAL) : fromInt(top - 1);
  case ReduceOp::Max:
    return isFloat ? fromFloat(-HUGE_VAL)
                   : format.round(fromInt(static_cast<int64_t>(top)));
  case ReduceOp::UMin:
  case ReduceOp::BAnd:
    return fromInt(-1);
  case ReduceOp::UMax:
  case ReduceOp::BOr:
  case ReduceOp::BXor:
    return fromInt(0);
  }
  return fromInt(0);
}

/// A NaN wins, and of two zeros the one of the wanted sign.
static double floatExtremum(double a, double b, bool wantsLarger) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) == wantsLarger ? b : a;
  return (a > b) == wantsLarger ? a : b;
}

Scalar mlir::dtensor::interp::combine(ReduceOp op, ElementFormat format,
                                      Scalar a, Scalar b) {
  bool isFloat = format.isFloat();
  auto ua = static_cast<uint64_t>(a.i), ub = static_cast<uint64_t>(b.i);
  bool unsignedLess = format.unsignedValue(a) < format.unsignedValue(b);
  switch (op) {
  case ReduceOp::Sum:
  case ReduceOp::Avg:
    return isFloat ? fromFloat(a.f + b.f) : fromInt(ua + ub);
  case ReduceOp::Product:
    return isFloat ? fromFloat(a.f * b.f) : fromInt(ua * ub);
  case ReduceOp::Min:
    return isFloat ? fromFloat(floatExtremum(a.f, b.f, false))
                   : fromInt(std::min(a.i, b.i));
  case ReduceOp::Max:
    return isFloat ? fromFloat(floatExtremum(a.f, b.f, true))
                   : fromInt(std::max(a.i, b.i));
  case ReduceOp::UMin:
    return unsignedLess ? a : b;
  case ReduceOp::UMax:
    return unsignedLess ? b : a;
  case ReduceOp::BAnd:
    return fromInt(ua & ub);
  case ReduceOp::BOr:
    return fromInt(ua | ub);
  case ReduceOp::BXor:
    return fromInt(ua ^ ub);
  }
  return a;
}

bool mlir::dtensor::interp::isIdempotent(ReduceOp op) {
  return op != ReduceOp::Sum && op != ReduceOp::Product && op != ReduceOp::BXor;
}

ElementFormat mlir::dtensor::interp::getAccumulator(ReduceOp op,
                                                    ElementFormat format) {
  if (format.kind == ElementFormat::F16 || format.kind == ElementFormat::BF16)
    return {ElementFormat::F32, 32};
  if (format.kind == ElementFormat::F32 && op == ReduceOp::Avg)
    return {ElementFormat::F64, 64};
  return format;
}
