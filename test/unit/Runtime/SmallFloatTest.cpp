// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16 and bf16 conversions against arithmetic on their definition, for every
// 16-bit pattern.
#include "Data/SmallFloat.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace dtrt;

namespace {

/// The value of a float with `exponentBits` and `mantissaBits`.
double definition(uint16_t bits, int exponentBits, int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == (1 << exponentBits) - 1)
    return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - mantissaBits);
  return sign * std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - bias - mantissaBits);
}

struct Format {
  int exponentBits, mantissaBits;
  float (*widen)(uint16_t);
  uint16_t (*narrow)(float);
};

class SmallFloat : public ::testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(
    Formats, SmallFloat,
    ::testing::Values(Format{5, 10, f16ToFloat, floatToF16},
                      Format{8, 7, bf16ToFloat, floatToBf16}));

TEST_P(SmallFloat, every_pattern_widens_exactly_and_comes_back) {
  const Format &format = GetParam();
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    uint16_t small = static_cast<uint16_t>(bits);
    double want = definition(small, format.exponentBits, format.mantissaBits);
    float got = format.widen(small);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(got)) << bits;
      ASSERT_TRUE(std::isnan(format.widen(format.narrow(got)))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(got), want) << bits;
    ASSERT_EQ(std::signbit(got), std::signbit(want)) << bits;
    ASSERT_EQ(format.narrow(got), small) << bits;
  }
}

TEST_P(SmallFloat, rounds_to_nearest_even_between_neighbours) {
  const Format &format = GetParam();
  uint32_t infinity = ((1u << format.exponentBits) - 1) << format.mantissaBits;
  for (uint32_t bits = 0; bits + 1 < infinity; ++bits) {
    float low = format.widen(static_cast<uint16_t>(bits));
    float high = format.widen(static_cast<uint16_t>(bits + 1));
    float middle = static_cast<float>((double(low) + double(high)) / 2);
    uint32_t even = bits & 1 ? bits + 1 : bits;
    ASSERT_EQ(format.narrow(middle), even) << bits;
    ASSERT_EQ(format.narrow(std::nextafterf(middle, 0)), bits);
    ASSERT_EQ(format.narrow(std::nextafterf(middle, INFINITY)), bits + 1);
    ASSERT_EQ(format.narrow(-middle), even | 0x8000u);
  }
}

TEST(SmallFloatLimits, overflow_underflow_and_nan) {
  EXPECT_EQ(floatToF16(65504.0f), 0x7bff);
  EXPECT_EQ(floatToF16(65519.0f), 0x7bff);
  EXPECT_EQ(floatToF16(65520.0f), 0x7c00);
  EXPECT_EQ(floatToF16(INFINITY), 0x7c00);
  EXPECT_EQ(floatToF16(-1e30f), 0xfc00);
  EXPECT_EQ(floatToF16(0x1p-25f), 0); // half way to the smallest, even is 0
  EXPECT_EQ(floatToF16(-0.0f), 0x8000);
  EXPECT_EQ(floatToBf16(3.4e38f), 0x7f80);
  // A NaN whose payload lies in the dropped bits must not become infinity.
  EXPECT_EQ(floatToBf16(floatOf(0x7f800001u)) & 0x7fff, 0x7fc0);
  EXPECT_EQ(floatToF16(floatOf(0x7f800001u)) & 0x7fff, 0x7e00);
}

} // namespace
