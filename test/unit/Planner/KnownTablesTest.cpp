// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of redistributions whose best byte counts are known: by exhaustive
// search, by counting boxes, and from what PyTorch's DTensor could save.
#include "PlannerTestUtils.h"
#include "dtensor/Planner/MeshChange.h"

#include <algorithm>

using namespace dtensor;
using namespace dtensor::test;

namespace {

/// Elements per rank. Where the average is tight, no plan receives less.
struct Row {
  const char *name, *mesh;
  std::vector<int64_t> shape;
  const char *from, *to;
  double average;
  int64_t most;
  int64_t peakTile; ///< largest local tensor that the best plan needs
};

class KnownTables : public testing::TestWithParam<Row> {};

TEST_P(KnownTables, ReceiveNoMoreThanTheBestPlan) {
  const Row &row = GetParam();
  auto asked = request(mesh(row.mesh), row.shape, row.from, row.to);
  asked.objective = Objective::Bytes;
  auto plan = planAndCheck(asked);
  EXPECT_LE(plan.recvBytesMax, row.most * 4) << kinds(plan);
  EXPECT_LE(plan.recvBytesAvg, row.average * 4 + 1e-9) << kinds(plan);
  if (plan.lowerBoundBytesMax >= 0) {
    EXPECT_EQ(plan.recvBytesMax, row.most * 4) << kinds(plan);
    EXPECT_EQ(plan.lowerBoundBytesMax, row.most * 4);
    EXPECT_DOUBLE_EQ(plan.recvBytesAvg, row.average * 4) << kinds(plan);
  }
  // No step holds more than two of the largest tiles.
  asked.memoryLimit = 2 * row.peakTile * 4;
  EXPECT_LE(planAndCheck(asked).peakBytes, asked.memoryLimit);
}

INSTANTIATE_TEST_SUITE_P(
    Redistributions, KnownTables,
    testing::Values(
        Row{"c01", "x=8", {64, 32}, "x=shard(0)", "", 1792, 1792, 2048},
        Row{"c02", "x=8", {64, 32}, "", "x=shard(0)", 0, 0, 2048},
        Row{"c03", "x=8", {64, 32}, "x=shard(0)", "x=shard(1)", 224, 224, 256},
        Row{"c04", "x=8", {64, 32}, "x=partial(sum)", "", 3584, 3584, 2048},
        Row{"c05",
            "x=8",
            {64, 32},
            "x=partial(sum)",
            "x=shard(0)",
            1792,
            1792,
            2048},
        Row{"c06",
            "x=2,y=4",
            {64, 32},
            "x=shard(0), y=shard(0)",
            "y=shard(0), x=shard(0)",
            192,
            256,
            256},
        Row{"c07",
            "x=4,y=4",
            {16, 16},
            "x=shard(0), y=shard(1)",
            "y=shard(0), x=shard(1)",
            12,
            16,
            16},
        Row{"c08",
            "x=2,y=4",
            {16, 16},
            "x=shard(0), y=shard(1)",
            "y=shard(0), x=shard(1)",
            24,
            32,
            32},
        Row{"c09", "x=4,y=4", {16, 16}, "x=shard(0)", "y=shard(0)", 48, 64, 64},
        Row{"c11",
            "x=2,y=4",
            {16, 16},
            "x=shard(0)",
            "y=shard(0)",
            32,
            64,
            128},
        Row{"c12",
            "x=2,y=4",
            {16, 16},
            "y=shard(0)",
            "x=shard(0)",
            96,
            128,
            128},
        Row{"c13",
            "x=2,y=4",
            {64, 32},
            "x=shard(0), y=shard(0)",
            "x=shard(0)",
            768,
            768,
            1024},
        Row{"c14",
            "x=2,y=4",
            {64, 32},
            "x=shard(0), y=shard(0)",
            "y=shard(0)",
            448,
            512,
            512},
        Row{"c15",
            "x=2,y=4",
            {64, 32},
            "x=shard(0), y=shard(0)",
            "x=shard(0), y=shard(1)",
            192,
            192,
            256},
        Row{"c17",
            "x=2,y=4",
            {64, 32},
            "x=shard(0), y=shard(1)",
            "y=shard(1), x=shard(1)",
            128,
            128,
            256},
        Row{"c19",
            "x=2,y=4",
            {64, 32},
            "x=partial(sum), y=shard(0)",
            "y=shard(0), x=shard(0)",
            256,
            256,
            512},
        Row{"c20",
            "x=2,y=4",
            {64, 32},
            "x=partial(sum), y=shard(0)",
            "x=shard(0), y=shard(0)",
            448,
            512,
            512},
        Row{"c21",
            "x=2,y=4",
            {64, 32},
            "x=partial(sum), y=partial(sum)",
            "x=shard(0), y=shard(0)",
            1792,
            1792,
            2048},
        Row{"c22", "x=8,y=2", {64, 32}, "x=partial(sum)", "", 2816, 2816, 2048},
        Row{"c23",
            "x=2,y=4",
            {64, 32},
            "y=partial(sum)",
            "y=shard(0)",
            1024,
            1024,
            2048},
        Row{"c24",
            "x=2,y=4",
            {64, 32},
            "x=partial(sum), y=shard(0)",
            "",
            2048,
            2048,
            2048},
        Row{"c25",
            "x=4,y=4,z=16",
            {512, 128},
            "x=shard(0), y=shard(0)",
            "z=shard(0)",
            3840,
            4096,
            4096},
        // 64 elements, blocks to cyclic(1): element e = 4 a + b.
        Row{"c27", "x=4", {16, 4}, "x=shard(0)", "x=shard(1)", 12, 12, 16},
        // cyclic(2) to cyclic(4): e = 16 a + 8 b + 4 c + 2 d + f.
        Row{"c28",
            "x=4",
            {4, 2, 2, 2, 2},
            "x:(1)2=shard(2), x:(2)2=shard(3)",
            "x:(1)2=shard(1), x:(2)2=shard(2)",
            12,
            16,
            16},
        Row{"c31",
            "dp=4,tp=2",
            {16, 16},
            "dp=shard(0), tp=shard(1)",
            "tp=shard(1), dp=shard(1)",
            24,
            24,
            32}),
    [](const auto &info) { return info.param.name; });

/// Who takes its tile from whom in the plan's only permute.
std::vector<int64_t> sourcesOf(const RedistributionRequest &asked,
                               const RedistributionPlan &plan) {
  std::vector<int64_t> sources;
  for (const RedistributionStep &step : plan.steps)
    for (int64_t rank = 0;
         step.kind == StepKind::Permute && rank < asked.mesh.numRanks();
         ++rank) {
      auto transfers = transfersInto(asked.mesh, asked.shape,
                                     {step.from, step.to, step.axes}, rank);
      EXPECT_EQ(transfers.size(), 1u);
      sources.push_back(transfers.front().source);
    }
  return sources;
}

TEST(KnownPermutes, SendTilesWhereTheyBelong) {
  // Tile k goes from rank k to rank 4 (k % 2) + k / 2.
  auto asked = request(mesh("x=2,y=4"), {64, 32}, "x=shard(0), y=shard(0)",
                       "y=shard(0), x=shard(0)");
  EXPECT_EQ(sourcesOf(asked, planAndCheck(asked)),
            (std::vector<int64_t>{0, 2, 4, 6, 1, 3, 5, 7}));
  // The same before the gather of case 14.
  asked.to = layout(asked.mesh, 2, "y=shard(0)");
  auto plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "permute all_gather");
  EXPECT_EQ(sourcesOf(asked, plan),
            (std::vector<int64_t>{0, 2, 4, 6, 1, 3, 5, 7}));
  // Ranks on the diagonal keep their tiles.
  asked = request(mesh("x=4,y=4"), {16, 16}, "x=shard(0), y=shard(1)",
                  "y=shard(0), x=shard(1)");
  std::vector<int64_t> swapped;
  for (int64_t rank = 0; rank < 16; ++rank)
    swapped.push_back(rank % 4 * 4 + rank / 4);
  EXPECT_EQ(sourcesOf(asked, planAndCheck(asked)), swapped);
}

