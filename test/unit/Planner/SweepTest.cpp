// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pair of placements on one axis, and random pairs on many meshes: each
// plan must be proved, and none may undercut the lower bound.
#include "PlannerTestUtils.h"

using namespace dtensor;
using namespace dtensor::test;

namespace {

std::vector<std::string> allPlacements(int rank) {
  std::vector<std::string> texts = {""};
  for (int d = 0; d < rank; ++d)
    texts.push_back("x=shard(" + std::to_string(d) + ")");
  for (const char *op : {"sum", "product", "min", "max", "avg"})
    texts.push_back("x=partial(" + std::string(op) + ")");
  return texts;
}

void sweep(std::vector<std::vector<int64_t>> shapes, int rank) {
  for (int parts : {1, 2, 3, 4}) {
    Mesh line = mesh("x=" + std::to_string(parts));
    for (const std::vector<int64_t> &shape : shapes)
      for (const std::string &from : allPlacements(rank))
        for (const std::string &to : allPlacements(rank))
          planAndCheck(request(line, shape, from, to));
  }
}

TEST(Sweep, AllPairsOnOneAxisRank0) { sweep({{}}, 0); }

TEST(Sweep, AllPairsOnOneAxisRank1) {
  std::vector<std::vector<int64_t>> shapes;
  for (int64_t n = 0; n <= 9; ++n)
    shapes.push_back({n});
  sweep(shapes, 1);
}

TEST(Sweep, AllPairsOnOneAxisRank2) {
  std::vector<std::vector<int64_t>> shapes;
  for (int64_t n = 0; n <= 9; ++n)
    for (int64_t m : {0, 1, 4, 5, 9})
      shapes.push_back({n, m});
  sweep(shapes, 2);
}

TEST(Sweep, IntegerOps) {
  Mesh line = mesh("x=3");
  for (const char *a : {"band", "bor", "bxor", "umin", "umax", "sum"})
    for (const char *b : {"band", "bor", "bxor", "umin", "umax", "sum"}) {
      auto asked = request(line, {7}, "x=partial(" + std::string(a) + ")",
                           "x=partial(" + std::string(b) + ")");
      asked.type = ElementType::I32;
      planAndCheck(asked);
      asked.to = layout(line, 1, "x=shard(0)");
      planAndCheck(asked);
      std::swap(asked.from, asked.to);
      planAndCheck(asked);
    }
}

TEST(Sweep, RandomPairs) {
  constexpr uint32_t seed = 20261201;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  const char *meshes[] = {"x=4",         "x=6",         "x=8",
                          "x=2,y=2",     "x=2,y=4",     "x=4,y=3",
                          "x=2,y=2,z=2", "x=2,y=3,z=2", "x=1,y=4"};
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    Mesh grid = mesh(meshes[pick(rng, 0, std::size(meshes) - 1)]);
    if (pick(rng, 0, 3) == 0) {
      std::vector<int64_t> order(grid.numRanks());
      for (size_t r = 0; r < order.size(); ++r)
        order[r] = r;
      for (size_t r = order.size(); r > 1; --r)
        std::swap(order[r - 1], order[pick(rng, 0, r - 1)]);
      grid = *Mesh::create(grid.axes(), order);
    }
    RedistributionRequest asked;
    asked.mesh = grid;
    int rank = static_cast<int>(pick(rng, 0, 3));
    bool even = pick(rng, 0, 1);
    for (int d = 0; d < rank; ++d)
      asked.shape.push_back(even ? grid.numRanks() * pick(rng, 1, 2)
                                 : pick(rng, 0, 2 * grid.numRanks()));
    asked.from = randomLayout(rng, grid, rank, true);
    asked.to = randomLayout(rng, grid, rank, pick(rng, 0, 2) == 0);
    asked.topology = *Topology::builtin(pick(rng, 0, 1) ? "threads" : "h100x8");
    asked.objective = pick(rng, 0, 1) ? Objective::Time : Objective::Bytes;
    auto plan = planAndCheck(asked);
    if (plan.lowerBoundBytesMax >= 0) {
      EXPECT_GE(plan.recvBytesMax, plan.lowerBoundBytesMax);
      if (asked.objective == Objective::Bytes) {
        EXPECT_EQ(plan.recvBytesMax, plan.lowerBoundBytesMax);
      }
    }
    // The same question has the same answer.
    auto again = planRedistribution(asked);
    ASSERT_TRUE(bool(again));
    EXPECT_EQ(kinds(*again), kinds(plan));
  }
}

} // namespace
