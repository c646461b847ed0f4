// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases that other implementations of distributed tensors got wrong once, by
// the number of the issue in pytorch/pytorch: uneven shards, nested ones, and
// conversions. Each states the right answer.
#include "ApiTest.h"

using namespace dtensor;
using namespace dtensor::test;

TEST(KnownCases, Issue194457NestedShardsGatherAllRows) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2});
    for (int64_t rows : {5, 2, 6, 9, 10, 13}) {
      Array whole = counting({rows, 3});
      DTensor x = distributeTensor(whole, mesh, {Shard(0), Shard(0)});
      EXPECT_EQ(x.fullTensor().values<float>(), whole.values<float>()) << rows;
    }
  });
}

TEST(KnownCases, Issue103306ShapeSurvivesUnevenShards) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    Array whole = counting({5, 10});
    DTensor x = distributeTensor(whole, mesh, {Replicate()})
                    .redistribute({Shard(0)})
                    .redistribute({Replicate()});
    EXPECT_EQ(x.shape(), (std::vector<int64_t>{5, 10}));
    expectHolds(x, whole);
  });
}

TEST(KnownCases, Issue115310AllRanksKnowTheGlobalShape) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    Array whole = counting({10, 2});
    DTensor x = distributeTensor(whole, mesh, {Shard(0)});
    EXPECT_EQ(x.toLocal().shape()[0], worldRank() == 3 ? 1 : 3);
    EXPECT_EQ(x.shape(), (std::vector<int64_t>{10, 2}));
    EXPECT_EQ(x.fullTensor().values<float>(), whole.values<float>());
  });
}

TEST(KnownCases, Issue144109PartsThatAreNoChunksAreRejected) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    FromLocalOptions options;
    options.shape = {2, 14};
    options.runCheck = true;
    EXPECT_EQ(thrownBy([&] {
                fromLocal(counting({2, 2 + worldRank()}), mesh, {Shard(1)},
                          options);
              }),
              "InvalidArgument: from_local: rank 0 gives a part of shape 2x2, "
              "but its box of f32 2x14 as dim0=shard(1) on (dim0=4) is 2x4; "
              "chunks are of ceil(n / parts) elements until they run out");
  });
}

static void
expectOffsets(const std::vector<int64_t> &meshShape,
              const std::vector<std::pair<int64_t, int64_t>> &want) {
  spmd(8, [&] {
    DeviceMesh mesh = initDeviceMesh("cpu", meshShape);
    DTensor x = distributeTensor(counting({2}), mesh, {Shard(0), Shard(0)});
    Box box = *x.localBox();
    auto [offset, length] = want[worldRank()];
    EXPECT_EQ(box.lo[0], offset) << worldRank();
    EXPECT_EQ(box.hi[0] - box.lo[0], length) << worldRank();
  });
}

TEST(KnownCases, Issue161368OffsetsOfNestedShards) {
  SKIP_OTHER_LAUNCH(8);
  expectOffsets(
      {4, 2}, {{0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 0}, {2, 0}, {2, 0}, {2, 0}});
  expectOffsets(
      {2, 4}, {{0, 1}, {1, 0}, {1, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 0}, {2, 0}});
}

TEST(KnownCases, Issue150862EmptyShardsStartAtTheEnd) {
  SKIP_OTHER_LAUNCH(30);
  spmd(30, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {30});
    FactoryOptions options;
    options.deviceMesh = mesh;
    options.placements = {Shard(0)};
    Box box = *zeros({512}, options).localBox();
    int64_t rank = worldRank();
    EXPECT_EQ(box.lo[0], rank < 28 ? 18 * rank : rank == 28 ? 504 : 512);
    EXPECT_EQ(box.hi[0] - box.lo[0], rank < 28 ? 18 : rank == 28 ? 8 : 0);
  });
}

TEST(KnownCases, Issue173041StridesAreContiguous) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    Array whole = counting({4, 31, 10});
    DTensor x =
        distributeTensor(whole, mesh, {Shard(1)}).redistribute({Replicate()});
    EXPECT_EQ(x.stride(), (std::vector<int64_t>{310, 10, 1}));
    expectHolds(x, whole); // dense in this very order
  });
}

TEST(KnownCases, Issue118836LocalPartsAreContiguous) {
  SKIP_OTHER_LAUNCH(2);
  spmd(2, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2});
    Array weight = counting({3, 9});
    DTensor x = distributeTensor(weight, mesh, {Shard(1)});
    EXPECT_EQ(x.toLocal().shape(),
              (std::vector<int64_t>{3, worldRank() == 0 ? 5 : 4}));
    expectHolds(x, weight);
  });
}

