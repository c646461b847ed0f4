// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution: values, metadata, orders, conversions of contributions,
// identical replicas, counts.
#include "ApiTest.h"

#include <algorithm>
#include <chrono>

using namespace dtensor;
using namespace dtensor::test;

TEST(Redistribute, MetadataAndValues) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
    Array whole = counting({8, 6});
    DTensor x = distributeTensor(whole, mesh, {Shard(0), Shard(-1)});
    EXPECT_EQ(x.shape(), (std::vector<int64_t>{8, 6}));
    EXPECT_EQ(x.stride(), (std::vector<int64_t>{6, 1}));
    EXPECT_EQ(x.size(-1), 6);
    EXPECT_EQ(x.ndim(), 2);
    EXPECT_EQ(x.numel(), 48);
    EXPECT_EQ(x.dtype(), ElementType::F32);
    EXPECT_EQ(x.device(), "cpu");
    EXPECT_EQ(x.placements(), (std::vector<Placement>{Shard(0), Shard(1)}));
    EXPECT_EQ(x.layoutText(), "dp=shard(0), tp=shard(1)");
    EXPECT_FALSE(x.requiresGrad());
    EXPECT_EQ(x.toLocal().shape(), (std::vector<int64_t>{4, 3}));
    expectHolds(x, whole);
    expectHolds(x.redistribute({Replicate(), Shard(0)}), whole);
    expectHolds(x.redistribute({Shard(1), Shard(0)}), whole);
    EXPECT_EQ(x.fullTensor().values<float>(), whole.values<float>());
    EXPECT_EQ(x.text(),
              "DTensor(8x6 f32, dp=shard(0), tp=shard(1) on (dp=2,tp=2))");
  });
}

TEST(Redistribute, OrdersAndParts) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"x", "y"});
    Array whole = counting({8});
    DTensor inMeshOrder = distributeTensor(whole, mesh, {Shard(0), Shard(0)});
    DTensor other = inMeshOrder.redistribute(
        Placements::ordered({{"y", Shard(0)}, {"x", Shard(0)}}));
    expectHolds(other, whole);
    EXPECT_EQ(other.layoutText(), "y=shard(0), x=shard(0)");
    // Rank 1 is (x 0, y 1): the second quarter, or the third.
    if (worldRank() == 1) {
      EXPECT_EQ(inMeshOrder.localBox()->lo[0], 2);
      EXPECT_EQ(other.localBox()->lo[0], 4);
    }
    EXPECT_EQ(thrownBy([&] { other.placements(); }),
              "InvalidArgument: the layout y=shard(0), x=shard(0) has an order "
              "or parts of axes that one placement per mesh dimension cannot "
              "say; ask for the ordered placements");
    EXPECT_EQ(other.orderedPlacements(),
              (std::vector<AxisPlacement>{{"y", Shard(0)}, {"x", Shard(0)}}));
    DeviceMesh line = initDeviceMesh("cpu", {4}, {"t"});
    DTensor half = distributeTensor(
        whole, line, Placements::ordered({{"t:(1)2", Shard(0)}}));
    EXPECT_EQ(half.toLocal().numel(), 4);
    expectHolds(half, whole);
    EXPECT_EQ(
        half.redistribute(Placements::parse("t=shard(0)")).toLocal().numel(),
        2);
  });
}

TEST(Redistribute, ToPartialAndBackIsExact) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    // Numbers that dividing by four would not give back.
    std::vector<float> values = {7.0f, 1e-45f, 3.4e38f, -0.0f, 6.9999995f};
    Array whole = Array::of(values);
    for (const char *op : {"sum", "product", "min", "max", "avg"}) {
      DTensor x = distributeTensor(whole, mesh, {Replicate()});
      DTensor back = x.redistribute({Partial(op)}).redistribute({Replicate()});
      EXPECT_EQ(std::memcmp(back.toLocal().data(), whole.data(),
                            sizeof(float) * values.size()),
                0)
          << op;
    }
    Array bits = Array::of<int32_t>({5, -1, 0, 1 << 30});
    for (const char *op : {"band", "bor", "bxor", "sum", "umax"}) {
      DTensor back =
          distributeTensor(bits, mesh, {Partial(op)}).redistribute({Shard(0)});
      EXPECT_EQ(back.dtype(), ElementType::I32);
      expectHolds<int32_t>(back, bits);
    }
  });
}

