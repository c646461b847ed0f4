// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-run: exit codes, messages and output.
#include "TestPlans.h"

#include "dtrt/Npy.h"
#include "dtrt/RunDriver.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

using namespace dtrt;

namespace {

struct Outcome {
  int code = 0;
  std::string out, err;
};

Outcome run(const std::vector<std::string> &arguments) {
  std::ostringstream out, err;
  int code = runDriver(arguments, out, err);
  return {code, out.str(), err.str()};
}

class RunDriver : public ::testing::Test {
protected:
  void SetUp() override { write(test::matmulPlan()); }

  void write(const PlanFile &file) {
    std::vector<uint8_t> bytes = serializePlan(file);
    ASSERT_TRUE(writeFileAtomically(plan, bytes.data(), bytes.size()));
  }

  std::string slurp(const std::string &path) {
    std::ifstream stream(path);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  std::string dir = ::testing::TempDir() + "dtrt-driver/";
  std::string plan = ::testing::TempDir() + "dtrt-driver.plan";
};

void expectFailure(const Outcome &outcome, int code, const std::string &part) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

TEST_F(RunDriver, usage) {
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_NE(run({"--help"}).out.find("example: dtensor-run"),
            std::string::npos);
  expectFailure(run({}), 2, "no program given");
  expectFailure(run({"a", "b"}), 2, "two programs given: 'a' and 'b'");
  expectFailure(run({plan, "--frobnicate"}), 2, "unknown option --frobnicate");
  expectFailure(run({plan, "--ranks"}), 2, "--ranks needs a value");
  expectFailure(run({plan, "--ranks", "-3"}), 2, "--ranks wants a number");
  expectFailure(run({plan, "--ranks", "0"}), 2, "wants a positive number");
  expectFailure(run({plan, "--timeout", "0"}), 2, "wants a positive number");
  expectFailure(run({plan, "--rtol", "x"}), 2, "wants a non-negative number");
  expectFailure(run({plan, "--rtol", "1"}), 2,
                "--rtol and --atol need --check");
  expectFailure(run({plan, "--input", "a"}), 2, "--input wants NAME=FILE");
  expectFailure(run({plan, "--random-inputs", "x"}), 2, "wants a number");
  expectFailure(run({plan, "--check=foo"}), 2, "unknown kind of check 'foo'");
  expectFailure(run({plan, "--backend", "tin"}), 2, "unknown backend 'tin'");
  for (const char *backend : {"mpi", "nccl"})
    expectFailure(run({plan, "--backend", backend}), 2,
                  std::string("backend '") + backend +
                      "' is not available in this build");
}

TEST_F(RunDriver, later_options_are_refused_by_name) {
  expectFailure(run({plan, "--check=interp"}), 2,
                "--check=interp is not supported yet");
  expectFailure(run({plan, "--weights", "f"}), 2,
                "--weights is not supported yet");
  expectFailure(run({plan, "--trace=f"}), 2, "--trace is not supported yet");
  expectFailure(run({plan, "--local-io"}), 2,
                "--local-io is not supported yet");
}

TEST_F(RunDriver, check_passes_and_prints) {
  Outcome outcome = run({plan, "--random-inputs", "1", "--check"});
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_NE(outcome.out.find(
                "all_reduce over \"tp\"  120 bytes/rank  (all_reduce.0)"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("total received: 120 bytes/rank"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("result0: largest error "), std::string::npos);
  EXPECT_NE(outcome.out.find("tolerance 1e-05: ok"), std::string::npos);
  EXPECT_NE(run({plan, "--random-inputs", "1", "--check", "--atol", "1",
                 "--rtol", "0.5"})
                .out.find("tolerance 0.5 + 1: ok"),
            std::string::npos);
}

TEST_F(RunDriver, check_finds_a_wrong_result) {
  PlanFile file = test::matmulPlan();
  file.plan.programs[1]->gemms[0]->k = 7;
  write(file);
  Outcome outcome = run({plan, "--random-inputs", "1", "--check"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.out.find(": MISMATCH"), std::string::npos) << outcome.out;
}

TEST_F(RunDriver, check_finds_differing_replicas) {
  // The result claims to be replicated, but each rank has its own product.
  PlanFile file = test::matmulPlan();
  schema::ProgramT &program = *file.plan.programs[0];
  program.results[0]->view = test::view(192, 120);
  program.steps.pop_back();
  program.collectives.clear();
  program.peak_bytes = 384;
  write(file);
  Outcome outcome =
      run({plan, "--random-inputs", "1", "--check", "--atol", "100"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.out.find("replicas differ: rank 1 and rank 0"),
            std::string::npos)
      << outcome.out;
}

TEST_F(RunDriver, check_needs_a_reference) {
  PlanFile file = test::matmulPlan();
  file.plan.programs[0]->reference = -1;
  file.plan.programs.pop_back();
  write(file);
  expectFailure(run({plan, "--random-inputs", "1", "--check"}), 2,
                "--check needs the unsharded program");
}

TEST_F(RunDriver, inputs_from_files_and_outputs) {
  GlobalTensor a = randomTensor(dtensor::ElementType::F32, {6, 8}, 9, 0);
  GlobalTensor b = randomTensor(dtensor::ElementType::F32, {8, 5}, 9, 1);
  std::string fa = ::testing::TempDir() + "dtrt-a.npy";
  std::string fb = ::testing::TempDir() + "dtrt-b.npy";
  ASSERT_TRUE(writeNpy(fa, a));
  ASSERT_TRUE(writeNpy(fb, b));
  Outcome outcome = run({plan, "--input", "a=" + fa, "--input", "1=" + fb,
                         "--output-dir", dir, "--ranks", "2"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("result0: 6x5 f32"), std::string::npos);
  Expected<NpyArray> fromFiles = readNpy(dir + "result0.npy");
  ASSERT_TRUE(fromFiles);
  EXPECT_EQ(run({plan, "--random-inputs", "9", "--output-dir", dir}).code, 0);
  EXPECT_EQ(readNpy(dir + "result0.npy")->data, fromFiles->data);
  expectFailure(run({plan, "--input", "a=" + fb, "--random-inputs", "1"}), 1,
                "input 'a' (" + fb + "): has shape 8x5, the program wants 6x8");
  expectFailure(run({plan, "--input", "a=/none", "--random-inputs", "1"}), 1,
                "input 'a' (/none): cannot open");
  expectFailure(run({plan, "--input", "a=" + fa}), 2,
                "input 'b' has no file (use --input, or --random-inputs SEED "
                "for all without); the program's inputs are:\n  0: a  6x8 "
                "f32\n  1: b  8x5 f32");
  expectFailure(run({plan, "--input", "zz=" + fa}), 2,
                "there is no input 'zz'; the program's inputs are:");
  expectFailure(run({plan, "--input", "a=" + fa, "--input", "0=" + fa}), 2,
                "input '0' is given twice");
}

TEST_F(RunDriver, programs_are_refused) {
  expectFailure(run({"/nowhere.plan"}), 1, "/nowhere.plan: cannot open");
  expectFailure(run({plan, "--ranks", "4", "--random-inputs", "1"}), 1,
                "the program's mesh has 2 ranks, --ranks says 4");
  expectFailure(run({plan, "--entry", "zz"}), 1,
                "the plan has no program 'zz'; it has: main");
  // Without the compiler library, or refused by it: either way exit 1.
  std::ofstream(plan) << "this is no program\n";
  expectFailure(run({plan}), 1, "");
  PlanFile large = test::matmulPlan();
  large.plan.programs[0]->mesh = test::mesh(5000);
  for (auto &program : large.plan.programs) {
    program->inputs.clear();
    program->results.clear();
    program->steps.clear();
    program->collectives.clear();
    program->peak_bytes = 0;
  }
  write(large);
  expectFailure(run({plan}), 1, "the threads backend runs at most 1024");
  write(test::matmulPlan());
  std::string text = slurp(plan);
  std::ofstream(plan, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size() / 2));
  expectFailure(run({plan, "--random-inputs", "1"}), 1, "truncated");
  PlanFile wrong = test::matmulPlan();
  wrong.plan.programs[0]->peak_bytes = 448;
  write(wrong);
  expectFailure(run({plan, "--random-inputs", "1"}), 1,
                "program 'main' step 1 (all_reduce.0): rule 3: ");
}

TEST_F(RunDriver, other_programs_by_name) {
  EXPECT_EQ(
      run({plan, "--entry", "main.reference", "--random-inputs", "1"}).code, 0);
  PlanFile file = test::matmulPlan();
  file.plan.programs[0]->name = "only";
  write(file);
  EXPECT_EQ(run({plan, "--random-inputs", "1"}).code, 0);
}

TEST_F(RunDriver, stats_are_json) {
  std::string stats = ::testing::TempDir() + "dtrt-stats.json";
  Outcome outcome =
      run({plan, "--random-inputs", "1", "--stats", stats, "--repeat", "3"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::string text = slurp(stats);
  for (const char *part :
       {"\"ranks\": 2", "\"backend\": \"threads\"", "\"wall_ms\": [",
        "\"recv_bytes\": 120", "\"collectives\": {\"all_reduce\": 1}",
        "\"peak_bytes\": 512", "\"compute_ms\"", "\"comm_ms\"",
        "\"exposed_comm_ms\"", "\"name\": \"all_reduce.0\"",
        "\"axes\": [\"tp\"]", "\"modelled_us\"", "\"measured_us\"", "\"algbw\"",
        "\"busbw\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  expectFailure(run({plan, "--random-inputs", "1", "--stats", "/none/x"}), 1,
                "/none/x: cannot create");
  expectFailure(run({plan, "--random-inputs", "1", "--output-dir", "/proc/x"}),
                1, "/proc/x: ");
}

} // namespace
