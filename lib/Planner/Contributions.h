// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic values for the checker: which contributions of the source a piece
// of data contains, and with which weight.
#ifndef DTENSOR_LIB_PLANNER_CONTRIBUTIONS_H
#define DTENSOR_LIB_PLANNER_CONTRIBUTIONS_H

#include "dtensor/Planner/ElementType.h"

#include <map>
#include <tuple>
#include <vector>

namespace dtensor {

/// Distinct symbolic values, each known by a small number. A value is a sum
/// of weight * contribution; under min, max, band and bor only whether a
/// contribution takes part matters, under the other ops how often.
class ContributionTable {
public:
  /// (contribution, numerator, denominator), ordered, in lowest terms.
  using Value = std::vector<std::tuple<int64_t, int64_t, int64_t>>;

  /// The identity: no contribution at all.
  int identity() { return intern({}); }
  int single(int64_t contribution) { return intern({{contribution, 1, 1}}); }
  /// All of 0..count-1 with weight 1 / divisor.
  int all(int64_t count, int64_t divisor);
  /// What reducing `values` with `op` gives.
  int combine(ReduceOp op, const std::vector<int> &values);
  /// `value` with all weights times numerator / denominator.
  int scale(int value, int64_t numerator, int64_t denominator);

private:
  int intern(Value value);

  std::map<Value, int> numbers;
  std::vector<Value> values;
  std::map<std::pair<ReduceOp, std::vector<int>>, int> combined;
};

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_CONTRIBUTIONS_H
