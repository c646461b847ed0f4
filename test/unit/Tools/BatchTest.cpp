// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-plan --batch: answers in order, refusals that do not stop the run,
// and every reference answer planned, proved and run.
#include "PlanTool.h"
#include "PlannerTestUtils.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace dtensor;
using namespace dtensor::test;

namespace {

struct Batch {
  int code = 0;
  std::string err;
  std::vector<std::string> lines;
  std::vector<JsonValue> answers;
};

/// Cases are written with single quotes here.
Batch run(std::string cases, std::vector<std::string> flags = {}) {
  std::replace(cases.begin(), cases.end(), '\'', '"');
  std::string path = testing::TempDir() + "/batch-cases.jsonl";
  std::ofstream(path) << cases;
  std::vector<std::string> args = {"--batch", path};
  args.insert(args.end(), flags.begin(), flags.end());
  std::ostringstream out, err;
  Batch batch;
  batch.code = runPlanTool(args, out, err);
  batch.err = err.str();
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    batch.lines.push_back(line);
    auto answer = parseJson(line);
    EXPECT_TRUE(bool(answer)) << line;
    batch.answers.push_back(answer ? *answer : JsonValue());
  }
  std::remove(path.c_str());
  return batch;
}

const char *const good = "{'mesh': [['x', 4]], 'shape': [10, 10], "
                         "'dtype': 'f32', 'from': 'S(0)', 'to': 'R'}";

TEST(Batch, AnswersLikeASingleRun) {
  std::ostringstream out, err;
  runPlanTool({"--mesh", "x=4", "--shape", "10x10", "--from", "S(0)", "--to",
               "R", "--json", "--boxes", "--objective", "bytes"},
              out, err);
  Batch batch = run(good, {"--boxes", "--objective=bytes"});
  EXPECT_EQ(batch.code, 0);
  ASSERT_EQ(batch.lines.size(), 1u);
  EXPECT_EQ(batch.lines[0] + "\n", out.str());
}

TEST(Batch, GoesOnAfterRefusals) {
  std::string unknown = good;
  unknown.replace(unknown.find("S(0)"), 4, "tq=shard(0)");
  Batch batch = run(std::string(good) + "\n\n{\"mesh\":\n" + unknown + "\r\n" +
                    good + "\n");
  EXPECT_EQ(batch.code, 0);
  EXPECT_EQ(batch.err, "");
  ASSERT_EQ(batch.answers.size(), 4u);
  EXPECT_TRUE(at(batch.answers[0], "checked").boolean);
  EXPECT_EQ(at(batch.answers[1], "error").text,
            "line 3: column 9: the text ends where a value is expected");
  EXPECT_EQ(at(batch.answers[2], "error").text,
            "from: unknown axis 'tq' (the mesh has x)");
  EXPECT_TRUE(at(batch.answers[3], "checked").boolean);
}

TEST(Batch, ATopologyThatDoesNotReadIsRefusedOnce) {
  for (std::string cases : {std::string(good) + "\n" + good, std::string()}) {
    Batch batch = run(cases, {"--topology", "fast"});
    EXPECT_EQ(batch.code, 1);
    EXPECT_EQ(batch.err,
              "dtensor-plan: error: cannot read topology file 'fast': No such "
              "file or directory (shipped machines are builtin:threads, "
              "builtin:h100x8 and builtin:h100x8x16)\n");
    EXPECT_TRUE(batch.lines.empty());
  }
}

TEST(Batch, MessagesNameTheLineAndTheKey) {
  auto refusal = [](const std::string &members) {
    Batch batch = run("{" + members + "}");
    EXPECT_EQ(batch.answers.size(), 1u);
    return batch.answers.empty() ? "" : at(batch.answers[0], "error").text;
  };
  const std::string mesh = "'mesh': [['x', 2]], ";
  const std::string rest = "'dtype': 'f32', 'from': '', 'to': ''";
  EXPECT_EQ(refusal(""), "line 1: 'mesh' is missing");
  EXPECT_EQ(refusal("'mesh': [['x']]"),
            "line 1: 'mesh' must be an array of [name, size] pairs");
  EXPECT_EQ(refusal(mesh + "'shape': [4.5], " + rest),
            "line 1: 'shape' must be an array of integers");
  EXPECT_EQ(refusal(mesh + "'shape': [4], 'dtype': 4"),
            "line 1: 'dtype' must be a type in quotes");
  EXPECT_EQ(refusal(mesh + "'shape': [4], 'element_bytes': 3"),
            "line 1: 'element_bytes' must be 1, 2, 4 or 8");
  EXPECT_EQ(refusal(mesh + "'shape': [4], 'dtype': 'f32', 'from': 1"),
            "line 1: 'from' must be a layout in quotes");
  EXPECT_EQ(refusal(mesh + "'shape': [4], 'devices': 3, " + rest),
            "line 1: 'devices' must be an array of integers");
  EXPECT_EQ(refusal(mesh + "'shape': [-4], " + rest),
            "dim 0 has size -4, but sizes start at 0");
  Batch batch = run("[1]");
  EXPECT_EQ(at(batch.answers.at(0), "error").text,
            "line 1: a case is an object in braces");
}

