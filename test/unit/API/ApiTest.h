// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the tests of the DTensor API. The tests run on threads; those on
// four ranks also run under mpirun, where each process is one of them.
#ifndef DTENSOR_TEST_UNIT_API_APITEST_H
#define DTENSOR_TEST_UNIT_API_APITEST_H

#include "dtensor/DTensor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace dtensor::test {

/// Processes that the launcher has started; 0 where there is none.
int64_t launchedRanks();

/// 0, 1, 2, ... in row-major order.
template <typename T = float>
Array counting(const std::vector<int64_t> &shape, T first = 0) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  std::vector<T> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(first + static_cast<T>(i));
  return Array::of(values, shape);
}

/// The values of `whole` in `box`, row-major.
template <typename T = float>
std::vector<T> valuesIn(const Array &whole, const Box &box) {
  std::vector<T> out;
  std::vector<int64_t> at = box.lo;
  for (int64_t i = 0; i < box.numElements(); ++i) {
    int64_t index = 0;
    for (size_t d = 0; d < at.size(); ++d)
      index = index * whole.shape()[d] + at[d];
    out.push_back(whole.as<T>()[index]);
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < box.hi[d])
        break;
      at[d] = box.lo[d];
    }
  }
  return out;
}

/// Expects that this rank holds its box of `whole`.
template <typename T = float>
void expectHolds(const DTensor &tensor, const Array &whole) {
  ASSERT_TRUE(tensor.localBox());
  EXPECT_EQ(tensor.toLocal().values<T>(),
            valuesIn<T>(whole, *tensor.localBox()))
      << "rank " << worldRank() << " of " << tensor.text();
}

/// What `call` throws, as "Code: text"; "" for nothing.
template <typename Function> std::string thrownBy(Function call) {
  try {
    call();
  } catch (const DTensorError &error) {
    return std::string(errorCodeName(error.code())) + ": " + error.what();
  }
  return "";
}

/// Skips a test for `ranks` ranks under a launcher with another number.
#define SKIP_OTHER_LAUNCH(ranks)                                               \
  if (launchedRanks() != 0 && launchedRanks() != (ranks))                      \
  GTEST_SKIP() << "runs on " << (ranks) << " ranks"

} // namespace dtensor::test

#endif // DTENSOR_TEST_UNIT_API_APITEST_H
