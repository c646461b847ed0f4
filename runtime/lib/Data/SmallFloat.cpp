// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrowing to f16.
#include "Data/SmallFloat.h"

namespace dtrt {

uint16_t floatToF16(float value) {
  uint32_t bits = bitsOf(value);
  uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x47800000u) // 65536 and above, infinity included
    return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude >= 0x38800000u) { // normal halves; rounding may carry up
    uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
  }
  // Subnormal halves count units of 2^-24. Adding 0.5 leaves exactly those
  // units in the low bits of the sum, rounded by the addition itself.
  float sum = floatOf(magnitude) + 0.5f;
  return static_cast<uint16_t>(sign | (bitsOf(sum) - 0x3f000000u));
}

} // namespace dtrt
