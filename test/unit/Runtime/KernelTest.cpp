// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel objects: loaded from memory, called, and refused where they should.
#include "TestPlans.h"

#include "dtrt/Executor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

using namespace dtrt;

namespace {

PlanFile planWith(const char *path, const std::string &symbol) {
  PlanFile file;
  file.plan.kernel_target = "x86-64";
  std::ifstream stream(path, std::ios::binary);
  file.kernels.assign(std::istreambuf_iterator<char>(stream), {});
  file.plan.kernels.push_back(std::make_unique<schema::KernelT>());
  file.plan.kernels[0]->symbol = symbol;
  return file;
}

std::string refusal(const PlanFile &file) {
  auto library = KernelLibrary::load(file);
  return library ? "accepted" : library.error().message;
}

TEST(Kernels, are_loaded_from_memory_and_called) {
  PlanFile file = planWith(KERNELS_Good, "apply_tanh");
  auto library = KernelLibrary::load(file);
  ASSERT_TRUE(library) << library.error().message;
  float from[3] = {0, 1, -2}, to[3] = {};
  void *buffers[] = {from, to};
  int64_t extents[] = {3};
  (*library)->function(0)(buffers, extents);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(to[i], std::tanh(from[i]));
}

TEST(Kernels, constructors_and_other_imports_are_refused) {
  EXPECT_EQ(refusal(planWith(KERNELS_Constructor, "x")),
            "the kernels section has constructors or destructors");
  EXPECT_EQ(refusal(planWith(KERNELS_Import, "call_system")),
            "the kernels section imports 'system', which is not on the list of "
            "allowed functions");
  EXPECT_EQ(refusal(planWith(KERNELS_Good, "nothing_like_it")),
            "the kernels section has no symbol 'nothing_like_it'");
}

TEST(Kernels, foreign_and_truncated_objects_are_refused) {
  PlanFile file = planWith(KERNELS_Good, "apply_tanh");
  file.kernels = {1, 2, 3};
  EXPECT_EQ(refusal(file), "the kernels section is not an ELF file");
  PlanFile good = planWith(KERNELS_Good, "apply_tanh");
  file = planWith(KERNELS_Good, "apply_tanh");
  file.kernels[18] = 183; // e_machine: AArch64
  EXPECT_EQ(refusal(file), "the kernels section is not for x86-64");
  file.kernels = good.kernels;
  file.kernels[16] = 2; // e_type: executable
  EXPECT_EQ(refusal(file), "the kernels section is not a shared object");
  file.kernels = good.kernels;
  file.kernels[58] = 1; // e_shentsize
  EXPECT_EQ(refusal(file),
            "the kernels section has tables of an unknown format");
  for (size_t size = 0; size < good.kernels.size(); size += 97) {
    file.kernels.assign(good.kernels.begin(), good.kernels.begin() + size);
    if (size > 0) {
      EXPECT_NE(refusal(file), "accepted") << size;
    }
  }
}

TEST(Kernels, the_cpu_is_checked) {
  PlanFile file = planWith(KERNELS_Good, "apply_tanh");
  file.plan.kernel_target = "x86-64-v9";
  EXPECT_EQ(refusal(file), "the kernels are for an unknown CPU 'x86-64-v9'");
  file.plan.kernel_target = "x86-64-v4";
  bool capable =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  EXPECT_EQ(refusal(file).find("accepted") == 0, capable) << refusal(file);
}

} // namespace
