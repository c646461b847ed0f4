// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between threads. Members show their buffers, meet, take what
// they need from each other, and meet again before anyone goes on.
#include "Threads/ThreadCommunicator.h"

#include "Plan/Xxh64.h"
#include "dtrt/Arithmetic.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <sched.h>
#include <thread>

using namespace dtrt;
using dtensor::StepKind;

namespace {

/// Elements that an all_reduce combines before it stores them: small enough
/// to stay in the first-level cache.
constexpr int64_t kBlockElements = 1024;

/// Polls before sleeping: some 50 us when every rank has a core; next to none
/// otherwise, because the rank that is waited for needs this core.
int spinBudget(int64_t numRanks) {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  int64_t cores = 1;
  if (::sched_getaffinity(0, sizeof(usable), &usable) == 0)
    cores = CPU_COUNT(&usable);
  return numRanks <= cores ? 2000 : 30;
}

std::string listRanks(const std::vector<int64_t> &ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i)
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  return text;
}

std::string describe(const PreparedCollective &collective) {
  return std::string(dtensor::stepKindName(collective.kind)) + " '" +
         collective.name + "' (step " + std::to_string(collective.step) + ", " +
         std::to_string(collective.sourceBytes) + " bytes)";
}

Failure failureIn(const PreparedCollective &collective, FailureCode code,
                  int64_t rank, std::string detail) {
  return {code, rank, collective.step, collective.name, std::move(detail)};
}

} // namespace

ThreadWorld::ThreadWorld(int64_t numRanks, const RankOptions &options)
    : timeout(options.timeoutSeconds), spins(spinBudget(numRanks)),
      left(static_cast<size_t>(numRanks)) {
  for (std::atomic<bool> &flag : left)
    flag.store(false);
}

ThreadGroup &ThreadWorld::group(uint64_t channel,
                                const std::vector<int64_t> &ranks) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<ThreadGroup> &entry = groups[{channel, ranks}];
  if (!entry)
    entry = std::make_unique<ThreadGroup>(ranks, spins);
  return *entry;
}

void ThreadWorld::abort(const Failure &failure) {
  std::lock_guard<std::mutex> lock(mutex);
  if (hasFailed())
    return;
  first = failure;
  failed.store(true, std::memory_order_release);
  for (auto &entry : groups)
    entry.second->barrier.wakeAll();
}

Failure ThreadWorld::firstFailure() const {
  std::lock_guard<std::mutex> lock(mutex);
  return first;
}

ThreadCommunicator::ThreadCommunicator(ThreadWorld &world, int64_t rank,
                                       uint64_t number)
    : world(world), myRank(rank), number(number) {
  everyone.step = -1;
  everyone.rank = rank;
  everyone.group.resize(static_cast<size_t>(world.numRanks()));
  std::iota(everyone.group.begin(), everyone.group.end(), int64_t(0));
  everyone.myIndex = static_cast<int>(rank);
}

Status ThreadCommunicator::attach(PreparedCollective &collective) {
  if (collective.rank != myRank)
    return Error{"a collective of rank " + std::to_string(collective.rank) +
                 " cannot run on rank " + std::to_string(myRank)};
  if (collective.group.back() >= world.numRanks())
    return Error{"rank " + std::to_string(collective.group.back()) +
                 " takes part in '" + collective.name + "', but only " +
                 std::to_string(world.numRanks()) + " ranks run"};
  if (!dtensor::isCollective(collective.kind))
    return Status::success();
  ThreadGroup *group = &world.group(number, collective.group);
  auto known = std::find(groups.begin(), groups.end(), group);
  collective.handle = static_cast<int>(known - groups.begin());
  if (known == groups.end())
    groups.push_back(group);
  return Status::success();
}

std::unique_ptr<Communicator> ThreadCommunicator::channel(uint64_t number) {
  return std::make_unique<ThreadCommunicator>(world, myRank, number);
}

RunStatus ThreadCommunicator::firstFailure() const {
  if (!world.hasFailed())
    return std::nullopt;
  return world.firstFailure();
}

RunStatus ThreadCommunicator::barrier(const std::string &name) {
  if (everyone.handle < 0)
    if (Status status = attach(everyone); !status)
      return failureIn(everyone, FailureCode::Setup, myRank, status.message());
  everyone.name = name;
  everyone.key = xxh64(name.data(), name.size());
  return runCollective(everyone, nullptr, nullptr);
}

RunStatus
ThreadCommunicator::runCollective(const PreparedCollective &collective,
                                  const std::byte *source, std::byte *target) {
  if (collective.handle < 0)
    return failureIn(collective, FailureCode::Setup, myRank,
                     "the collective was never attached");
  ThreadGroup &group = *groups[collective.handle];
  MemberSlot &slot = group.slots[collective.myIndex];
  slot.collective = &collective;
  slot.source = source;
  slot.target = target;
  slot.entered.fetch_add(1, std::memory_order_release);
  if (RunStatus failure = meet(group, collective))
    return failure;
  RunStatus mismatch = checkSame(group, collective);
  if (!mismatch)
    transfer(group, collective, target);
  // All members have met, so all come here too, without waiting for anyone:
  // this meeting needs no deadline, and giving it up would let a buffer go
  // while a peer still reads it.
  group.barrier.arriveAndWait([] { return false; });
  if (mismatch)
    world.abort(*mismatch);
  return mismatch;
}

