// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second queue of one rank: a thread that runs ranges of steps, in the order
// in which they were handed over.
#ifndef DTRT_LIB_EXECUTOR_STEPQUEUE_H
#define DTRT_LIB_EXECUTOR_STEPQUEUE_H

#include "dtrt/Executor.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dtrt {

class StepQueue {
public:
  /// `run` is called on the queue's thread and does not throw; after one that
  /// failed, no more. At most `capacity` ranges are under way at once; nothing
  /// is allocated after this. Throws std::system_error where no thread can be
  /// had.
  StepQueue(std::function<RunStatus(StepRange)> run, size_t capacity);
  /// Waits for what was handed over.
  ~StepQueue();
  StepQueue(const StepQueue &) = delete;
  StepQueue &operator=(const StepQueue &) = delete;

  /// Hands over a range; the number to wait for.
  uint64_t submit(StepRange range);
  /// Returns once range `number`, and so all before it, are done, or one has
  /// failed: with that failure. What they wrote is visible then.
  RunStatus waitFor(uint64_t number);
  /// The same for all.
  RunStatus drain();
  /// Forgets the failure of an earlier run; call it when nothing is under way.
  void reset();
  /// True where something is under way.
  bool isBusy() const { return submitted != seenDone; }

private:
  void work();

  std::function<RunStatus(StepRange)> run;
  std::vector<StepRange> ring;
  std::mutex mutex;
  std::condition_variable wake, finished;
  uint64_t submitted = 0; ///< written by the owner only
  uint64_t done = 0;
  RunStatus failure;     ///< the first one; under the mutex, as `done` is
  uint64_t seenDone = 0; ///< the owner's last look at `done`
  bool stops = false;
  std::thread thread;
};

} // namespace dtrt

#endif // DTRT_LIB_EXECUTOR_STEPQUEUE_H
