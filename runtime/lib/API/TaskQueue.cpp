// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "API/TaskQueue.h"

#include <new>
#include <system_error>

using namespace dtensor;

bool Pending::isDone() const {
  std::lock_guard<std::mutex> lock(mutex);
  return done;
}

void Pending::wait() {
  if (deferredIn && !isDone())
    deferredIn->runUntil(this);
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return done; });
  if (error)
    throw *error;
}

void Pending::run() {
  std::optional<DTensorError> why;
  try {
    task();
  } catch (const DTensorError &thrown) {
    why = thrown;
  } catch (const std::bad_alloc &) {
    why = DTensorError(ErrorCode::OutOfMemory, "out of memory");
  } catch (const std::exception &thrown) {
    why = DTensorError(ErrorCode::Internal, thrown.what());
  }
  task = nullptr; // what it holds may go
  finish(std::move(why));
}

void Pending::finish(std::optional<DTensorError> why) {
  std::lock_guard<std::mutex> lock(mutex);
  error = std::move(why);
  done = true;
  changed.notify_all();
}

TaskQueue::~TaskQueue() {
  drain();
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
    changed.notify_all();
  }
  if (thread.joinable())
    thread.join();
}

std::shared_ptr<Pending> TaskQueue::submit(std::function<void()> task) {
  auto pending = std::make_shared<Pending>();
  pending->task = std::move(task);
  std::lock_guard<std::mutex> lock(mutex);
  if (!hasThread) {
    pending->deferredIn = this;
  } else if (!thread.joinable()) {
    try {
      thread = std::thread([this] { work(); });
    } catch (const std::system_error &error) {
      throw DTensorError(ErrorCode::OutOfMemory,
                         std::string("cannot start a thread for asynchronous "
                                     "work: ") +
                             error.what());
    }
  }
  tasks.push_back(pending);
  changed.notify_all();
  return pending;
}

void TaskQueue::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return stopping || !tasks.empty(); });
    if (tasks.empty())
      return;
    std::shared_ptr<Pending> next = std::move(tasks.front());
    tasks.pop_front();
    busy = true;
    lock.unlock();
    next->run();
    next = nullptr;
    lock.lock();
    busy = false;
    changed.notify_all();
  }
}

void TaskQueue::runUntil(const Pending *pending) {
  std::lock_guard<std::mutex> one(running);
  while (!pending || !pending->isDone()) {
    std::shared_ptr<Pending> next;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (tasks.empty())
        return;
      next = std::move(tasks.front());
      tasks.pop_front();
    }
    next->run();
  }
}

void TaskQueue::drain() {
  if (!hasThread)
    return runUntil(nullptr);
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return tasks.empty() && !busy; });
}
