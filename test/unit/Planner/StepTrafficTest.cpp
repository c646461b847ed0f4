// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices are counted over classes of ranks; here they are compared with a
// count over all ranks.
#include "PlannerTestUtils.h"
#include "dtensor/Planner/Transfers.h"

#include <algorithm>

using namespace dtensor;
using namespace dtensor::test;

namespace {

struct Counted {
  int64_t recvMax = 0, sendMax = 0, heldMax = 0;
  double recvTotal = 0;
};

/// Every box that the step moves, rank by rank.
Counted countAll(const RedistributionRequest &asked,
                 const RedistributionStep &step) {
  Counted counted;
  int64_t bytes = elementBytes(asked.type);
  std::vector<int64_t> sent(asked.mesh.numRanks());
  for (int64_t rank = 0; rank < asked.mesh.numRanks(); ++rank) {
    int64_t in =
        localBox(asked.mesh, step.from, asked.shape, rank).numElements();
    int64_t out =
        localBox(asked.mesh, step.to, asked.shape, rank).numElements();
    counted.heldMax = std::max(counted.heldMax, (in + out) * bytes);
    int64_t received = 0;
    if (step.kind == StepKind::ReduceScatter) {
      received = (totalSize(step.axes) - 1) * out * bytes;
    } else if (isCollective(step.kind) && step.kind != StepKind::AllReduce) {
      for (const Transfer &transfer : transfersInto(
               asked.mesh, asked.shape, {step.from, step.to, step.axes}, rank))
        if (transfer.source != rank) {
          received += transfer.box.numElements() * bytes;
          sent[transfer.source] += transfer.box.numElements() * bytes;
        }
    }
    counted.recvMax = std::max(counted.recvMax, received);
    counted.recvTotal += static_cast<double>(received);
  }
  counted.sendMax = *std::max_element(sent.begin(), sent.end());
  return counted;
}

TEST(StepTraffic, ClassesCountLikeAllRanks) {
  constexpr uint32_t seed = 20261203;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  const char *meshes[] = {"x=5", "x=9", "x=4,y=3", "x=2,y=5,z=3", "x=8,y=4"};
  int steps = 0;
  for (int i = 0; i < 1500 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    RedistributionRequest asked;
    asked.mesh = mesh(meshes[pick(rng, 0, std::size(meshes) - 1)]);
    int rank = static_cast<int>(pick(rng, 1, 3));
    for (int d = 0; d < rank; ++d)
      asked.shape.push_back(pick(rng, 0, 40));
    asked.from = randomLayout(rng, asked.mesh, rank, true);
    asked.to = randomLayout(rng, asked.mesh, rank, false);
    asked.topology = *Topology::builtin("threads");
    for (const RedistributionStep &step : planAndCheck(asked).steps) {
      Counted all = countAll(asked, step);
      EXPECT_EQ(step.peakBytes, all.heldMax) << stepKindName(step.kind);
      if (step.kind == StepKind::AllReduce)
        continue;
      ++steps;
      EXPECT_EQ(step.recvBytesMax, all.recvMax) << stepKindName(step.kind);
      EXPECT_NEAR(step.recvBytesAvg, all.recvTotal / asked.mesh.numRanks(),
                  1e-6)
          << stepKindName(step.kind);
      if (step.kind != StepKind::ReduceScatter && isCollective(step.kind)) {
        EXPECT_EQ(step.sendBytesMax, all.sendMax) << stepKindName(step.kind);
      }
    }
  }
  EXPECT_GT(steps, 1500);
}

/// Groups too large to look at every transfer are counted by digits.
TEST(StepTraffic, LargeEvenGroupsAreCountedExactly) {
  constexpr uint32_t seed = 20261207;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  const char *meshes[] = {"x=8,y=6", "x=4,y=4,z=4", "x=12,y=4", "x=36",
                          "x=2,y=3,z=2,w=4"};
  int exact = 0;
  for (int i = 0; i < 300 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    RedistributionRequest asked;
    asked.mesh = mesh(meshes[pick(rng, 0, std::size(meshes) - 1)]);
    int rank = static_cast<int>(pick(rng, 1, 3));
    for (int d = 0; d < rank; ++d)
      asked.shape.push_back(asked.mesh.numRanks() * pick(rng, 1, 2));
    asked.topology = *Topology::builtin("threads");
    RedistributionStep step;
    step.kind = StepKind::Exchange;
    step.from = randomLayout(rng, asked.mesh, rank, false);
    step.to = randomLayout(rng, asked.mesh, rank, false);
    for (size_t axis = 0; axis < asked.mesh.axes().size(); ++axis)
      step.axes.push_back(asked.mesh.wholeAxis(static_cast<int>(axis)));
    if (step.from == step.to)
      continue;
    priceStep(asked, step);
    Counted all = countAll(asked, step);
    EXPECT_EQ(step.recvBytesMax, all.recvMax);
    EXPECT_NEAR(step.recvBytesAvg, all.recvTotal / asked.mesh.numRanks(), 1e-6);
    ++exact;
  }
  EXPECT_GT(exact, 250);
}

} // namespace
