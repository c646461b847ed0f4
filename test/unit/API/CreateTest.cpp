// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// distributeTensor and fromLocal.
#include "ApiTest.h"

using namespace dtensor;
using namespace dtensor::test;

TEST(DistributeTensor, SourceRankCounts) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
    Array mine = counting({6, 5}, 100.0f * static_cast<float>(worldRank()));
    for (int64_t source = 0; source < 4; ++source) {
      DistributeTensorOptions options;
      options.srcDataRank = source;
      Array wanted = counting({6, 5}, 100.0f * static_cast<float>(source));
      expectHolds(distributeTensor(mine, mesh, {Shard(0), Shard(1)}, options),
                  wanted);
      expectHolds(
          distributeTensor(mine, mesh, {Replicate(), Replicate()}, options),
          wanted);
      DTensor partial =
          distributeTensor(mine, mesh, {Partial(), Shard(0)}, options);
      EXPECT_EQ(partial.fullTensor().values<float>(), wanted.values<float>());
    }
  });
}

TEST(DistributeTensor, OthersNeedNoData) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    Array whole = counting({10});
    Array given =
        worldRank() == 0 ? whole : Array::wrap(nullptr, ElementType::F32, {10});
    expectHolds(distributeTensor(given, mesh, {Shard(0)}), whole);
  });
}

TEST(DistributeTensor, WithoutSourceMovesNothing) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    DistributeTensorOptions options;
    options.srcDataRank = std::nullopt;
    Array mine = counting({8}, static_cast<float>(worldRank()));
    CommCounts before = commCounts();
    expectHolds(distributeTensor(mine, mesh, {Shard(0)}, options), mine);
    DTensor whole = distributeTensor(mine, mesh, {Replicate()}, options);
    expectHolds(whole, mine);
    EXPECT_NE(whole.toLocal().data(), mine.data()); // its own from then on
    EXPECT_EQ(commCounts().totalCollectives(), before.totalCollectives());
  });
}

TEST(DistributeTensor, OfADistributedTensor) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    Array whole = counting({9, 3});
    DTensor x = distributeTensor(whole, mesh, {Shard(0)});
    DTensor y = distributeTensor(x, mesh, {Shard(1)});
    EXPECT_EQ(y.placements(), (std::vector<Placement>{Shard(1)}));
    expectHolds(y, whole);
  });
}

TEST(FromLocal, SharesMemoryAndMovesNothing) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    Array part = counting({2, 3}, 6.0f * static_cast<float>(worldRank()));
    CommCounts before = commCounts();
    DTensor x = fromLocal(part, mesh, {Shard(0)});
    EXPECT_EQ(x.shape(), (std::vector<int64_t>{8, 3}));
    EXPECT_EQ(x.toLocal().data(), part.data());
    EXPECT_EQ(commCounts().totalCollectives(), before.totalCollectives());
    EXPECT_EQ(x.fullTensor().values<float>(), counting({8, 3}).values<float>());
  });
}

TEST(FromLocal, UnevenPartsWithShape) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    // 10 rows of 2: 3, 3, 3, 1.
    int64_t rows = worldRank() == 3 ? 1 : 3;
    Array part = counting({rows, 2}, 6.0f * static_cast<float>(worldRank()));
    FromLocalOptions options;
    options.shape = {10, 2};
    options.stride = {2, 1};
    options.runCheck = true;
    DTensor x = fromLocal(part, mesh, {Shard(0)}, options);
    EXPECT_EQ(x.fullTensor().values<float>(),
              counting({10, 2}).values<float>());
  });
}

TEST(FromLocal, RunCheckComparesWithoutData) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    FromLocalOptions check;
    check.runCheck = true;
    // Without a shape, uneven parts are no equal shards.
    Array part = counting({worldRank() == 3 ? 1 : 3, 2});
    EXPECT_EQ(thrownBy([&] { fromLocal(part, mesh, {Shard(0)}, check); }),
              "Mismatch: from_local: rank 0 has a part of f32 12x2 as "
              "dim0=shard(0) on (dim0=4), rank 3 of f32 4x2 as dim0=shard(0) "
              "on (dim0=4); uneven parts need the global shape (shape=...)");
    // Replicas that differ in one bit.
    Array replica = Array::of<float>({0, worldRank() == 2 ? -0.0f : 0.0f});
    EXPECT_EQ(thrownBy([&] { fromLocal(replica, mesh, {Replicate()}, check); }),
              "Mismatch: from_local: rank 0 and rank 2 hold different bits of "
              "the same replica");
    // Contributions are expected to differ.
    EXPECT_EQ(thrownBy([&] { fromLocal(replica, mesh, {Partial()}, check); }),
              "");
    // Another type on one rank.
    Array typed =
        worldRank() == 1 ? Array::of<double>({1, 2}) : Array::of<float>({1, 2});
    EXPECT_EQ(thrownBy([&] { fromLocal(typed, mesh, {Shard(0)}, check); }),
              "Mismatch: from_local: rank 0 has a part of f32 8 as "
              "dim0=shard(0) on (dim0=4), rank 1 of f64 8 as dim0=shard(0) on "
              "(dim0=4); uneven parts need the global shape (shape=...)");
    // The ranks are none the worse for it.
    EXPECT_EQ(fromLocal(Array::of<float>({1}), mesh, {Partial()})
                  .fullTensor()
                  .values<float>(),
              (std::vector<float>{4}));
  });
}

TEST(Array, StridedMemoryIsCopied) {
  std::vector<float> grid = {0, 1, 2, 3, 4, 5};
  Array turned = Array::copyOf(grid.data(), ElementType::F32, {3, 2}, {1, 3});
  EXPECT_EQ(turned.values<float>(), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(thrownBy([&] { turned.as<double>(); }),
            "InvalidArgument: the elements are f32, not f64");
  EXPECT_EQ(thrownBy([&] { Array::of(grid, {4}); }),
            "InvalidArgument: 6 values do not fill f32 4 of 4 elements");
}
