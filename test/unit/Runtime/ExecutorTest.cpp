// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs built by hand, run on threads.
#include "TestPlans.h"

#include "dtrt/Executor.h"
#include "dtrt/Tensor.h"
#include "dtrt/ThreadRanks.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace dtrt;

namespace {

/// Runs program `index` with random inputs and gives result 0.
GlobalTensor runProgram(const PlanFile &file, size_t index,
                        StepTimes *times = nullptr) {
  Expected<std::unique_ptr<KernelLibrary>> kernels = KernelLibrary::load(file);
  EXPECT_TRUE(kernels);
  int64_t size = file.plan.programs[index]->mesh->axes[0]->size;
  std::vector<std::unique_ptr<RankProgram>> ranks;
  for (int64_t rank = 0; rank < size; ++rank) {
    auto program = RankProgram::create(file, index, **kernels, rank);
    EXPECT_TRUE(program) << program.error().message;
    for (size_t i = 0; i < (*program)->inputs().size(); ++i) {
      const RankTensor &input = (*program)->inputs()[i];
      distributeTensor(
          (*program)->mesh(), input.layout,
          randomTensor(input.type, input.shape, 1, static_cast<uint32_t>(i)),
          rank, input.data);
    }
    ranks.push_back(std::move(*program));
  }
  RunReport report = runRanks(size, {}, [&](Communicator &comm) -> RunStatus {
    EXPECT_TRUE(ranks[comm.rank()]->attach(comm));
    return ranks[comm.rank()]->run(comm, comm.rank() == 0 ? times : nullptr);
  });
  EXPECT_TRUE(report.succeeded());
  const RankTensor &result = ranks[0]->results()[0];
  return assembleTensor(
      ranks[0]->mesh(), result.layout, result.type, result.shape,
      [&](int64_t rank) { return ranks[rank]->results()[0].data; });
}

void expectNear(const GlobalTensor &a, const GlobalTensor &b) {
  ASSERT_EQ(a.data.size(), b.data.size());
  for (size_t i = 0; i < a.data.size(); i += 4) {
    float x, y;
    std::memcpy(&x, a.data.data() + i, 4);
    std::memcpy(&y, b.data.data() + i, 4);
    EXPECT_NEAR(x, y, 1e-5);
  }
}

TEST(Executor, sharded_product_equals_the_unsharded_one) {
  PlanFile file = test::matmulPlan();
  expectNear(runProgram(file, 0), runProgram(file, 1));
}

/// The matrix product whose all_reduce is handed to the second queue.
PlanFile startedPlan() {
  PlanFile file = test::matmulPlan();
  schema::ProgramT &program = *file.plan.programs[0];
  auto start = std::make_unique<schema::StartT>();
  start->queue = 1;
  start->count = 1;
  program.starts.push_back(std::move(start));
  program.waits.push_back(std::make_unique<schema::WaitT>());
  program.steps.insert(program.steps.begin() + 1,
                       schema::Step(schema::StepKind::start, 0));
  program.steps.push_back(schema::Step(schema::StepKind::wait, 0));
  return file;
}

TEST(Executor, started_collectives_give_the_same) {
  PlanFile file = startedPlan();
  ASSERT_TRUE(validatePlan(file));
  StepTimes times;
  GlobalTensor started = runProgram(file, 0, &times);
  EXPECT_EQ(started.data, runProgram(test::matmulPlan(), 0).data);
  EXPECT_EQ(times.size(), 4u);
  EXPECT_GT(times[2], 0);
}

TEST(Executor, a_failure_on_the_queue_surfaces_at_the_wait) {
  PlanFile file = startedPlan();
  Expected<std::unique_ptr<KernelLibrary>> kernels = KernelLibrary::load(file);
  ASSERT_TRUE(kernels);
  std::vector<std::unique_ptr<RankProgram>> ranks;
  for (int64_t rank = 0; rank < 2; ++rank)
    ranks.push_back(std::move(*RankProgram::create(file, 0, **kernels, rank)));
  RunReport report = runRanks(2, {}, [&](Communicator &comm) -> RunStatus {
    EXPECT_TRUE(ranks[comm.rank()]->attach(comm));
    if (comm.rank() == 1)
      return std::nullopt; // leaves before the collective
    return ranks[0]->run(comm);
  });
  ASSERT_TRUE(report.cause);
  EXPECT_EQ(failureLine(*report.cause),
            "error: PEER_FAILED rank=0 step=2 name=all_reduce.0: rank 1 left "
            "the program before this step");
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_EQ(report.failures[0].name, "all_reduce.0");
}

TEST(Executor, measures_steps_on_request) {
  StepTimes times;
  runProgram(test::matmulPlan(), 0, &times);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_GT(times[0], 0);
}

TEST(Executor, copies_bytes) {
  PlanFile file = test::matmulPlan();
  schema::ProgramT &program = *file.plan.programs[0];
  program.slab_bytes = program.peak_bytes = 576;
  auto copy = std::make_unique<schema::CopyT>();
  copy->source = test::view(320, 120);
  copy->target = test::view(448, 120);
  program.copies.push_back(std::move(copy));
  program.steps.push_back(schema::Step(schema::StepKind::copy, 0));
  program.results[0]->view = test::view(448, 120);
  ASSERT_TRUE(validatePlan(file)) << validatePlan(file).message();
  expectNear(runProgram(file, 0), runProgram(file, 1));
}

TEST(Executor, uneven_rows_through_local_extents) {
  // Rows of a over three ranks: 2, 2, 2 of 6 divide, so take 5 rows: 2, 2, 1.
  PlanFile file = test::matmulPlan();
  schema::ProgramT &program = *file.plan.programs[0];
  program.mesh = test::mesh(3);
  program.inputs[0] = test::tensor("a", {5, 8}, "tp=shard(0)", 0, 64);
  program.inputs[1] = test::tensor("b", {8, 5}, "", 64, 160);
  program.results[0] = test::tensor("", {5, 5}, "tp=shard(0)", 224, 40);
  schema::GemmT &gemm = *program.gemms[0];
  gemm.m = 2;
  gemm.k = 8;
  gemm.local_m = std::make_unique<schema::LocalExtentT>();
  gemm.local_m->size = 5;
  gemm.local_m->axes = {"tp"};
  gemm.a = test::view(0, 64);
  gemm.b = test::view(64, 160);
  gemm.c = test::view(224, 40);
  program.collectives.clear();
  program.steps.pop_back();
  schema::ProgramT &reference = *file.plan.programs[1];
  reference.inputs[0] = test::tensor("a", {5, 8}, "", 0, 160);
  reference.results[0] = test::tensor("", {5, 5}, "", 384, 100);
  reference.gemms[0]->m = 5;
  ASSERT_TRUE(validatePlan(file)) << validatePlan(file).message();
  expectNear(runProgram(file, 0), runProgram(file, 1));
}

TEST(Executor, impossible_steps_are_refused_at_load) {
  PlanFile file = test::matmulPlan();
  schema::CollectiveT &op = *file.plan.programs[0]->collectives[0];
  op.kind = schema::CollectiveKind::slice;
  op.from = "tp=shard(0)";
  op.source = test::view(192, 60);
  op.to = "";
  auto kernels = KernelLibrary::load(file);
  ASSERT_TRUE(kernels);
  auto program = RankProgram::create(file, 0, **kernels, 1);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message.find("program 'main' rank 1: step 1: "), 0u)
      << program.error().message;
}

} // namespace
