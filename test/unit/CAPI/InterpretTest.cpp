// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter through the compiler library's C interface.
#include "dtensor-c/Compiler.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr const char *kProgram =
    "func.func @main(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, f32) {\n"
    "  %two = arith.constant 2.0 : f32\n"
    "  %s = tensor.splat %two : tensor<2x2xf32>\n"
    "  %0 = arith.mulf %a, %s : tensor<2x2xf32>\n"
    "  return %0, %two : tensor<2x2xf32>, f32\n"
    "}\n"
    "func.func @scan(%a: tensor<2x2xf32>,\n"
    "                %p: tensor<2x2x1xf32>) -> tensor<2x2xf32> {\n"
    "  %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [1]\n"
    "         into %p : tensor<2x2xf32> -> tensor<2x2x1xf32>\n"
    "  return %a : tensor<2x2xf32>\n"
    "}\n";

struct Result {
  std::string type;
  std::vector<int64_t> shape;
  std::vector<float> values;
};

struct Outcome {
  int code = -1;
  std::vector<Result> results;
  std::string diagnostics;
};

void addResult(size_t index, const dtensorTensor *tensor, void *user) {
  auto &results = static_cast<Outcome *>(user)->results;
  EXPECT_EQ(index, results.size());
  Result result{tensor->type,
                {tensor->shape, tensor->shape + tensor->rank},
                std::vector<float>(tensor->size / sizeof(float))};
  std::memcpy(result.values.data(), tensor->data, tensor->size);
  results.push_back(std::move(result));
}

void addDiagnostics(const char *data, size_t size, void *user) {
  static_cast<Outcome *>(user)->diagnostics.append(data, size);
}

Outcome interpret(const std::string &text, const char *entry,
                  const std::vector<dtensorTensor> &inputs) {
  Outcome outcome;
  outcome.code =
      dtensorInterpret(text.data(), text.size(), "p.mlir", entry, inputs.data(),
                       inputs.size(), addResult, addDiagnostics, &outcome);
  return outcome;
}

class Interpret : public testing::Test {
protected:
  std::vector<float> values = {1, 2, 3, 4};
  std::vector<int64_t> shape = {2, 2};
  std::vector<int64_t> packedShape = {2, 2, 1};
  dtensorTensor input = {"f32", shape.data(), 2, values.data(), 16};
  dtensorTensor packed = {"f32", packedShape.data(), 3, values.data(), 16};
};

TEST_F(Interpret, gives_every_result_with_type_and_shape) {
  Outcome outcome = interpret(kProgram, nullptr, {input});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.diagnostics, "");
  ASSERT_EQ(outcome.results.size(), 2u);
  EXPECT_EQ(outcome.results[0].type, "f32");
  EXPECT_EQ(outcome.results[0].shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(outcome.results[0].values, (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(outcome.results[1].shape, std::vector<int64_t>{});
  EXPECT_EQ(outcome.results[1].values, std::vector<float>{2});
}

TEST_F(Interpret, says_where_a_program_is_refused) {
  Outcome outcome = interpret(kProgram, "scan", {input, packed});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.results.empty());
  EXPECT_NE(outcome.diagnostics.find(
                "p.mlir:9:8: error: 'linalg.pack' op has no implementation"),
            std::string::npos)
      << outcome.diagnostics;
  EXPECT_NE(interpret("@@@", nullptr, {input})
                .diagnostics.find("p.mlir:1:2: error: "),
            std::string::npos);
}

TEST_F(Interpret, refuses_inputs_that_the_program_does_not_take) {
  auto refusal = [](const std::vector<dtensorTensor> &inputs) {
    Outcome outcome = interpret(kProgram, "main", inputs);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(outcome.results.empty());
    return outcome.diagnostics;
  };
  EXPECT_NE(refusal({}).find("takes 1 inputs, 0 are given"), std::string::npos);
  dtensorTensor other = input;
  other.type = "f64";
  EXPECT_NE(refusal({other}).find(
                "input 0 is 2x2 f64 in 16 bytes, the program takes 2x2 f32"),
            std::string::npos);
  other.type = "quad";
  EXPECT_NE(refusal({other}).find("input 0 has the unknown element type"),
            std::string::npos);
  other = input;
  other.rank = 1;
  EXPECT_NE(refusal({other}).find("input 0 is 2 f32"), std::string::npos);
  other = input;
  other.size = 12;
  EXPECT_NE(refusal({other}).find("in 12 bytes"), std::string::npos);
}

} // namespace
