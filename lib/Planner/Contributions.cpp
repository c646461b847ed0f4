// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic values for the checker.
#include "Contributions.h"

#include <numeric>

using namespace dtensor;

int ContributionTable::intern(Value value) {
  auto [it, fresh] =
      numbers.try_emplace(value, static_cast<int>(values.size()));
  if (fresh)
    values.push_back(std::move(value));
  return it->second;
}

int ContributionTable::all(int64_t count, int64_t divisor) {
  Value value;
  for (int64_t i = 0; i < count; ++i)
    value.push_back({i, 1, divisor});
  return intern(std::move(value));
}

int ContributionTable::scale(int number, int64_t numerator,
                             int64_t denominator) {
  Value value = values[number];
  for (auto &[contribution, top, bottom] : value) {
    // Cancel before multiplying, so that the numbers stay small.
    int64_t a = std::gcd(top, denominator), b = std::gcd(numerator, bottom);
    top = top / a * (numerator / b);
    bottom = bottom / b * (denominator / a);
  }
  return intern(std::move(value));
}

int ContributionTable::combine(ReduceOp op, const std::vector<int> &operands) {
  auto key = std::make_pair(op, operands);
  auto known = combined.find(key);
  if (known != combined.end())
    return known->second;
  bool idempotent = op == ReduceOp::Min || op == ReduceOp::Max ||
                    op == ReduceOp::UMin || op == ReduceOp::UMax ||
                    op == ReduceOp::BAnd || op == ReduceOp::BOr;
  std::map<int64_t, std::pair<int64_t, int64_t>> weights;
  for (int operand : operands)
    for (const auto &[contribution, top, bottom] : values[operand]) {
      auto [it, fresh] = weights.try_emplace(contribution, top, bottom);
      if (fresh || idempotent)
        continue;
      auto &[sumTop, sumBottom] = it->second;
      int64_t common = std::lcm(sumBottom, bottom);
      sumTop = sumTop * (common / sumBottom) + top * (common / bottom);
      int64_t divisor = std::gcd(sumTop, common);
      sumTop /= divisor;
      sumBottom = common / divisor;
    }
  Value value;
  for (const auto &[contribution, weight] : weights)
    value.push_back({contribution, weight.first, weight.second});
  int result = intern(std::move(value));
  if (op == ReduceOp::Avg)
    result = scale(result, 1, static_cast<int64_t>(operands.size()));
  combined.emplace(std::move(key), result);
  return result;
}
