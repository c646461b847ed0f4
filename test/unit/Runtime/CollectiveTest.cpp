// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives on threads against dense references: all kinds, types and
// operators, on meshes of 1 to 6 ranks, with sizes that do not divide.
#include "CollectiveCases.h"
#include "dtrt/Arithmetic.h"
#include "dtrt/ThreadRanks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

using namespace dtrt;
using namespace dtrt::test;

namespace {

/// Runs all cases in one set of ranks and compares.
void runCases(const Mesh &mesh, std::vector<Case> cases) {
  std::vector<std::vector<PreparedCollective>> prepared(mesh.numRanks());
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
    prepareCases(mesh, cases, rank, prepared[rank]);
  RunReport report = runRanks(mesh.numRanks(), {}, [&](Communicator &comm) {
    return runOnRank(comm, cases, prepared[comm.rank()]);
  });
  ASSERT_TRUE(report.succeeded()) << failureLine(*report.cause);
  for (const Case &c : cases)
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
      expectCase(mesh, c, rank);
}

class OnMesh : public ::testing::TestWithParam<const char *> {
protected:
  Mesh mesh = *dtensor::parseMesh(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Meshes, OnMesh,
                         ::testing::Values("x=1,y=1", "x=2,y=1", "x=3,y=1",
                                           "x=4,y=1", "x=2,y=2", "x=3,y=2",
                                           "x=1,y=6"));

TEST_P(OnMesh, moves_every_type_with_every_size) {
  runCases(mesh, movingCases(mesh));
}

TEST_P(OnMesh, gives_and_takes_at_every_root) {
  runCases(mesh, rootedCases(mesh));
}

TEST_P(OnMesh, reduces_every_type_with_every_operator) {
  runCases(mesh, reducingCases(mesh));
}

/// Buffers of one tensor on all ranks, changed step by step.
class Pipeline {
public:
  Pipeline(const Mesh &mesh, ElementType type, std::vector<int64_t> shape)
      : mesh(mesh), type(type), shape(std::move(shape)) {}

  void run(StepKind kind, ReduceOp op, const std::string &from,
           const std::string &to, const std::string &axes) {
    Case c = makeCase(mesh, kind, type, op, shape, from, to, axes);
    if (!buffers.empty())
      c.sources = buffers;
    c.expected.clear();
    RunReport report =
        runRanks(mesh.numRanks(), {}, [&](Communicator &comm) -> RunStatus {
          Expected<PreparedCollective> one =
              prepareCollective(mesh, c.spec, comm.rank());
          if (!one)
            return Failure{FailureCode::Setup, comm.rank(), -1, "",
                           one.error().message};
          if (!comm.attach(*one))
            return Failure{FailureCode::Setup, comm.rank(), -1, "", "attach"};
          return comm.run(*one, c.sources[comm.rank()].data(),
                          c.targets[comm.rank()].data());
        });
    ASSERT_TRUE(report.succeeded()) << failureLine(*report.cause);
    if (buffers.empty())
      start = c.sources;
    buffers = c.targets;
  }

  std::vector<std::vector<std::byte>> start, buffers;

private:
  const Mesh &mesh;
  ElementType type;
  std::vector<int64_t> shape;
};

TEST_P(OnMesh, becoming_partial_and_reducing_gives_the_bits_back) {
  for (ElementType type : {ElementType::F32, ElementType::F16, ElementType::I8,
                           ElementType::I1, ElementType::F64})
    for (ReduceOp op : kOps) {
      if (!dtensor::isReductionSupported(op, type))
        continue;
      std::string partial = "x=partial(" + std::string(reduceOpName(op)) + ")";
      Pipeline replicated(mesh, type, {5, 3});
      replicated.run(StepKind::ToPartial, op, "", partial, "x");
      replicated.run(StepKind::AllReduce, op, partial, "", "x");
      EXPECT_EQ(replicated.start, replicated.buffers) << reduceOpName(op);
      if (op == ReduceOp::Avg)
        continue;
      Pipeline sharded(mesh, type, {5, 3});
      sharded.run(StepKind::ToPartial, op, "x=shard(0)", partial, "x");
      sharded.run(StepKind::ReduceScatter, op, partial, "x=shard(0)", "x");
      EXPECT_EQ(sharded.start, sharded.buffers) << reduceOpName(op);
    }
}

TEST_P(OnMesh, sum_and_avg_scale_into_each_other) {
  Pipeline pipeline(mesh, ElementType::F32, {4, 3});
  pipeline.run(StepKind::ToPartial, ReduceOp::Sum, "", "x=partial(sum)", "x");
  pipeline.run(StepKind::Scale, ReduceOp::Sum, "x=partial(sum)",
               "x=partial(avg)", "x");
  pipeline.run(StepKind::AllReduce, ReduceOp::Avg, "x=partial(avg)", "", "x");
  EXPECT_EQ(pipeline.start, pipeline.buffers);
}

TEST(Collective, ordered_sums_are_the_same_bits_on_all_replicas) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  Case c = makeCase(mesh, StepKind::AllReduce, ElementType::F32, ReduceOp::Sum,
                    {1001, 3}, "x=partial(sum)", "", "x");
  std::mt19937 random(1);
  for (auto &source : c.sources)
    for (size_t i = 0; i < source.size(); i += 4)
      encode(ElementType::F32, std::ldexp(double(random()), -20),
             source.data() + i);
  for (size_t i = 0; i < c.expected[0].size(); i += 4) {
    float sum = 0;
    for (size_t rank = 0; rank < 4; ++rank) {
      float value;
      std::memcpy(&value, c.sources[rank].data() + i, 4);
      sum = rank == 0 ? value : sum + value;
    }
    for (auto &expected : c.expected)
      std::memcpy(expected.data() + i, &sum, 4);
  }
  std::vector<Case> cases{c};
  runCases(mesh, cases);
}

TEST(Collective, counts_bytes_from_other_ranks) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  auto bytes = [&](StepKind kind, const char *from, const char *to) {
    Case c = makeCase(mesh, kind, ElementType::F32, ReduceOp::Sum, {8, 2}, from,
                      to, "x");
    return prepareCollective(mesh, c.spec, 1)->recvBytes;
  };
  EXPECT_EQ(bytes(StepKind::AllGather, "x=shard(0)", ""), 48);
  EXPECT_EQ(bytes(StepKind::Slice, "", "x=shard(0)"), 0);
  EXPECT_EQ(bytes(StepKind::ReduceScatter, "x=partial(sum)", "x=shard(0)"), 48);
  EXPECT_EQ(bytes(StepKind::AllReduce, "x=partial(sum)", ""), 96);
}

