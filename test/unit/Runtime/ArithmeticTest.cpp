// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions where bits matter: NaN, signed zero, rounding, identities.
#include "dtrt/Arithmetic.h"

#include "Data/SmallFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

using namespace dtrt;
using dtensor::ElementType;
using dtensor::ReduceOp;

namespace {

template <typename T>
T reduce(ElementType type, ReduceOp op, const std::vector<T> &values,
         double divisor = 1) {
  std::vector<const std::byte *> sources;
  for (const T &value : values)
    sources.push_back(reinterpret_cast<const std::byte *>(&value));
  T result{};
  reduceElements(type, op, sources.data(), sources.size(), 1, divisor,
                 reinterpret_cast<std::byte *>(&result));
  return result;
}

TEST(Arithmetic, nan_wins_in_min_and_max_whoever_holds_it) {
  for (ReduceOp op : {ReduceOp::Min, ReduceOp::Max, ReduceOp::Sum})
    for (int at = 0; at < 3; ++at) {
      std::vector<float> values = {1, 2, 3};
      values[at] = NAN;
      EXPECT_TRUE(std::isnan(reduce(ElementType::F32, op, values)));
    }
  EXPECT_TRUE(std::isnan(
      reduce<float>(ElementType::F32, ReduceOp::Sum, {INFINITY, -INFINITY})));
}

TEST(Arithmetic, negative_zero_is_below_zero) {
  EXPECT_TRUE(
      std::signbit(reduce<double>(ElementType::F64, ReduceOp::Min, {0., -0.})));
  EXPECT_FALSE(
      std::signbit(reduce<double>(ElementType::F64, ReduceOp::Max, {-0., 0.})));
}

TEST(Arithmetic, two_byte_floats_are_rounded_once) {
  // 1 + 256 * 2^-9: every partial sum rounded to bf16 would stay at 1.
  std::vector<uint16_t> values(257, floatToBf16(0x1p-9f));
  values[0] = floatToBf16(1);
  EXPECT_EQ(reduce(ElementType::BF16, ReduceOp::Sum, values),
            floatToBf16(1.5f));
  std::vector<uint16_t> large(2, floatToF16(60000));
  EXPECT_EQ(reduce(ElementType::F16, ReduceOp::Avg, large, 2),
            floatToF16(60000));
  EXPECT_EQ(reduce(ElementType::F16, ReduceOp::Sum, large), 0x7c00);
}

TEST(Arithmetic, integers_wrap) {
  EXPECT_EQ(reduce<int8_t>(ElementType::I8, ReduceOp::Sum, {100, 100}), -56);
  EXPECT_EQ(reduce<int16_t>(ElementType::I16, ReduceOp::Product, {-300, 300}),
            static_cast<int16_t>(-90000));
  int64_t big = INT64_MAX;
  EXPECT_EQ(reduce<int64_t>(ElementType::I64, ReduceOp::Sum, {big, 1}),
            INT64_MIN);
}

TEST(Arithmetic, identities_change_nothing) {
  auto check = [](ElementType type, ReduceOp op, auto value) {
    using T = decltype(value);
    T identity{};
    fillIdentity(type, op, 1, reinterpret_cast<std::byte *>(&identity));
    T left = reduce<T>(type, op, {identity, value});
    T right = reduce<T>(type, op, {value, identity});
    EXPECT_EQ(std::memcmp(&left, &value, sizeof(T)), 0)
        << elementTypeName(type) << " " << reduceOpName(op);
    EXPECT_EQ(std::memcmp(&right, &value, sizeof(T)), 0);
  };
  for (ReduceOp op :
       {ReduceOp::Sum, ReduceOp::Product, ReduceOp::Min, ReduceOp::Max})
    for (double value : {-0.0, 0.0, 1.5, -HUGE_VAL, HUGE_VAL}) {
      check(ElementType::F64, op, value);
      check(ElementType::F32, op, static_cast<float>(value));
      check(ElementType::F16, op, floatToF16(static_cast<float>(value)));
      check(ElementType::BF16, op, floatToBf16(static_cast<float>(value)));
    }
  for (ReduceOp op : {ReduceOp::Sum, ReduceOp::Product, ReduceOp::Min,
                      ReduceOp::Max, ReduceOp::UMin, ReduceOp::UMax,
                      ReduceOp::BAnd, ReduceOp::BOr, ReduceOp::BXor})
    for (int value : {-128, -1, 0, 1, 127}) {
      check(ElementType::I8, op, static_cast<int8_t>(value));
      check(ElementType::I16, op, static_cast<int16_t>(value));
      check(ElementType::I32, op, static_cast<int32_t>(value));
      check(ElementType::I64, op, static_cast<int64_t>(value));
      if (dtensor::isReductionSupported(op, ElementType::I1))
        check(ElementType::I1, op, static_cast<uint8_t>(value & 1));
    }
}

TEST(Arithmetic, long_arrays_work_in_place) {
  std::vector<float> a(5000, 1.0f), b(5000, 2.0f);
  const std::byte *sources[] = {reinterpret_cast<std::byte *>(a.data()),
                                reinterpret_cast<std::byte *>(b.data())};
  reduceElements(ElementType::F32, ReduceOp::Sum, sources, 2, 5000, 1,
                 reinterpret_cast<std::byte *>(a.data()));
  EXPECT_EQ(a, std::vector<float>(5000, 3.0f));
  scaleElements(ElementType::F32, 1, 2, sources[0], 5000,
                reinterpret_cast<std::byte *>(a.data()));
  EXPECT_EQ(a, std::vector<float>(5000, 1.5f));
}

} // namespace
