// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous redistribution: order, waiting, errors.
#include "ApiTest.h"

#include <chrono>
#include <thread>

using namespace dtensor;
using namespace dtensor::test;

namespace {

RedistributeOptions async() {
  RedistributeOptions options;
  options.asyncOp = true;
  return options;
}

} // namespace

TEST(Async, UsingTheValueWaits) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    Array whole = counting({64, 8});
    DTensor x = distributeTensor(whole, mesh, {Shard(0)});
    DTensor y = x.redistribute({Shard(1)}, async());
    DTensor z = y.redistribute({Replicate()}, async()); // of one under way
    DTensor w = z.redistribute({Shard(0)});             // a local step
    expectHolds(w, whole);
    expectHolds(y.wait(), whole);
    expectHolds(z, whole);
    EXPECT_TRUE(y.isReady());
  });
}

TEST(Async, ReturnsBeforeOthersCome) {
  if (launchedRanks() != 0)
    GTEST_SKIP() << "measures threads";
  spmd(2, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2});
    DTensor x = distributeTensor(counting({8}), mesh, {Shard(0)});
    if (worldRank() == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    auto start = std::chrono::steady_clock::now();
    DTensor y = x.redistribute({Replicate()}, async());
    std::chrono::duration<double> returned =
        std::chrono::steady_clock::now() - start;
    if (worldRank() == 0) {
      EXPECT_LT(returned.count(), 0.15);
      EXPECT_FALSE(y.isReady());
    }
    expectHolds(y, counting({8}));
  });
}

TEST(Async, NobodyNeedsToWait) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    DTensor x = distributeTensor(counting({8}), mesh, {Shard(0)});
    DTensor y = x.redistribute({Replicate()}, async());
    if (worldRank() == 0)
      y.wait(); // the others have to take part all the same
  });
}

TEST(Async, ErrorsSurfaceAtTheWaitWithRankAndOp) {
  if (launchedRanks() != 0)
    GTEST_SKIP() << "ends the ranks";
  SpmdOptions options;
  options.timeoutSeconds = 0.3;
  std::string first[2], second[2];
  std::string all = thrownBy([&] {
    spmd(
        2,
        [&] {
          DeviceMesh mesh = initDeviceMesh("cpu", {2});
          DTensor x = distributeTensor(counting({8}), mesh, {Shard(0)});
          if (worldRank() == 1) { // does not come
            std::this_thread::sleep_for(std::chrono::milliseconds(900));
            return;
          }
          DTensor y = x.redistribute({Replicate()}, async());
          first[0] = thrownBy([&] { y.toLocal(); });
          second[0] = thrownBy([&] { y.redistribute({Shard(0)}); });
        },
        options);
  });
  EXPECT_EQ(first[0].find("Timeout: rank 0 in redistribute.all_gather: waited "
                          "0.3"),
            0u)
      << first[0];
  EXPECT_EQ(second[0], first[0]);
  EXPECT_EQ(all, first[0]);
}
