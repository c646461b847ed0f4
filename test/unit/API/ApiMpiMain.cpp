// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Main of the API's tests under mpirun: every process runs every test as one
// rank, and those other than 0 print only what fails.
#include "ApiTest.h"

#include <cstdio>

namespace {

class FailurePrinter : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult &result) override {
    if (result.failed())
      std::fprintf(stderr, "%s:%d: %s\n", result.file_name(),
                   result.line_number(), result.summary());
  }
};

} // namespace

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (dtensor::test::launchedRanks() == 0) {
    std::fprintf(stderr, "run this under mpirun\n");
    return 2;
  }
  int64_t rank = 0;
  dtensor::SpmdOptions options;
  options.timeoutSeconds = 20;
  dtensor::spmd(0, [&] { rank = dtensor::worldRank(); }, options);
  if (rank != 0) {
    auto &listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  return RUN_ALL_TESTS();
}
