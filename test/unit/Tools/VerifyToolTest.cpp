// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-verify as its users see it.
#include "VerifyTool.h"
#include "TestPlans.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

using namespace dtrt;

namespace {

struct Answer {
  int code;
  std::string out, err;
};

Answer ask(const std::vector<std::string> &args) {
  std::ostringstream out, err;
  int code = runVerifyTool(args, out, err);
  return {code, out.str(), err.str()};
}

/// A plan file that lives as long as the object.
class SavedPlan {
public:
  explicit SavedPlan(const PlanFile &file)
      : path(testing::TempDir() + "/verify-tool-test.plan") {
    std::vector<uint8_t> bytes = serializePlan(file);
    EXPECT_TRUE(bool(writeFileAtomically(path, bytes.data(), bytes.size())));
  }
  ~SavedPlan() { std::remove(path.c_str()); }

  const std::string path;
};

TEST(VerifyTool, SumsUpEveryProgram) {
  SavedPlan plan(test::matmulPlan());
  Answer answer = ask({plan.path});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out,
            "program 'main': 2 steps, 1 collectives, peak 512 bytes: all rules "
            "hold\nprogram 'main.reference': 1 steps, 0 collectives, peak 512 "
            "bytes: all rules hold\n");
}

TEST(VerifyTool, NamesRuleAndStep) {
  PlanFile file = test::matmulPlan();
  std::swap(file.plan.programs[0]->steps[0], file.plan.programs[0]->steps[1]);
  SavedPlan plan(file);
  Answer answer = ask({plan.path});
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err,
            "dtensor-verify: error: plan '" + plan.path +
                "': program 'main' step 0 (all_reduce.0): rule 2: reads bytes "
                "[192, 312) that nothing has written\n");
}

TEST(VerifyTool, RefusesWhatIsNoPlan) {
  Answer answer = ask({"no/such.plan"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_NE(answer.err.find("no/such.plan: cannot open"), std::string::npos);
}

TEST(VerifyTool, Usage) {
  EXPECT_EQ(ask({}).code, 2);
  EXPECT_EQ(ask({"a.plan", "b.plan"}).code, 2);
  Answer answer = ask({"--fast", "a.plan"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err,
            "dtensor-verify: error: unknown flag '--fast'; see --help\n");
  answer = ask({"--help"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.out.find("example:"), std::string::npos);
}

} // namespace