RunStatus ThreadCommunicator::meet(ThreadGroup &group,
                                   const PreparedCollective &collective) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  uint64_t mine =
      group.slots[collective.myIndex].entered.load(std::memory_order_relaxed);
  std::vector<int64_t> missing;
  RunStatus own;
  auto giveUp = [&]() {
    if (world.hasFailed())
      return true;
    missing.clear();
    for (size_t i = 0; i < group.ranks.size(); ++i) {
      // First "left", then "entered": a rank that left after it entered must
      // not count as missing.
      bool left = world.hasLeft(group.ranks[i]);
      if (group.slots[i].entered.load(std::memory_order_acquire) >= mine)
        continue;
      missing.push_back(group.ranks[i]);
      if (left && !own)
        own = failureIn(collective, FailureCode::PeerFailed, myRank,
                        "rank " + std::to_string(group.ranks[i]) +
                            " left the program before this step");
    }
    double waited = std::chrono::duration<double>(Clock::now() - start).count();
    if (!own && !missing.empty() && waited > world.timeoutSeconds())
      own = failureIn(collective, FailureCode::Timeout, myRank,
                      "waited " + std::to_string(waited).substr(0, 5) +
                          " s for " + listRanks(missing));
    return own.has_value();
  };
  if (group.barrier.arriveAndWait(giveUp))
    return std::nullopt;
  if (own) {
    world.abort(*own);
    return own;
  }
  // Someone else broke it; its failure is recorded at this very moment.
  while (!world.hasFailed())
    std::this_thread::yield();
  Failure first = world.firstFailure();
  bool shared = first.code == FailureCode::Timeout &&
                first.step == collective.step && first.name == collective.name;
  return failureIn(collective,
                   shared ? FailureCode::Timeout : FailureCode::PeerFailed,
                   myRank,
                   shared ? first.detail
                          : "rank " + std::to_string(first.rank) +
                                " failed: " + failureCodeName(first.code) +
                                ": " + first.detail);
}

RunStatus
ThreadCommunicator::checkSame(const ThreadGroup &group,
                              const PreparedCollective &collective) const {
  for (size_t i = 0; i < group.slots.size(); ++i) {
    const PreparedCollective &other = *group.slots[i].collective;
    if (other.key == collective.key && other.step == collective.step)
      continue;
    return failureIn(collective, FailureCode::Mismatch, myRank,
                     "rank " + std::to_string(myRank) + " runs " +
                         describe(collective) + ", rank " +
                         std::to_string(group.ranks[i]) + " runs " +
                         describe(other));
  }
  return std::nullopt;
}

void ThreadCommunicator::transfer(const ThreadGroup &group,
                                  const PreparedCollective &collective,
                                  std::byte *target) {
  for (const BoxCopy &copy : collective.copies)
    copyBox(copy.loop, group.slots[copy.member].source, target);
  for (const BoxCombination &one : collective.combinations)
    combine(group, collective, one, target);
  if (collective.kind == StepKind::AllReduce)
    return allReduce(group, collective);
  if (collective.contributors.empty())
    return;
  size_t number = collective.contributors.size();
  int64_t width = dtensor::elementBytes(collective.type);
  sources.resize(number);
  collective.reductionLoop.forEachRow([&](const int64_t *offsets) {
    for (size_t k = 0; k < number; ++k)
      sources[k] = group.slots[collective.contributors[k]].source + offsets[k];
    reduceElements(collective.type, collective.op, sources.data(), number,
                   collective.reductionLoop.rowBytes() / width,
                   collective.divisor, target + offsets[number]);
  });
}

void ThreadCommunicator::combine(const ThreadGroup &group,
                                 const PreparedCollective &collective,
                                 const BoxCombination &one, std::byte *target) {
  size_t number = one.contributors.size();
  int64_t width = dtensor::elementBytes(collective.type);
  sources.resize(number);
  one.loop.forEachRow([&](const int64_t *offsets) {
    for (size_t k = 0; k < number; ++k)
      sources[k] = group.slots[one.contributors[k]].source + offsets[k];
    reduceElements(collective.type, collective.op, sources.data(), number,
                   one.loop.rowBytes() / width, collective.divisor,
                   target + offsets[number]);
  });
}

void ThreadCommunicator::allReduce(const ThreadGroup &group,
                                   const PreparedCollective &collective) {
  size_t number = collective.contributors.size();
  int64_t width = dtensor::elementBytes(collective.type);
  sources.resize(number);
  block.resize(static_cast<size_t>(kBlockElements * width));
  for (int64_t begin = collective.shareBegin; begin < collective.shareEnd;
       begin += kBlockElements) {
    int64_t count = std::min(kBlockElements, collective.shareEnd - begin);
    for (size_t k = 0; k < number; ++k)
      sources[k] =
          group.slots[collective.contributors[k]].source + begin * width;
    reduceElements(collective.type, collective.op, sources.data(), number,
                   count, collective.divisor, block.data());
    for (const MemberSlot &slot : group.slots)
      std::memcpy(slot.target + begin * width, block.data(), count * width);
  }
}
