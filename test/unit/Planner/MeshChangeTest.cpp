// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution between meshes: what can be said on one mesh, and the exact
// exchange elsewhere.
#include "dtensor/Planner/MeshChange.h"

#include "PlannerTestUtils.h"

using namespace dtensor;
using namespace dtensor::test;

namespace {

PlacedMesh placed(std::string_view text, std::vector<int64_t> devices = {}) {
  auto made = PlacedMesh::create(mesh(text).axes(), devices);
  EXPECT_TRUE(bool(made)) << (made ? "" : made.error().message);
  return *made;
}

MeshChangeRequest change(PlacedMesh source, PlacedMesh target,
                         std::vector<int64_t> shape, std::string_view from,
                         std::string_view to) {
  MeshChangeRequest request;
  int rank = static_cast<int>(shape.size());
  request.from = layout(source.mesh, rank, from);
  request.to = layout(target.mesh, rank, to);
  request.source = std::move(source);
  request.target = std::move(target);
  request.shape = std::move(shape);
  request.topology = *Topology::builtin("threads");
  return request;
}

/// The target's layout in terms of the source's axes.
std::string onOneMesh(const MeshChangeRequest &request) {
  auto one = asOneMesh(request);
  return one ? printLayout(one->mesh, one->to) : "cannot be said";
}

TEST(MeshChange, GridsThatAgreeArePlannedOnOne) {
  EXPECT_EQ(onOneMesh(change(placed("x=8"), placed("a=2,b=4"), {8, 8}, "",
                             "b=shard(0), a=shard(1)")),
            "x:(2)4=shard(0), x:(1)2=shard(1)");
  EXPECT_EQ(onOneMesh(change(placed("a=2,b=4"), placed("x=8"), {8}, "",
                             "x:(2)2=partial(max)")),
            "b:(1)2=partial(max)");
  EXPECT_EQ(onOneMesh(change(placed("a=2,b=4"), placed("x=8"), {8}, "",
                             "x=shard(0)")),
            "a=shard(0), b=shard(0)");
  EXPECT_EQ(onOneMesh(change(placed("a=2,b=3"), placed("a=3,b=2"), {6}, "",
                             "a=shard(0)")),
            "cannot be said");
}

TEST(MeshChange, ChunksOfChunksAreNoChunksWhereSizesDoNotDivide) {
  // x = 4 on 5 elements holds 2, 2, 1, 0; a, b hold 2, 1, 1, 1.
  EXPECT_EQ(onOneMesh(change(placed("a=2,b=2"), placed("x=4"), {5}, "",
                             "x=shard(0)")),
            "cannot be said");
  EXPECT_EQ(onOneMesh(change(placed("x=4"), placed("a=2,b=2"), {5}, "",
                             "a=shard(0), b=shard(0)")),
            "cannot be said");
}

TEST(MeshChange, OtherDevicesOrOrderAreNoOneMesh) {
  EXPECT_EQ(onOneMesh(change(placed("x=4"), placed("x=4", {3, 1, 2, 0}), {4},
                             "", "x=shard(0)")),
            "cannot be said");
  EXPECT_EQ(onOneMesh(change(placed("x=2"), placed("x=2", {4, 5}), {4}, "",
                             "x=shard(0)")),
            "cannot be said");
}

TEST(MeshChange, HoldersOfEqualBoxesTakeTurns) {
  auto exchange = planMeshExchange(
      change(placed("x=4"), placed("y=4", {10, 11, 12, 13}), {8}, "", ""));
  ASSERT_TRUE(bool(exchange)) << exchange.error().message;
  EXPECT_TRUE(bool(checkMeshExchange(*exchange)));
  for (int64_t i = 0; i < 4; ++i) {
    ASSERT_EQ(exchange->transfers[4 + i].size(), 1u);
    EXPECT_EQ(exchange->transfers[4 + i][0].source, i);
  }
  EXPECT_EQ(exchange->plan.recvBytesMax, 32);
  EXPECT_EQ(exchange->plan.steps[0].sendBytesMax, 32);
  EXPECT_EQ(exchange->plan.lowerBoundBytesMax, 32);
}

TEST(MeshChange, EveryPairIsExactAndProved) {
  constexpr uint32_t seed = 9;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  const std::pair<const char *, std::vector<int64_t>> meshes[] = {
      {"x=4", {}},     {"a=2,b=2", {3, 1, 2, 0}}, {"x=6", {}},
      {"a=3,b=2", {}}, {"x=3", {9, 2, 4}},        {"a=2,b=2,c=2", {}}};
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    MeshChangeRequest request;
    const auto &[source, sourceDevices] = meshes[pick(rng, 0, 5)];
    const auto &[target, targetDevices] = meshes[pick(rng, 0, 5)];
    request.source = placed(source, sourceDevices);
    request.target = placed(target, targetDevices);
    int rank = static_cast<int>(pick(rng, 0, 3));
    for (int d = 0; d < rank; ++d)
      request.shape.push_back(pick(rng, 0, 12));
    request.from = randomLayout(rng, request.source.mesh, rank, false);
    request.to = randomLayout(rng, request.target.mesh, rank, false);
    request.topology = *Topology::builtin("threads");
    auto exchange = planMeshExchange(request);
    ASSERT_TRUE(bool(exchange)) << exchange.error().message;
    Status proof = checkMeshExchange(*exchange);
    EXPECT_TRUE(bool(proof)) << proof.message();
    EXPECT_EQ(exchange->plan.recvBytesMax, exchange->plan.lowerBoundBytesMax);
    auto one = asOneMesh(request);
    if (!one)
      continue;
    // The two ways must agree on who ends with what.
    planAndCheck(*one);
    for (int64_t r = 0; r < one->mesh.numRanks(); ++r)
      EXPECT_EQ(localBox(one->mesh, one->to, request.shape, r),
                localBox(request.target.mesh, request.to, request.shape, r));
  }
}