/// Bytes that each rank receives in the first step.
std::vector<int64_t> receivedElements(const RedistributionRequest &asked,
                                      const RedistributionPlan &plan) {
  std::vector<int64_t> received(asked.mesh.numRanks());
  const RedistributionStep &step = plan.steps.front();
  for (int64_t rank = 0; rank < asked.mesh.numRanks(); ++rank)
    for (const Transfer &transfer : transfersInto(
             asked.mesh, asked.shape, {step.from, step.to, step.axes}, rank))
      if (transfer.source != rank)
        received[rank] += transfer.box.numElements();
  return received;
}

TEST(KnownTables, EveryRankReceivesWhatItLacks) {
  auto asked = request(mesh("x=4"), {10, 10}, "x=shard(0)", "");
  EXPECT_EQ(receivedElements(asked, planAndCheck(asked)),
            (std::vector<int64_t>{70, 70, 70, 90}));
  asked.to = layout(asked.mesh, 2, "x=shard(1)");
  EXPECT_EQ(receivedElements(asked, planAndCheck(asked)),
            (std::vector<int64_t>{21, 21, 21, 9}));
  asked =
      request(mesh("x=4"), {4, 2, 2, 2, 2}, "x:(1)2=shard(2), x:(2)2=shard(3)",
              "x:(1)2=shard(1), x:(2)2=shard(2)");
  asked.objective = Objective::Bytes;
  auto plan = planAndCheck(asked);
  ASSERT_EQ(plan.steps.size(), 1u) << kinds(plan);
  EXPECT_EQ(receivedElements(asked, plan),
            (std::vector<int64_t>{8, 16, 16, 8}));
}

