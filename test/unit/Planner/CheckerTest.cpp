// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checker refuses plans that are wrong in any one respect.
#include "PlannerTestUtils.h"

using namespace dtensor;
using namespace dtensor::test;

namespace {

std::string complaint(const RedistributionRequest &request,
                      const RedistributionPlan &plan) {
  return checkRedistribution(request, plan).message();
}

TEST(Checker, RefusesAnUnfinishedPlan) {
  auto asked = request(mesh("x=4"), {8}, "x=shard(0)", "");
  EXPECT_EQ(complaint(asked, RedistributionPlan()),
            "the plan ends with layout 'x=shard(0)' instead of ''");
}

TEST(Checker, RefusesStepsThatDoNotJoin) {
  auto asked = request(mesh("x=4"), {8}, "x=shard(0)", "");
  auto plan = planAndCheck(asked);
  plan.steps.push_back(plan.steps.front());
  EXPECT_EQ(complaint(asked, plan),
            "step 1 (all_gather) begins with layout 'x=shard(0)', but the "
            "data has layout ''");
}

TEST(Checker, RefusesAStepThatDoesNotMeanItsLayouts) {
  auto asked = request(mesh("x=4"), {8, 8}, "x=shard(0)", "x=shard(1)");
  auto plan = planAndCheck(asked);
  plan.steps[0].toDim = 0;
  EXPECT_NE(complaint(asked, plan), "");
  plan = planAndCheck(asked);
  plan.steps[0].kind = StepKind::AllGather;
  EXPECT_EQ(complaint(asked, plan),
            "step 0 (all_gather) over 'x' does not lead from 'x=shard(0)' to "
            "'x=shard(1)'");
  plan = planAndCheck(asked);
  plan.steps[0].kind = StepKind::Permute;
  EXPECT_EQ(complaint(asked, plan),
            "step 0 (permute) on rank 0: a permute takes from more than one "
            "rank");
}

TEST(Checker, RefusesAGroupThatIsTooSmall) {
  auto asked = request(mesh("x=4"), {8, 8}, "x=shard(0)", "x=shard(1)");
  auto plan = planAndCheck(asked);
  plan.steps[0].kind = StepKind::Exchange;
  plan.steps[0].axes = {{0, 2, 2}};
  EXPECT_EQ(complaint(asked, plan), "step 0 (exchange) on rank 0: its group "
                                    "does not hold all of its new box");
}

TEST(Checker, RefusesTheWrongReduction) {
  auto asked = request(mesh("x=4"), {8}, "x=partial(sum)", "");
  auto plan = planAndCheck(asked);
  plan.steps[0].op = ReduceOp::Max;
  EXPECT_EQ(complaint(asked, plan), "step 0 (all_reduce) over 'x' does not "
                                    "lead from 'x=partial(sum)' to ''");
}

TEST(Checker, RefusesLostContributions) {
  // Dropping the partial axis by a permute would count one share only; an
  // exchange combines the shares, with the op that they have.
  auto asked = request(mesh("x=4"), {8}, "x=partial(sum)", "");
  auto plan = planAndCheck(asked);
  plan.steps[0].kind = StepKind::Exchange;
  EXPECT_EQ(complaint(asked, plan), "");
  plan.steps[0].op = ReduceOp::Max;
  EXPECT_EQ(complaint(asked, plan),
            "step 0 (exchange) combines or creates contributions of several "
            "kinds at once, or along other axes than it says");
  plan.steps[0].kind = StepKind::Permute;
  EXPECT_NE(complaint(asked, plan), "");
  // Half of the axis reduced, the rest forgotten.
  plan = planAndCheck(asked);
  plan.steps[0].axes = {{0, 1, 2}};
  EXPECT_NE(complaint(asked, plan), "");
}

TEST(Checker, RefusesAnAverageWithoutItsShares) {
  // Around a chunk avg has no identity: the value would come out smaller.
  auto asked = request(mesh("x=4"), {8}, "x=shard(0)", "x=partial(avg)");
  RedistributionPlan plan;
  RedistributionStep step;
  step.kind = StepKind::ToPartial;
  step.axes = {{0, 1, 4}};
  step.fromDim = 0;
  step.op = ReduceOp::Avg;
  step.from = asked.from;
  step.to = asked.to;
  plan.steps = {step};
  EXPECT_EQ(complaint(asked, plan),
            "at the end rank 0 does not hold every contribution exactly once");
}

TEST(Checker, RefusesUnevenSubAxisSteps) {
  // On 5 elements x:(1)2 holds 3, 2, but x holds 2, 2, 1, 0.
  auto asked = request(mesh("x=4"), {5}, "x=shard(0)", "x:(1)2=shard(0)");
  RedistributionPlan plan;
  RedistributionStep step;
  step.kind = StepKind::AllGather;
  step.axes = {{0, 2, 2}};
  step.fromDim = 0;
  step.from = asked.from;
  step.to = asked.to;
  plan.steps = {step};
  EXPECT_EQ(complaint(asked, plan),
            "step 0 (all_gather) on rank 2: its group does not hold all of "
            "its new box");
}

/// A plan of one step.
RedistributionPlan planOf(const RedistributionRequest &asked, StepKind kind,
                          std::vector<AxisRef> axes, int fromDim = -1,
                          int toDim = -1, ReduceOp op = ReduceOp::Sum) {
  RedistributionStep step;
  step.kind = kind;
  step.axes = std::move(axes);
  step.fromDim = fromDim;
  step.toDim = toDim;
  step.op = op;
  step.from = asked.from;
  step.to = asked.to;
  RedistributionPlan plan;
  plan.steps = {step};
  return plan;
}

/// What the simulation and the proof by classes say, which must be the same.
std::string bothComplain(const RedistributionRequest &asked,
                         const RedistributionPlan &plan) {
  std::string message = complaint(asked, plan);
  EXPECT_EQ(checkByClass(asked, plan).message(), message);
  return message;
}

TEST(Checker, RefusesAnAxisWithTwoUses) {
  auto asked = request(mesh("x=2"), {4, 4}, "x=shard(0)", "x=shard(0)");
  asked.to.dims[1] = asked.to.dims[0];
  EXPECT_EQ(
      bothComplain(asked, planOf(asked, StepKind::Slice, {{0, 1, 2}}, -1, 1)),
      "step 0 (slice) leads to layout 'x=shard(0), x=shard(1)', which uses an "
      "axis twice");
}

TEST(Checker, RefusesContributionsOfTwoOps) {
  auto asked = request(mesh("x=2,y=2"), {4}, "y=partial(max)", "");
  asked.to.partials = {{{0, 1, 2}, ReduceOp::Sum}, {{1, 1, 2}, ReduceOp::Max}};
  EXPECT_EQ(
      bothComplain(asked, planOf(asked, StepKind::ToPartial, {{0, 1, 2}})),
      "step 0 (to_partial) leads to layout 'x=partial(sum), "
      "y=partial(max)', which mixes reduce ops");
}

TEST(Checker, RefusesMovesAlongAPartialAxis) {
  auto asked = request(mesh("x=2,y=2"), {4, 4}, "x=partial(sum), y=shard(0)",
                       "x=partial(sum), y=shard(1)");
  EXPECT_EQ(bothComplain(asked, planOf(asked, StepKind::Exchange,
                                       {{0, 1, 2}, {1, 1, 2}})),
            "step 0 (exchange) moves contributions along the partial axis 'x'");
}

TEST(Checker, ClassesDoNotDecideAboutChunksThatDoNotDivide) {
  auto asked = request(mesh("x=4"), {5}, "x=shard(0)", "x:(1)2=shard(0)");
  EXPECT_EQ(
      checkByClass(asked, planOf(asked, StepKind::AllGather, {{0, 2, 2}}, 0))
          .message(),
      "step 0 (all_gather) cuts chunks of a size that does not divide across, "
      "which cannot be decided for classes of ranks");
}

TEST(Checker, ClassesRefuseAnAverageWithoutItsShares) {
  auto asked = request(mesh("x=4"), {8}, "x=shard(0)", "x=partial(avg)");
  EXPECT_EQ(checkByClass(asked, planOf(asked, StepKind::ToPartial, {{0, 1, 4}},
                                       0, -1, ReduceOp::Avg))
                .message(),
            "step 0 (to_partial) shards do not become partial(avg) in one "
            "step");
}

TEST(Checker, RefusesMutatedRandomPlans) {
  constexpr uint32_t seed = 99;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  Mesh grid = mesh("x=2,y=4");
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    RedistributionRequest asked;
    asked.mesh = grid;
    asked.shape = {pick(rng, 5, 16), pick(rng, 5, 16)};
    asked.from = randomLayout(rng, grid, 2, true);
    asked.to = randomLayout(rng, grid, 2, false);
    asked.topology = *Topology::builtin("threads");
    auto plan = planAndCheck(asked);
    if (plan.steps.empty())
      continue;
    plan.steps.erase(plan.steps.begin() + pick(rng, 0, plan.steps.size() - 1));
    EXPECT_NE(complaint(asked, plan), "") << "case " << i;
    ++refused;
  }
  EXPECT_GT(refused, 200);
}