TEST(MeshChange, TheProofFindsWhatIsWrong) {
  auto good = planMeshExchange(
      change(placed("x=2"), placed("y=3"), {6}, "x=shard(0)", "y=shard(0)"));
  ASSERT_TRUE(bool(good));
  auto refusal = [&](auto damage) {
    MeshExchange exchange = *good;
    damage(exchange);
    return checkMeshExchange(exchange).message();
  };
  EXPECT_EQ(refusal([](auto &) {}), "");
  EXPECT_EQ(refusal([](auto &e) { e.transfers[1].pop_back(); }),
            "device 1: gets 1 of its 2 elements");
  EXPECT_EQ(refusal([](auto &e) {
              e.transfers[0].push_back(e.transfers[0].front());
            }),
            "device 0: takes the same data twice");
  EXPECT_EQ(refusal([](auto &e) { e.transfers[2][0].source = 0; }),
            "device 2: takes a box that its source does not hold");
  EXPECT_EQ(refusal([](auto &e) { std::swap(e.transfers[0], e.transfers[2]); }),
            "device 0: takes a box that it does not want");
}

TEST(MeshChange, ContributionsAreCombinedBeforeTheyCross) {
  auto asked = change(placed("x=2"), placed("y=3"), {6}, "x=partial(sum)", "");
  auto exchange = planMeshExchange(asked);
  ASSERT_TRUE(bool(exchange)) << exchange.error().message;
  ASSERT_TRUE(exchange->reduction.has_value());
  Status proof = checkMeshExchange(*exchange);
  EXPECT_TRUE(bool(proof)) << proof.message();
  // Half is summed by each of two devices; the third one gets both halves.
  EXPECT_EQ(kinds(exchange->plan), "reduce_scatter exchange");
  EXPECT_EQ(exchange->plan.recvBytesMax, 12 + 24);
  EXPECT_EQ(exchange->plan.lowerBoundBytesMax, -1);
  // Without the reduction nobody has the sums.
  exchange->reduction->plan.steps.clear();
  EXPECT_FALSE(bool(checkMeshExchange(*exchange)));
  asked.memoryLimit = 8;
  EXPECT_EQ(planMeshExchange(asked).error().message.find("no plan keeps the "),
            0u);
}

TEST(MeshChange, RefusesWhatItCannotDo) {
  auto exchange = planMeshExchange(
      change(placed("x=2"), placed("y=3"), {6}, "", "y=partial(sum)"));
  ASSERT_FALSE(bool(exchange));
  EXPECT_EQ(exchange.error().message,
            "the target on another mesh is partial; make contributions there, "
            "after the redistribution");
  auto negative = PlacedMesh::create({{"x", 2}}, {-1, 3});
  ASSERT_FALSE(bool(negative));
  EXPECT_EQ(negative.error().message,
            "device -1 in a device order is negative");
  EXPECT_FALSE(bool(PlacedMesh::create({{"x", 2}}, {1, 2, 3})));
}

} // namespace
