// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ApiTest.h"

#include "dtrt/MpiRanks.h"

int64_t dtensor::test::launchedRanks() {
  auto launcher = dtrt::detectLauncher();
  return launcher && launcher->isMpi() ? launcher->size : 0;
}