TEST(Collective, counts_bytes_of_the_root_and_of_the_others) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  auto bytes = [&](StepKind kind, const char *from, const char *to,
                   int64_t rank) {
    Case c = makeCase(mesh, kind, ElementType::F32, ReduceOp::Sum, {8, 2}, from,
                      to, "x", 1);
    return prepareCollective(mesh, c.spec, rank)->recvBytes;
  };
  EXPECT_EQ(bytes(StepKind::Broadcast, "", "", 1), 0);
  EXPECT_EQ(bytes(StepKind::Broadcast, "", "", 2), 64);
  EXPECT_EQ(bytes(StepKind::Reduce, "x=partial(sum)", "", 1), 192);
  EXPECT_EQ(bytes(StepKind::Reduce, "x=partial(sum)", "", 2), 0);
  EXPECT_EQ(bytes(StepKind::Scatter, "", "x=shard(0)", 1), 0);
  EXPECT_EQ(bytes(StepKind::Scatter, "", "x=shard(0)", 2), 16);
  EXPECT_EQ(bytes(StepKind::Gather, "x=shard(0)", "", 1), 48);
  EXPECT_EQ(bytes(StepKind::Gather, "x=shard(0)", "", 2), 0);
}

TEST(Collective, large_boxes_of_narrow_rows) {
  // Large enough to be copied past the caches, and a shape whose rows are not
  // aligned for that.
  Mesh mesh = *dtensor::parseMesh("x=2");
  for (int64_t columns : {8, 32, 34, 1024})
    runCases(mesh, {makeCase(mesh, StepKind::AllToAll, ElementType::F32,
                             ReduceOp::Sum, {(3 << 20) / columns, columns},
                             "x=shard(0)", "x=shard(1)", "x")});
}

TEST(Collective, impossible_steps_are_refused) {
  Mesh mesh = *dtensor::parseMesh("x=2,y=2");
  auto refusal = [&](StepKind kind, ElementType type, ReduceOp op,
                     const char *from, const char *to, const char *axes) {
    Case c = makeCase(mesh, kind, type, op, {4, 4}, from, to, axes);
    Expected<PreparedCollective> one = prepareCollective(mesh, c.spec, 1);
    return one ? std::string("accepted") : one.error().message;
  };
  EXPECT_NE(refusal(StepKind::Slice, ElementType::F32, ReduceOp::Sum,
                    "x=shard(0)", "", "x"),
            "accepted");
  EXPECT_EQ(refusal(StepKind::AllReduce, ElementType::F8E5M2, ReduceOp::Sum,
                    "x=partial(sum)", "", "x"),
            "step 0 (all_reduce over \"x\"): type f8E5M2 has no sum");
  EXPECT_EQ(refusal(StepKind::Broadcast, ElementType::F32, ReduceOp::Sum, "",
                    "", "x"),
            "step 0 (broadcast over \"x\"): root -1 is not in a group of 2 "
            "ranks");
  EXPECT_NE(refusal(StepKind::ToPartial, ElementType::F32, ReduceOp::Avg,
                    "x=shard(0)", "x=partial(avg)", "x")
                .find("shards do not become partial(avg)"),
            std::string::npos);
  EXPECT_NE(refusal(StepKind::Scale, ElementType::F32, ReduceOp::Max,
                    "x=partial(max)", "x=partial(max)", "x")
                .find("scales from sum or avg only"),
            std::string::npos);
}

} // namespace
