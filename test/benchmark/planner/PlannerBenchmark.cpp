// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long planning takes. Every benchmark plans a fixed list of random
// redistributions, one per iteration; `median_us` and `max_us` are over the
// list, the time is the mean. docs/Testing.md has the command that prints JSON.
#include "dtensor/Planner/PlanCache.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>

using namespace dtensor;

namespace {

/// A family of redistributions.
struct Family {
  std::vector<const char *> meshes;
  int minRank, maxRank;
  /// Extents are multiples of this.
  int64_t unit;
  bool partials;
};

int64_t pick(std::mt19937 &rng, int64_t lo, int64_t hi) {
  return lo + static_cast<int64_t>(rng() % static_cast<uint32_t>(hi - lo + 1));
}

Layout randomLayout(std::mt19937 &rng, const Mesh &mesh, int rank,
                    bool partials) {
  std::vector<AxisRef> refs;
  for (size_t i = 0; i < mesh.axes().size(); ++i)
    refs.push_back(mesh.wholeAxis(static_cast<int>(i)));
  for (size_t i = refs.size(); i > 1; --i)
    std::swap(
        refs[i - 1],
        refs[static_cast<size_t>(pick(rng, 0, static_cast<int64_t>(i) - 1))]);
  std::vector<PlacementEntry> entries;
  for (const AxisRef &ref : refs) {
    int64_t what = pick(rng, 0, partials ? 9 : 7);
    if (what <= 5)
      entries.push_back({ref, PlacementEntry::Kind::Shard,
                         pick(rng, 0, rank - 1), ReduceOp::Sum});
    else if (what >= 8)
      entries.push_back({ref, PlacementEntry::Kind::Partial, 0, ReduceOp::Sum});
  }
  return *makeLayout(mesh, rank, entries);
}

std::vector<RedistributionRequest> requestsOf(const Family &family) {
  std::mt19937 rng(20261205);
  std::vector<RedistributionRequest> requests;
  while (requests.size() < 101) {
    RedistributionRequest request;
    request.mesh = *parseMesh(family.meshes[static_cast<size_t>(
        pick(rng, 0, static_cast<int64_t>(family.meshes.size()) - 1))]);
    int rank = static_cast<int>(pick(rng, family.minRank, family.maxRank));
    for (int d = 0; d < rank; ++d)
      request.shape.push_back(family.unit * pick(rng, 1, 3));
    request.from = randomLayout(rng, request.mesh, rank, family.partials);
    request.to = randomLayout(rng, request.mesh, rank, false);
    request.topology = *Topology::builtin("threads");
    if (request.from != request.to)
      requests.push_back(std::move(request));
  }
  return requests;
}

void plan(benchmark::State &state, const Family &family) {
  std::vector<RedistributionRequest> requests = requestsOf(family);
  std::vector<double> times;
  size_t next = 0;
  for (auto _ : state) {
    auto begin = std::chrono::steady_clock::now();
    auto answer = planRedistribution(requests[next]);
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - begin;
    if (!answer)
      state.SkipWithError(answer.error().message.c_str());
    state.SetIterationTime(spent.count());
    times.push_back(spent.count() * 1e6);
    next = (next + 1) % requests.size();
  }
  std::sort(times.begin(), times.end());
  if (!times.empty()) {
    state.counters["median_us"] = times[times.size() / 2];
    state.counters["max_us"] = times.back();
  }
}

void check(benchmark::State &state, const Family &family) {
  std::vector<RedistributionRequest> requests = requestsOf(family);
  std::vector<RedistributionPlan> plans;
  for (const RedistributionRequest &request : requests)
    plans.push_back(*planRedistribution(request));
  size_t next = 0;
  for (auto _ : state) {
    if (!checkRedistribution(requests[next], plans[next]))
      state.SkipWithError("not proved");
    next = (next + 1) % requests.size();
  }
}

void lookup(benchmark::State &state, const Family &family) {
  std::vector<RedistributionRequest> requests = requestsOf(family);
  PlanCache cache;
  for (const RedistributionRequest &request : requests)
    cache.plan(request);
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(cache.plan(requests[next]));
    next = (next + 1) % requests.size();
  }
}

const Family threeAxes = {
    {"x=8", "x=4,y=2", "x=2,y=2", "x=2,y=2,z=2"}, 1, 3, 64, true};
const Family sixPrimes = {
    {"x=8,y=8", "x=4,y=4,z=4", "x=16,y=4", "x=2,y=2,z=2,w=8"}, 4, 4, 64, true};
const Family tenPrimes = {
    {"x=32,y=32", "x=16,y=8,z=8", "x=4,y=4,z=4,w=16"}, 2, 4, 1024, true};
const Family eightRanks = {{"x=2,y=4"}, 2, 2, 1 << 20, true};
const Family millionRanks = {{"x=1024,y=1024"}, 2, 2, 1 << 20, true};
const Family eightRanksUneven = {{"x=2,y=4"}, 2, 2, 1048573, true};
const Family millionRanksUneven = {{"x=1024,y=1024"}, 2, 2, 1048573, true};

} // namespace

int main(int argc, char **argv) {
  static const std::pair<const char *, Family> families[] = {
      {"up_to_three_axes", threeAxes},
      {"six_primes_rank_four", sixPrimes},
      {"ten_primes", tenPrimes},
      {"8_ranks", eightRanks},
      {"1048576_ranks", millionRanks},
      {"8_ranks_uneven", eightRanksUneven},
      {"1048576_ranks_uneven", millionRanksUneven}};
  for (const auto &one : families) {
    benchmark::RegisterBenchmark(
        (std::string("plan/") + one.first).c_str(),
        [&one](benchmark::State &state) { plan(state, one.second); })
        ->UseManualTime()
        ->Iterations(404)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(
        (std::string("check/") + one.first).c_str(),
        [&one](benchmark::State &state) { check(state, one.second); })
        ->Iterations(101)
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RegisterBenchmark(
      "lookup/up_to_three_axes",
      [](benchmark::State &state) { lookup(state, threeAxes); });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
