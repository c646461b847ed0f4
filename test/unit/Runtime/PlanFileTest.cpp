// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The container of plan files: round trip, and every kind of damage refused.
#include "TestPlans.h"

#include "Plan/Xxh64.h"
#include "dtrt/PlanSchema.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace dtrt;

namespace {

std::vector<uint8_t> samplePlan() {
  PlanFile file = test::matmulPlan();
  file.kernels = {1, 2, 3, 4, 5};
  return serializePlan(file);
}

bool startsWith(const std::string &text, const std::string &start) {
  return text.compare(0, start.size(), start) == 0;
}

TEST(Xxh64, matches_published_values) {
  EXPECT_EQ(xxh64("", 0), 0xEF46DB3751D8E999ull);
  EXPECT_EQ(xxh64("a", 1), 0xD24EC4F1A98C6E5Bull);
  EXPECT_EQ(xxh64("abc", 3), 0x44BC2CF5AD770999ull);
  const char *text = "Nobody inspects the spammish repetition";
  EXPECT_EQ(xxh64(text, std::strlen(text)), 0xFBCEA83C8A378BF1ull);
}

TEST(PlanFile, round_trip_keeps_everything) {
  std::vector<uint8_t> bytes = samplePlan();
  EXPECT_TRUE(looksLikePlan(bytes.data(), bytes.size()));
  Expected<PlanFile> file = parsePlan(bytes.data(), bytes.size(), "p");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->kernels, (std::vector<uint8_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(file->plan.programs.size(), 2u);
  EXPECT_EQ(file->plan.programs[0]->collectives[0]->from, "tp=partial(sum)");
  EXPECT_EQ(serializePlan(*file), bytes);
}

TEST(PlanFile, program_text_is_kept_with_and_without_kernels) {
  for (bool hasKernels : {false, true}) {
    PlanFile file = test::matmulPlan();
    if (hasKernels)
      file.kernels = {1, 2, 3};
    file.programText = std::string("func.func @main()\0\n", 19);
    std::vector<uint8_t> bytes = serializePlan(file);
    Expected<PlanFile> read = parsePlan(bytes.data(), bytes.size(), "p");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->programText, file.programText);
    EXPECT_EQ(read->kernels, file.kernels);
    bytes.back() ^= 1;
    read = parsePlan(bytes.data(), bytes.size(), "p");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("(program text) is damaged"),
              std::string::npos);
  }
}

TEST(PlanFile, every_truncation_is_refused) {
  std::vector<uint8_t> bytes = samplePlan();
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::vector<uint8_t> part(bytes.begin(), bytes.begin() + size);
    Expected<PlanFile> file = parsePlan(part.data(), part.size(), "x.plan");
    ASSERT_FALSE(file) << size;
    ASSERT_TRUE(startsWith(file.error().message, "x.plan: "));
    if (size > 0) {
      ASSERT_NE(file.error().message.find("truncated"), std::string::npos)
          << file.error().message;
    }
  }
}

TEST(PlanFile, every_flipped_byte_is_refused) {
  std::vector<uint8_t> bytes = samplePlan();
  for (size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] ^= 0x10;
    Expected<PlanFile> file = parsePlan(bytes.data(), bytes.size(), "x.plan");
    bytes[at] ^= 0x10;
    ASSERT_FALSE(file) << at;
    ASSERT_TRUE(startsWith(file.error().message, "x.plan: "));
  }
}

