// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several meshes, several runs and several host threads in one process.
#include "ApiTest.h"

#include <thread>

using namespace dtensor;
using namespace dtensor::test;

TEST(ThreadSafety, RunsSideBySide) {
  std::vector<std::thread> runs;
  for (int run = 0; run < 3; ++run)
    runs.emplace_back([run] {
      spmd(2 + run, [run] {
        DeviceMesh mesh = initDeviceMesh("cpu", {2 + run});
        Array whole = counting({13, 4}, static_cast<float>(run));
        DTensor x = distributeTensor(whole, mesh, {Shard(0)});
        for (int i = 0; i < 50; ++i) {
          x = x.redistribute({i % 2 ? Placement(Shard(0)) : Shard(1)});
          expectHolds(x, whole);
        }
      });
    });
  for (std::thread &run : runs)
    run.join();
}

TEST(ThreadSafety, TwoMeshesFromTwoThreadsOfEachRank) {
  spmd(3, [] {
    DeviceMesh a = initDeviceMesh("cpu", {3}), b = initDeviceMesh("cpu", {3});
    auto work = [rank = currentRank()](DeviceMesh mesh, float first) {
      RankScope scope(rank);
      Array whole = counting({10, 6}, first);
      DTensor x = distributeTensor(whole, mesh, {Shard(0)});
      for (int i = 0; i < 50; ++i) {
        RedistributeOptions options;
        options.asyncOp = i % 3 == 0;
        DTensor y = x.redistribute({Shard(1)}, options);
        DTensor z = y.redistribute({Partial()}, options);
        x = z.redistribute({Shard(0)});
        expectHolds(x, whole);
      }
    };
    std::thread other(work, a, 0.0f);
    work(b, 1000.0f);
    other.join();
  });
}

TEST(ThreadSafety, PlansAreSharedByAllRuns) {
  for (int i = 0; i < 20; ++i)
    spmd(2, [] {
      DeviceMesh mesh = initDeviceMesh("cpu", {2});
      expectHolds(distributeTensor(counting({6}), mesh, {Shard(0)})
                      .redistribute({Replicate()}),
                  counting({6}));
    });
}
