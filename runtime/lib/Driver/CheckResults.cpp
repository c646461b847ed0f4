// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a result with the unsharded program's.
#include "Driver/Driver.h"

#include "Data/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace dtrt;
using dtensor::ElementType;

namespace {

template <typename T> T bitsAt(const GlobalTensor &tensor, size_t index) {
  T value;
  std::memcpy(&value, tensor.data.data() + index * sizeof(T), sizeof(T));
  return value;
}

double valueAt(const GlobalTensor &tensor, size_t index) {
  switch (tensor.type) {
  case ElementType::F64:
    return bitsAt<double>(tensor, index);
  case ElementType::F32:
    return bitsAt<float>(tensor, index);
  case ElementType::F16:
    return f16ToFloat(bitsAt<uint16_t>(tensor, index));
  case ElementType::BF16:
    return bf16ToFloat(bitsAt<uint16_t>(tensor, index));
  case ElementType::I16:
    return bitsAt<int16_t>(tensor, index);
  case ElementType::I32:
    return bitsAt<int32_t>(tensor, index);
  case ElementType::I64:
    return static_cast<double>(bitsAt<int64_t>(tensor, index));
  case ElementType::I8:
    return bitsAt<int8_t>(tensor, index);
  default:
    return bitsAt<uint8_t>(tensor, index);
  }
}

/// Relative to the largest magnitude; 0 for types that must agree exactly.
double defaultTolerance(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return 1e-12;
  case ElementType::F32:
    return 1e-5;
  case ElementType::F16:
    return 1e-3;
  case ElementType::BF16:
    return 2e-2;
  default:
    return 0;
  }
}

bool isExact(ElementType type) { return defaultTolerance(type) == 0; }

double errorBetween(double actual, double expected) {
  if (std::isnan(actual) && std::isnan(expected))
    return 0;
  if (actual == expected) // equal infinities too
    return 0;
  double error = std::fabs(actual - expected);
  return std::isnan(error) ? INFINITY : error;
}

} // namespace

Comparison dtrt::compareTensors(const GlobalTensor &actual,
                                const GlobalTensor &expected,
                                std::optional<double> rtol,
                                std::optional<double> atol) {
  Comparison result;
  bool exact = isExact(actual.type);
  if (!exact) {
    result.rtol = rtol.value_or(defaultTolerance(actual.type));
    result.atol = atol.value_or(0);
  }
  size_t width = static_cast<size_t>(dtensor::elementBytes(actual.type));
  size_t count = actual.data.size() / width;
  for (size_t i = 0; i < count; ++i) {
    double want = valueAt(expected, i);
    double error = errorBetween(valueAt(actual, i), want);
    // i64 values need not be exact as doubles: their bits decide.
    if (exact && std::memcmp(actual.data.data() + i * width,
                             expected.data.data() + i * width, width) != 0)
      error = std::max(error, 1.0);
    result.largestError = std::max(result.largestError, error);
    if (std::isfinite(want))
      result.magnitude = std::max(result.magnitude, std::fabs(want));
  }
  result.ok =
      result.largestError <= result.atol + result.rtol * result.magnitude;
  return result;
}
