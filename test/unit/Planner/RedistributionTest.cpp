// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for known pairs of layouts: the collective that everyone would use,
// with the bytes that it must move.
#include "PlannerTestUtils.h"

using namespace dtensor;
using namespace dtensor::test;

namespace {

struct KnownCase {
  const char *mesh;
  std::vector<int64_t> shape;
  const char *from, *to, *kinds;
  int64_t recvElements; ///< largest over ranks
};

class KnownPlans : public testing::TestWithParam<KnownCase> {};

TEST_P(KnownPlans, UseTheSimpleCollective) {
  const KnownCase &c = GetParam();
  auto plan = planAndCheck(request(mesh(c.mesh), c.shape, c.from, c.to));
  EXPECT_EQ(kinds(plan), c.kinds);
  EXPECT_EQ(plan.recvBytesMax, c.recvElements * 4);
}

INSTANTIATE_TEST_SUITE_P(
    Table, KnownPlans,
    testing::Values(
        KnownCase{"x=8", {64, 32}, "x=shard(0)", "", "all_gather", 1792},
        KnownCase{"x=8", {64, 32}, "", "x=shard(0)", "slice", 0},
        KnownCase{
            "x=8", {64, 32}, "x=shard(0)", "x=shard(1)", "all_to_all", 224},
        KnownCase{"x=8", {64, 32}, "x=partial(sum)", "", "all_reduce", 3584},
        KnownCase{"x=8",
                  {64, 32},
                  "x=partial(sum)",
                  "x=shard(0)",
                  "reduce_scatter",
                  1792},
        KnownCase{"x=2,y=4",
                  {64, 32},
                  "x=shard(0), y=shard(0)",
                  "y=shard(0), x=shard(0)",
                  "permute",
                  256},
        KnownCase{"x=4,y=4",
                  {16, 16},
                  "x=shard(0), y=shard(1)",
                  "y=shard(0), x=shard(1)",
                  "permute",
                  16},
        KnownCase{"x=2,y=4",
                  {64, 32},
                  "x=shard(0), y=shard(0)",
                  "x=shard(0)",
                  "all_gather",
                  768},
        KnownCase{"x=2,y=4",
                  {64, 32},
                  "x=shard(0), y=shard(0)",
                  "x=shard(0), y=shard(1)",
                  "all_to_all",
                  192},
        KnownCase{"x=2,y=4",
                  {64, 32},
                  "x=shard(0), y=shard(1)",
                  "y=shard(1), x=shard(1)",
                  "all_to_all",
                  128},
        KnownCase{"x=2,y=4",
                  {64, 32},
                  "x=partial(sum), y=shard(0)",
                  "y=shard(0), x=shard(0)",
                  "reduce_scatter",
                  256},
        KnownCase{"x=2,y=4",
                  {64, 32},
                  "x=partial(sum), y=partial(sum)",
                  "x=shard(0), y=shard(0)",
                  "reduce_scatter",
                  1792},
        KnownCase{"dp=4,tp=2",
                  {16, 16},
                  "dp=shard(0), tp=shard(1)",
                  "tp=shard(1), dp=shard(1)",
                  "all_to_all",
                  24}));

TEST(Redistribution, EqualLayoutsNeedNoStep) {
  auto plan = planAndCheck(
      request(mesh("x=2,y=4"), {64, 32}, "x=shard(0)", "x=shard(0)"));
  EXPECT_TRUE(plan.steps.empty());
  EXPECT_EQ(plan.recvBytesMax, 0);
  EXPECT_EQ(plan.lowerBoundBytesMax, 0);
}

TEST(Redistribution, PinsAndOpennessMoveNothing) {
  auto plan = planAndCheck(request(
      mesh("x=2,y=4"), {64, 32}, "x=shard(0), y=replicate, ...", "x=shard(0)"));
  EXPECT_TRUE(plan.steps.empty());
}

// 10 rows on 4 ranks lie as 3, 3, 3, 1: the last rank misses the most.
TEST(Redistribution, UnevenCountsAreExact) {
  auto gather = planAndCheck(request(mesh("x=4"), {10, 10}, "x=shard(0)", ""));
  EXPECT_EQ(kinds(gather), "all_gather");
  EXPECT_EQ(gather.recvBytesMax, 90 * 4);
  EXPECT_DOUBLE_EQ(gather.recvBytesAvg, 75 * 4);
  EXPECT_EQ(gather.lowerBoundBytesMax, 90 * 4);
  auto transpose =
      planAndCheck(request(mesh("x=4"), {10, 10}, "x=shard(0)", "x=shard(1)"));
  EXPECT_EQ(kinds(transpose), "all_to_all");
  EXPECT_EQ(transpose.recvBytesMax, 21 * 4);
  EXPECT_DOUBLE_EQ(transpose.recvBytesAvg, 18 * 4);
}

TEST(Redistribution, BytesObjectiveMeetsTheLowerBound) {
  auto asked = request(mesh("x=3,y=4,z=2"), {24, 24}, "z=shard(0), x=shard(1)",
                       "x=shard(0), z=shard(1), y=shard(1)");
  asked.objective = Objective::Bytes;
  auto plan = planAndCheck(asked);
  EXPECT_EQ(plan.recvBytesMax, plan.lowerBoundBytesMax);
}

TEST(Redistribution, ReductionSharesTheWorkOfReplicas) {
  // Slicing along the replicated y first leaves 2816 elements instead of the
  // 3584 of a plain all_reduce; with bytes as the objective that decides.
  auto asked = request(mesh("x=8,y=2"), {64, 32}, "x=partial(sum)", "");
  asked.objective = Objective::Bytes;
  auto plan = planAndCheck(asked);
  EXPECT_LE(plan.recvBytesMax, 2816 * 4);
}

TEST(Redistribution, ConvertsBetweenSumAndAvgLocally) {
  auto plan = planAndCheck(
      request(mesh("x=4"), {8}, "x=partial(sum)", "x=partial(avg)"));
  EXPECT_EQ(kinds(plan), "scale");
  EXPECT_EQ(plan.lowerBoundBytesMax, -1);
}

TEST(Redistribution, ConvertsBetweenOtherOpsThroughTheValue) {
  auto plan = planAndCheck(
      request(mesh("x=4"), {8}, "x=partial(sum)", "x=partial(max)"));
  EXPECT_EQ(kinds(plan), "reduce_scatter to_partial");
}

TEST(Redistribution, ShardBecomesPartialWithoutTraffic) {
  auto plan =
      planAndCheck(request(mesh("x=4"), {8}, "x=shard(0)", "x=partial(sum)"));
  EXPECT_EQ(kinds(plan), "to_partial");
  EXPECT_EQ(plan.steps.front().fromDim, 0);
  EXPECT_EQ(plan.recvBytesMax, 0);
  // avg has no identity to put around the chunk.
  auto average =
      planAndCheck(request(mesh("x=4"), {8}, "x=shard(0)", "x=partial(avg)"));
  EXPECT_EQ(kinds(average), "all_gather to_partial");
}

TEST(Redistribution, SomeShardsMoveBeforeTheyBecomePartial) {
  // One part of x goes along with y, the other one stays where it is.
  auto asked = request(mesh("x=4,y=4"), {16, 48},
                       "x:(2)2=shard(0), y=shard(0), x:(1)2=shard(0)",
                       "x=partial(sum), y=shard(1)");
  asked.objective = Objective::Bytes;
  EXPECT_LE(planAndCheck(asked).recvBytesMax, 168);
}

TEST(Redistribution, SlicesCutMostOffFirst) {
  auto plan = planAndCheck(
      request(mesh("x=2,y=4"), {64, 64}, "", "x=shard(0), y=shard(1)"));
  ASSERT_EQ(kinds(plan), "slice slice");
  EXPECT_EQ(plan.steps[0].toDim, 1);
  EXPECT_LT(plan.steps[0].peakBytes, 64 * 64 * 4 * 3 / 2);
}

TEST(Redistribution, DeviceOrderCounts) {
  planAndCheck(
      request(mesh("x=4", {3, 1, 2, 0}), {9, 5}, "x=shard(0)", "x=shard(1)"));
  planAndCheck(request(mesh("x=2,y=2", {2, 0, 3, 1}), {8, 8},
                       "x=shard(0), y=shard(0)", "y=shard(0), x=shard(1)"));
}

TEST(Redistribution, PartsThatDoNotNestAreExchanged) {
  auto plan = planAndCheck(
      request(mesh("x=6"), {12, 6}, "x:(1)2=shard(0)", "x:(1)3=shard(0)"));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_TRUE(plan.steps[0].kind == StepKind::Exchange) << kinds(plan);
}

TEST(Redistribution, RefusesWhatItCannotMean) {
  auto asked = request(mesh("x=4"), {8}, "x=partial(avg)", "");
  asked.type = ElementType::I32;
  auto plan = planRedistribution(asked);
  ASSERT_FALSE(bool(plan));
  EXPECT_EQ(plan.error().message,
            "partial(avg) is not defined on element type i32; use an op or a "
            "type that go together");

  asked = request(mesh("x=4"), {8}, "x=shard(0)", "");
  asked.shape = {int64_t(1) << 40, int64_t(1) << 30};
  asked.from = asked.to = Layout::replicated(2);
  plan = planRedistribution(asked);
  ASSERT_FALSE(bool(plan));
  EXPECT_EQ(plan.error().message,
            "the tensor is larger than 2^58 bytes at dim 1 of size "
            "1073741824; such sizes cannot be addressed");
  // The largest tensors add up without overflow, on every backend.
  asked.shape = {int64_t(1) << 28, int64_t(1) << 28};
  asked.from = layout(asked.mesh, 2, "x=partial(sum)");
  for (Backend backend : {Backend::Threads, Backend::Mpi, Backend::Nccl}) {
    asked.backend = backend;
    plan = planRedistribution(asked);
    ASSERT_TRUE(bool(plan)) << plan.error().message;
    EXPECT_GT(plan->recvBytesMax, int64_t(1) << 58);
    EXPECT_GE(plan->peakBytes, int64_t(1) << 59);
  }
  asked.backend = Backend::Threads;
  asked.from = asked.to;
  asked.shape = {4, -1};
  plan = planRedistribution(asked);
  ASSERT_FALSE(bool(plan));
  EXPECT_EQ(plan.error().message, "dim 1 has size -1, but sizes start at 0");
  asked.shape = {4};
  plan = planRedistribution(asked);
  ASSERT_FALSE(bool(plan));
  EXPECT_EQ(plan.error().message,
            "layout 'from' is for rank 2, but the tensor has rank 1");
}

TEST(Redistribution, CostDoesNotGrowWithRanks) {
  // A mesh of a million ranks; the time limit of the test is generous, the
  // point is that nothing walks over ranks.
  auto asked = request(mesh("x=1024,y=1024"), {1 << 20, 1 << 10},
                       "x=shard(0), y=shard(1)", "x=shard(0)");
  auto plan = planRedistribution(asked);
  ASSERT_TRUE(bool(plan));
  EXPECT_EQ(kinds(*plan), "all_gather");
}

// The chunk is padded before it is cut: nothing has to move at all.
TEST(Redistribution, PaddedChunksCanBeSliced) {
  auto plan = planAndCheck(request(mesh("x=2,y=2"), {8}, "x=shard(0)",
                                   "x=partial(sum), y=shard(0)"));
  EXPECT_EQ(kinds(plan), "to_partial slice");
  EXPECT_EQ(plan.recvBytesMax, 0);
}

/// A reduction of fewer bytes is worth it, but not an exchange of none.
TEST(Redistribution, WhatOnlyHasToBeSlicedIsNotExchanged) {
  for (Objective objective : {Objective::Bytes, Objective::Time}) {
    auto asked = request(mesh("x=64"), {7, 5}, "x=partial(sum)", "x=shard(0)");
    asked.objective = objective;
    auto plan = planAndCheck(asked);
    EXPECT_EQ(kinds(plan).find("exchange"), std::string::npos) << kinds(plan);
    for (const RedistributionStep &step : plan.steps)
      EXPECT_TRUE(!isCollective(step.kind) || step.recvBytesMax > 0);
  }
}

TEST(Redistribution, ReducesOnTheWayWhatStaysPartial) {
  // Gathering all contributions takes 192 bytes; reducing y first halves them.
  auto asked = request(mesh("x=3,y=2"), {12, 6}, "x=shard(1), y=partial(sum)",
                       "y=partial(sum)");
  asked.objective = Objective::Bytes;
  auto plan = planAndCheck(asked);
  EXPECT_EQ(plan.recvBytesMax, 144) << kinds(plan);
}

TEST(Redistribution, MovesFourPiecesInAnyOrder) {
  auto asked = request(mesh("x=4,y=4"), {16, 16},
                       "y:(2)2=shard(0), x=partial(sum), y:(1)2=shard(1)",
                       "y=shard(0), x=shard(0)");
  asked.objective = Objective::Bytes;
  auto plan = planAndCheck(asked);
  EXPECT_LE(plan.recvBytesMax, 284) << kinds(plan);
}

TEST(Topology, NamesTheShippedMachines) {
  EXPECT_TRUE(bool(parseTopology("builtin:threads")));
  EXPECT_TRUE(bool(parseTopology("builtin:h100x8")));
  EXPECT_TRUE(bool(parseTopology("builtin:h100x8x16")));
  EXPECT_EQ(parseTopology("builtin:cray").error().message,
            "unknown topology 'builtin:cray' (the shipped ones are "
            "builtin:threads, builtin:h100x8, builtin:h100x8x16)");
  EXPECT_EQ(parseTopology("fast").error().message,
            "cannot read topology file 'fast': No such file or directory "
            "(shipped machines are builtin:threads, builtin:h100x8 and "
            "builtin:h100x8x16)");
}

TEST(Topology, SlowestLinkDecides) {
  Mesh grid = mesh("x=2,y=4");
  Topology topology = *Topology::builtin("threads");
  topology.axisLinks = {{"x", {10, 100}}, {"y", {1, 50000}}};
  Link link = topology.link(grid, {grid.wholeAxis(0), grid.wholeAxis(1)});
  EXPECT_DOUBLE_EQ(link.latencyUs, 10);
  EXPECT_DOUBLE_EQ(link.bytesPerUs, 100);
  EXPECT_DOUBLE_EQ(topology.link(grid, {grid.wholeAxis(1)}).bytesPerUs, 50000);
}

TEST(Topology, GroupsThatSpanNodesCrossTheSlowLink) {
  Topology nodes = *Topology::builtin("h100x8x16");
  Mesh grid = mesh("dp=16,tp=8");
  AxisRef dp = grid.wholeAxis(0), tp = grid.wholeAxis(1);
  EXPECT_FALSE(nodes.spansNodes(grid, {tp}));
  EXPECT_TRUE(nodes.spansNodes(grid, {dp}));
  EXPECT_TRUE(nodes.spansNodes(grid, {dp, tp}));
  EXPECT_DOUBLE_EQ(nodes.link(grid, {tp}).bytesPerUs, 345000);
  EXPECT_DOUBLE_EQ(nodes.link(grid, {dp}).bytesPerUs, 45000);
  EXPECT_DOUBLE_EQ(nodes.link(grid, {dp, tp}).latencyUs, 20);
  // Parts of one axis: the minor 8 of 32 ranks share a node.
  Mesh line = mesh("x=32");
  EXPECT_FALSE(nodes.spansNodes(line, {{0, 4, 8}}));
  EXPECT_TRUE(nodes.spansNodes(line, {{0, 2, 8}}));
  // Groups of three do not fit into 8 evenly.
  EXPECT_TRUE(nodes.spansNodes(mesh("a=4,b=3"), {{1, 1, 3}}));
  // One node, and an order of devices that may mix nodes.
  EXPECT_FALSE(nodes.spansNodes(mesh("x=8"), {{0, 1, 8}}));
  std::vector<int64_t> order;
  for (int64_t i = 16; i-- > 0;)
    order.push_back(i);
  EXPECT_TRUE(nodes.spansNodes(mesh("x=2,y=8", order), {{1, 1, 8}}));
  // More bytes pass the slow link than on one imagined node.
  auto asked =
      request(grid, {1 << 14, 1 << 10}, "dp=shard(0), tp=shard(0)", "");
  asked.topology = nodes;
  auto plan = planRedistribution(asked);
  ASSERT_TRUE(bool(plan));
  asked.topology = *Topology::builtin("h100x8");
  EXPECT_GT(plan->timeUs, planRedistribution(asked)->timeUs);
}

/// Kinds with a root: named and priced, but no plan may contain them.
TEST(RootedSteps, ArePricedAndRefusedInPlans) {
  struct Priced {
    StepKind kind;
    const char *from, *to;
    int64_t recv, send; ///< elements, largest over ranks
  };
  // Chunks of 3, 3, 3 and 1 rows of 5; the root holds the last.
  for (const Priced &c :
       {Priced{StepKind::Broadcast, "", "", 50, 150},
        Priced{StepKind::Reduce, "x=partial(sum)", "", 150, 50},
        Priced{StepKind::Scatter, "", "x=shard(0)", 15, 45},
        Priced{StepKind::Gather, "x=shard(0)", "", 45, 15}}) {
    auto asked = request(mesh("x=4"), {10, 5}, c.from, c.to);
    RedistributionStep step;
    step.kind = c.kind;
    step.axes = {asked.mesh.wholeAxis(0)};
    step.fromDim = step.toDim = 0;
    step.root = 3;
    step.from = asked.from;
    step.to = asked.to;
    priceStep(asked, step);
    EXPECT_EQ(step.recvBytesMax, c.recv * 4) << stepKindName(c.kind);
    EXPECT_EQ(step.sendBytesMax, c.send * 4) << stepKindName(c.kind);
    EXPECT_GT(step.timeUs, 0);
    EXPECT_TRUE(isRooted(c.kind) && isCollective(c.kind));
    RedistributionPlan plan;
    plan.steps.push_back(step);
    EXPECT_FALSE(checkRedistribution(asked, plan)) << stepKindName(c.kind);
  }
}

} // namespace
