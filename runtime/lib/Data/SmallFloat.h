// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16 and bf16 in software: exact widening, and narrowing with one rounding
// to nearest even. Right for subnormals, infinities and NaNs; a NaN stays one
// and keeps the top bits of its payload.
#ifndef DTRT_LIB_DATA_SMALLFLOAT_H
#define DTRT_LIB_DATA_SMALLFLOAT_H

#include <cstdint>
#include <cstring>

namespace dtrt {

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline float bf16ToFloat(uint16_t bits) {
  return floatOf(static_cast<uint32_t>(bits) << 16);
}

inline uint16_t floatToBf16(float value) {
  uint32_t bits = bitsOf(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

inline float f16ToFloat(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) // infinity and NaN
    return floatOf(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  // Scaling a float whose exponent field holds the half's also normalises
  // subnormal halves: 2^112 is the difference of the exponent biases.
  float scaled = floatOf(magnitude << 13) * floatOf((127u + 112u) << 23);
  return floatOf(bitsOf(scaled) | sign);
}

uint16_t floatToF16(float value);

} // namespace dtrt

#endif // DTRT_LIB_DATA_SMALLFLOAT_H
