// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON reader: what it takes, and that it takes nothing else.
#include "dtensor/Planner/Json.h"

#include <gtest/gtest.h>

using namespace dtensor;

namespace {

std::string refusal(std::string_view text) {
  auto value = parseJson(text);
  return value ? "accepted" : value.error().message;
}

TEST(Json, ReadsEveryKindOfValue) {
  auto value = parseJson(
      R"( {"a": [1, -20, 0, 2.5, 1e3], "b": true, "c": false, "d": null,
           "e": {}, "f": []} )");
  ASSERT_TRUE(bool(value)) << value.error().message;
  ASSERT_EQ(value->members.size(), 6u);
  const std::vector<JsonValue> &numbers = value->find("a")->items;
  ASSERT_EQ(numbers.size(), 5u);
  EXPECT_EQ(numbers[1].integer, -20);
  EXPECT_TRUE(numbers[2].isInteger);
  EXPECT_FALSE(numbers[3].isInteger);
  EXPECT_EQ(numbers[3].number, 2.5);
  EXPECT_EQ(numbers[4].number, 1000);
  EXPECT_TRUE(value->find("b")->boolean);
  EXPECT_FALSE(value->find("c")->boolean);
  EXPECT_TRUE(value->find("d")->isNull());
  EXPECT_TRUE(value->find("e")->isObject());
  EXPECT_TRUE(value->find("f")->isArray());
  EXPECT_EQ(value->find("g"), nullptr);
}

TEST(Json, ReadsEscapes) {
  auto value = parseJson(R"("a\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00")");
  ASSERT_TRUE(bool(value)) << value.error().message;
  EXPECT_EQ(value->text, "a\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac"
                         "\xf0\x9f\x98\x80");
}

TEST(Json, IntegersThatDoNotFitAreNone) {
  EXPECT_EQ(parseJson("9223372036854775807")->integer, INT64_MAX);
  auto large = parseJson("9223372036854775808");
  EXPECT_FALSE(large->isInteger);
  EXPECT_GT(large->number, 9e18);
}

TEST(Json, NumbersThatNoDoubleIsNearAreRefused) {
  const std::string what = "a number is out of the range of a double";
  EXPECT_EQ(refusal("1e999"), "column 1: " + what);
  EXPECT_EQ(refusal("[1, -1e309]"), "column 5: " + what);
  EXPECT_EQ(refusal("1e-999"), "column 1: " + what);
  EXPECT_EQ(refusal(std::string(400, '9')), "column 1: " + what);
  EXPECT_GT(parseJson("1.7e308")->number, 1e308);
  EXPECT_GT(parseJson("1e-320")->number, 0);
  EXPECT_EQ(parseJson("0e999")->number, 0);
}

TEST(Json, RefusesEverythingElse) {
  EXPECT_EQ(refusal(""), "column 1: the text ends where a value is expected");
  EXPECT_EQ(refusal("[1,]"), "column 4: expected a value");
  EXPECT_EQ(refusal("[1 2]"), "column 4: expected ',' or ']'");
  EXPECT_EQ(refusal("{\"a\":1,}"),
            "column 8: expected a member name in quotes");
  EXPECT_EQ(refusal("{\"a\" 1}"), "column 6: expected ':'");
  EXPECT_EQ(refusal("{\"a\":1 \"b\":2}"), "column 8: expected ',' or '}'");
  EXPECT_EQ(refusal("{\"a\":1,\"a\":2}"),
            "column 8: member 'a' is given twice");
  EXPECT_EQ(refusal("1 2"), "column 3: text after the value");
  EXPECT_EQ(refusal("01"), "column 3: a number begins with 0");
  EXPECT_EQ(refusal("-"), "column 2: expected a digit");
  EXPECT_EQ(refusal("1."), "column 3: expected a digit");
  EXPECT_EQ(refusal("nul"), "column 1: expected a value");
  EXPECT_EQ(refusal("'a'"), "column 1: expected a value");
  EXPECT_EQ(refusal("\"a"), "column 3: the text ends inside a string");
  EXPECT_EQ(refusal("\"\\x\""), "column 3: unknown escape in a string");
  EXPECT_EQ(refusal("\"\\u12g4\""), "column 4: expected four hexadecimal "
                                    "digits");
  EXPECT_EQ(refusal("\"\\ud800\""),
            "column 8: half of a surrogate pair in a string");
  EXPECT_EQ(refusal("\"\n\""), "column 2: a control character inside a string");
  EXPECT_EQ(refusal(std::string(100, '[')),
            "column 66: values are nested deeper than 64");
}

} // namespace