TEST(KnownTables, OtherDevicesReceiveTheTensorOnce) {
  MeshChangeRequest change;
  change.source = *PlacedMesh::create({{"x", 4}}, {});
  change.target = *PlacedMesh::create({{"y", 2}}, {4, 5});
  change.shape = {2048};
  change.from = layout(change.source.mesh, 1, "x=shard(0)");
  change.to = layout(change.target.mesh, 1, "");
  change.topology = *Topology::builtin("threads");
  auto exchange = planMeshExchange(change);
  ASSERT_TRUE(bool(exchange));
  EXPECT_EQ(exchange->plan.recvBytesMax, 2048 * 4);
  EXPECT_EQ(exchange->plan.lowerBoundBytesMax, 2048 * 4);
}

/// What DTensor's greedy plans receive and what suffices, in elements.
struct Saving {
  const char *mesh;
  std::vector<int64_t> shape;
  const char *from, *to;
  int64_t dtensor, suffices;
};

TEST(KnownTables, DTensorsDetoursAreSaved) {
  const char *two = "a=2,b=2", *eight = "a=8,b=8", *three = "a=2,b=2,c=2";
  std::vector<int64_t> cube = {8, 8, 8};
  for (const Saving &row :
       {Saving{two, {8, 8}, "S(0), R", "R, S(0)", 32, 32},
        {eight, {64, 64}, "S(0), R", "R, S(0)", 3584, 512},
        {two, {8, 8}, "S(0), S(1)", "S(1), S(0)", 32, 16},
        {eight, {64, 64}, "S(0), S(1)", "S(1), S(0)", 896, 64},
        {eight, {64, 64}, "S(0), S(0)", "S(1), S(1)", 896, 63},
        {two, {8, 8}, "S(0), S(0)", "R, S(0)", 48, 32},
        {three, cube, "S(0), S(0), S(0)", "S(1), S(1), S(1)", 320, 56},
        {three, cube, "S(0), S(0), S(0)", "R, S(0), S(0)", 448, 128},
        {three, cube, "S(0), S(1), S(0)", "S(1), S(0), S(0)", 320, 64},
        {three, cube, "S(0), S(1), S(2)", "S(2), S(1), S(0)", 128, 64},
        {two, {8, 8}, "P(sum), R", "R, S(0)", 64, 32},
        {two, {8, 8}, "P(sum), P(sum)", "R, R", 128, 96},
        {two, {8, 8}, "S(0), P(sum)", "R, S(0)", 64, 48},
        {two, {8, 8}, "P(sum), S(0)", "S(0), S(0)", 64, 32}}) {
    SCOPED_TRACE(std::string(row.from) + " -> " + row.to);
    auto asked = request(mesh(row.mesh), row.shape, row.from, row.to);
    asked.objective = Objective::Bytes;
    auto plan = planAndCheck(asked);
    EXPECT_LE(plan.recvBytesMax, row.suffices * 4) << kinds(plan);
    EXPECT_LE(plan.recvBytesMax, row.dtensor * 4);
    if (plan.lowerBoundBytesMax >= 0) {
      EXPECT_EQ(plan.lowerBoundBytesMax, row.suffices * 4);
    }
  }
}

TEST(KnownTables, DTensorsGoodPlansAreMatched) {
  struct Good {
    const char *mesh, *from, *to, *kinds;
  };
  for (const Good &row :
       {Good{"a=2,b=2", "S(0), S(0)", "S(0), S(1)", "all_to_all"},
        {"a=2,b=2,c=2", "S(1), S(0), S(0)", "R, S(0), S(0)", "all_gather"}}) {
    auto asked = request(mesh(row.mesh), {512, 512, 512}, row.from, row.to);
    EXPECT_EQ(kinds(planAndCheck(asked)), row.kinds) << row.from;
  }
}

} // namespace
