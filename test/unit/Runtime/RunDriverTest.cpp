// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-run: exit codes, messages and output.
#include "TestPlans.h"

#include "dtrt/Npy.h"
#include "dtrt/RunDriver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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
  expectFailure(run({plan, "--backend", "nccl"}), 2,
                "backend 'nccl' is not available in this build");
  expectFailure(run({plan, "--local-io=yes"}), 2, "--local-io takes no value");
}

/// Sets environment variables for as long as it lives.
class Environment {
public:
  Environment(
      std::initializer_list<std::pair<const char *, const char *>> variables) {
    for (const auto &[name, value] : variables) {
      names.push_back(name);
      ::setenv(name, value, 1);
    }
  }
  ~Environment() {
    for (const std::string &name : names)
      ::unsetenv(name.c_str());
  }

private:
  std::vector<std::string> names;
};

TEST_F(RunDriver, launchers) {
  expectFailure(run({plan, "--backend", "mpi"}), 2,
                "--backend mpi needs a launcher: mpirun -n N dtensor-run");
  {
    // It would become mpirun, where there is one.
    std::string path = getenv("PATH") ? getenv("PATH") : "";
    setenv("PATH", "/nowhere", 1);
    Outcome alone = run({plan, "--backend", "mpi", "--ranks", "2"});
    setenv("PATH", path.c_str(), 1);
    expectFailure(alone, 1,
                  "cannot start mpirun: No such file or directory; install "
                  "Open MPI or MPICH, or use --backend threads");
  }
  {
    Environment mpi{{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}};
    expectFailure(run({plan, "--backend", "threads"}), 2,
                  "but PMI_SIZE says that 4 processes were started");
  }
  {
    Environment mpi{{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}};
    Outcome silent = run({plan, "--backend", "threads"});
    EXPECT_EQ(silent.code, 2);
    EXPECT_EQ(silent.err, "");
  }
  {
    Environment half{{"OMPI_COMM_WORLD_SIZE", "4"}};
    expectFailure(run({plan}), 2,
                  "variable OMPI_COMM_WORLD_SIZE is set, but "
                  "OMPI_COMM_WORLD_RANK is not");
  }
  {
    Environment both{{"PMI_RANK", "0"},
                     {"PMI_SIZE", "4"},
                     {"OMPI_COMM_WORLD_RANK", "0"},
                     {"OMPI_COMM_WORLD_SIZE", "4"}};
    expectFailure(run({plan}), 2,
                  "OMPI_COMM_WORLD_SIZE and PMI_SIZE come from two different");
  }
  {
    Environment bad{{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}};
    expectFailure(run({plan}), 2, "PMI_RANK is 4, but PMI_SIZE is 4");
  }
  {
    Environment bad{{"PMI_RANK", "x"}, {"PMI_SIZE", "4"}};
    expectFailure(run({plan}), 2, "PMI_RANK is 'x', not a number");
  }
  Environment torchrun{{"RANK", "0"}, {"WORLD_SIZE", "2"}};
  expectFailure(run({plan}), 2, "variable WORLD_SIZE is set, as by torchrun");
  expectFailure(run({plan, "--backend", "threads"}), 2, "WORLD_SIZE says");
}

TEST_F(RunDriver, check_interp_needs_the_program_text) {
  expectFailure(run({plan, "--check=interp", "--random-inputs", "1"}), 2,
                "--check=interp needs the text of the program, which this "
                "plan leaves out (compile it without --no-reference, from a "
                "stage before scheduled)");
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
                "/none/x: cannot write: there is no directory /none");
  expectFailure(run({plan, "--random-inputs", "1", "--output-dir", "/proc/x"}),
                1, "/proc/x: ");
}

