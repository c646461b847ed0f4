// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives over MPI against dense references, and against the bits that
// threads give: run by mpirun with four ranks.
#include "CollectiveCases.h"
#include "MpiTest.h"

#include <chrono>
#include <cmath>
#include <random>

using namespace dtrt;
using namespace dtrt::test;

namespace {

/// Runs the cases on the first ranks of the world, the others look on.
void runCases(const Mesh &mesh, std::vector<Case> cases) {
  Communicator &comm = world->communicator();
  if (comm.rank() < mesh.numRanks()) {
    std::vector<PreparedCollective> prepared;
    prepareCases(mesh, cases, comm.rank(), prepared);
    RunStatus failure = runOnRank(comm, cases, prepared);
    ASSERT_FALSE(failure) << failureLine(*failure);
    for (const Case &c : cases)
      expectCase(mesh, c, comm.rank());
  }
  RunStatus failure = comm.barrier("cases");
  ASSERT_FALSE(failure) << failureLine(*failure);
}

class OnMesh : public ::testing::TestWithParam<const char *> {
protected:
  Mesh mesh = *dtensor::parseMesh(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Meshes, OnMesh,
                         ::testing::Values("x=1,y=1", "x=2,y=1", "x=3,y=1",
                                           "x=4,y=1", "x=2,y=2", "x=1,y=4"));

TEST_P(OnMesh, moves_every_type_with_every_size) {
  runCases(mesh, movingCases(mesh));
}

TEST_P(OnMesh, gives_and_takes_at_every_root) {
  runCases(mesh, rootedCases(mesh));
}

TEST_P(OnMesh, reduces_every_type_with_every_operator) {
  runCases(mesh, reducingCases(mesh));
}

TEST_P(OnMesh, native_reductions_have_the_same_values) {
  // The values are small whole numbers, so any order gives the same.
  std::vector<Case> cases = reducingCases(mesh);
  for (Case &c : cases)
    c.spec.reduction = schema::Reduction::native;
  runCases(mesh, std::move(cases));
}

TEST_P(OnMesh, long_messages_go_in_pieces) {
  world->setMaxPiece(5);
  runCases(mesh, movingCases(mesh));
  runCases(mesh, reducingCases(mesh));
  world->setMaxPiece(1u << 30);
}

/// Values whose sum depends on the order, with NaNs of two kinds.
Case unevenSum(const Mesh &mesh, StepKind kind, const char *to) {
  Case c = makeCase(mesh, kind, ElementType::F32, ReduceOp::Sum, {1001, 3},
                    "x=partial(sum)", to, "x");
  std::mt19937 random(1);
  for (auto &source : c.sources)
    for (size_t i = 0; i < source.size(); i += 4) {
      encode(ElementType::F32,
             std::ldexp(double(random()), -20 - int(random() % 9)),
             source.data() + i);
      if (i % 400 == 0)
        put<uint32_t>(source.data() + i,
                      0x7fc00000u | (random() & 0x80000fffu));
    }
  return c;
}

TEST(MpiCollective, ordered_sums_are_the_bits_of_threads) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  for (bool scatter : {false, true}) {
    Case c = scatter ? unevenSum(mesh, StepKind::ReduceScatter, "x=shard(0)")
                     : unevenSum(mesh, StepKind::AllReduce, "");
    std::vector<Case> threads = {c};
    std::vector<std::vector<PreparedCollective>> prepared(4);
    for (int64_t rank = 0; rank < 4; ++rank)
      prepareCases(mesh, threads, rank, prepared[rank]);
    RunReport report = runRanks(4, {}, [&](Communicator &comm) {
      return runOnRank(comm, threads, prepared[comm.rank()]);
    });
    ASSERT_TRUE(report.succeeded());
    c.expected = threads[0].targets;
    runCases(mesh, {c});
  }
}

TEST(MpiCollective, native_sums_are_the_same_bits_on_all_replicas) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  Case c = unevenSum(mesh, StepKind::AllReduce, "");
  c.spec.reduction = schema::Reduction::native;
  std::vector<Case> cases = {c};
  Communicator &comm = world->communicator();
  std::vector<PreparedCollective> prepared;
  prepareCases(mesh, cases, comm.rank(), prepared);
  ASSERT_FALSE(runOnRank(comm, cases, prepared));
  std::vector<std::vector<std::byte>> all;
  const std::vector<std::byte> &mine = cases[0].targets[comm.rank()];
  ASSERT_FALSE(world->gather(mine.data(), mine.size(), all));
  for (const auto &other : all)
    EXPECT_EQ(other, mine);
}

TEST(MpiCollective, bytes_are_counted_as_planned) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  Communicator &comm = world->communicator();
  comm.resetStats();
  runCases(mesh, {makeCase(mesh, StepKind::AllGather, ElementType::F32,
                           ReduceOp::Sum, {8, 2}, "x=shard(0)", "", "x")});
  EXPECT_EQ(comm.stats().recvBytes, 48);
}

TEST(MpiCollective, exchanges_that_combine_are_refused) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  Communicator &comm = world->communicator();
  Case c = makeCase(mesh, StepKind::Exchange, ElementType::F32, ReduceOp::Sum,
                    {8, 2}, "x=partial(sum)", "", "x");
  Expected<PreparedCollective> one =
      prepareCollective(mesh, c.spec, comm.rank());
  ASSERT_TRUE(one);
  Status status = comm.attach(*one);
  ASSERT_FALSE(status);
  EXPECT_NE(status.message().find("combines contributions while it exchanges "
                                  "boxes, which the mpi backend does not do"),
            std::string::npos)
      << status.message();
}

TEST(MpiCollective, different_programs_are_refused_when_attached) {
  Mesh mesh = *dtensor::parseMesh("x=4,y=1");
  Communicator &comm = world->communicator();
  Case c = makeCase(mesh, StepKind::AllGather, ElementType::F32, ReduceOp::Sum,
                    {8, comm.rank() == 2 ? 3 : 2}, "x=shard(0)", "", "x");
  Expected<PreparedCollective> one =
      prepareCollective(mesh, c.spec, comm.rank());
  ASSERT_TRUE(one);
  Status status = comm.attach(*one);
  ASSERT_FALSE(status);
  EXPECT_NE(status.message().find("runs something else at step 0"),
            std::string::npos)
      << status.message();
  ASSERT_FALSE(comm.barrier("after"));
}

TEST(MpiCollective, broadcast_and_gather) {
  std::vector<uint8_t> bytes;
  if (world->rank() == 0)
    bytes.assign(100001, 7);
  ASSERT_FALSE(world->broadcast(bytes));
  EXPECT_EQ(bytes, std::vector<uint8_t>(100001, 7));
  std::vector<std::byte> mine(static_cast<size_t>(world->rank()) * 10,
                              std::byte(world->rank()));
  std::vector<std::vector<std::byte>> all;
  ASSERT_FALSE(world->gather(mine.data(), mine.size(), all));
  if (world->rank() == 0) {
    ASSERT_EQ(all.size(), 4u);
    for (size_t rank = 0; rank < 4; ++rank)
      EXPECT_EQ(all[rank], std::vector<std::byte>(rank * 10, std::byte(rank)));
  } else {
    EXPECT_TRUE(all.empty());
  }
}

} // namespace
