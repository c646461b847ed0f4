// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index-valued test data, and just enough arithmetic to check it. None of it
// is the runtime's own, which is what is under test.
#include "IndexData.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace dtensor;

namespace {

/// Small float formats by their field widths.
struct SmallFormat {
  int exponentBits, mantissaBits;
  bool hasInfinity;
};

SmallFormat formatOf(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return {5, 10, true};
  case ElementType::BF16:
    return {8, 7, true};
  case ElementType::F8E4M3FN:
    return {4, 3, false};
  default:
    return {5, 2, true};
  }
}

/// Encodes a whole number that the format holds exactly.
uint16_t encodeSmall(const SmallFormat &format, int64_t value) {
  int sign = value < 0;
  uint16_t bits = static_cast<uint16_t>(
      sign << (format.exponentBits + format.mantissaBits));
  if (value == 0)
    return bits;
  int exponent;
  double fraction = std::frexp(static_cast<double>(sign ? -value : value),
                               &exponent); // in [0.5, 1)
  int bias = (1 << (format.exponentBits - 1)) - 1;
  int mantissa =
      static_cast<int>(std::ldexp(2 * fraction - 1, format.mantissaBits));
  return static_cast<uint16_t>(
      bits | (exponent - 1 + bias) << format.mantissaBits | mantissa);
}

double decodeSmall(const SmallFormat &format, uint16_t bits) {
  int mantissa = bits & ((1 << format.mantissaBits) - 1);
  int exponent = bits >> format.mantissaBits & ((1 << format.exponentBits) - 1);
  bool negative = bits >> (format.mantissaBits + format.exponentBits) & 1;
  int bias = (1 << (format.exponentBits - 1)) - 1;
  double value;
  if (format.hasInfinity && exponent == (1 << format.exponentBits) - 1)
    value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - bias - format.mantissaBits);
  else
    value = std::ldexp(mantissa + (1 << format.mantissaBits),
                       exponent - bias - format.mantissaBits);
  return negative ? -value : value;
}

template <typename T> void store(T value, std::byte *target) {
  std::memcpy(target, &value, sizeof(T));
}

template <typename T> T load(const std::byte *source) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  return value;
}

} // namespace

int64_t dtensor::indexValue(ElementType type, int64_t index) {
  // Primes, so that a displaced box does not happen to match.
  switch (type) {
  case ElementType::I1:
    return (index ^ index / 2 ^ index / 4) & 1;
  case ElementType::F8E5M2:
    return index % 7;
  case ElementType::F8E4M3FN:
    return index % 13;
  case ElementType::I8:
    return index % 61;
  case ElementType::BF16:
    return index % 127;
  case ElementType::F16:
    return index % 1021;
  case ElementType::I16:
    return index % 10007;
  default:
    return index % 1000003;
  }
}

int64_t dtensor::contributionTo(int64_t value, int64_t index, ElementType type,
                                const std::vector<PartialAxis> &partials,
                                const std::vector<int64_t> &coordinates) {
  if (partials.empty())
    return value;
  int64_t flat = 0, total = 1;
  bool sumOrigin = true;
  for (size_t i = 0; i < partials.size(); ++i) {
    flat = flat * partials[i].axis.size + coordinates[i];
    total *= partials[i].axis.size;
    sumOrigin &= partials[i].op == ReduceOp::Avg || coordinates[i] == 0;
  }
  // Contributors 2k and 2k+1 cancel each other; a last odd one adds nothing.
  bool paired = (flat | 1) < total;
  bool holder = flat == index % total;
  switch (partials.front().op) {
  case ReduceOp::Sum:
  case ReduceOp::Avg:
    return (sumOrigin ? value : 0) + (paired ? (flat & 1 ? -1 : 1) : 0);
  case ReduceOp::Product:
    return (flat == 0 ? value : 1) * (paired && flat < 2 ? -1 : 1);
  case ReduceOp::Min:
  case ReduceOp::UMin:
    return holder || type == ElementType::I1 ? value : value + flat % 3;
  case ReduceOp::Max:
  case ReduceOp::UMax:
    return holder || type == ElementType::I1 ? value : value / 2;
  case ReduceOp::BAnd:
    return holder ? value : value | 3;
  case ReduceOp::BOr:
    return holder ? value : value & 5;
  case ReduceOp::BXor:
    return (flat == 0 ? value : 0) ^ (paired ? 3 : 0);
  }
  return value;
}

void dtensor::encodeElement(ElementType type, int64_t value,
                            std::byte *target) {
  switch (type) {
  case ElementType::F64:
    return store(static_cast<double>(value), target);
  case ElementType::F32:
    return store(static_cast<float>(value), target);
  case ElementType::F16:
  case ElementType::BF16:
    return store(encodeSmall(formatOf(type), value), target);
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return store(static_cast<uint8_t>(encodeSmall(formatOf(type), value)),
                 target);
  case ElementType::I1:
    return store(static_cast<uint8_t>(value & 1), target);
  case ElementType::I8:
    return store(static_cast<int8_t>(value), target);
  case ElementType::I16:
    return store(static_cast<int16_t>(value), target);
  case ElementType::I32:
    return store(static_cast<int32_t>(value), target);
  case ElementType::I64:
    return store(value, target);
  }
}

Element dtensor::decodeElement(ElementType type, const std::byte *source) {
  switch (type) {
  case ElementType::F64:
    return {load<double>(source), 0};
  case ElementType::F32:
    return {load<float>(source), 0};
  case ElementType::F16:
  case ElementType::BF16:
    return {decodeSmall(formatOf(type), load<uint16_t>(source)), 0};
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return {decodeSmall(formatOf(type), load<uint8_t>(source)), 0};
  case ElementType::I1: // true is -1 as a signed number
    return {0, -static_cast<int64_t>(load<uint8_t>(source) & 1)};
  case ElementType::I8:
    return {0, load<int8_t>(source)};
  case ElementType::I16:
    return {0, load<int16_t>(source)};
  case ElementType::I32:
    return {0, load<int32_t>(source)};
  case ElementType::I64:
    return {0, load<int64_t>(source)};
  }
  return {};
}

Element dtensor::combineElements(ReduceOp op, ElementType type, Element a,
                                 Element b) {
  // Sign extension keeps the unsigned order within a type.
  uint64_t ua = static_cast<uint64_t>(a.whole);
  uint64_t ub = static_cast<uint64_t>(b.whole);
  auto wrap = [&](uint64_t value) {
    int bits =
        type == ElementType::I1 ? 1 : static_cast<int>(8 * elementBytes(type));
    int64_t high = static_cast<int64_t>(value << (64 - bits));
    return Element{0, high >> (64 - bits)};
  };
  bool real = isFloat(type);
  switch (op) {
  case ReduceOp::Sum:
  case ReduceOp::Avg:
    return real ? Element{a.real + b.real, 0} : wrap(ua + ub);
  case ReduceOp::Product:
    return real ? Element{a.real * b.real, 0} : wrap(ua * ub);
  case ReduceOp::Min:
    return {std::min(a.real, b.real), std::min(a.whole, b.whole)};
  case ReduceOp::Max:
    return {std::max(a.real, b.real), std::max(a.whole, b.whole)};
  case ReduceOp::UMin:
    return {0, ua < ub ? a.whole : b.whole};
  case ReduceOp::UMax:
    return {0, ua < ub ? b.whole : a.whole};
  case ReduceOp::BAnd:
    return {0, a.whole & b.whole};
  case ReduceOp::BOr:
    return {0, a.whole | b.whole};
  case ReduceOp::BXor:
    return {0, a.whole ^ b.whole};
  }
  return a;
}
