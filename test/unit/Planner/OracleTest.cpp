// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference answers in ../shared/oracle: boxes must agree exactly, plans
// must be proved, and the bytes objective must meet the lower bound.
#include "PlannerTestUtils.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace dtensor;
using namespace dtensor::test;

namespace {

class Oracle : public testing::Test {
protected:
  void SetUp() override {
    // More cases: set the variable to a folder that holds some.
    const char *other = std::getenv("DTENSOR_ORACLE_DIR");
    std::string path = std::string(other ? other : DTENSOR_ORACLE_DIR) +
                       "/redistribution_cases.json";
    std::ifstream file(path);
    if (!file)
      GTEST_SKIP() << "no reference answers at " << path;
    std::stringstream buffer;
    buffer << file.rdbuf();
    auto parsed = parseJson(buffer.str());
    ASSERT_TRUE(bool(parsed)) << parsed.error().message;
    cases = parsed->items;
    ASSERT_FALSE(cases.empty());
  }

  static RedistributionRequest requestOf(const JsonValue &c) {
    std::vector<MeshAxis> axes;
    for (const JsonValue &axis : at(c, "mesh").items)
      axes.push_back(
          {axis.items[0].text, static_cast<int64_t>(axis.items[1].number)});
    std::vector<int64_t> shape;
    for (const JsonValue &n : at(c, "shape").items)
      shape.push_back(static_cast<int64_t>(n.number));
    return request(*Mesh::create(axes), shape, at(c, "from").text,
                   at(c, "to").text);
  }

  static void expectBoxes(const RedistributionRequest &asked,
                          const Layout &layout, const JsonValue &boxes) {
    ASSERT_EQ(static_cast<int64_t>(boxes.items.size()), asked.mesh.numRanks());
    for (int64_t rank = 0; rank < asked.mesh.numRanks(); ++rank) {
      Box box = localBox(asked.mesh, layout, asked.shape, rank);
      for (size_t d = 0; d < asked.shape.size(); ++d) {
        const JsonValue &range = boxes.items[rank].items[d];
        EXPECT_EQ(box.lo[d], range.items[0].number) << "rank " << rank;
        EXPECT_EQ(box.hi[d], range.items[1].number) << "rank " << rank;
      }
    }
  }

  std::vector<JsonValue> cases;
};

TEST_F(Oracle, BoxesAgree) {
  for (const JsonValue &c : cases) {
    SCOPED_TRACE(at(c, "id").text);
    RedistributionRequest asked = requestOf(c);
    expectBoxes(asked, asked.from, at(c, "from_boxes"));
    expectBoxes(asked, asked.to, at(c, "to_boxes"));
  }
}

TEST_F(Oracle, PlansAreProvedAndWithinTheBounds) {
  int above = 0;
  for (const JsonValue &c : cases) {
    SCOPED_TRACE(at(c, "id").text + " " + at(c, "from").text + " -> " +
                 at(c, "to").text);
    RedistributionRequest asked = requestOf(c);
    RedistributionPlan plan = planAndCheck(asked);
    const JsonValue &bound = at(c, "lower_bound_bytes");
    if (bound.isNull()) {
      EXPECT_EQ(plan.lowerBoundBytesMax, -1);
    } else {
      EXPECT_EQ(plan.lowerBoundBytesMax, bound.number);
      EXPECT_GE(plan.recvBytesMax, plan.lowerBoundBytesMax);
    }
    asked.objective = Objective::Bytes;
    plan = planAndCheck(asked);
    if (!bound.isNull()) {
      EXPECT_EQ(plan.recvBytesMax, plan.lowerBoundBytesMax);
    }
    if (!at(c, "best").isNull() &&
        static_cast<double>(plan.recvBytesMax) >
            at(at(c, "best"), "wire_bytes_per_rank").number + 0.5) {
      ++above;
      std::cout << at(c, "id").text << " " << at(c, "from").text << " -> "
                << at(c, "to").text << ": " << plan.recvBytesMax
                << " above best "
                << at(at(c, "best"), "wire_bytes_per_rank").number << " by "
                << kinds(plan) << "\n";
    }
  }
  EXPECT_EQ(above, 0);
}

TEST_F(Oracle, PlanningIsQuick) {
  double total = 0, worst = 0;
  std::string slowest;
  for (const JsonValue &c : cases) {
    RedistributionRequest asked = requestOf(c);
    auto begin = std::chrono::steady_clock::now();
    auto plan = planRedistribution(asked);
    std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(bool(plan));
    total += spent.count();
    if (spent.count() > worst) {
      worst = spent.count();
      slowest = at(c, "id").text;
    }
  }
  std::cout << "planning: average " << total / cases.size() << " ms, slowest "
            << worst << " ms (" << slowest << ")\n";
  // The mean is steady enough to hold a bar on a busy machine.
  EXPECT_LT(total / cases.size(), 2.0);
}

} // namespace
