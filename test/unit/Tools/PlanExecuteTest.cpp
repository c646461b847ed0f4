// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans run for real on threads: every element right, all replicas equal, and
// the bytes that the communicator counts are the bytes that were priced.
#include "Execute.h"
#include "PlanTool.h"
#include "PlannerTestUtils.h"

#include <algorithm>
#include <sstream>

using namespace dtensor;
using namespace dtensor::test;

namespace {

void runAndCompare(const RedistributionRequest &asked) {
  SCOPED_TRACE(printMesh(asked.mesh) + ": '" +
               printLayout(asked.mesh, asked.from) + "' -> '" +
               printLayout(asked.mesh, asked.to) + "' " +
               std::string(elementTypeName(asked.type)));
  auto plan = planAndCheck(asked);
  auto run = executePlan(asked, plan);
  ASSERT_TRUE(bool(run)) << (run ? "" : run.error().message);
  EXPECT_TRUE(run->ok) << run->message << " by " << kinds(plan);
  EXPECT_TRUE(run->identicalReplicas);
  int64_t most =
      *std::max_element(run->recvBytes.begin(), run->recvBytes.end());
  EXPECT_LE(most, plan.recvBytesMax) << kinds(plan);
  if (plan.steps.size() == 1) {
    EXPECT_EQ(most, plan.recvBytesMax) << kinds(plan);
  }
}

TEST(PlanExecute, EveryTypeMoves) {
  for (int i = 0; i <= static_cast<int>(ElementType::I64); ++i) {
    auto asked = request(mesh("x=3"), {7, 5}, "x=shard(0)", "x=shard(1)");
    asked.type = static_cast<ElementType>(i);
    runAndCompare(asked);
  }
}

TEST(PlanExecute, EveryOpReducesOnEveryType) {
  for (int i = 0; i <= static_cast<int>(ElementType::I64); ++i)
    for (int j = 0; j <= static_cast<int>(ReduceOp::BXor); ++j) {
      auto type = static_cast<ElementType>(i);
      auto op = static_cast<ReduceOp>(j);
      if (!isReductionSupported(op, type))
        continue;
      std::string name(reduceOpName(op));
      for (const char *to : {"", "x=shard(0)"}) {
        auto asked =
            request(mesh("x=3"), {7, 5}, "x=partial(" + name + ")", to);
        asked.type = type;
        runAndCompare(asked);
        std::swap(asked.from, asked.to);
        runAndCompare(asked);
      }
    }
}

TEST(PlanExecute, RandomPairs) {
  uint32_t seed = testSeed(4);
  std::cout << "seed " << seed << "\n";
  std::mt19937 rng(seed);
  const char *meshes[] = {"x=4", "x=6", "x=2,y=2", "x=2,y=4", "x=2,y=3"};
  for (int i = 0; i < testCount(150, 5000) && !testing::Test::HasFailure();
       ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    RedistributionRequest asked;
    asked.mesh = mesh(meshes[pick(rng, 0, std::size(meshes) - 1)]);
    int rank = static_cast<int>(pick(rng, 0, 3));
    for (int d = 0; d < rank; ++d)
      asked.shape.push_back(pick(rng, 0, 1) ? asked.mesh.numRanks()
                                            : pick(rng, 0, 9));
    asked.from = randomLayout(rng, asked.mesh, rank, true);
    asked.to = randomLayout(rng, asked.mesh, rank, pick(rng, 0, 1));
    asked.type = pick(rng, 0, 1) ? ElementType::F32 : ElementType::F64;
    asked.topology = *Topology::builtin("threads");
    runAndCompare(asked);
    // The plan with the smallest peak, which cuts and reduces at once.
    asked.objective = Objective::Memory;
    runAndCompare(asked);
  }
}

TEST(PlanExecute, ToolReportsTheRun) {
  std::ostringstream out, err;
  int code = runPlanTool({"--mesh", "x=4", "--shape", "10x10", "--from", "S(0)",
                          "--to", "R", "--json", "--execute"},
                         out, err);
  EXPECT_EQ(code, 0) << err.str();
  EXPECT_NE(out.str().find("\"executed\":{\"ok\":true,\"recv_bytes_per_rank\":"
                           "[280,280,280,360],\"identical_replicas\":true}"),
            std::string::npos)
      << out.str();
}

TEST(PlanExecute, RefusesWhatDoesNotFit) {
  auto asked = request(mesh("x=4"), {1 << 30, 64}, "x=shard(0)", "");
  auto run = executePlan(asked, *planRedistribution(asked));
  ASSERT_FALSE(bool(run));
  EXPECT_NE(run.error().message.find("choose a smaller shape"),
            std::string::npos);
  asked = request(mesh("x=1024"), {4}, "x=shard(0)", "");
  run = executePlan(asked, *planRedistribution(asked));
  ASSERT_FALSE(bool(run));
  EXPECT_EQ(run.error().message, "--execute runs at most 256 ranks as "
                                 "threads, but the mesh has 1024");
}

} // namespace