TEST(KnownCases, Issue132751SwappingAxesGathersNothing) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2});
    Array whole = counting({16, 8, 4});
    DTensor x = distributeTensor(whole, mesh, {Shard(0), Shard(1)});
    CommCounts before = commCounts();
    DTensor y = x.redistribute({Shard(1), Shard(0)});
    CommCounts after = commCounts();
    expectHolds(y, whole);
    // Never more than one shard's bytes come in.
    EXPECT_LE(after.receivedBytes - before.receivedBytes, y.toLocal().bytes());
    auto gather = static_cast<size_t>(StepKind::AllGather);
    EXPECT_EQ(after.steps[gather], before.steps[gather]);
  });
}

TEST(KnownCases, Issue131210OneAllToAll) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2});
    Array whole = counting({4, 8, 8});
    DTensor x = distributeTensor(whole, mesh, {Shard(1), Shard(1)});
    CommCounts before = commCounts();
    DTensor y = x.redistribute({Shard(1), Shard(2)});
    CommCounts after = commCounts();
    expectHolds(y, whole);
    auto allToAll = static_cast<size_t>(StepKind::AllToAll);
    EXPECT_EQ(after.steps[allToAll] - before.steps[allToAll], 1);
    EXPECT_EQ(after.totalCollectives() - before.totalCollectives(), 1);
  });
}

TEST(KnownCases, Issue172041SumToAverageScales) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    DTensor sum = fromLocal(Array::of<float>({3}), mesh, {Partial("sum")});
    DTensor avg = sum.redistribute({Partial("avg")});
    EXPECT_EQ(avg.toLocal().values<float>(), (std::vector<float>{12}));
    EXPECT_EQ(avg.redistribute({Partial("sum")}).toLocal().values<float>(),
              (std::vector<float>{3}));
  });
}

TEST(KnownCases, Issue191828UnevenShardsBecomeContributions) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    Array whole = counting({3, 7});
    DTensor x = distributeTensor(whole, mesh, {Shard(1)})
                    .redistribute({Partial("sum")});
    EXPECT_EQ(x.toLocal().shape(), whole.shape());
    EXPECT_EQ(x.fullTensor().values<float>(), whole.values<float>());
  });
}

TEST(KnownCases, Issue191580UnevenReduceScatter) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    for (int64_t n : {1, 5, 9, 13}) {
      DTensor x = fromLocal(counting({n}), mesh, {Partial()});
      Array wanted = counting({n});
      for (int64_t i = 0; i < n; ++i)
        wanted.as<float>()[i] *= 4;
      expectHolds(x.redistribute({Shard(0)}), wanted);
    }
  });
}

TEST(KnownCases, Issue171916ReplicasHaveIdenticalBits) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2});
    // Sums that depend on their order in the last bits.
    std::vector<float> values;
    for (int i = 0; i < 101; ++i)
      values.push_back(1.0f / static_cast<float>(1 + i * 7 + worldRank() * 13));
    Array part = Array::of(values);
    for (Placements from : {Placements{Partial(), Replicate()},
                            Placements{Partial(), Partial()}}) {
      // Replicated parts must be replicas to begin with.
      Array mine = part;
      if (from.list()[1].isReplicate())
        mine = fromLocal(part, mesh["dim1"], {Partial()}).fullTensor();
      Array sum = fromLocal(mine, mesh, from).fullTensor();
      FromLocalOptions check;
      check.runCheck = true;
      fromLocal(sum, mesh, {Replicate(), Replicate()}, check);
    }
  });
}

TEST(KnownCases, Issue109437AnotherMesh) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh square = initDeviceMesh("cpu", {2, 2});
    DeviceMesh line = initDeviceMesh("cpu", {4});
    Array whole = counting({4, 4});
    DTensor rows = distributeTensor(whole, square, {Shard(0), Shard(1)})
                       .redistribute(line, {Shard(0)});
    EXPECT_EQ(rows.localBox()->lo[0], worldRank());
    expectHolds(rows, whole);
    EXPECT_EQ(thrownBy([&] { initDeviceMesh("cuda", {4}); }),
              "NotSupported: device type 'cuda' is not there: this build runs "
              "on 'cpu' only");
  });
}
