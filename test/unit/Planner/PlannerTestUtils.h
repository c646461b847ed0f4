// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short ways to write meshes, layouts and requests in tests, and a seeded
// generator of random ones.
#ifndef DTENSOR_TEST_UNIT_PLANNER_PLANNERTESTUTILS_H
#define DTENSOR_TEST_UNIT_PLANNER_PLANNERTESTUTILS_H

#include "dtensor/Planner/Json.h"
#include "dtensor/Planner/Redistribution.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace dtensor::test {

inline Mesh mesh(std::string_view text, std::vector<int64_t> devices = {}) {
  auto parsed = parseMesh(text, std::move(devices));
  EXPECT_TRUE(bool(parsed)) << (parsed ? "" : parsed.error().message);
  return *parsed;
}

inline Layout layout(const Mesh &mesh, int rank, std::string_view text) {
  auto parsed = parseLayout(mesh, rank, text);
  EXPECT_TRUE(bool(parsed))
      << text << ": " << (parsed ? "" : parsed.error().message);
  return *parsed;
}

inline RedistributionRequest request(const Mesh &mesh,
                                     std::vector<int64_t> shape,
                                     std::string_view from,
                                     std::string_view to) {
  RedistributionRequest result;
  result.mesh = mesh;
  result.shape = std::move(shape);
  int rank = static_cast<int>(result.shape.size());
  result.from = layout(mesh, rank, from);
  result.to = layout(mesh, rank, to);
  result.topology = *Topology::builtin("threads");
  return result;
}

/// Plans and proves; the plan is empty where either fails.
inline RedistributionPlan planAndCheck(const RedistributionRequest &request) {
  auto plan = planRedistribution(request);
  std::string what = printMesh(request.mesh) + ": '" +
                     printLayout(request.mesh, request.from) + "' -> '" +
                     printLayout(request.mesh, request.to) + "' of [";
  for (int64_t n : request.shape)
    what += " " + std::to_string(n);
  what += " ]";
  if (!plan) {
    ADD_FAILURE() << what << ": " << plan.error().message;
    return {};
  }
  Status proof = checkRedistribution(request, *plan);
  EXPECT_TRUE(bool(proof)) << what << ": " << proof.message();
  return *plan;
}

/// The kinds of a plan's steps, "slice all_gather".
inline std::string kinds(const RedistributionPlan &plan) {
  std::string text;
  for (const RedistributionStep &step : plan.steps)
    text += (text.empty() ? "" : " ") + std::string(stepKindName(step.kind));
  return text;
}

/// The member called `name`, null where there is none.
inline const JsonValue &at(const JsonValue &object, std::string_view name) {
  static const JsonValue null;
  const JsonValue *found = object.find(name);
  return found ? *found : null;
}

inline int64_t pick(std::mt19937 &rng, int64_t lo, int64_t hi) {
  // std::uniform_int_distribution differs between libraries.
  return lo + static_cast<int64_t>(rng() % static_cast<uint32_t>(hi - lo + 1));
}

/// Random instances to try: `brief` by default, `many` in the long mode that
/// DTENSOR_LONG_TESTS=1 switches on.
inline int testCount(int brief, int many) {
  const char *set = std::getenv("DTENSOR_LONG_TESTS");
  return set && std::string(set) != "0" ? many : brief;
}

/// The seed of random tests: DTENSOR_TEST_SEED, or else `otherwise`.
inline uint32_t testSeed(uint32_t otherwise) {
  const char *set = std::getenv("DTENSOR_TEST_SEED");
  return set ? static_cast<uint32_t>(std::strtoul(set, nullptr, 10))
             : otherwise;
}

/// A random layout over whole axes and parts of them.
inline Layout randomLayout(std::mt19937 &rng, const Mesh &mesh, int rank,
                           bool partials) {
  std::vector<AxisRef> refs;
  for (size_t i = 0; i < mesh.axes().size(); ++i) {
    AxisRef whole = mesh.wholeAxis(static_cast<int>(i));
    std::vector<int64_t> divisors;
    for (int64_t d = 2; d < whole.size; ++d)
      if (whole.size % d == 0)
        divisors.push_back(d);
    if (!divisors.empty() && pick(rng, 0, 2) == 0) {
      int64_t cut = divisors[pick(rng, 0, divisors.size() - 1)];
      refs.push_back({whole.axis, 1, cut});
      refs.push_back({whole.axis, cut, whole.size / cut});
    } else {
      refs.push_back(whole);
    }
  }
  for (size_t i = refs.size(); i > 1; --i)
    std::swap(refs[i - 1], refs[pick(rng, 0, i - 1)]);
  constexpr ReduceOp ops[] = {ReduceOp::Sum, ReduceOp::Avg, ReduceOp::Max,
                              ReduceOp::Product};
  ReduceOp op = ops[pick(rng, 0, 3)];
  std::vector<PlacementEntry> entries;
  for (const AxisRef &ref : refs) {
    int64_t what = pick(rng, 0, partials ? 9 : 7);
    if (what <= 5 && rank > 0)
      entries.push_back({ref, PlacementEntry::Kind::Shard,
                         pick(rng, 0, rank - 1), ReduceOp::Sum});
    else if (what >= 8)
      entries.push_back({ref, PlacementEntry::Kind::Partial, 0, op});
  }
  auto made = makeLayout(mesh, rank, entries);
  EXPECT_TRUE(bool(made)) << (made ? "" : made.error().message);
  return *made;
}

} // namespace dtensor::test

#endif // DTENSOR_TEST_UNIT_PLANNER_PLANNERTESTUTILS_H