TEST(PlanFile, messages_say_what_is_wrong) {
  auto refusal = [](std::vector<uint8_t> bytes) {
    Expected<PlanFile> file = parsePlan(bytes.data(), bytes.size(), "x");
    return file ? std::string() : file.error().message;
  };
  EXPECT_EQ(refusal({'h', 'e', 'l', 'l', 'o', ' ', 'y', 'o', 'u'}),
            "x: not a plan file: does not start with DTNSPLAN");
  std::vector<uint8_t> bytes = samplePlan();
  bytes[8] = 9;
  EXPECT_EQ(refusal(bytes),
            "x: plan version 9; this runtime reads version 1 (byte 8)");
  bytes = samplePlan();
  bytes.push_back(0);
  EXPECT_NE(refusal(bytes).find("too long"), std::string::npos);
  bytes = samplePlan();
  bytes[12] = 0;
  EXPECT_NE(refusal(bytes).find("0 sections"), std::string::npos);
  bytes = samplePlan();
  bytes[40] ^= 1;
  EXPECT_NE(refusal(bytes).find("section table is damaged"), std::string::npos);
  bytes = samplePlan();
  bytes[200] = 1;
  EXPECT_NE(refusal(bytes).find("padding before section 0"), std::string::npos);
  bytes = samplePlan();
  bytes[4100] ^= 1;
  EXPECT_NE(refusal(bytes).find("section 0 (metadata) is damaged"),
            std::string::npos);
  bytes = samplePlan();
  bytes.back() ^= 1;
  EXPECT_NE(refusal(bytes).find("section 1 (kernels) is damaged"),
            std::string::npos);
}

/// Wraps metadata bytes in a container with right hashes.
std::vector<uint8_t> wrap(std::vector<uint8_t> metadata) {
  std::vector<uint8_t> bytes(4096);
  auto put = [&](size_t at, uint64_t value, int width) {
    std::memcpy(bytes.data() + at, &value, width);
  };
  std::memcpy(bytes.data(), "DTNSPLAN", 8);
  put(8, kPlanVersion, 4);
  put(12, 1, 4);
  put(16, 4096 + metadata.size(), 8);
  put(32, 1, 4);
  put(40, 4096, 8);
  put(48, metadata.size(), 8);
  put(56, xxh64(metadata.data(), metadata.size()), 8);
  put(24, xxh64(bytes.data() + 32, 32), 8);
  bytes.insert(bytes.end(), metadata.begin(), metadata.end());
  return bytes;
}

TEST(PlanFile, hostile_metadata_with_right_hashes_never_crashes) {
  std::vector<uint8_t> bytes = serializePlan(test::matmulPlan());
  std::vector<uint8_t> metadata(bytes.begin() + 4096, bytes.end());
  ASSERT_TRUE(parsePlan(bytes.data(), bytes.size(), "p"));
  ASSERT_EQ(wrap(metadata), bytes);
  for (size_t at = 0; at < metadata.size(); ++at)
    for (uint8_t value : {0x00, 0x01, 0x7f, 0xff}) {
      std::vector<uint8_t> changed = metadata;
      changed[at] = value;
      std::vector<uint8_t> file = wrap(changed);
      (void)static_cast<bool>(parsePlan(file.data(), file.size(), "p"));
    }
  std::vector<uint8_t> garbage = wrap(std::vector<uint8_t>(100, 0x41));
  Expected<PlanFile> file = parsePlan(garbage.data(), garbage.size(), "p");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "p: the metadata section (byte 4096) is not "
                                  "a valid FlatBuffer of the plan schema");
}

TEST(PlanFile, json_names_the_fields) {
  std::string json = planToJson(test::matmulPlan());
  EXPECT_NE(json.find("\"kind\": \"all_reduce\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"name\": \"main\""), std::string::npos);
}

TEST(PlanFile, embedded_schema_is_the_file) {
  std::ifstream stream(DTRT_SCHEMA_FILE);
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_EQ(text.str(), kPlanSchema);
}

TEST(PlanFile, files_are_written_whole_or_not_at_all) {
  std::string path = ::testing::TempDir() + "dtrt-atomic.bin";
  ASSERT_TRUE(writeFileAtomically(path, "hello", 5));
  ASSERT_TRUE(writeFileAtomically(path, "bye", 3));
  std::ifstream stream(path);
  std::string text;
  std::getline(stream, text);
  EXPECT_EQ(text, "bye");
  Status status = writeFileAtomically("/nowhere/at/all", "x", 1);
  ASSERT_FALSE(status);
  EXPECT_TRUE(startsWith(status.message(), "/nowhere/at/all: cannot create"));
  std::remove(path.c_str());
  Expected<PlanFile> missing = readPlanFile("/nowhere/x.plan");
  ASSERT_FALSE(missing);
  EXPECT_TRUE(
      startsWith(missing.error().message, "/nowhere/x.plan: cannot open"));
}

} // namespace
