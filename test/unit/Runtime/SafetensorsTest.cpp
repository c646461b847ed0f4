// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of safetensors files, good and bad.
#include "dtrt/Safetensors.h"

#include <gtest/gtest.h>

using namespace dtrt;
using dtensor::ElementType;

namespace {

Expected<std::map<std::string, SafetensorsEntry>>
parse(const std::string &header, size_t dataBytes, size_t claimed = 0) {
  std::vector<std::byte> bytes(8 + header.size() + dataBytes);
  uint64_t length = claimed ? claimed : header.size();
  for (size_t i = 0; i < 8; ++i)
    bytes[i] = static_cast<std::byte>(length >> (8 * i));
  for (size_t i = 0; i < header.size(); ++i)
    bytes[8 + i] = static_cast<std::byte>(header[i]);
  return parseSafetensors(bytes.data(), bytes.size());
}

std::string refusal(const std::string &header, size_t dataBytes,
                    size_t claimed = 0) {
  auto entries = parse(header, dataBytes, claimed);
  return entries ? "accepted" : entries.error().message;
}

/// One tensor named t.
std::string one(const std::string &dtype, const std::string &shape,
                const std::string &offsets) {
  return R"({"t":{"dtype":")" + dtype + R"(","shape":)" + shape +
         R"(,"data_offsets":)" + offsets + "}}";
}

TEST(Safetensors, every_type) {
  struct Known {
    const char *name;
    ElementType type;
    int64_t bytes;
  };
  for (const Known &known :
       std::initializer_list<Known>{{"F64", ElementType::F64, 8},
                                    {"F32", ElementType::F32, 4},
                                    {"F16", ElementType::F16, 2},
                                    {"BF16", ElementType::BF16, 2},
                                    {"F8_E4M3", ElementType::F8E4M3FN, 1},
                                    {"F8_E5M2", ElementType::F8E5M2, 1},
                                    {"I64", ElementType::I64, 8},
                                    {"I32", ElementType::I32, 4},
                                    {"I16", ElementType::I16, 2},
                                    {"I8", ElementType::I8, 1},
                                    {"U8", ElementType::I8, 1},
                                    {"BOOL", ElementType::I1, 1}}) {
    std::string end = std::to_string(6 * known.bytes);
    auto entries = parse(one(known.name, "[2,3]", "[0," + end + "]"),
                         static_cast<size_t>(6 * known.bytes));
    ASSERT_TRUE(entries) << known.name << ": " << entries.error().message;
    EXPECT_TRUE(checkSafetensors(entries->at("t"), known.type, {2, 3}));
    EXPECT_FALSE(checkSafetensors(entries->at("t"), known.type, {3, 2}));
    ElementType other =
        known.type == ElementType::F32 ? ElementType::F64 : ElementType::F32;
    EXPECT_FALSE(checkSafetensors(entries->at("t"), other, {2, 3}));
  }
}

TEST(Safetensors, scalars_empty_tensors_names_and_padding) {
  auto entries =
      parse(R"({"__metadata__":{"a":"b"},"x \"y\"":{"dtype":"F32","shape":[],)"
            R"("data_offsets":[0,4]},"e":{"dtype":"F32","shape":[0,3],)"
            R"("data_offsets":[4,4]}}    )",
            4);
  ASSERT_TRUE(entries) << entries.error().message;
  EXPECT_EQ(entries->size(), 2u);
  EXPECT_TRUE(entries->at("x \"y\"").shape.empty());
  EXPECT_EQ(entries->at("e").bytes, 0u);
  EXPECT_TRUE(parse("{}", 0));
}

TEST(Safetensors, bad_files_are_refused) {
  EXPECT_EQ(refusal("{}", 0, 100),
            "not a safetensors file, or its header is truncated");
  EXPECT_NE(refusal("{", 0).find("is not JSON"), std::string::npos);
  EXPECT_EQ(refusal("[]", 0), "the safetensors header is not a JSON object");
  EXPECT_EQ(refusal(one("F32", "[2]", "[0,8]"), 7),
            "tensor 't' has data at [0, 8), the file has 7 bytes of data: "
            "truncated?");
  EXPECT_EQ(refusal(one("Q7", "[2]", "[0,8]"), 8),
            "tensor 't' has the unknown type 'Q7'");
  EXPECT_EQ(refusal(one("F32", "[3]", "[0,8]"), 8),
            "tensor 't' has 8 bytes of data, shape 3 of F32 takes 12");
  for (const char *header :
       {R"({"t":3})", R"({"t":{"dtype":"F32","shape":[2]}})",
        R"({"t":{"dtype":5,"shape":[2],"data_offsets":[0,8]}})",
        R"({"t":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})",
        R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[8]}})",
        R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
        R"({"t":{"dtype":"F32","shape":["2"],"data_offsets":[0,8]}})",
        R"({"t":{"dtype":"F32","shape":[9223372036854775807,4],)"
        R"("data_offsets":[0,8]}})"})
    EXPECT_EQ(refusal(header, 8).rfind("tensor 't' ", 0), 0u)
        << refusal(header, 8);
  EXPECT_EQ(refusal(R"({"a":{"dtype":"I8","shape":[4],"data_offsets":[0,4]},)"
                    R"("b":{"dtype":"I8","shape":[4],"data_offsets":[3,7]}})",
                    7),
            "tensors 'a' and 'b' overlap");
  EXPECT_NE(refusal(R"({"a":{"dtype":"I8","shape":[4],"data_offsets":[0,4]},)"
                    R"("a":{"dtype":"I8","shape":[4],"data_offsets":[4,8]}})",
                    8),
            "accepted");
  std::string deep(100000, '[');
  EXPECT_NE(refusal(deep, 0), "accepted");
}

} // namespace