TEST(Redistribute, PartialsMeanWhatTheirOpSays) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    float mine = static_cast<float>(worldRank());
    Array part = Array::of<float>({mine, 10 + mine});
    auto reduced = [&](const char *op) {
      return fromLocal(part, mesh, {Partial(op)}).fullTensor().values<float>();
    };
    EXPECT_EQ(reduced("sum"), (std::vector<float>{6, 46}));
    EXPECT_EQ(reduced("avg"), (std::vector<float>{1.5, 11.5}));
    EXPECT_EQ(reduced("max"), (std::vector<float>{3, 13}));
    EXPECT_EQ(reduced("min"), (std::vector<float>{0, 10}));
    EXPECT_EQ(reduced("product"), (std::vector<float>{0, 10 * 11 * 12 * 13}));
    // sum <-> avg is a local scale.
    DTensor sum = fromLocal(part, mesh, {Partial("sum")});
    CommCounts before = commCounts();
    DTensor avg = sum.redistribute({Partial("avg")});
    EXPECT_EQ(commCounts().totalCollectives(), before.totalCollectives());
    EXPECT_EQ(avg.toLocal().values<float>(),
              (std::vector<float>{4 * mine, 4 * (10 + mine)}));
    EXPECT_EQ(avg.fullTensor().values<float>(), (std::vector<float>{6, 46}));
  });
}

TEST(Redistribute, CountsWhatThePlanSays) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    DTensor x = distributeTensor(counting({16, 4}), mesh, {Shard(0)});
    CommCounts before = commCounts();
    DTensor y = x.redistribute({Shard(1)});
    CommCounts after = commCounts();
    auto allToAll = static_cast<size_t>(StepKind::AllToAll);
    EXPECT_EQ(after.steps[allToAll] - before.steps[allToAll], 1);
    EXPECT_EQ(after.totalCollectives() - before.totalCollectives(), 1);
    EXPECT_EQ(after.receivedBytes - before.receivedBytes, 3 * 4 * 4);
    // The same layout again shares memory and moves nothing.
    DTensor z = y.redistribute({Shard(1)});
    EXPECT_EQ(z.toLocal().data(), y.toLocal().data());
    EXPECT_EQ(commCounts().totalCollectives(), after.totalCollectives());
  });
}

TEST(Redistribute, RequiresGradIsInherited) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    FactoryOptions options;
    options.requiresGrad = true;
    options.deviceMesh = mesh;
    DTensor x = ones({8}, options);
    EXPECT_TRUE(x.requiresGrad());
    DTensor y = x.redistribute({Shard(0)});
    EXPECT_TRUE(y.requiresGrad());
    EXPECT_TRUE(y.toLocal().requiresGrad());
  });
}

/// Host time beside the data movement: the best of many rounds, since other
/// work on the machine only ever adds.
TEST(Redistribute, RememberedPlansCostLittle) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    DTensor x = distributeTensor(counting({8}), mesh, {Replicate()});
    double best = 1e9;
    for (int round = 0; round < 200; ++round) {
      auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 100; ++i)
        x.redistribute({Shard(0)});
      std::chrono::duration<double, std::micro> spent =
          std::chrono::steady_clock::now() - start;
      best = std::min(best, spent.count() / 100);
    }
    if (worldRank() == 0)
      std::printf("a remembered redistribution of 32 bytes: %.2f us\n", best);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(best, 2.0);
#endif
  });
}
