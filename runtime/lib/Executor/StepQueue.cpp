// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring of ranges under one mutex: handing over and waiting happen a few times
// in a program, next to collectives that take far longer.
#include "Executor/StepQueue.h"

using namespace dtrt;

StepQueue::StepQueue(std::function<RunStatus(StepRange)> run, size_t capacity)
    : run(std::move(run)), ring(capacity) {
  thread = std::thread([this] { work(); });
}

StepQueue::~StepQueue() {
  drain();
  {
    std::lock_guard<std::mutex> lock(mutex);
    stops = true;
  }
  wake.notify_one();
  thread.join();
}

uint64_t StepQueue::submit(StepRange range) {
  std::unique_lock<std::mutex> lock(mutex);
  finished.wait(lock, [&] { return submitted - done < ring.size(); });
  ring[submitted % ring.size()] = range;
  ++submitted;
  lock.unlock();
  wake.notify_one();
  return submitted;
}

RunStatus StepQueue::waitFor(uint64_t number) {
  std::unique_lock<std::mutex> lock(mutex);
  finished.wait(lock, [&] { return done >= number; });
  seenDone = done;
  return failure;
}

RunStatus StepQueue::drain() { return waitFor(submitted); }

void StepQueue::reset() {
  std::lock_guard<std::mutex> lock(mutex);
  failure.reset();
}

void StepQueue::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    wake.wait(lock, [&] { return stops || done != submitted; });
    if (done == submitted)
      return;
    StepRange range = ring[done % ring.size()];
    if (!failure) {
      lock.unlock();
      RunStatus status = run(range);
      lock.lock();
      failure = std::move(status);
    }
    ++done;
    finished.notify_one();
  }
}
