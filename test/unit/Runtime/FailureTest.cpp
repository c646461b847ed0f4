// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that leave, throw, stop or run something else: all others end with a
// named failure, soon.
#include "dtrt/ThreadRanks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

using namespace dtrt;

namespace {

double secondsOf(const std::function<void()> &work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

const Failure *failureOf(const RunReport &report, int64_t rank) {
  for (const Failure &failure : report.failures)
    if (failure.rank == rank)
      return &failure;
  return nullptr;
}

TEST(Failure, a_rank_that_throws_ends_the_others) {
  RunReport report;
  double seconds = secondsOf([&] {
    report = runRanks(4, {}, [](Communicator &comm) -> RunStatus {
      if (comm.rank() == 2)
        throw std::runtime_error("out of cheese");
      return comm.barrier("here");
    });
  });
  EXPECT_LT(seconds, 1);
  ASSERT_TRUE(report.cause);
  EXPECT_EQ(failureLine(*report.cause),
            "error: KERNEL rank=2 step=-1 name=: threw: out of cheese");
  EXPECT_EQ(report.failures.size(), 4u);
  ASSERT_TRUE(failureOf(report, 0));
  EXPECT_EQ(failureOf(report, 0)->code, FailureCode::PeerFailed);
  EXPECT_EQ(failureOf(report, 0)->name, "here");
  EXPECT_NE(failureOf(report, 0)->detail.find("out of cheese"),
            std::string::npos);
}

TEST(Failure, throwing_something_odd_is_caught_too) {
  RunReport report =
      runRanks(1, {}, [](Communicator &) -> RunStatus { throw 42; });
  ASSERT_TRUE(report.cause);
  EXPECT_EQ(report.cause->detail,
            "threw something that is not a std::exception");
}

TEST(Failure, a_rank_that_returns_early_ends_the_others) {
  RunReport report;
  double seconds = secondsOf([&] {
    report = runRanks(3, {}, [](Communicator &comm) -> RunStatus {
      if (comm.rank() == 1)
        return std::nullopt;
      return comm.barrier("b");
    });
  });
  EXPECT_LT(seconds, 1);
  ASSERT_TRUE(report.cause);
  EXPECT_EQ(report.cause->code, FailureCode::PeerFailed);
  EXPECT_EQ(report.cause->detail, "rank 1 left the program before this step");
  EXPECT_EQ(report.failures.size(), 2u);
}

TEST(Failure, a_rank_that_finished_its_part_is_no_failure) {
  RunReport report = runRanks(4, {}, [](Communicator &comm) -> RunStatus {
    for (int i = 0; i < 50; ++i)
      if (RunStatus failure = comm.barrier("b"))
        return failure;
    return std::nullopt;
  });
  EXPECT_TRUE(report.succeeded());
}

TEST(Failure, different_collectives_are_named_on_all_ranks) {
  RunReport report = runRanks(3, {}, [](Communicator &comm) -> RunStatus {
    return comm.barrier(comm.rank() == 2 ? "left" : "right");
  });
  ASSERT_TRUE(report.cause);
  EXPECT_EQ(report.failures.size(), 3u);
  for (const Failure &failure : report.failures)
    EXPECT_EQ(failure.code, FailureCode::Mismatch);
  ASSERT_TRUE(failureOf(report, 0));
  EXPECT_NE(failureOf(report, 0)->detail.find("'right'"), std::string::npos);
  EXPECT_NE(failureOf(report, 0)->detail.find("'left'"), std::string::npos);
}

TEST(Failure, a_rank_that_does_not_come_is_a_timeout) {
  RankOptions options;
  options.timeoutSeconds = 0.2;
  RunReport report = runRanks(3, options, [](Communicator &comm) -> RunStatus {
    if (comm.rank() == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(600));
    return comm.barrier("b");
  });
  ASSERT_TRUE(report.cause);
  EXPECT_EQ(report.cause->code, FailureCode::Timeout);
  EXPECT_NE(report.cause->detail.find("for rank 0"), std::string::npos)
      << report.cause->detail;
  EXPECT_EQ(report.failures.size(), 3u);
  EXPECT_EQ(failureOf(report, 1)->code, FailureCode::Timeout);
  EXPECT_EQ(failureOf(report, 2)->code, FailureCode::Timeout);
}

TEST(Failure, a_following_run_works) {
  for (int round = 0; round < 20; ++round) {
    RunReport bad = runRanks(4, {}, [](Communicator &comm) -> RunStatus {
      if (comm.rank() == 3)
        throw std::runtime_error("no");
      return comm.barrier("b");
    });
    EXPECT_FALSE(bad.succeeded());
    RunReport good =
        runRanks(4, {}, [](Communicator &comm) { return comm.barrier("b"); });
    EXPECT_TRUE(good.succeeded());
  }
}

TEST(Failure, stuck_ranks_are_reported) {
  RankOptions options;
  options.timeoutSeconds = 0.1;
  options.teardownSeconds = 0.1;
  bool told = false;
  options.onStuck = [&](const RunReport &report) {
    told = report.cause && report.cause->code == FailureCode::Timeout;
  };
  RunReport report = runRanks(2, options, [](Communicator &comm) -> RunStatus {
    if (comm.rank() == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    return comm.barrier("b");
  });
  EXPECT_TRUE(told);
  EXPECT_FALSE(report.succeeded());
}

TEST(Failure, collectives_are_attached_before_they_run) {
  RunReport report = runRanks(1, {}, [](Communicator &comm) -> RunStatus {
    PreparedCollective collective;
    collective.kind = dtensor::StepKind::AllReduce;
    collective.group = {0};
    return comm.run(collective, nullptr, nullptr);
  });
  ASSERT_TRUE(report.cause);
  EXPECT_EQ(report.cause->detail, "the collective was never attached");
  EXPECT_EQ(report.cause->code, FailureCode::Setup);
}

TEST(Failure, groups_must_fit_the_run) {
  runRanks(1, {}, [](Communicator &comm) -> RunStatus {
    PreparedCollective collective;
    collective.group = {0, 1};
    collective.name = "c";
    Status status = comm.attach(collective);
    EXPECT_EQ(status.message(),
              "rank 1 takes part in 'c', but only 1 ranks run");
    collective.rank = 1;
    EXPECT_EQ(comm.attach(collective).message(),
              "a collective of rank 1 cannot run on rank 0");
    return std::nullopt;
  });
}

TEST(Barrier, works_with_more_ranks_than_cores) {
  double seconds = secondsOf([] {
    RunReport report = runRanks(16, {}, [](Communicator &comm) -> RunStatus {
      for (int i = 0; i < 200; ++i)
        if (RunStatus failure = comm.barrier("b"))
          return failure;
      return std::nullopt;
    });
    EXPECT_TRUE(report.succeeded());
  });
  EXPECT_LT(seconds, 5);
}

} // namespace