TEST(Batch, BetweenMeshes) {
  auto answer = [](const std::string &members) {
    Batch batch =
        run("{'dtype': 'f32', " + members + "}", {"--boxes", "--execute"});
    EXPECT_EQ(batch.code, 0);
    return batch.answers.at(0);
  };
  JsonValue other =
      answer("'mesh': [['x', 2]], 'shape': [5], 'from': 'x=shard(0)', "
             "'to': 'y=shard(0)', 'to_mesh': [['y', 3]], "
             "'to_devices': [6, 1, 5]");
  EXPECT_TRUE(at(other, "checked").boolean);
  EXPECT_TRUE(at(at(other, "executed"), "ok").boolean);
  EXPECT_EQ(at(other, "recv_bytes_max").integer,
            at(other, "lower_bound_bytes_max").integer);
  // Ranks are devices in ascending order: 1, 5, 6.
  ASSERT_EQ(at(other, "to_boxes").items.size(), 3u);
  EXPECT_EQ(at(other, "to_boxes").items[0].items[0].items[0].integer, 2);
  EXPECT_EQ(at(other, "to_devices").items[2].integer, 6);
  for (const char *op : {"sum", "max", "avg"}) {
    JsonValue reduced =
        answer("'mesh': [['x', 2], ['z', 2]], 'shape': [5, 3], 'from': "
               "'x=partial(" +
               std::string(op) +
               "), z=shard(0)', 'to': "
               "'y=shard(1)', 'to_mesh': [['y', 3]], 'to_devices': [6, 1, 2]");
    EXPECT_TRUE(at(reduced, "checked").boolean);
    EXPECT_TRUE(at(at(reduced, "executed"), "ok").boolean);
    EXPECT_TRUE(at(reduced, "lower_bound_bytes_max").isNull());
    EXPECT_GT(at(reduced, "steps").items.size(), 1u);
  }
  JsonValue same = answer("'mesh': [['x', 4]], 'shape': [8], "
                          "'from': 'x=partial(sum)', 'to': 'a=shard(0)', "
                          "'to_mesh': [['a', 2], ['b', 2]]");
  EXPECT_TRUE(at(same, "checked").boolean);
  EXPECT_TRUE(at(at(same, "executed"), "ok").boolean);
}

/// The text of a case again, on one line.
void print(const JsonValue &value, std::string &out) {
  auto list = [&](char open, char close, const auto &items, auto item) {
    out += open;
    for (size_t i = 0; i < items.size(); ++i) {
      out += i ? "," : "";
      item(items[i]);
    }
    out += close;
  };
  switch (value.kind) {
  case JsonValue::Kind::Null:
    out += "null";
    break;
  case JsonValue::Kind::Bool:
    out += value.boolean ? "true" : "false";
    break;
  case JsonValue::Kind::Number:
    out += value.isInteger ? std::to_string(value.integer)
                           : std::to_string(value.number);
    break;
  case JsonValue::Kind::String:
    out += "\"" + value.text + "\""; // the cases have nothing to escape
    break;
  case JsonValue::Kind::Array:
    list('[', ']', value.items, [&](const JsonValue &v) { print(v, out); });
    break;
  case JsonValue::Kind::Object:
    list('{', '}', value.members, [&](const auto &member) {
      out += "\"" + member.first + "\":";
      print(member.second, out);
    });
  }
}

void expectSameBoxes(const JsonValue &found, const JsonValue &wanted) {
  std::string foundText, wantedText;
  print(found, foundText);
  print(wanted, wantedText);
  EXPECT_EQ(foundText, wantedText);
}

TEST(Batch, ReferenceAnswersHold) {
  const char *other = std::getenv("DTENSOR_ORACLE_DIR");
  std::string path = std::string(other ? other : DTENSOR_ORACLE_DIR) +
                     "/redistribution_cases.json";
  std::ifstream file(path);
  if (!file)
    GTEST_SKIP() << "no reference answers at " << path;
  std::stringstream buffer;
  buffer << file.rdbuf();
  auto cases = parseJson(buffer.str());
  ASSERT_TRUE(bool(cases)) << cases.error().message;
  std::string lines, small;
  for (const JsonValue &c : cases->items) {
    int64_t ranks = 1;
    for (const JsonValue &axis : at(c, "mesh").items)
      ranks *= axis.items[1].integer;
    print(c, lines);
    lines += "\n";
    if (ranks > 8)
      continue;
    print(c, small);
    small += "\n";
  }
  Batch batch = run(lines, {"--json", "--boxes"});
  EXPECT_EQ(batch.code, 0);
  ASSERT_EQ(batch.answers.size(), cases->items.size());
  for (size_t i = 0; i < batch.answers.size(); ++i) {
    SCOPED_TRACE(at(cases->items[i], "id").text);
    const JsonValue &answer = batch.answers[i];
    EXPECT_TRUE(at(answer, "checked").boolean) << batch.lines[i];
    expectSameBoxes(at(answer, "from_boxes"),
                    at(cases->items[i], "from_boxes"));
    expectSameBoxes(at(answer, "to_boxes"), at(cases->items[i], "to_boxes"));
  }
  Batch executed = run(small, {"--execute"});
  EXPECT_EQ(executed.code, 0);
  for (size_t i = 0; i < executed.answers.size(); ++i) {
    const JsonValue &result = at(executed.answers[i], "executed");
    EXPECT_TRUE(at(result, "ok").boolean) << executed.lines[i];
    EXPECT_TRUE(at(result, "identical_replicas").boolean);
  }
  std::cout << batch.answers.size() << " cases planned and proved, "
            << executed.answers.size() << " executed\n";
}

} // namespace