TEST_F(RunDriver, local_files_are_the_parts_of_global_ones) {
  ASSERT_EQ(run({plan, "--random-inputs", "5", "--output-dir", dir}).code, 0);
  Expected<NpyArray> whole = readNpy(dir + "result0.npy");
  ASSERT_TRUE(whole);
  // a is sharded by columns, b by rows.
  dtensor::Mesh mesh = *dtensor::parseMesh("tp=2");
  const char *layouts[] = {"tp=shard(1)", "tp=shard(0)"};
  std::vector<int64_t> shapes[] = {{6, 8}, {8, 5}}, locals[] = {{6, 4}, {4, 5}};
  for (uint32_t i = 0; i < 2; ++i)
    for (int64_t rank = 0; rank < 2; ++rank) {
      GlobalTensor all =
          randomTensor(dtensor::ElementType::F32, shapes[i], 5, i);
      GlobalTensor part{all.type, locals[i], {}};
      part.data.resize(static_cast<size_t>(locals[i][0] * locals[i][1] * 4));
      distributeTensor(mesh, *dtensor::parseLayout(mesh, 2, layouts[i]), all,
                       rank, part.data.data());
      ASSERT_TRUE(writeNpy(dir + (i ? "b" : "a") + ".rank" +
                               std::to_string(rank) + ".npy",
                           part));
    }
  std::vector<std::string> command = {plan,
                                      "--input",
                                      "a=" + dir + "a.npy",
                                      "--input",
                                      "b=" + dir + "b.npy",
                                      "--local-io",
                                      "--output-dir",
                                      dir,
                                      "--check"};
  Outcome outcome = run(command);
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  for (const char *rank : {"0", "1"}) {
    Expected<NpyArray> part =
        readNpy(dir + "result0.rank" + std::string(rank) + ".npy");
    ASSERT_TRUE(part);
    EXPECT_EQ(part->shape, (std::vector<int64_t>{6, 5}));
    EXPECT_EQ(part->data, whole->data);
  }
  ASSERT_TRUE(writeNpy(dir + "b.rank1.npy",
                       randomTensor(dtensor::ElementType::F32, {3, 5}, 1, 0)));
  expectFailure(run(command), 1,
                "b.rank1.npy: has shape 3x5, the program wants 4x5");
  std::remove((dir + "a.rank0.npy").c_str());
  expectFailure(run(command), 1, "a.rank0.npy: cannot open");
}

std::string safetensors(const std::string &header, size_t dataBytes) {
  std::string text(8, '\0');
  for (size_t i = 0; i < 8; ++i)
    text[i] = static_cast<char>(header.size() >> (8 * i));
  return text + header + std::string(dataBytes, '\0');
}

TEST_F(RunDriver, weights_by_name) {
  GlobalTensor b = randomTensor(dtensor::ElementType::F32, {8, 5}, 9, 1);
  std::string file = ::testing::TempDir() + "dtrt-weights.safetensors";
  std::string text = safetensors(
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[8,5],)"
      R"("data_offsets":[8,168]},"other":{"dtype":"U8","shape":[8],)"
      R"("data_offsets":[0,8]}})",
      168);
  std::copy_n(reinterpret_cast<const char *>(b.data.data()), 160,
              text.end() - 160);
  std::ofstream(file, std::ios::binary) << text;
  ASSERT_EQ(run({plan, "--random-inputs", "9", "--output-dir", dir}).code, 0);
  Expected<NpyArray> random = readNpy(dir + "result0.npy");
  // The file goes before random values, and --input before the file.
  GlobalTensor a = randomTensor(dtensor::ElementType::F32, {6, 8}, 9, 0);
  std::string fa = ::testing::TempDir() + "dtrt-a.npy";
  ASSERT_TRUE(writeNpy(fa, a));
  Outcome outcome = run({plan, "--weights", file, "--input", "a=" + fa,
                         "--output-dir", dir, "--check"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(readNpy(dir + "result0.npy")->data, random->data);
  expectFailure(run({plan, "--weights", file}), 2, "input 'a' has no file");
  expectFailure(run({plan, "--weights", "/none"}), 1, "/none: cannot open");
  std::ofstream(file, std::ios::binary)
      << safetensors(R"({"b":{"dtype":"F32","shape":[5,8],)"
                     R"("data_offsets":[0,160]}})",
                     160);
  expectFailure(run({plan, "--weights", file, "--random-inputs", "1"}), 1,
                "input 'b' (" + file +
                    "): has shape 5x8, the program wants 8x5");
}

TEST_F(RunDriver, traces_are_chromes) {
  std::string trace = ::testing::TempDir() + "dtrt-trace.json";
  ASSERT_EQ(
      run({plan, "--random-inputs", "1", "--trace", trace, "--repeat", "2"})
          .code,
      0);
  std::string text = slurp(trace);
  for (const char *part :
       {"{\"displayTimeUnit\"", "\"traceEvents\": [",
        "\"process_name\", \"pid\": 1", "\"name\": \"rank 1\"",
        "\"name\": \"gemm 6x5x4\"",
        "\"name\": \"all_reduce.0\", \"cat\": \"all_reduce\", \"pid\": 1, "
        "\"tid\": 1"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  size_t count = 0;
  for (size_t at = 0; (at = text.find("\"ph\": \"X\"", at)) != text.npos; ++at)
    ++count;
  EXPECT_EQ(count, 8u); // 2 steps, 2 ranks, 2 runs
  expectFailure(run({plan, "--random-inputs", "1", "--trace", "/none/x"}), 1,
                "/none/x: cannot write: there is no directory /none");
}

} // namespace
