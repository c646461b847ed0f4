// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans that are asked for again and again.
#ifndef DTENSOR_PLANNER_PLANCACHE_H
#define DTENSOR_PLANNER_PLANCACHE_H

#include "dtensor/Planner/Redistribution.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace dtensor {

/// Remembers what planRedistribution answers, refusals too. The answer is the
/// same as without the cache, whatever was asked before. Safe to share between
/// threads.
class PlanCache {
public:
  using Answer = std::shared_ptr<const Expected<RedistributionPlan>>;

  /// Plans on the first call with such a request.
  Answer plan(const RedistributionRequest &request);

  /// Requests with an answer.
  size_t size() const;
  void clear();

private:
  struct Entry {
    RedistributionRequest request;
    Answer answer;
  };
  mutable std::mutex mutex;
  /// By hash; never listed, so its order reaches nobody.
  std::unordered_multimap<uint64_t, Entry> entries;
};

} // namespace dtensor

#endif // DTENSOR_PLANNER_PLANCACHE_H
