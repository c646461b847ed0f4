// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ranks of one process share, and one rank's communicator on it.
#ifndef DTRT_LIB_THREADS_THREADCOMMUNICATOR_H
#define DTRT_LIB_THREADS_THREADCOMMUNICATOR_H

#include "Threads/GroupBarrier.h"
#include "dtrt/ThreadRanks.h"

#include <map>
#include <mutex>

namespace dtrt {

/// What a member shows to its group before the barrier.
struct alignas(64) MemberSlot {
  const PreparedCollective *collective = nullptr;
  const std::byte *source = nullptr;
  std::byte *target = nullptr;
  /// Collectives that the member has entered; for naming the missing ones.
  std::atomic<uint64_t> entered{0};
};

/// The meeting place of one set of ranks.
struct ThreadGroup {
  ThreadGroup(std::vector<int64_t> ranks, int spins)
      : ranks(std::move(ranks)), slots(this->ranks.size()),
        barrier(static_cast<uint32_t>(this->ranks.size()), spins) {}

  std::vector<int64_t> ranks;
  std::vector<MemberSlot> slots;
  GroupBarrier barrier;
};

/// Shared by all ranks of a run.
class ThreadWorld {
public:
  ThreadWorld(int64_t numRanks, const RankOptions &options);

  int64_t numRanks() const { return static_cast<int64_t>(left.size()); }
  double timeoutSeconds() const { return timeout; }

  /// The meeting place of `ranks` on a channel.
  ThreadGroup &group(uint64_t channel, const std::vector<int64_t> &ranks);

  /// Keeps the first failure and wakes all ranks.
  void abort(const Failure &failure);
  bool hasFailed() const { return failed.load(std::memory_order_acquire); }
  /// The first failure, once hasFailed().
  Failure firstFailure() const;

  void markLeft(int64_t rank) { left[rank].store(true); }
  bool hasLeft(int64_t rank) const { return left[rank].load(); }

private:
  double timeout;
  int spins;
  std::vector<std::atomic<bool>> left;
  std::atomic<bool> failed{false};
  mutable std::mutex mutex; ///< guards the members below
  Failure first;
  std::map<std::pair<uint64_t, std::vector<int64_t>>,
           std::unique_ptr<ThreadGroup>>
      groups; ///< by channel and ranks
};

class ThreadCommunicator : public Communicator {
public:
  ThreadCommunicator(ThreadWorld &world, int64_t rank, uint64_t number = 0);

  int64_t rank() const override { return myRank; }
  int64_t numRanks() const override { return world.numRanks(); }
  Status attach(PreparedCollective &collective) override;
  bool runsOnOtherThreads() const override { return true; }
  std::unique_ptr<Communicator> channel(uint64_t number) override;
  RunStatus firstFailure() const override;
  RunStatus barrier(const std::string &name) override;
  void abort(const Failure &failure) override { world.abort(failure); }

protected:
  RunStatus runCollective(const PreparedCollective &collective,
                          const std::byte *source, std::byte *target) override;

private:
  /// The first meeting of a collective: nothing, or why it did not happen.
  RunStatus meet(ThreadGroup &group, const PreparedCollective &collective);
  RunStatus checkSame(const ThreadGroup &group,
                      const PreparedCollective &collective) const;
  void transfer(const ThreadGroup &group, const PreparedCollective &collective,
                std::byte *target);
  void combine(const ThreadGroup &group, const PreparedCollective &collective,
               const BoxCombination &one, std::byte *target);
  void allReduce(const ThreadGroup &group,
                 const PreparedCollective &collective);

  ThreadWorld &world;
  int64_t myRank;
  uint64_t number;                   ///< of the channel
  std::vector<ThreadGroup *> groups; ///< by handle
  PreparedCollective everyone;
  std::vector<const std::byte *> sources; ///< scratch
  std::vector<std::byte> block;           ///< scratch
};

} // namespace dtrt

#endif // DTRT_LIB_THREADS_THREADCOMMUNICATOR_H
