// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to small floats, and elements in memory.

#include "Element.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::dtensor::interp;

namespace {
/// A binary format of fewer than 24 significant bits.
struct SmallFormat {
  int mantissaBits;     ///< stored bits of the significand
  int smallestExponent; ///< of a normal number
  double largest;
  bool hasInfinity;
};
} // namespace

static SmallFormat getSmallFormat(ElementFormat::Kind kind) {
  switch (kind) {
  case ElementFormat::F16:
    return {10, -14, 65504.0, true};
  case ElementFormat::F8E4M3FN:
    return {3, -6, 448.0, false};
  case ElementFormat::F8E5M2:
    return {2, -14, 57344.0, true};
  default:
    return {7, -126, std::ldexp(255.0, 120), true};
  }
}

double ElementFormat::roundSmall(double value) const {
  if (!std::isfinite(value) || value == 0) {
    bool isLost = std::isinf(value) && !getSmallFormat(kind).hasInfinity;
    return isLost ? std::nan("") : value;
  }
  SmallFormat format = getSmallFormat(kind);
  int exponent = std::max(std::ilogb(value), format.smallestExponent);
  // Scaling by powers of two is exact, nearbyint ties to even.
  double unit = std::ldexp(1.0, exponent - format.mantissaBits);
  double rounded = std::nearbyint(value / unit) * unit;
  if (std::fabs(rounded) <= format.largest)
    return rounded;
  return format.hasInfinity ? std::copysign(HUGE_VAL, value) : std::nan("");
}

int64_t ElementFormat::byteSize() const {
  switch (kind) {
  case F64:
    return 8;
  case F32:
    return 4;
  case F16:
  case BF16:
    return 2;
  case F8E4M3FN:
  case F8E5M2:
    return 1;
  case Integer:
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
  }
  return 8;
}

std::optional<ElementFormat>
mlir::dtensor::interp::getElementFormat(Type type) {
  if (type.isIndex())
    return ElementFormat{ElementFormat::Integer, 64};
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() < 1 || integer.getWidth() > 64)
      return std::nullopt;
    return ElementFormat{ElementFormat::Integer, integer.getWidth()};
  }
  if (type.isF64())
    return ElementFormat{ElementFormat::F64, 64};
  if (type.isF32())
    return ElementFormat{ElementFormat::F32, 32};
  if (type.isF16())
    return ElementFormat{ElementFormat::F16, 16};
  if (type.isBF16())
    return ElementFormat{ElementFormat::BF16, 16};
  if (isa<Float8E4M3FNType>(type))
    return ElementFormat{ElementFormat::F8E4M3FN, 8};
  if (isa<Float8E5M2Type>(type))
    return ElementFormat{ElementFormat::F8E5M2, 8};
  return std::nullopt;
}

static const llvm::fltSemantics &getSemantics(ElementFormat::Kind kind) {
  switch (kind) {
  case ElementFormat::F64:
    return llvm::APFloat::IEEEdouble();
  case ElementFormat::F32:
    return llvm::APFloat::IEEEsingle();
  case ElementFormat::F16:
    return llvm::APFloat::IEEEhalf();
  case ElementFormat::F8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case ElementFormat::F8E5M2:
    return llvm::APFloat::Float8E5M2();
  default:
    return llvm::APFloat::BFloat();
  }
}

static Scalar decodeElement(ElementFormat format, uint64_t bits) {
  switch (format.kind) {
  case ElementFormat::F64: {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return fromFloat(value);
  }
  case ElementFormat::F32:
  case ElementFormat::BF16: {
    auto word = static_cast<uint32_t>(bits);
    if (format.kind == ElementFormat::BF16)
      word <<= 16;
    float value;
    std::memcpy(&value, &word, sizeof(value));
    return fromFloat(value);
  }
  case ElementFormat::Integer:
    return format.round(fromInt(static_cast<int64_t>(bits)));
  default:
    return fromFloat(llvm::APFloat(getSemantics(format.kind),
                                   llvm::APInt(format.width, bits))
                         .convertToDouble());
  }
}

static uint64_t encodeElement(ElementFormat format, Scalar value) {
  switch (format.kind) {
  case ElementFormat::F64: {
    uint64_t bits;
    std::memcpy(&bits, &value.f, sizeof(bits));
    return bits;
  }
  case ElementFormat::F32: {
    auto single = static_cast<float>(value.f);
    uint32_t bits;
    std::memcpy(&bits, &single, sizeof(bits));
    return bits;
  }
  case ElementFormat::Integer:
    return format.unsignedValue(value);
  default: {
    llvm::APFloat number(value.f);
    bool losesInfo = false;
    number.convert(getSemantics(format.kind),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return number.bitcastToAPInt().getZExtValue();
  }
  }
}

void mlir::dtensor::interp::decodeElements(ElementFormat format,
                                           const char *bytes, int64_t count,
                                           Scalar *elements) {
  int64_t size = format.byteSize();
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = 0; // little-endian, like every host that we build for
    std::memcpy(&bits, bytes + i * size, size);
    elements[i] = decodeElement(format, bits);
  }
}

void mlir::dtensor::interp::encodeElements(ElementFormat format,
                                           const Scalar *elements,
                                           int64_t count, char *bytes) {
  int64_t size = format.byteSize();
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = encodeElement(format, elements[i]);
    std::memcpy(bytes + i * size, &bits, size);
  }
}
