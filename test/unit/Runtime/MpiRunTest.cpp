// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-run under mpirun: the bits of threads, exit codes, and what a killed
// rank does to the others. This program starts the launchers itself.
#include "TestPlans.h"

#include "dtrt/Npy.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace dtrt;

namespace {

std::unique_ptr<schema::CollectiveT>
collective(const std::string &name, schema::CollectiveKind kind,
           const std::string &from, const std::string &to,
           std::unique_ptr<schema::View> source,
           std::unique_ptr<schema::View> target, int fromDim = -1,
           int toDim = -1) {
  auto out = std::make_unique<schema::CollectiveT>();
  out->name = name;
  out->kind = kind;
  out->axes = {"tp"};
  out->op = schema::ReduceOp::sum;
  out->type = schema::ElementType::f32;
  out->shape = {6, 5};
  out->from = from;
  out->to = to;
  out->from_dim = fromDim;
  out->to_dim = toDim;
  out->source = std::move(source);
  out->target = std::move(target);
  return out;
}

/// A product whose contracted dimension lies on four ranks, then all_reduce,
/// reduce_scatter to 2, 2, 2 and 0 rows, all_to_all and all_gather.
PlanFile fourRankPlan() {
  PlanFile file = test::matmulPlan();
  schema::ProgramT &program = *file.plan.programs[0];
  program.mesh = test::mesh(4);
  program.slab_bytes = 768;
  program.peak_bytes = 512;
  program.inputs[0]->view = test::view(0, 48);
  program.inputs[1]->view = test::view(64, 40);
  schema::GemmT &gemm = *program.gemms[0];
  gemm.k = 2;
  gemm.a = test::view(0, 48);
  gemm.b = test::view(64, 40);
  gemm.c = test::view(128, 120);
  program.collectives.clear();
  program.results.clear();
  auto add = [&](std::unique_ptr<schema::CollectiveT> one) {
    program.results.push_back(test::tensor(one->name, {6, 5}, one->to,
                                           one->target->offset(),
                                           one->target->bytes()));
    program.collectives.push_back(std::move(one));
  };
  using Kind = schema::CollectiveKind;
  add(collective("reduced", Kind::all_reduce, "tp=partial(sum)", "",
                 test::view(128, 120), test::view(256, 120)));
  add(collective("scattered", Kind::reduce_scatter, "tp=partial(sum)",
                 "tp=shard(0)", test::view(128, 120), test::view(384, 40), -1,
                 0));
  add(collective("turned", Kind::all_to_all, "tp=shard(0)", "tp=shard(1)",
                 test::view(384, 40), test::view(448, 48), 0, 1));
  add(collective("gathered", Kind::all_gather, "tp=shard(1)", "",
                 test::view(448, 48), test::view(512, 120), 1));
  program.steps = {schema::Step(schema::StepKind::gemm, 0)};
  for (uint32_t i = 0; i < 4; ++i)
    program.steps.push_back(schema::Step(schema::StepKind::collective, i));
  file.plan.programs[1]->results.clear();
  for (const auto &result : program.results)
    file.plan.programs[1]->results.push_back(
        test::tensor(result->name, {6, 5}, "", 384, 120));
  return file;
}

struct Outcome {
  int code = -1; ///< 128 + signal where one ended it
  std::string text;
};

int exitCode(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Outcome shell(const std::string &command) {
  Outcome outcome;
  std::FILE *pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return outcome;
  char block[4096];
  size_t count = 0;
  while ((count = std::fread(block, 1, sizeof(block), pipe)) > 0)
    outcome.text.append(block, count);
  outcome.code = exitCode(::pclose(pipe));
  return outcome;
}

struct Mpi {
  const char *name, *mpirun;
};

std::ostream &operator<<(std::ostream &out, const Mpi &mpi) {
  return out << mpi.name;
}

class MpiRun : public ::testing::TestWithParam<Mpi> {
protected:
  void SetUp() override {
    if (!GetParam().mpirun[0])
      GTEST_SKIP() << GetParam().name
                   << " was not found when this build was configured";
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    // Containers often lack the right to copy between processes.
    ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    dir = ::testing::TempDir() + "dtrt-mpi-" + GetParam().name + "-" +
          std::to_string(::getpid()) + "/";
    std::filesystem::create_directories(dir);
    plan = dir + "four.plan";
    std::vector<uint8_t> bytes = serializePlan(fourRankPlan());
    ASSERT_TRUE(writeFileAtomically(plan, bytes.data(), bytes.size()));
  }
  void TearDown() override { std::filesystem::remove_all(dir); }

  std::string mpirun(int ranks) const {
    return std::string(GetParam().mpirun) + " -n " + std::to_string(ranks) +
           " " DTENSOR_RUN " ";
  }
  Outcome run(const std::string &arguments, int ranks = 4) const {
    return shell(mpirun(ranks) + arguments);
  }
  static std::string slurp(const std::string &path) {
    std::ifstream stream(path, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  std::string dir, plan;
};

INSTANTIATE_TEST_SUITE_P(Each, MpiRun,
                         ::testing::Values(Mpi{"openmpi", MPIRUN_OPENMPI},
                                           Mpi{"mpich", MPIRUN_MPICH}),
                         [](const auto &info) { return info.param.name; });

TEST_P(MpiRun, results_are_the_bits_of_threads) {
  Outcome threads = shell(DTENSOR_RUN " " + plan +
                          " --random-inputs 3 --output-dir " + dir + "threads");
  ASSERT_EQ(threads.code, 0) << threads.text;
  Outcome mpi = run(plan + " --random-inputs 3 --check --stats " + dir +
                    "stats.json --trace " + dir + "trace.json --output-dir " +
                    dir + "mpi");
  ASSERT_EQ(mpi.code, 0) << mpi.text;
  for (const char *name : {"reduced", "scattered", "turned", "gathered"}) {
    std::string file = "/" + std::string(name) + ".npy";
    EXPECT_EQ(slurp(dir + "threads" + file), slurp(dir + "mpi" + file)) << name;
    EXPECT_FALSE(slurp(dir + "mpi" + file).empty());
    // Printed by one rank.
    std::string line = std::string(name) + ": largest error";
    EXPECT_NE(mpi.text.find(line), std::string::npos) << mpi.text;
    EXPECT_EQ(mpi.text.find(line), mpi.text.rfind(line)) << mpi.text;
  }
  std::string stats = slurp(dir + "stats.json");
  EXPECT_NE(stats.find("\"backend\": \"mpi\""), std::string::npos) << stats;
  EXPECT_NE(stats.find("\"ranks\": 4"), std::string::npos);
  std::string trace = slurp(dir + "trace.json");
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_NE(trace.find("\"rank " + std::to_string(rank) + "\""),
              std::string::npos);
}

TEST_P(MpiRun, local_files) {
  ASSERT_EQ(run(plan + " --random-inputs 3 --output-dir " + dir).code, 0);
  Outcome local =
      run(plan + " --random-inputs 3 --local-io --output-dir " + dir);
  ASSERT_EQ(local.code, 0) << local.text;
  Expected<NpyArray> whole = readNpy(dir + "scattered.npy");
  ASSERT_TRUE(whole);
  std::vector<std::byte> joined;
  for (int rank = 0; rank < 4; ++rank) {
    Expected<NpyArray> part =
        readNpy(dir + "scattered.rank" + std::to_string(rank) + ".npy");
    ASSERT_TRUE(part);
    EXPECT_EQ(part->shape, (std::vector<int64_t>{rank < 3 ? 2 : 0, 5}));
    joined.insert(joined.end(), part->data.begin(), part->data.end());
  }
  EXPECT_EQ(joined, whole->data);
}

TEST_P(MpiRun, refusals_are_printed_once) {
  auto expect = [&](const Outcome &outcome, int code, const std::string &part) {
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find(part), std::string::npos) << outcome.text;
    EXPECT_EQ(outcome.text.find(part), outcome.text.rfind(part))
        << outcome.text;
  };
  expect(run(plan + " --random-inputs 1", 3), 1,
         "the program's mesh has 4 ranks, the launcher started 3");
  expect(run("/nowhere.plan"), 1, "/nowhere.plan: cannot open");
  expect(run(plan), 2, "input 'a' has no file");
  expect(run(plan + " --frobnicate"), 2, "unknown option --frobnicate");
  expect(run(plan + " --backend threads"), 2, "processes were started");
}

TEST_P(MpiRun, a_difference_is_exit_code_3) {
  PlanFile file = fourRankPlan();
  file.plan.programs[1]->gemms[0]->k = 7;
  std::vector<uint8_t> bytes = serializePlan(file);
  ASSERT_TRUE(writeFileAtomically(plan, bytes.data(), bytes.size()));
  Outcome outcome = run(plan + " --random-inputs 1 --check");
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_NE(outcome.text.find("MISMATCH"), std::string::npos);
}

TEST_P(MpiRun, different_programs_are_found_at_the_start) {
  Outcome outcome = shell(mpirun(2) + plan + " --random-inputs 1 : -n 2 " +
                          DTENSOR_RUN " " + plan + " --random-inputs 2");
  EXPECT_EQ(outcome.code, 4) << outcome.text;
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_NE(outcome.text.find("error: MISMATCH rank=" + std::to_string(rank) +
                                " step=-1 name=start: the arguments or "
                                "programs of ranks 2, 3 differ"),
              std::string::npos)
        << outcome.text;
}

/// A process' parent, or 0.
pid_t parentOf(pid_t pid) {
  std::ifstream stream("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stream, text);
  size_t end = text.rfind(')');
  if (end == std::string::npos)
    return 0;
  char state = 0;
  pid_t parent = 0;
  std::istringstream(text.substr(end + 1)) >> state >> parent;
  return parent;
}

/// The dtensor-run processes below `root`.
std::vector<pid_t> ranksBelow(pid_t root) {
  std::vector<pid_t> found;
  for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
    pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0)
      continue;
    std::ifstream stream(entry.path() / "comm");
    std::string name;
    std::getline(stream, name);
    pid_t above = pid;
    while (above > 1 && above != root)
      above = parentOf(above);
    if (name == "dtensor-run" && above == root)
      found.push_back(pid);
  }
  return found;
}

/// mpirun on four ranks that run for long, and what becomes of it.
class LongRun {
public:
  /// Starts it with stderr in `log`, and waits until it runs.
  LongRun(const char *mpirun, const std::string &plan, const std::string &log) {
    launcher = ::fork();
    if (launcher == 0) {
      if (!std::freopen(log.c_str(), "w", stderr))
        ::_exit(126);
      ::execl(mpirun, mpirun, "-n", "4", DTENSOR_RUN, plan.c_str(),
              "--random-inputs", "1", "--repeat", "100000000", "--timeout", "2",
              nullptr);
      ::_exit(127);
    }
    for (int i = 0; i < 200 && ranks.size() < 4; ++i) {
      sleepFor(0.05);
      ranks = ranksBelow(launcher);
    }
    sleepFor(1.5);
  }
  ~LongRun() {
    if (launcher <= 0)
      return;
    for (pid_t rank : ranks)
      ::kill(rank, SIGKILL);
    ::kill(launcher, SIGKILL);
    ::waitpid(launcher, nullptr, 0);
  }

  /// The launcher's exit code, or -1 where it takes more than `limit` seconds.
  int waitFor(double limit) {
    for (double waited = 0; waited < limit; waited += 0.02) {
      int status = 0;
      if (::waitpid(launcher, &status, WNOHANG) == launcher) {
        launcher = 0;
        return exitCode(status);
      }
      sleepFor(0.02);
    }
    return -1;
  }

  bool allGone() const {
    for (int i = 0; i < 100; ++i, sleepFor(0.05)) {
      bool any = false;
      for (pid_t rank : ranks)
        any |= ::kill(rank, 0) == 0;
      if (!any)
        return true;
    }
    return false;
  }

  std::vector<pid_t> ranks;

private:
  static void sleepFor(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }

  pid_t launcher = 0;
};

TEST_P(MpiRun, a_killed_rank_ends_all) {
  LongRun run(GetParam().mpirun, plan, "/dev/null");
  ASSERT_EQ(run.ranks.size(), 4u);
  ::kill(run.ranks[2], SIGKILL);
  EXPECT_GT(run.waitFor(10), 0);
  EXPECT_TRUE(run.allGone());
}

TEST_P(MpiRun, a_stopped_rank_is_a_timeout) {
  LongRun run(GetParam().mpirun, plan, dir + "log");
  ASSERT_EQ(run.ranks.size(), 4u);
  ::kill(run.ranks[2], SIGSTOP);
  EXPECT_EQ(run.waitFor(20), 4);
  EXPECT_TRUE(run.allGone());
  std::string log = slurp(dir + "log");
  // Each rank that is left says why. MPICH may lose the output of the one that
  // ended the run, so the cause is looked for in any of the lines.
  EXPECT_NE(log.find(" rank="), std::string::npos) << log;
  EXPECT_NE(log.find("TIMEOUT"), std::string::npos) << log;
  EXPECT_NE(log.find(" s for rank"), std::string::npos) << log;
}

} // namespace
