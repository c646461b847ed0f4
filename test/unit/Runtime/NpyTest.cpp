// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files: round trips, and every message.
#include "dtrt/Npy.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>

using namespace dtrt;
using dtensor::ElementType;

namespace {

std::vector<std::byte> file(const std::string &header, size_t dataBytes,
                            int version = 1) {
  std::string text = std::string("\x93NUMPY", 6) + static_cast<char>(version) +
                     '\0' + static_cast<char>(header.size()) + '\0';
  if (version > 1)
    text += std::string(2, '\0');
  text += header + std::string(dataBytes, '\1');
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::string refusal(const std::vector<std::byte> &bytes) {
  Expected<NpyArray> array = parseNpy(bytes.data(), bytes.size());
  return array ? "accepted" : array.error().message;
}

std::string header(const std::string &descr, const std::string &shape,
                   const std::string &fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }\n";
}

TEST(Npy, all_types_and_shapes_come_back) {
  std::string path = ::testing::TempDir() + "dtrt-npy-test.npy";
  for (ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::F16, ElementType::BF16,
        ElementType::F8E4M3FN, ElementType::I1, ElementType::I8,
        ElementType::I16, ElementType::I32, ElementType::I64})
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {3}, {0, 4}, {2, 3, 4}}) {
      GlobalTensor tensor = randomTensor(type, shape, 1, 0);
      ASSERT_TRUE(writeNpy(path, tensor));
      Expected<GlobalTensor> back = readTensor(path, type, shape);
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(back->data, tensor.data);
    }
  std::remove(path.c_str());
}

TEST(Npy, header_is_what_numpy_writes) {
  std::vector<std::byte> bytes = serializeNpy(
      GlobalTensor{ElementType::F32, {3}, std::vector<std::byte>(12)});
  EXPECT_EQ(bytes.size(), 128u + 12u);
  std::string text(reinterpret_cast<char *>(bytes.data()) + 10, 54);
  EXPECT_EQ(text.substr(0, 53),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (3,");
}

TEST(Npy, versions_two_and_three_are_read) {
  for (int version : {1, 2, 3})
    EXPECT_EQ(refusal(file(header("<f4", "(2, 2)"), 16, version)), "accepted");
  EXPECT_EQ(refusal(file(header("<f4", "(2, 2)"), 16, 4)),
            ".npy version 4 is not supported (1 to 3 are)");
}

TEST(Npy, damage_is_named) {
  EXPECT_EQ(refusal({}), "not a .npy file");
  EXPECT_EQ(refusal(file(header("<f4", "(2, 2)"), 15)),
            "has 15 bytes of data, shape 2x2 of <f4 takes 16");
  EXPECT_EQ(refusal(file(header("<f4", "(2, 2)", "True"), 16)),
            "the array is in Fortran order; save it with "
            "numpy.ascontiguousarray");
  EXPECT_EQ(refusal(file(header(">f4", "(2, 2)"), 16)),
            "the array is big-endian (>f4)");
  EXPECT_EQ(refusal(file(header("<c8", "(2, 2)"), 32)),
            "the array's type <c8 is not supported");
  EXPECT_EQ(refusal(file(header("<f4", "(99999999999999999999,)"), 4)),
            "the .npy header has a bad shape");
  EXPECT_EQ(refusal(file(header("<f4", "(4611686018427387904, 8)"), 4)),
            "the array's shape is too large");
  EXPECT_EQ(refusal(file("{'descr': [('a', '<f4')], }", 4)),
            "the .npy header has a structured or unreadable descr");
  EXPECT_EQ(refusal(file("{'descr': '<f4', }", 4)),
            "the .npy header lacks descr, fortran_order or shape");
  EXPECT_EQ(refusal(file("{'color': 1}", 4)),
            "the .npy header has an unknown key 'color'");
  EXPECT_EQ(refusal(file("[]", 4)), "the .npy header does not start with '{'");
  EXPECT_EQ(refusal(file(header("<f4", "(2,)", "Maybe"), 8)),
            "the .npy header has a bad fortran_order");
  EXPECT_EQ(refusal(file("{5: 4}", 8)), "the .npy header has a bad key");
}

TEST(Npy, every_truncation_is_refused) {
  std::vector<std::byte> bytes =
      serializeNpy(randomTensor(ElementType::F32, {3, 5}, 1, 0));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(parseNpy(bytes.data(), size)) << size;
}

TEST(Npy, differences_to_the_program_are_named) {
  std::string path = ::testing::TempDir() + "dtrt-npy-differs.npy";
  ASSERT_TRUE(writeNpy(path, randomTensor(ElementType::F32, {3, 4}, 1, 0)));
  EXPECT_EQ(readTensor(path, ElementType::F32, {64, 512}).error().message,
            "has shape 3x4, the program wants 64x512");
  EXPECT_EQ(readTensor(path, ElementType::I32, {3, 4}).error().message,
            "has type <f4, the program wants i32");
  std::remove(path.c_str());
  EXPECT_EQ(readTensor(path, ElementType::I32, {3, 4}).error().message,
            "cannot open: No such file or directory");
}

TEST(Npy, booleans_become_zero_or_one) {
  std::string path = ::testing::TempDir() + "dtrt-npy-bool.npy";
  std::vector<std::byte> bytes = file(header("|b1", "(2,)"), 2);
  bytes.back() = std::byte(200);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  Expected<GlobalTensor> tensor = readTensor(path, ElementType::I1, {2});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->data[1], std::byte(1));
  std::remove(path.c_str());
}

} // namespace
