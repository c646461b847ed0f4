// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks of a test program that runs under mpirun.
#ifndef DTRT_TEST_MPITEST_H
#define DTRT_TEST_MPITEST_H

#include "dtrt/MpiRanks.h"

#include <gtest/gtest.h>

namespace dtrt::test {

extern std::unique_ptr<MpiWorld> world;

} // namespace dtrt::test

#endif // DTRT_TEST_MPITEST_H
