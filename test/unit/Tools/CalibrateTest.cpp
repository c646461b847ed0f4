// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --calibrate and --measure: what they write and refuse. No time is asserted.
#include "Calibrate.h"
#include "Measure.h"
#include "PlanTool.h"
#include "PlannerTestUtils.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace dtensor;
using namespace dtensor::test;

namespace {

struct Answer {
  int code;
  std::string out, err;
};

Answer ask(const std::vector<std::string> &args) {
  std::ostringstream out, err;
  int code = runPlanTool(args, out, err);
  return {code, out.str(), err.str()};
}

void expectError(const std::vector<std::string> &args, int code,
                 const std::string &message) {
  Answer answer = ask(args);
  EXPECT_EQ(answer.code, code);
  EXPECT_EQ(answer.err, "dtensor-plan: error: " + message + "\n");
}

TEST(Calibrate, MakesATopologyThatReadsBack) {
  CalibrateOptions options;
  options.ranks = 4;
  options.maxBytes = 1 << 17;
  auto made = calibrateMachine(options);
  ASSERT_TRUE(bool(made)) << made.error().message;
  auto again = readTopology(printTopology(*made), "made.json");
  ASSERT_TRUE(bool(again)) << again.error().message;
  EXPECT_EQ(topologyHash(*again), topologyHash(*made));
  // Five kinds of collectives in groups of two and of four.
  EXPECT_EQ(again->tables.size(), 10u);
  for (int64_t size : {2, 4})
    for (const char *op : {"all_gather", "all_reduce", "all_to_all",
                           "reduce_scatter", "exchange"}) {
      const CollectiveTable *table = again->table(op, {size, 1});
      ASSERT_NE(table, nullptr) << op;
      EXPECT_EQ(table->points.size(), 2u);
    }
  auto asked = request(mesh("x=4"), {64, 64}, "x=shard(0)", "x=shard(1)");
  asked.topology = *again;
  EXPECT_GT(planAndCheck(asked).timeUs, 0);
}

TEST(Calibrate, RefusesWhatItDoesNotMeasure) {
  expectError({"--calibrate", "--backend", "nccl", "-o", "/no/such/file"}, 1,
              "--calibrate measures --backend threads and mpi, not nccl");
  expectError({"--calibrate", "--backend", "mpi", "-o", "/no/such/file"}, 1,
              "--calibrate --backend mpi needs a launcher: mpirun -n N "
              "dtensor-plan --calibrate --backend mpi -o FILE");
  expectError({"--calibrate", "-o", "/no/such/file"}, 1,
              "/no/such/file: cannot write: No such file or directory");
}

/// A run that is stopped while it measures.
TEST(Calibrate, KeepsTheOldFileUntilItHasANewOne) {
  std::string path = testing::TempDir() + "/calibrate-old.json";
  std::ofstream(path) << "old";
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ask({"--calibrate", "-o", path});
    _exit(0);
  }
  // It needs seconds.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  std::stringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), "old");
  std::remove(path.c_str());
}

TEST(Calibrate, HasRoomForAsManyRanksAsTheHelpPromises) {
  for (int64_t ranks = 2; ranks <= 64; ++ranks) {
    CalibrateOptions options;
    options.ranks = ranks;
    EXPECT_EQ(checkCalibration(options).message(), "") << ranks << " ranks";
  }
  CalibrateOptions options;
  options.ranks = 257;
  EXPECT_EQ(
      checkCalibration(options).message(),
      "--calibrate runs at most 256 ranks on this machine, but the mesh has "
      "257");
}

TEST(Calibrate, UsageErrors) {
  expectError({"--calibrate"}, 2, "--calibrate needs -o FILE");
  expectError({"--calibrate", "-o", "f", "--mesh", "x=2"}, 2,
              "--mesh does not go with --calibrate");
  expectError({"--calibrate", "-o", "f", "--json"}, 2,
              "--calibrate plans nothing: leave --json, --boxes, --execute and "
              "--measure away");
  expectError({"--calibrate", "-o", "f", "--ranks", "1"}, 2,
              "--ranks is '1', but must be a number from 2 to 64");
  expectError({"--calibrate", "-o", "f", "--backend", "gloo"}, 2,
              "--backend is 'gloo', but must be threads, mpi or nccl");
  expectError({"-o", "f", "--mesh", "x=2"}, 2, "-o goes with --calibrate");
  expectError({"--ranks", "2"}, 2, "--ranks goes with --calibrate");
}

TEST(Measure, RunsThePlanAndItsAlternatives) {
  std::vector<std::string> asked = {"--mesh", "x=2",    "--shape",
                                    "64x64",  "--from", "S(0)",
                                    "--to",   "S(1)",   "--measure"};
  Answer answer = ask(asked);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("measured: "), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find(" us, modelled / measured "), std::string::npos);
  EXPECT_NE(answer.out.find(", measured "), std::string::npos) << answer.out;
  asked.insert(asked.end(), {"--json", "--alternatives", "1"});
  answer = ask(asked);
  auto json = parseJson(answer.out);
  ASSERT_TRUE(bool(json)) << answer.out;
  const JsonValue &measured = at(*json, "measured");
  EXPECT_GT(at(measured, "time_us").number, 0);
  EXPECT_EQ(at(measured, "alternatives_us").items.size(),
            at(*json, "alternatives").items.size());
}

TEST(Measure, RefusesWhatDoesNotFit) {
  expectError(
      {"--mesh", "x=257", "--shape", "257", "--from", "S(0)", "--to", "R",
       "--measure"},
      1,
      "--measure runs at most 256 ranks on this machine, but the mesh has "
      "257");
  expectError({"--mesh", "x=2", "--shape", "8192x131072", "--from", "S(0)",
               "--to", "R", "--measure", "--alternatives", "0"},
              1,
              "--measure would need 4294967296 bytes per rank, but has "
              "2147483648; choose a smaller shape or fewer ranks");
  expectError({"--mesh", "x=2", "--shape", "6", "--from", "S(0)", "--to-mesh",
               "x=3", "--to", "S(0)", "--measure"},
              1, "--measure runs plans on one mesh only");
}

} // namespace
