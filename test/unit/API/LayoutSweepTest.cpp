// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pair of layouts, on meshes of up to three dimensions and shapes that
// divide, do not divide and are empty, against a tensor in one piece.
#include "ApiTest.h"

#include "dtrt/Tensor.h"

#include <cstdlib>
#include <random>

using namespace dtensor;
using namespace dtensor::test;

namespace {

std::vector<Placements> allPlacements(size_t meshDims, int64_t rank) {
  std::vector<Placement> each = {Replicate(), Partial("sum")};
  for (int64_t dim = 0; dim < rank; ++dim)
    each.push_back(Shard(dim));
  std::vector<std::vector<Placement>> lists = {{}};
  for (size_t i = 0; i < meshDims; ++i) {
    std::vector<std::vector<Placement>> longer;
    for (const auto &list : lists)
      for (const Placement &one : each) {
        longer.push_back(list);
        longer.back().push_back(one);
      }
    lists = std::move(longer);
  }
  return std::vector<Placements>(lists.begin(), lists.end());
}

/// Runs pairs (all of them, or a sample) on every rank.
void sweep(const std::vector<int64_t> &meshShape,
           const std::vector<std::vector<int64_t>> &shapes, size_t maxPairs) {
  int64_t ranks = 1;
  for (int64_t size : meshShape)
    ranks *= size;
  spmd(ranks, [&] {
    DeviceMesh mesh = initDeviceMesh("cpu", meshShape);
    for (const std::vector<int64_t> &shape : shapes) {
      Array whole = counting<int32_t>(shape, 1);
      std::vector<Placements> all =
          allPlacements(meshShape.size(), static_cast<int64_t>(shape.size()));
      std::vector<std::pair<size_t, size_t>> pairs;
      for (size_t i = 0; i < all.size(); ++i)
        for (size_t j = 0; j < all.size(); ++j)
          pairs.emplace_back(i, j);
      std::mt19937 random(7); // the same on all ranks
      std::shuffle(pairs.begin(), pairs.end(), random);
      if (pairs.size() > maxPairs)
        pairs.resize(maxPairs);
      DistributeTensorOptions everywhere;
      everywhere.srcDataRank = std::nullopt;
      for (auto [i, j] : pairs) {
        DTensor from = distributeTensor(whole, mesh, all[i], everywhere);
        DTensor to = from.redistribute(all[j]);
        if (to.layout().partials.empty())
          expectHolds<int32_t>(to, whole);
        else
          EXPECT_EQ(to.fullTensor().values<int32_t>(), whole.values<int32_t>())
              << from.text() << " -> " << to.text();
        if (::testing::Test::HasFailure())
          return;
      }
    }
  });
}

} // namespace

#define SKIP_UNDER_LAUNCHER()                                                  \
  if (launchedRanks() != 0)                                                    \
  GTEST_SKIP() << "runs on several numbers of ranks"

/// Also as processes.
TEST(LayoutSweep, FourRanks) {
  SKIP_OTHER_LAUNCH(4);
  sweep({4}, {{0}, {3}, {9}, {5, 3}, {2, 0}}, 40);
  sweep({2, 2}, {{0}, {5}, {7, 6}, {4, 0}}, 40);
  sweep({2, 1, 2}, {{3}, {7, 2}}, 40);
}

TEST(LayoutSweep, OneDimension) {
  SKIP_UNDER_LAUNCHER();
  for (int64_t ranks = 1; ranks <= 5; ++ranks)
    sweep({ranks}, {{0}, {1}, {2}, {3}, {7}, {8}, {4, 6}, {5, 3}, {3, 0, 2}},
          10000);
}

TEST(LayoutSweep, TwoDimensions) {
  SKIP_UNDER_LAUNCHER();
  sweep({2, 2}, {{0}, {5}, {9}, {5, 3}, {2, 8}, {4, 0}}, 300);
  sweep({2, 3}, {{1}, {10}, {13, 5}, {6, 6}}, 200);
  sweep({1, 4}, {{10, 2}}, 100);
}

TEST(LayoutSweep, ThreeDimensions) {
  SKIP_UNDER_LAUNCHER();
  sweep({2, 2, 2}, {{17, 5}, {8, 4, 2}, {33, 16, 8, 1}, {3}}, 60);
  sweep({2, 1, 3}, {{7, 2}}, 60);
}

TEST(LayoutSweep, EveryType) {
  SKIP_UNDER_LAUNCHER();
  spmd(3, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {3});
    for (ElementType type :
         {ElementType::F64, ElementType::F32, ElementType::F16,
          ElementType::BF16, ElementType::F8E4M3FN, ElementType::F8E5M2,
          ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
          ElementType::I64}) {
      Array whole(type, {5, 4});
      for (int64_t i = 0; i < whole.bytes(); ++i)
        whole.data()[i] = std::byte(type == ElementType::I1 ? i % 2 : i % 5);
      DTensor x = distributeTensor(whole, mesh, {Shard(0)});
      Array back = x.redistribute({Shard(1)}).fullTensor();
      EXPECT_EQ(std::memcmp(back.data(), whole.data(),
                            static_cast<size_t>(whole.bytes())),
                0)
          << elementTypeName(type);
    }
  });
}
