// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules through the compiler library, where this build has one.
#include "ApiTest.h"

#include <cmath>
#include <cstdlib>

using namespace dtensor;
using namespace dtensor::test;

namespace {

const char *kProgram = R"(
func.func @main(%x: tensor<8x6xf32>,
                %up: tensor<6x4xf32> {dtensor.name = "layers.0.up"},
                %down: tensor<4x2xf32> {dtensor.name = "layers.0.down"}) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x4xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %h = linalg.matmul ins(%x, %up : tensor<8x6xf32>, tensor<6x4xf32>)
                     outs(%i0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %e1 = tensor.empty() : tensor<8x2xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x2xf32>) -> tensor<8x2xf32>
  %y = linalg.matmul ins(%h, %down : tensor<8x4xf32>, tensor<4x2xf32>)
                     outs(%i1 : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}
)";

/// Small whole numbers, so that sums are exact in any order.
std::map<std::string, Array> parameters() {
  return {{"layers.0.up", counting({6, 4}, -5.0f)},
          {"layers.0.down", counting({4, 2}, 1.0f)}};
}

std::vector<float> multiply(const std::vector<float> &a,
                            const std::vector<float> &b, int m, int k, int n) {
  std::vector<float> c(static_cast<size_t>(m * n));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}

std::vector<float> expected(const Array &x) {
  auto all = parameters();
  return multiply(multiply(x.values<float>(),
                           all.at("layers.0.up").values<float>(), 8, 6, 4),
                  all.at("layers.0.down").values<float>(), 8, 4, 2);
}

std::string layoutOf(const Program &program, const std::string &name) {
  return program.inputs()[program.inputNamed(name)].layout;
}

#define SKIP_WITHOUT_COMPILER()                                                \
  if (!std::getenv("DTENSOR_COMPILER_LIBRARY"))                                \
  GTEST_SKIP() << "this build has no compiler library"

} // namespace

TEST(Module, Distribute) {
  SKIP_WITHOUT_COMPILER();
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
    Module module(kProgram, parameters());
    int called = 0;
    distributeModule(
        module, mesh,
        [](const std::string &name, const Array &,
           const DeviceMesh &) -> std::optional<Placements> {
          if (name == "layers.0.up")
            return Placements{Replicate(), Shard(-1)};
          return std::nullopt;
        },
        [&](const Module &, ModuleValues values, const DeviceMesh &where) {
          ++called;
          return ModuleValues{
              values[0].redistribute(where, {Shard(0), Replicate()})};
        },
        [&](const Module &, ModuleValues values, const DeviceMesh &) {
          ++called;
          return values;
        });
    Array x = counting({8, 6});
    DTensor y = module({distributeTensor(x, mesh)}).front();
    EXPECT_EQ(called, 2);
    EXPECT_EQ(layoutOf(module.program(), "layers.0.up"), "tp=shard(1)");
    EXPECT_EQ(layoutOf(module.program(), "layers.0.down"), "");
    EXPECT_EQ(y.fullTensor().values<float>(), expected(x));
  });
}

TEST(Module, Parallelize) {
  SKIP_WITHOUT_COMPILER();
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
    Module module(kProgram, parameters());
    Placements rows = {Shard(0), Replicate()};
    parallelizeModule(module, mesh, "tp",
                      {{"layers.*.up", colwiseParallel()},
                       {"layers.*.down", rowwiseParallel()},
                       {"", prepareModuleInput({rows})},
                       {"", prepareModuleOutput({rows})}});
    Array x = counting({8, 6});
    DTensor given = distributeTensor(x, mesh, rows);
    module({given});
    EXPECT_EQ(layoutOf(module.program(), "layers.0.up"), "tp=shard(1)");
    EXPECT_EQ(layoutOf(module.program(), "layers.0.down"), "tp=shard(0)");
    CommCounts before = commCounts();
    DTensor y = module({given}).front();
    EXPECT_EQ(commCounts().totalCollectives() - before.totalCollectives(), 1);
    EXPECT_EQ(y.layoutText(), "dp=shard(0)");
    EXPECT_EQ(y.fullTensor().values<float>(), expected(x));
  });
}

TEST(Module, Refusals) {
  SKIP_WITHOUT_COMPILER();
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
    Module module(kProgram, parameters());
    EXPECT_EQ(thrownBy([&] { module({}); }),
              "InvalidArgument: the module lies on no mesh yet; call "
              "distributeModule or parallelizeModule first");
    EXPECT_EQ(thrownBy([&] { parallelizeModule(module, mesh, "pp", {}); }),
              "InvalidArgument: the mesh has no dimension 'pp'; it has dp, tp");
    EXPECT_EQ(thrownBy([&] {
                parallelizeModule(module, mesh, "tp",
                                  {{"x", prepareModuleInput({{Shard(0)}})}});
              }),
              "InvalidArgument: layouts of inputs are for the whole module; "
              "give them under the name \"\" instead of \"x\"");
    Module other("dtensor.mesh @m [\"a\" = 2]\n" + std::string(kProgram),
                 parameters());
    parallelizeModule(other, mesh, "tp", {});
    EXPECT_EQ(thrownBy([&] { other.program(); }),
              "InvalidArgument: the program's mesh has the dimensions a, the "
              "mesh that the module is put onto dp, tp; call them alike");
    EXPECT_EQ(thrownBy([&] {
                compileToPlan("tea");
              }).find("InvalidArgument: <program>:1:1: error: "),
              0u);
  });
}
