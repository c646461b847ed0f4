// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hard memory limit: kept where a plan can keep it, refused with the
// smallest possible limit elsewhere.
#include "PlannerTestUtils.h"
#include "dtensor/Planner/MeshChange.h"

#include <cstdlib>

using namespace dtensor;
using namespace dtensor::test;

namespace {

int64_t localBytes(const RedistributionRequest &asked, const Layout &layout) {
  int64_t count = elementBytes(asked.type);
  for (int64_t extent : maxLocalShape(asked.mesh, layout, asked.shape))
    count *= extent;
  return count;
}

/// The number that ends "... is N bytes".
int64_t smallestPossible(const Error &error) {
  size_t at = error.message.rfind("is ");
  EXPECT_NE(at, std::string::npos) << error.message;
  return std::atoll(error.message.c_str() + at + 3);
}

TEST(MemoryLimit, ChangesThePlan) {
  // Gathering the whole and slicing it again is quick, but large.
  auto asked = request(mesh("x=4"), {8, 8}, "x=shard(0)", "x=shard(1)");
  asked.memoryLimit = 2 * 8 * 8 * 4 / 4;
  auto plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "all_to_all");
  EXPECT_EQ(plan.peakBytes, asked.memoryLimit);
}

TEST(MemoryLimit, SumsAreCutAtOnce) {
  // A slice and a reduction one after the other hold more than both ends.
  auto asked = request(mesh("x=2,y=2"), {12, 4}, "y=partial(sum)",
                       "x=shard(0), y=shard(1)");
  EXPECT_EQ(kinds(planAndCheck(asked)), "slice reduce_scatter");
  asked.memoryLimit = 12 * 4 * 4 + 6 * 2 * 4;
  auto plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "reduce_scatter");
  EXPECT_EQ(plan.peakBytes, asked.memoryLimit);
  EXPECT_EQ(plan.recvBytesMax, 6 * 2 * 4);
}

TEST(MemoryLimit, OneStepDoesWhereTwoHoldTooMuch) {
  // Gathering first, or creating contributions first, makes a third tensor.
  auto asked = request(mesh("x=2,y=2"), {8, 24}, "y=shard(1), x=shard(0)",
                       "x=partial(sum)");
  asked.memoryLimit = (8 * 24 / 4 + 8 * 24) * 4;
  auto plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "exchange");
  EXPECT_EQ(plan.peakBytes, asked.memoryLimit);
  // 8 rows in three chunks do not cut evenly by two.
  asked = request(mesh("x=3,y=2"), {8, 12}, "x=shard(0), y=partial(sum)",
                  "y=shard(1), x=shard(1)");
  asked.memoryLimit = (3 * 12 + 8 * 2) * 4;
  plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "exchange");
  EXPECT_LE(plan.peakBytes, asked.memoryLimit);
  EXPECT_TRUE(bool(checkByClass(asked, plan)));
  // MPI has no such step.
  asked.backend = Backend::Mpi;
  EXPECT_FALSE(bool(planRedistribution(asked)));
}

TEST(MemoryLimit, ImpossibleOnesNameTheSmallest) {
  auto asked = request(mesh("x=4"), {8, 8}, "x=shard(0)", "");
  asked.memoryLimit = 100;
  auto plan = planRedistribution(asked);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message,
            "no plan keeps the memory limit of 100 bytes per rank; the "
            "smallest possible is 320 bytes");
  asked.memoryLimit = 320;
  EXPECT_EQ(planAndCheck(asked).peakBytes, 320);
  // Nothing to do still needs room for the tensor.
  asked.to = asked.from;
  asked.memoryLimit = 63;
  EXPECT_EQ(planRedistribution(asked).error().message,
            "no plan keeps the memory limit of 63 bytes per rank; the smallest "
            "possible is 64 bytes");
  asked.memoryLimit = 64;
  EXPECT_TRUE(bool(planRedistribution(asked)));
}

TEST(MemoryLimit, MessagesOfOtherBackendsCount) {
  auto asked = request(mesh("x=4"), {8, 8}, "x=shard(0)", "x=shard(1)");
  int64_t threads = planAndCheck(asked).peakBytes;
  asked.backend = Backend::Mpi;
  auto plan = planAndCheck(asked);
  EXPECT_EQ(kinds(plan), "all_to_all");
  // Columns are packed into messages; whole rows arrive where they belong.
  EXPECT_EQ(plan.peakBytes, threads + 48);
  asked.shape = {4, 8, 8};
  asked.from = layout(asked.mesh, 3, "x=shard(1)");
  asked.to = layout(asked.mesh, 3, "x=shard(2)");
  plan = planAndCheck(asked);
  // Neither side has whole rows.
  EXPECT_EQ(plan.peakBytes, 2 * 256 + 2 * 192);
}

TEST(MemoryLimit, BetweenMeshes) {
  MeshChangeRequest change;
  change.source = *PlacedMesh::create({{"x", 2}}, {});
  change.target = *PlacedMesh::create({{"y", 3}}, {});
  change.shape = {6};
  change.from = layout(change.source.mesh, 1, "x=shard(0)");
  change.to = layout(change.target.mesh, 1, "y=shard(0)");
  change.topology = *Topology::builtin("threads");
  change.memoryLimit = 20;
  EXPECT_TRUE(bool(planMeshExchange(change)));
  change.memoryLimit = 19;
  EXPECT_EQ(planMeshExchange(change).error().message,
            "no plan keeps the memory limit of 19 bytes per rank; the smallest "
            "possible is 20 bytes");
}

/// Both ends suffice on threads, which stage nothing; for less, what the
/// refusal names does.
TEST(MemoryLimit, IsKeptOnRandomRequests) {
  constexpr uint32_t seed = 20261202;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  const char *meshes[] = {"x=4", "x=6", "x=2,y=2", "x=2,y=4", "x=2,y=3,z=2"};
  int refused = 0;
  for (int i = 0; i < 1000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    RedistributionRequest asked;
    asked.mesh = mesh(meshes[pick(rng, 0, std::size(meshes) - 1)]);
    int rank = static_cast<int>(pick(rng, 1, 3));
    bool even = pick(rng, 0, 1);
    for (int d = 0; d < rank; ++d)
      asked.shape.push_back(even ? asked.mesh.numRanks() * pick(rng, 1, 2)
                                 : pick(rng, 0, 2 * asked.mesh.numRanks()));
    asked.from = randomLayout(rng, asked.mesh, rank, true);
    asked.to = randomLayout(rng, asked.mesh, rank, pick(rng, 0, 2) == 0);
    asked.topology = *Topology::builtin("threads");
    asked.objective = pick(rng, 0, 1) ? Objective::Time : Objective::Bytes;
    asked.memoryLimit =
        localBytes(asked, asked.from) + localBytes(asked, asked.to);
    EXPECT_LE(planAndCheck(asked).peakBytes, asked.memoryLimit);
    asked.memoryLimit = pick(rng, 0, static_cast<int>(asked.memoryLimit));
    auto plan = planRedistribution(asked);
    refused += !plan;
    if (!plan)
      asked.memoryLimit = smallestPossible(plan.error());
    EXPECT_LE(planAndCheck(asked).peakBytes, asked.memoryLimit);
  }
  EXPECT_GT(refused, 100);
}

} // namespace
