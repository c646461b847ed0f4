// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong use: one exception, with the same text on all ranks, and no rank that
// hangs. What a rank can tell by itself leaves the ranks usable.
#include "ApiTest.h"

#include <chrono>
#include <mutex>
#include <thread>

using namespace dtensor;
using namespace dtensor::test;

namespace {

/// What each of four ranks throws out of `rankMain`, and spmd in the end.
/// Bounds how long that takes.
std::vector<std::string> endsOf(const std::function<void()> &rankMain,
                                double seconds = 2) {
  std::vector<std::string> texts(5);
  auto start = std::chrono::steady_clock::now();
  texts[4] = thrownBy([&] {
    spmd(4, [&] {
      try {
        rankMain();
      } catch (const DTensorError &error) {
        texts[worldRank()] =
            std::string(errorCodeName(error.code())) + ": " + error.what();
        throw;
      }
    });
  });
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - start;
  EXPECT_LT(spent.count(), seconds);
  return texts;
}

void expectAll(const std::vector<std::string> &texts, const std::string &text) {
  for (const std::string &one : texts)
    EXPECT_EQ(one, text);
}

#define SKIP_UNDER_LAUNCHER()                                                  \
  if (launchedRanks() != 0)                                                    \
  GTEST_SKIP() << "ends the ranks"

} // namespace

TEST(WrongUse, RefusedBeforeAnythingHappens) {
  SKIP_OTHER_LAUNCH(4);
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {2, 2}, {"dp", "tp"});
    Array whole = counting({8, 6});
    DTensor x = distributeTensor(whole, mesh, {Shard(0), Shard(1)});
    auto refused = [](auto call, const std::string &text) {
      EXPECT_EQ(thrownBy(call), "InvalidArgument: " + text);
    };
    refused([&] { x.redistribute({Shard(0)}); },
            "1 placements do not fit the mesh (dp=2,tp=2), which has 2 "
            "dimensions; give one placement for each");
    refused([&] { x.redistribute({Shard(2), Replicate()}); },
            "Shard(dim=2): dimension 2 is out of range for rank 2; dimensions "
            "are -2 to 1");
    refused([&] { x.redistribute({Partial("sum"), Partial("max")}); },
            "layout mixes partial(sum) and partial(max); only sum and avg may "
            "be mixed, reduce one of them first");
    refused([&] { x.redistribute({Partial("band"), Replicate()}); },
            "partial(band) is not defined on element type f32; use an op or a "
            "type that go together");
    refused([&] { Partial("mean"); },
            "there is no reduce op 'mean'; there are sum, product, min, max, "
            "umin, umax, avg, band, bor, bxor");
    refused([&] { x.redistribute(Placements::parse("pp=shard(0)")); },
            "unknown axis 'pp' (the mesh has dp, tp)");
    refused([&] { x.redistribute(Placements::parse("dp=shard(0), ...")); },
            "the layout 'dp=shard(0), ...' is open; a tensor's is not: leave "
            "out '...'");
    refused(
        [&] { distributeTensor(counting({}), mesh, {Shard(0), Replicate()}); },
        "Shard(dim=0) does not fit a tensor of rank 0: it has no dimension to "
        "chunk; use Replicate()");
    refused(
        [&] {
          DistributeTensorOptions options;
          options.srcDataRank = 4;
          distributeTensor(whole, mesh, {Shard(0), Shard(1)}, options);
        },
        "src_data_rank 4 is outside of the mesh (dp=2,tp=2), whose 4 ranks are "
        "counted from 0 in row-major order");
    refused([&] { DeviceMesh::create("cpu", {2}, {0, 7}); },
            "rank 7 of the mesh does not exist: there are 4 ranks, numbered "
            "from 0");
    refused([&] { DeviceMesh::create("cpu", {2}, {1, 1}); },
            "rank 1 is twice in the mesh");
    refused([&] { initDeviceMesh("cpu", {3}); },
            "a mesh of shape [3] has 3 ranks, but 4 run; choose sizes whose "
            "product is that, or DeviceMesh with a list of ranks");
    refused([&] { spmd(2, [] {}); },
            "this thread is a rank already; spmd starts ranks and is not "
            "called by them");
    // Nothing is broken.
    expectHolds(x.redistribute({Replicate(), Shard(0)}), whole);
  });
}

TEST(WrongUse, WrongLocalShapeOnOneRank) {
  SKIP_UNDER_LAUNCHER();
  auto texts = endsOf([] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    FromLocalOptions options;
    options.shape = {8, 2};
    DTensor x = fromLocal(counting({worldRank() == 2 ? 3 : 2, 2}), mesh,
                          {Shard(0)}, options);
    x.fullTensor();
  });
  expectAll(texts, "InvalidArgument: from_local: rank 2 gives a part of shape "
                   "3x2, but its box of f32 8x2 as dim0=shard(0) on (dim0=4) "
                   "is 2x2; chunks are of ceil(n / parts) elements until they "
                   "run out");
}

