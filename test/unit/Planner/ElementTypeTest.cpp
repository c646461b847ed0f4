// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types and reduce ops read back, and what is defined on what.
#include "dtensor/Planner/ElementType.h"

#include <gtest/gtest.h>

using namespace dtensor;

namespace {

TEST(ElementType, NamesReadBack) {
  for (int i = 0; i <= static_cast<int>(ElementType::I64); ++i) {
    ElementType type = static_cast<ElementType>(i);
    auto parsed = parseElementType(elementTypeName(type));
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(*parsed, type);
  }
  EXPECT_FALSE(parseElementType("f33").has_value());
  EXPECT_EQ(elementBytes(ElementType::I1), 1);
  EXPECT_EQ(elementBytes(ElementType::BF16), 2);
}

TEST(ReduceOp, NamesReadBack) {
  for (int i = 0; i <= static_cast<int>(ReduceOp::BXor); ++i) {
    ReduceOp op = static_cast<ReduceOp>(i);
    auto parsed = parseReduceOp(reduceOpName(op));
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(*parsed, op);
  }
  EXPECT_FALSE(parseReduceOp("mean").has_value());
}

TEST(ReduceOp, SupportDependsOnTheType) {
  EXPECT_TRUE(isReductionSupported(ReduceOp::Avg, ElementType::BF16));
  EXPECT_FALSE(isReductionSupported(ReduceOp::Avg, ElementType::I32));
  EXPECT_FALSE(isReductionSupported(ReduceOp::Sum, ElementType::I1));
  EXPECT_TRUE(isReductionSupported(ReduceOp::BXor, ElementType::I1));
  EXPECT_FALSE(isReductionSupported(ReduceOp::UMin, ElementType::F32));
  EXPECT_TRUE(isReductionSupported(ReduceOp::UMax, ElementType::I8));
  EXPECT_FALSE(isReductionSupported(ReduceOp::Max, ElementType::F8E5M2));
}

} // namespace
