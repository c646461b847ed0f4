// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier for the members of one group: spins for a short while, then sleeps
// in the kernel. It either passes on all members or on none: a member that
// gives up does so atomically against the last arrival.
#ifndef DTRT_LIB_THREADS_GROUPBARRIER_H
#define DTRT_LIB_THREADS_GROUPBARRIER_H

#include <atomic>
#include <cstdint>

namespace dtrt {

class GroupBarrier {
public:
  /// `spins`: polls before sleeping.
  GroupBarrier(uint32_t members, int spins) : members(members), spins(spins) {}

  /// Arrives and waits for the other members. `giveUp()` is asked now and then
  /// while waiting; once it says true, the barrier breaks for good. Returns
  /// false where it is broken.
  template <typename GiveUp> bool arriveAndWait(GiveUp giveUp) {
    uint32_t seen = word.load(std::memory_order_acquire);
    if (seen & 1)
      return false;
    if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == members) {
      arrived.store(0, std::memory_order_relaxed);
      uint32_t expected = seen;
      bool passed = word.compare_exchange_strong(expected, seen + 2,
                                                 std::memory_order_seq_cst);
      if (passed)
        wakeAll();
      return passed;
    }
    while (!waitForChange(seen)) {
      if (!giveUp())
        continue;
      uint32_t expected = seen;
      if (word.compare_exchange_strong(expected, seen | 1,
                                       std::memory_order_seq_cst)) {
        wakeAll();
        return false;
      }
    }
    // Broken in this round: bit 0 on this generation. Broken in a later one
    // means that this one passed.
    return word.load(std::memory_order_acquire) != (seen | 1);
  }

  /// Wakes sleepers so that they ask giveUp at once.
  void wakeAll();

private:
  /// True when `word` is no longer `seen`; false after a slice of waiting.
  bool waitForChange(uint32_t seen);

  // Generation in the upper bits, "broken" in bit 0. The generation cannot
  // advance past a member that has not arrived.
  alignas(64) std::atomic<uint32_t> word{0};
  std::atomic<uint32_t> sleepers{0};
  alignas(64) std::atomic<uint32_t> arrived{0};
  uint32_t members;
  int spins;
};

} // namespace dtrt

#endif // DTRT_LIB_THREADS_GROUPBARRIER_H