TEST(WrongUse, UnevenPartsWithoutShape) {
  SKIP_UNDER_LAUNCHER();
  auto texts = endsOf([] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    fromLocal(counting({worldRank() == 3 ? 1 : 3}), mesh, {Shard(0)})
        .fullTensor();
  });
  EXPECT_NE(texts[4].find("rank 3 calls redistribute of f32 4 as dim0=shard(0) "
                          "on (dim0=4) to f32 4 as replicated"),
            std::string::npos)
      << texts[4];
  expectAll(texts, texts[4]);
}

TEST(WrongUse, DifferentCalls) {
  SKIP_UNDER_LAUNCHER();
  auto texts = endsOf([] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    DTensor x = distributeTensor(counting({8, 8}), mesh, {Shard(0)});
    if (worldRank() == 1)
      x.redistribute({Shard(1)});
    else
      x.redistribute({Replicate()});
    barrier();
  });
  EXPECT_EQ(texts[4].find("Mismatch: the ranks make different calls: rank "),
            0u)
      << texts[4];
  EXPECT_NE(texts[4].find("rank 1 calls redistribute of f32 8x8"),
            std::string::npos)
      << texts[4];
  EXPECT_NE(texts[4].find("to f32 8x8 as dim0=shard(1)"), std::string::npos)
      << texts[4];
  expectAll(texts, texts[4]);
}

TEST(WrongUse, DifferentMeshes) {
  SKIP_UNDER_LAUNCHER();
  auto texts = endsOf([] {
    if (worldRank() == 0)
      initDeviceMesh("cpu", {4});
    else
      initDeviceMesh("cpu", {2, 2});
    barrier();
  });
  EXPECT_EQ(texts[4].substr(0, 41),
            "Mismatch: the ranks make different calls:");
  expectAll(texts, texts[4]);
}

TEST(WrongUse, OneRankThrowsSomethingElse) {
  SKIP_UNDER_LAUNCHER();
  auto texts = endsOf([] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    DTensor x = distributeTensor(counting({8}), mesh, {Shard(0)});
    if (worldRank() == 3)
      throw std::runtime_error("out of tea");
    x.fullTensor();
  });
  texts[3] = texts[4]; // threw its own exception
  expectAll(texts, "RankFailed: rank 3 failed: out of tea");
}

TEST(WrongUse, OneRankLeavesEarly) {
  SKIP_UNDER_LAUNCHER();
  auto texts = endsOf([] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    DTensor x = distributeTensor(counting({8}), mesh, {Shard(0)});
    if (worldRank() != 1)
      x.fullTensor();
  });
  texts[1] = texts[4]; // left without any error
  EXPECT_NE(texts[4].find("rank 1 left the program before this step"),
            std::string::npos)
      << texts[4];
  expectAll(texts, texts[4]);
}

TEST(WrongUse, TimeoutNamesRankAndOp) {
  SKIP_UNDER_LAUNCHER();
  SpmdOptions options;
  options.timeoutSeconds = 0.2;
  std::string text = thrownBy([&] {
    spmd(
        2,
        [] {
          DeviceMesh mesh = initDeviceMesh("cpu", {2});
          DTensor x = distributeTensor(counting({8}), mesh, {Shard(0)});
          if (worldRank() == 0)
            x.fullTensor();
          std::this_thread::sleep_for(std::chrono::milliseconds(600));
        },
        options);
  });
  EXPECT_EQ(text.find("Timeout: rank 0 in redistribute.all_gather: waited 0.2"),
            0u)
      << text;
}

TEST(WrongUse, MeshOfAnotherRun) {
  SKIP_UNDER_LAUNCHER();
  std::vector<DTensor> kept;
  std::mutex mutex;
  spmd(2, [&] {
    DTensor x =
        distributeTensor(counting({8}), initDeviceMesh("cpu", {2}), {Shard(0)});
    std::lock_guard<std::mutex> lock(mutex);
    kept.push_back(x);
  });
  // What it holds and says is left.
  EXPECT_EQ(kept[0].toLocal().numel(), 4);
  EXPECT_EQ(kept[0].layoutText(), "dim0=shard(0)");
  EXPECT_EQ(thrownBy([&] { kept[0].fullTensor(); }),
            "InvalidArgument: the ranks of this mesh have ended: only toLocal "
            "and metadata are left of its tensors");
  auto texts = endsOf([&] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    kept[0].redistribute(mesh, {Replicate()});
  });
  expectAll(texts, "InvalidArgument: the mesh (dim0=4) is of another run or "
                   "rank than the tensor's (dim0=2); make it in the same run, "
                   "on every rank");
}

TEST(WrongUse, ARunAfterAFailedOneIsFine) {
  SKIP_UNDER_LAUNCHER();
  endsOf([] {
    initDeviceMesh("cpu", {4});
    if (worldRank() == 0)
      throw std::runtime_error("first");
    barrier();
  });
  spmd(4, [] {
    DeviceMesh mesh = initDeviceMesh("cpu", {4});
    expectHolds(distributeTensor(counting({5}), mesh, {Shard(0)}),
                counting({5}));
  });
}
