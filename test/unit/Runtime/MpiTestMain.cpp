// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Main of tests whose ranks are processes: every rank runs every test, and
// ranks other than 0 print only what fails.
#include "MpiTest.h"

#include <cstdio>

using namespace dtrt;

std::unique_ptr<MpiWorld> test::world;

namespace {

/// For ranks other than 0.
class FailurePrinter : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult &result) override {
    if (result.failed())
      std::fprintf(stderr, "rank %d: %s:%d: %s\n",
                   static_cast<int>(test::world->rank()), result.file_name(),
                   result.line_number(), result.summary());
  }
};

} // namespace

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  Expected<Launcher> launcher = detectLauncher();
  if (!launcher || !launcher->isMpi()) {
    std::fprintf(stderr, "%s\n",
                 launcher ? "run this under mpirun"
                          : launcher.error().message.c_str());
    return 2;
  }
  Expected<std::unique_ptr<MpiWorld>> started = MpiWorld::start(*launcher, 60);
  if (!started) {
    std::fprintf(stderr, "%s\n", started.error().message.c_str());
    return 2;
  }
  test::world = std::move(*started);
  if (test::world->rank() != 0) {
    auto &listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  int code = RUN_ALL_TESTS();
  // A rank that failed may have left others in the middle of something.
  if (code != 0)
    test::world->abort(code);
  test::world->finish();
  return 0;
}
