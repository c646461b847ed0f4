// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of all types against the plain triple loop.
#include "dtrt/Gemm.h"

#include "Data/SmallFloat.h"

#include <gtest/gtest.h>

#include <vector>

using namespace dtrt;
using dtensor::ElementType;

namespace {

template <typename T> T encode(ElementType type, int64_t value) {
  if (type == ElementType::F16)
    return static_cast<T>(floatToF16(static_cast<float>(value)));
  if (type == ElementType::BF16)
    return static_cast<T>(floatToBf16(static_cast<float>(value)));
  return static_cast<T>(value);
}

/// Small integers, so that every type and order gives the same result.
template <typename T> void check(GemmShape shape) {
  auto fill = [&](int64_t stride, int64_t size, int64_t seed) {
    std::vector<int64_t> out(
        static_cast<size_t>((shape.batch - 1) * stride + size));
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<int64_t>((i * 7 + seed) % 4) - 1;
    return out;
  };
  std::vector<int64_t> a = fill(shape.strideA, shape.m * shape.k, 1);
  std::vector<int64_t> b = fill(shape.strideB, shape.k * shape.n, 2);
  std::vector<int64_t> c = fill(shape.strideC, shape.m * shape.n, 3);
  auto encoded = [&](const std::vector<int64_t> &values) {
    std::vector<T> out;
    for (int64_t value : values)
      out.push_back(encode<T>(shape.type, value));
    return out;
  };
  std::vector<T> ea = encoded(a), eb = encoded(b), ec = encoded(c), el = ec;
  for (int64_t batch = 0; batch < shape.batch; ++batch)
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j) {
        int64_t &out = c[batch * shape.strideC + i * shape.n + j];
        int64_t sum = shape.accumulate ? out : 0;
        for (int64_t k = 0; k < shape.k; ++k)
          sum += a[batch * shape.strideA +
                   (shape.transposeA ? k * shape.m + i : i * shape.k + k)] *
                 b[batch * shape.strideB +
                   (shape.transposeB ? j * shape.k + k : k * shape.n + j)];
        out = sum;
      }
  auto bytes = [](auto &v) { return reinterpret_cast<std::byte *>(v.data()); };
  gemm(shape, bytes(ea), bytes(eb), bytes(ec));
  gemmByLoops(shape, bytes(ea), bytes(eb), bytes(el));
  EXPECT_EQ(ec, encoded(c)) << elementTypeName(shape.type);
  EXPECT_EQ(el, encoded(c)) << elementTypeName(shape.type);
}

void checkAllTypes(GemmShape shape) {
  auto with = [&](ElementType type) {
    shape.type = type;
    return shape;
  };
  check<double>(with(ElementType::F64));
  check<float>(with(ElementType::F32));
  check<uint16_t>(with(ElementType::F16));
  check<uint16_t>(with(ElementType::BF16));
  check<int8_t>(with(ElementType::I8));
  check<int16_t>(with(ElementType::I16));
  check<int32_t>(with(ElementType::I32));
  check<int64_t>(with(ElementType::I64));
}

TEST(Gemm, transposes_batches_and_accumulation) {
  for (int flags = 0; flags < 8; ++flags)
    for (int64_t k : {0, 1, 70}) {
      GemmShape shape;
      shape.m = 67;
      shape.n = 5;
      shape.k = k;
      shape.transposeA = flags & 1;
      shape.transposeB = flags & 2;
      shape.accumulate = flags & 4;
      checkAllTypes(shape);
      shape.m = 3;
      shape.n = 130;
      shape.batch = 3;
      shape.strideA = 0;
      shape.strideB = k * 130;
      shape.strideC = 400;
      checkAllTypes(shape);
    }
}

TEST(Gemm, empty_matrices) {
  GemmShape shape;
  shape.m = 0;
  shape.n = 4;
  shape.k = 2;
  checkAllTypes(shape);
}

TEST(Gemm, two_byte_floats_are_rounded_once) {
  // 1 + 256 * 2^-9 in bf16: rounding every step would stay at 1.
  std::vector<uint16_t> a(257, floatToBf16(0x1p-9f)), b(257, floatToBf16(1));
  a[0] = floatToBf16(1);
  uint16_t c = 0;
  GemmShape shape;
  shape.type = ElementType::BF16;
  shape.m = shape.n = 1;
  shape.k = 257;
  gemm(shape, reinterpret_cast<std::byte *>(a.data()),
       reinterpret_cast<std::byte *>(b.data()),
       reinterpret_cast<std::byte *>(&c));
  EXPECT_EQ(c, floatToBf16(1.5f));
}

} // namespace
