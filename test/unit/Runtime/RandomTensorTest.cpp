// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random inputs, and tensors onto ranks and back.
#include "Data/SmallFloat.h"
#include "dtrt/Philox.h"
#include "dtrt/Tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace dtrt;
using dtensor::ElementType;

namespace {

template <typename T> std::vector<T> values(const GlobalTensor &tensor) {
  std::vector<T> out(tensor.data.size() / sizeof(T));
  std::memcpy(out.data(), tensor.data.data(), tensor.data.size());
  return out;
}

TEST(Philox, matches_published_values) {
  // Known answers of the Random123 distribution for philox4x32-10.
  EXPECT_EQ(philoxRounds({0, 0, 0, 0}, 0, 0),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  uint32_t ones = 0xffffffffu;
  EXPECT_EQ(philoxRounds({ones, ones, ones, ones}, ones, ones),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(RandomTensor, floats_fill_the_range) {
  std::vector<float> line =
      values<float>(randomTensor(ElementType::F32, {100000}, 7, 0));
  EXPECT_LT(*std::max_element(line.begin(), line.end()), 1.0f);
  EXPECT_GT(*std::max_element(line.begin(), line.end()), 0.99f);
  EXPECT_GE(*std::min_element(line.begin(), line.end()), -1.0f);
  double mean = 0;
  for (float value : line)
    mean += value / 100000.0;
  EXPECT_NEAR(mean, 0, 0.01);
  std::vector<double> matrix =
      values<double>(randomTensor(ElementType::F64, {3, 20, 300}, 7, 0));
  double largest = 0;
  for (double value : matrix)
    largest = std::max(largest, std::fabs(value));
  EXPECT_NEAR(largest, std::sqrt(3.0 / 300), 0.001);
}

TEST(RandomTensor, narrow_floats_stay_below_one) {
  for (ElementType type : {ElementType::F16, ElementType::BF16})
    for (uint16_t bits : values<uint16_t>(randomTensor(type, {20000}, 3, 1))) {
      float value =
          type == ElementType::F16 ? f16ToFloat(bits) : bf16ToFloat(bits);
      ASSERT_LT(value, 1.0f);
      ASSERT_GE(value, -1.0f);
    }
  for (uint8_t code :
       values<uint8_t>(randomTensor(ElementType::F8E4M3FN, {1000}, 3, 1)))
    ASSERT_LT(code & 0x7f, 0x38);
}

TEST(RandomTensor, integers_are_a_shuffle) {
  std::vector<int32_t> line =
      values<int32_t>(randomTensor(ElementType::I32, {100, 10}, 7, 0));
  EXPECT_FALSE(std::is_sorted(line.begin(), line.end()));
  std::sort(line.begin(), line.end());
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(line[i], i);
  std::vector<uint8_t> small =
      values<uint8_t>(randomTensor(ElementType::I8, {512}, 7, 0));
  for (int value = 0; value < 256; ++value)
    EXPECT_EQ(std::count(small.begin(), small.end(), value), 2);
  std::vector<uint8_t> coins =
      values<uint8_t>(randomTensor(ElementType::I1, {10000}, 7, 0));
  EXPECT_NEAR(std::count(coins.begin(), coins.end(), 1), 5000, 200);
}

TEST(RandomTensor, seeds_and_streams_differ) {
  auto make = [](uint64_t seed, uint32_t stream) {
    return randomTensor(ElementType::F32, {64}, seed, stream).data;
  };
  EXPECT_EQ(make(1, 0), make(1, 0));
  EXPECT_NE(make(1, 0), make(2, 0));
  EXPECT_NE(make(1, 0), make(1, 1));
}

TEST(Tensor, comes_back_from_every_layout) {
  dtensor::Mesh mesh = *dtensor::parseMesh("x=3,y=2");
  for (const char *text :
       {"", "x=shard(0)", "x=shard(0), y=shard(0)", "y=shard(1), x=shard(0)",
        "x=partial(sum)", "x=partial(avg), y=shard(0)",
        "x=partial(sum), y=partial(avg)", "x=partial(max), y=shard(1)"}) {
    dtensor::Layout layout = *dtensor::parseLayout(mesh, 2, text);
    for (int64_t rows : {0, 1, 5, 7}) {
      GlobalTensor global = randomTensor(ElementType::F32, {rows, 4}, 5, 0);
      std::vector<std::vector<std::byte>> locals;
      for (int64_t rank = 0; rank < 6; ++rank) {
        locals.emplace_back(static_cast<size_t>(
            4 *
            dtensor::localBox(mesh, layout, global.shape, rank).numElements()));
        distributeTensor(mesh, layout, global, rank, locals.back().data());
      }
      auto local = [&](int64_t rank) -> const std::byte * {
        return locals[rank].data();
      };
      GlobalTensor back =
          assembleTensor(mesh, layout, ElementType::F32, global.shape, local);
      EXPECT_EQ(back.data, global.data) << text << " rows " << rows;
      EXPECT_TRUE(
          checkReplicas(mesh, layout, ElementType::F32, global.shape, local));
    }
  }
}

TEST(Tensor, differing_replicas_are_found) {
  dtensor::Mesh mesh = *dtensor::parseMesh("x=3");
  dtensor::Layout layout = *dtensor::parseLayout(mesh, 1, "");
  float buffers[3][2] = {{1, 2}, {1, 2}, {1, -2}};
  Status status =
      checkReplicas(mesh, layout, ElementType::F32, {2}, [&](int64_t rank) {
        return reinterpret_cast<const std::byte *>(buffers[rank]);
      });
  EXPECT_EQ(status.message(),
            "rank 2 and rank 0 hold different bits of the same replica");
}

TEST(Tensor, counts_elements_with_care) {
  EXPECT_EQ(*countElements({3, 4}, ElementType::F32), 12);
  EXPECT_EQ(*countElements({}, ElementType::F32), 1);
  EXPECT_EQ(*countElements({int64_t(1) << 40, 0}, ElementType::F32), 0);
  int64_t big = int64_t(1) << 40;
  EXPECT_EQ(countElements({big, big}, ElementType::F32).error().message,
            "shape 1099511627776x1099511627776 is too large");
  EXPECT_EQ(countElements({-1}, ElementType::F32).error().message,
            "negative extent -1");
  EXPECT_EQ(shapeText({}), "scalar");
}

} // namespace
