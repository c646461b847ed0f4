// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factories: values, and random numbers that no layout changes.
#include "ApiTest.h"

#include "dtrt/Philox.h"

#include <cmath>

using namespace dtensor;
using namespace dtensor::test;

namespace {

FactoryOptions on(const DeviceMesh &mesh, Placements placements,
                  ElementType type = ElementType::F32) {
  FactoryOptions options;
  options.deviceMesh = mesh;
  options.placements = std::move(placements);
  options.dtype = type;
  return options;
}

} // namespace

TEST(Factories, EightElementsOnFourRanks) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    EXPECT_EQ(ones({8}, on(mesh, {Shard(0)})).toLocal().values<float>(),
              (std::vector<float>{1, 1}));
    EXPECT_EQ(ones({8}, on(mesh, {Replicate()})).toLocal().values<float>(),
              std::vector<float>(8, 1));
  });
}

TEST(Factories, Values) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    EXPECT_EQ(full({6}, -7, on(mesh, {Shard(0)}, ElementType::I64))
                  .fullTensor()
                  .values<int64_t>(),
              std::vector<int64_t>(6, -7));
    EXPECT_EQ(full({3}, 0.25, on(mesh, {Replicate()}, ElementType::F64))
                  .toLocal()
                  .values<double>(),
              std::vector<double>(3, 0.25));
    EXPECT_EQ(zeros({2, 2}, on(mesh, {Shard(1)})).fullTensor().values<float>(),
              std::vector<float>(4, 0));
    EXPECT_EQ(empty({5, 2}, on(mesh, {Shard(0)})).shape(),
              (std::vector<int64_t>{5, 2}));
    // A partial tensor of ones adds up to ones.
    EXPECT_EQ(ones({3}, on(mesh, {Partial()})).fullTensor().values<float>(),
              std::vector<float>(3, 1));
    EXPECT_EQ(thrownBy([&] {
                full({2}, 300, on(mesh, {Replicate()}, ElementType::I8));
              }),
              "InvalidArgument: full: 300 is no value of i8: it takes -128 to "
              "255");
    EXPECT_EQ(thrownBy([&] {
                full({2}, 0.5, on(mesh, {Replicate()}, ElementType::I8));
              }),
              "InvalidArgument: full: 0.500000 is no value of i8: it is not "
              "whole");
    FactoryOptions sparse = on(mesh, {Replicate()});
    sparse.layout = "sparse_coo";
    EXPECT_EQ(thrownBy([&] { ones({2}, sparse); }),
              "NotSupported: layout 'sparse_coo' is not there: tensors are "
              "'strided'; how they lie on the mesh is said by placements");
    FactoryOptions integers = on(mesh, {Replicate()}, ElementType::I32);
    integers.requiresGrad = true;
    EXPECT_EQ(thrownBy([&] { ones({2}, integers); }),
              "InvalidArgument: only tensors of floats require gradients, not "
              "i32");
  });
}

TEST(Factories, RandomNumbersDoNotDependOnTheLayout) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"x", "y"});
    auto with = [&](Placements placements, uint64_t seed) {
      FactoryOptions options = on(mesh, std::move(placements));
      options.seed = seed;
      return options;
    };
    for (auto make : {dtensor::rand, dtensor::randn}) {
      std::vector<float> whole =
          make({7, 5}, with({Replicate(), Replicate()}, 42))
              .toLocal()
              .values<float>();
      for (Placements placements :
           {Placements{Shard(0), Shard(1)}, Placements{Shard(0), Shard(0)},
            Placements{Shard(1), Replicate()}, Placements{Partial(), Shard(1)},
            Placements::parse("y=shard(0), x=shard(0)")})
        EXPECT_EQ(
            make({7, 5}, with(placements, 42)).fullTensor().values<float>(),
            whole);
      EXPECT_NE(make({7, 5}, with({Shard(0), Shard(1)}, 43))
                    .fullTensor()
                    .values<float>(),
                whole);
    }
    // The formula of dtensor.rand, f32.
    float third = dtensor::rand({7, 5}, with({Replicate(), Replicate()}, 42))
                      .toLocal()
                      .values<float>()[3];
    EXPECT_EQ(
        third,
        std::ldexp(static_cast<double>(dtrt::philox(42, 3, 0)[0] >> 8), -24));
  });
}

TEST(Factories, ManualSeed) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    FactoryOptions options = on(mesh, {Shard(0)});
    FactoryOptions explicitly = options;
    explicitly.seed = 5;
    auto values = [](const DTensor &x) {
      return x.fullTensor().values<float>();
    };
    manualSeed(5);
    std::vector<float> first = values(dtensor::rand({9}, options));
    std::vector<float> second = values(dtensor::rand({9}, options));
    EXPECT_EQ(first, values(dtensor::rand({9}, explicitly)));
    EXPECT_NE(first, second);
    manualSeed(5);
    EXPECT_EQ(values(dtensor::rand({9}, options)), first);
    EXPECT_EQ(values(dtensor::rand({9}, options)), second);
    manualSeed(6);
    EXPECT_NE(values(dtensor::rand({9}, options)), second);
    EXPECT_EQ(
        thrownBy([&] {
          dtensor::rand({2}, on(mesh, {Shard(0)}, ElementType::I32));
        }),
        "InvalidArgument: rand makes floats of at least 16 bits, not i32");
  });
}
