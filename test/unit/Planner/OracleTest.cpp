// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference answers in ../shared/oracle: boxes must agree exactly, plans
// must be proved, and the bytes objective must meet the lower bound.
#include "PlannerTestUtils.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

using namespace dtensor;
using namespace dtensor::test;

namespace {

/// A JSON value; just enough of the format for the case file.
struct Json {
  enum class Kind { Null, Bool, Number, String, Array, Object };
  Kind kind = Kind::Null;
  double number = 0;
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> fields;

  bool isNull() const { return kind == Kind::Null; }
  const Json &operator[](const std::string &name) const {
    static const Json null;
    auto it = fields.find(name);
    return it == fields.end() ? null : it->second;
  }
};

class JsonReader {
public:
  explicit JsonReader(const std::string &text) : at(text.c_str()) {}

  Json value() {
    Json result;
    skip();
    if (*at == '{') {
      result.kind = Json::Kind::Object;
      list('}', [&] {
        std::string name = string();
        skip();
        ++at; // the colon
        result.fields[name] = value();
      });
    } else if (*at == '[') {
      result.kind = Json::Kind::Array;
      list(']', [&] { result.items.push_back(value()); });
    } else if (*at == '"') {
      result.kind = Json::Kind::String;
      result.text = string();
    } else if (*at == 'n' || *at == 't' || *at == 'f') {
      result.kind = *at == 'n' ? Json::Kind::Null : Json::Kind::Bool;
      result.number = *at == 't';
      at += *at == 'f' ? 5 : 4;
    } else {
      result.kind = Json::Kind::Number;
      char *end;
      result.number = strtod(at, &end);
      at = end;
    }
    return result;
  }

private:
  void skip() {
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
      ++at;
  }
  template <typename Item> void list(char close, const Item &item) {
    ++at;
    for (skip(); *at && *at != close; skip()) {
      if (*at == ',') {
        ++at;
        continue;
      }
      item();
    }
    ++at;
  }
  std::string string() {
    skip();
    std::string result;
    for (++at; *at && *at != '"'; ++at)
      result += *at;
    ++at;
    return result;
  }

  const char *at;
};

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
    cases = JsonReader(buffer.str()).value().items;
    ASSERT_FALSE(cases.empty());
  }

  static RedistributionRequest requestOf(const Json &c) {
    std::vector<MeshAxis> axes;
    for (const Json &axis : c["mesh"].items)
      axes.push_back(
          {axis.items[0].text, static_cast<int64_t>(axis.items[1].number)});
    std::vector<int64_t> shape;
    for (const Json &n : c["shape"].items)
      shape.push_back(static_cast<int64_t>(n.number));
    return request(*Mesh::create(axes), shape, c["from"].text, c["to"].text);
  }

  static void expectBoxes(const RedistributionRequest &asked,
                          const Layout &layout, const Json &boxes) {
    ASSERT_EQ(static_cast<int64_t>(boxes.items.size()), asked.mesh.numRanks());
    for (int64_t rank = 0; rank < asked.mesh.numRanks(); ++rank) {
      Box box = localBox(asked.mesh, layout, asked.shape, rank);
      for (size_t d = 0; d < asked.shape.size(); ++d) {
        const Json &range = boxes.items[rank].items[d];
        EXPECT_EQ(box.lo[d], range.items[0].number) << "rank " << rank;
        EXPECT_EQ(box.hi[d], range.items[1].number) << "rank " << rank;
      }
    }
  }

  std::vector<Json> cases;
};

TEST_F(Oracle, BoxesAgree) {
  for (const Json &c : cases) {
    SCOPED_TRACE(c["id"].text);
    RedistributionRequest asked = requestOf(c);
    expectBoxes(asked, asked.from, c["from_boxes"]);
    expectBoxes(asked, asked.to, c["to_boxes"]);
  }
}

TEST_F(Oracle, PlansAreProvedAndWithinTheBounds) {
  int above = 0;
  for (const Json &c : cases) {
    SCOPED_TRACE(c["id"].text + " " + c["from"].text + " -> " + c["to"].text);
    RedistributionRequest asked = requestOf(c);
    RedistributionPlan plan = planAndCheck(asked);
    const Json &bound = c["lower_bound_bytes"];
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
    if (!c["best"].isNull() &&
        static_cast<double>(plan.recvBytesMax) >
            c["best"]["wire_bytes_per_rank"].number + 0.5) {
      ++above;
      std::cout << c["id"].text << " " << c["from"].text << " -> "
                << c["to"].text << ": " << plan.recvBytesMax << " above best "
                << c["best"]["wire_bytes_per_rank"].number << " by "
                << kinds(plan) << "\n";
    }
  }
  EXPECT_EQ(above, 0);
}

TEST_F(Oracle, PlanningIsQuick) {
  double total = 0, worst = 0;
  std::string slowest;
  for (const Json &c : cases) {
    RedistributionRequest asked = requestOf(c);
    auto begin = std::chrono::steady_clock::now();
    auto plan = planRedistribution(asked);
    std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(bool(plan));
    total += spent.count();
    if (spent.count() > worst) {
      worst = spent.count();
      slowest = c["id"].text;
    }
  }
  std::cout << "planning: average " << total / cases.size() << " ms, slowest "
            << worst << " ms (" << slowest << ")\n";
  // The mean is steady enough to hold a bar on a busy machine.
  EXPECT_LT(total / cases.size(), 2.0);
}

} // namespace
