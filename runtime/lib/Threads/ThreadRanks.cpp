// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts the rank threads, turns whatever ends them into failures, and joins.
#include "Threads/ThreadCommunicator.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <system_error>
#include <thread>

using namespace dtrt;

namespace {

/// Threads that have not returned yet.
class Running {
public:
  void add() {
    std::lock_guard<std::mutex> lock(mutex);
    ++count;
  }
  void remove() {
    std::lock_guard<std::mutex> lock(mutex);
    --count;
    changed.notify_all();
  }
  /// True when none is left, false after `seconds`.
  bool waitFor(double seconds) {
    std::unique_lock<std::mutex> lock(mutex);
    return changed.wait_for(lock, std::chrono::duration<double>(seconds),
                            [&] { return count == 0; });
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  int64_t count = 0;
};

RunStatus callRank(Communicator &communicator,
                   const std::function<RunStatus(Communicator &)> &rankMain) {
  Failure thrown{FailureCode::Kernel, communicator.rank(), -1, "", ""};
  try {
    return rankMain(communicator);
  } catch (const std::exception &exception) {
    thrown.detail = std::string("threw: ") + exception.what();
  } catch (...) {
    thrown.detail = "threw something that is not a std::exception";
  }
  return thrown;
}

} // namespace

RunReport
dtrt::runRanks(int64_t numRanks, const RankOptions &options,
               const std::function<RunStatus(Communicator &)> &rankMain) {
  ThreadWorld world(numRanks, options);
  std::vector<RunStatus> ends(static_cast<size_t>(numRanks));
  std::vector<std::thread> threads;
  Running running;
  auto body = [&](int64_t rank) {
    ThreadCommunicator communicator(world, rank);
    RunStatus end = callRank(communicator, rankMain);
    if (end)
      world.abort(*end);
    ends[rank] = std::move(end);
    world.markLeft(rank);
    running.remove();
  };
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    running.add();
    try {
      threads.emplace_back(body, rank);
    } catch (const std::system_error &error) {
      running.remove();
      world.abort({FailureCode::Setup, rank, -1, "",
                   std::string("cannot start a thread: ") + error.what()});
      break;
    }
  }
  auto report = [&] {
    RunReport result;
    if (world.hasFailed())
      result.cause = world.firstFailure();
    return result;
  };
  while (!running.waitFor(0.2))
    if (world.hasFailed() && options.onStuck &&
        !running.waitFor(options.teardownSeconds))
      options.onStuck(report());
  for (std::thread &thread : threads)
    thread.join();
  RunReport result = report();
  for (const RunStatus &end : ends)
    if (end)
      result.failures.push_back(*end);
  return result;
}
