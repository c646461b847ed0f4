// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that goes on behind a call: on a thread of its own, or, where only one
// thread may communicate, when someone waits for it.
#ifndef DTENSOR_LIB_API_TASKQUEUE_H
#define DTENSOR_LIB_API_TASKQUEUE_H

#include "dtensor/API/Error.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace dtensor {

class TaskQueue;

/// A task that was handed over.
class Pending {
public:
  bool isDone() const;
  /// Returns when the task has ended; throws what it threw.
  void wait();

private:
  friend class TaskQueue;
  void run();
  void finish(std::optional<DTensorError> why);

  /// Where whoever waits runs it; set before others know of the task.
  TaskQueue *deferredIn = nullptr;
  std::function<void()> task;
  mutable std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::optional<DTensorError> error;
};

/// Runs tasks one after another in the order of submission.
class TaskQueue {
public:
  /// With a thread, started by the first task; else tasks wait for drain or
  /// for someone who wants them.
  explicit TaskQueue(bool hasThread) : hasThread(hasThread) {}
  /// Runs what is left.
  ~TaskQueue();
  TaskQueue(const TaskQueue &) = delete;
  TaskQueue &operator=(const TaskQueue &) = delete;

  /// `task` may throw DTensorErrors.
  std::shared_ptr<Pending> submit(std::function<void()> task);
  /// Returns when all tasks have ended, whatever came of them.
  void drain();

private:
  friend class Pending;
  void work();
  /// Runs tasks here until `pending` is done.
  void runUntil(const Pending *pending);

  const bool hasThread;
  std::mutex running; ///< without a thread: held while a task runs
  std::mutex mutex;   ///< guards the members below
  std::condition_variable changed;
  std::deque<std::shared_ptr<Pending>> tasks;
  bool busy = false, stopping = false;
  std::thread thread;
};

} // namespace dtensor

#endif // DTENSOR_LIB_API_TASKQUEUE_H
