// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled programs as functions, on a plan made by hand: a product whose
// contracted dimension is on two ranks.
#include "ApiTest.h"

#include "../Runtime/TestPlans.h"

#include <cstdio>
#include <unistd.h>

using namespace dtensor;
using namespace dtensor::test;

namespace {

Program load(const dtrt::PlanFile &file) {
  std::vector<uint8_t> bytes = dtrt::serializePlan(file);
  return Program::fromBytes(bytes.data(), bytes.size(), "matmul.plan");
}

std::vector<float> product(const Array &a, const Array &b) {
  int64_t m = a.shape()[0], k = a.shape()[1], n = b.shape()[1];
  std::vector<float> c(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l)
        c[i * n + j] += a.as<float>()[i * k + l] * b.as<float>()[l * n + j];
  return c;
}

} // namespace

TEST(Program, RunsOnInputsInAnyLayout) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    Program program = load(dtrt::test::matmulPlan());
    EXPECT_EQ(program.name(), "main");
    EXPECT_EQ(program.inputs()[0].name, "a");
    EXPECT_EQ(program.inputs()[0].layout, "tp=shard(1)");
    EXPECT_EQ(program.results()[0].shape, (std::vector<int64_t>{6, 5}));
    EXPECT_EQ(program.inputNamed("b"), 1u);
    Array a = counting({6, 8}), b = counting({8, 5}, 3.0f);
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    // From other layouts, on a mesh of more ranks.
    std::vector<DTensor> results =
        program({distributeTensor(a, mesh, {Shard(0)}),
                 distributeTensor(b, mesh, {Replicate()})});
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].deviceMesh(), program.deviceMesh());
    bool inside = worldRank() < 2;
    EXPECT_EQ(program.deviceMesh().contains(), inside);
    if (inside) {
      EXPECT_EQ(results[0].toLocal().values<float>(), product(a, b));
    }
    DTensor everywhere = results[0].redistribute(mesh, {Replicate()});
    EXPECT_EQ(everywhere.toLocal().values<float>(), product(a, b));
  });
}

TEST(Program, SetInputsStay) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    Program program = load(dtrt::test::matmulPlan());
    Array b = counting({8, 5}, 3.0f);
    program.set(1, b);
    EXPECT_TRUE(program.isSet(1));
    EXPECT_FALSE(program.isSet(0));
    for (float first : {0.0f, 10.0f, 20.0f}) {
      Array a = counting({6, 8}, first);
      DTensor x = distributeTensor(a, program.deviceMesh(), {Shard(0)});
      std::vector<DTensor> results = program({x});
      if (program.deviceMesh().contains()) {
        EXPECT_EQ(results[0].toLocal().values<float>(), product(a, b));
      }
    }
    // Another value takes its place.
    Array other = counting({8, 5}, -7.0f), a = counting({6, 8});
    program.set(1, distributeTensor(other, program.deviceMesh(), {Shard(1)}));
    DTensor x = distributeTensor(a, program.deviceMesh(), {Replicate()});
    std::vector<DTensor> results = program({x});
    if (program.deviceMesh().contains()) {
      EXPECT_EQ(results[0].toLocal().values<float>(), product(a, other));
    }
  });
}

TEST(Program, SetInputsSurviveACallThatOverwritesThem) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    dtrt::PlanFile file = dtrt::test::matmulPlan();
    // The result takes the place of both inputs, which nothing reads any more.
    dtrt::schema::ProgramT &sharded = *file.plan.programs[0];
    sharded.collectives[0]->target = dtrt::test::view(0, 120);
    sharded.results[0]->view = dtrt::test::view(0, 120);
    sharded.peak_bytes = 384;
    Program program = load(file);
    Array a = counting({6, 8}), b = counting({8, 5}, 3.0f);
    program.set(1, b);
    DTensor x = distributeTensor(a, program.deviceMesh(), {Replicate()});
    for (int i = 0; i < 3; ++i) {
      std::vector<DTensor> results = program({x});
      if (program.deviceMesh().contains()) {
        EXPECT_EQ(results[0].toLocal().values<float>(), product(a, b)) << i;
      }
    }
  });
}

TEST(Program, Refusals) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    Program program = load(dtrt::test::matmulPlan());
    DTensor a =
        distributeTensor(counting({6, 8}), program.deviceMesh(), {Replicate()});
    EXPECT_EQ(thrownBy([&] { program({a}); }),
              "InvalidArgument: input 1 'b' of program 'main' is neither given "
              "nor set");
    EXPECT_EQ(thrownBy([&] { program({a, a}); }),
              "InvalidArgument: input 1 'b' of program 'main' is f32 8x5, not "
              "f32 6x8");
    EXPECT_EQ(
        thrownBy([&] { program({a, a, a}); }),
        "InvalidArgument: program 'main' takes 2 inputs beside those that "
        "are set, 3 are given");
    EXPECT_EQ(thrownBy([&] { program.inputNamed("w"); }),
              "InvalidArgument: program 'main' has no input 'w'; it has a, b");
    program.set(0, a);
    EXPECT_EQ(thrownBy([&] { program.call({{0, a}}); }),
              "InvalidArgument: input 0 'a' of program 'main' is set and stays "
              "so; set it again to change it");
    EXPECT_EQ(thrownBy([&] {
                Program::fromBytes("tea", 3, "tea.plan");
              }).find("InvalidArgument: tea.plan: "),
              0u);
    EXPECT_EQ(thrownBy([&] { Program::load("/no/such.plan"); }),
              "Io: /no/such.plan: cannot open: No such file or directory");
  });
}

TEST(Program, LoadsFiles) {
  SKIP_OTHER_LAUNCH(4);
  std::string path =
      ::testing::TempDir() + "api-" + std::to_string(::getpid()) + ".plan";
  std::vector<uint8_t> bytes = dtrt::serializePlan(dtrt::test::matmulPlan());
  ASSERT_TRUE(dtrt::writeFileAtomically(path, bytes.data(), bytes.size()));
  spmd(4, [&] {
    Program program = Program::load(path);
    EXPECT_EQ(program.results().size(), 1u);
    // The unsharded program of the plan is for one rank.
    Program reference = Program::load(path, "main.reference");
    EXPECT_EQ(reference.deviceMesh().size(), 1);
    EXPECT_EQ(thrownBy([&] { Program::load(path, "other"); }),
              "InvalidArgument: the plan has no program 'other'; it has: main");
  });
  std::remove(path.c_str());
}

TEST(Program, DifferentPlansAreFoundWhenLoaded) {
  if (launchedRanks() != 0)
    GTEST_SKIP() << "ends the ranks";
  std::string text = thrownBy([] {
    spmd(2, [] {
      dtrt::PlanFile file = dtrt::test::matmulPlan();
      if (worldRank() == 1)
        file.plan.source = "other.mlir";
      Program program = load(file);
      DTensor a = ones({6, 8}, [&] {
        FactoryOptions options;
        options.deviceMesh = program.deviceMesh();
        return options;
      }());
      a.fullTensor();
      barrier();
    });
  });
  EXPECT_EQ(text.find("Mismatch: the ranks make different calls: rank 0 calls "
                      "load of program 'main' of plan "),
            0u)
      << text;
}
