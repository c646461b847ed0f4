// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads backend: ranks are threads of this process, and each takes the
// boxes it needs straight from its peers' buffers.
#ifndef DTRT_THREADRANKS_H
#define DTRT_THREADRANKS_H

#include "dtrt/Communicator.h"

#include <functional>

namespace dtrt {

/// How a set of ranks ended.
struct RunReport {
  /// The first failure, which caused the others; nothing on success.
  std::optional<Failure> cause;
  /// One failure per rank that failed, by rank.
  std::vector<Failure> failures;

  bool succeeded() const { return !cause; }
};

struct RankOptions {
  /// How long a rank waits for others in one collective.
  double timeoutSeconds = 300;
  /// How long ranks may take to return after the first failure.
  double teardownSeconds = 5;
  /// Called, where set, when they have not: a thread cannot be stopped from
  /// outside, so this usually ends the process. Must not return.
  std::function<void(const RunReport &)> onStuck;
};

/// Runs `rankMain` on `numRanks` threads and joins them all. A rank fails by
/// returning a failure or throwing; that, or leaving early while others wait
/// for it, ends the others with a named failure.
RunReport runRanks(int64_t numRanks, const RankOptions &options,
                   const std::function<RunStatus(Communicator &)> &rankMain);

} // namespace dtrt

#endif // DTRT_THREADRANKS_H