/// A plan with something wrong, or not: a step dropped, repeated, given other
/// axes, another kind, op or layout.
RedistributionPlan changed(std::mt19937 &rng,
                           const RedistributionRequest &asked,
                           RedistributionPlan plan) {
  if (plan.steps.empty())
    return plan;
  size_t at = static_cast<size_t>(pick(rng, 0, plan.steps.size() - 1));
  RedistributionStep &step = plan.steps[at];
  switch (pick(rng, 0, 6)) {
  case 0:
    plan.steps.erase(plan.steps.begin() + at);
    break;
  case 1:
    plan.steps.insert(plan.steps.begin() + at, step);
    break;
  case 2:
    step.axes = {asked.mesh.wholeAxis(0)};
    break;
  case 3:
    step.kind = static_cast<StepKind>(pick(rng, 0, 8));
    break;
  case 4:
    step.to = randomLayout(rng, asked.mesh, step.to.rank(), true);
    if (at + 1 < plan.steps.size())
      plan.steps[at + 1].from = step.to;
    break;
  case 5:
    step.op = pick(rng, 0, 1) ? ReduceOp::Max : ReduceOp::Avg;
    break;
  case 6:
    if (!step.axes.empty())
      step.axes.pop_back();
    break;
  }
  return plan;
}

TEST(Checker, ClassesAcceptNothingThatTheSimulationRefuses) {
  constexpr uint32_t seed = 20261204;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  const char *meshes[] = {"x=4", "x=6", "x=2,y=2", "x=4,y=3", "x=2,y=3,z=2"};
  int accepted = 0, refused = 0, undecided = 0;
  for (int i = 0; i < 4000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    RedistributionRequest asked;
    asked.mesh = mesh(meshes[pick(rng, 0, std::size(meshes) - 1)]);
    int rank = static_cast<int>(pick(rng, 1, 3));
    bool even = pick(rng, 0, 1);
    for (int d = 0; d < rank; ++d)
      asked.shape.push_back(even ? asked.mesh.numRanks()
                                 : pick(rng, 0, 2 * asked.mesh.numRanks()));
    asked.from = randomLayout(rng, asked.mesh, rank, true);
    asked.to = randomLayout(rng, asked.mesh, rank, pick(rng, 0, 2) == 0);
    asked.topology = *Topology::builtin("threads");
    asked.objective = pick(rng, 0, 1) ? Objective::Time : Objective::Bytes;
    if (pick(rng, 0, 1))
      asked.objective = Objective::Memory;
    RedistributionPlan plan = planAndCheck(asked);
    if (even) {
      Status proof = checkByClass(asked, plan);
      EXPECT_TRUE(bool(proof)) << proof.message();
    } else {
      undecided += !checkByClass(asked, plan);
    }
    RedistributionPlan other = changed(rng, asked, plan);
    if (checkByClass(asked, other)) {
      ++accepted;
      Status proof = checkRedistribution(asked, other);
      EXPECT_TRUE(bool(proof)) << proof.message();
    } else {
      ++refused;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
  std::cout << accepted << " changed plans accepted, " << refused
            << " refused; " << undecided << " right ones on uneven sizes "
            << "undecided\n";
}

TEST(Checker, MillionsOfRanksAreProvedByClass) {
  for (std::vector<int64_t> shape :
       {std::vector<int64_t>{8192, 8192}, {8191, 4099}})
    for (auto [from, to] :
         {std::pair("x=shard(0)", ""), std::pair("", "x=shard(1), y=shard(0)"),
          std::pair("x=shard(0)", "x=shard(1)"),
          std::pair("x=shard(0), y=shard(1)", "y=shard(0), x=shard(1)"),
          std::pair("x=partial(sum)", "y=shard(0)"),
          std::pair("x=partial(sum), y=shard(1)", "x=shard(0)")}) {
      auto asked = request(mesh("x=1024,y=1024"), shape, from, to);
      auto plan = planAndCheck(asked);
      ASSERT_FALSE(plan.steps.empty());
      plan.steps.back().to = asked.from;
      EXPECT_FALSE(checkRedistribution(asked, plan));
    }
}

} // namespace
