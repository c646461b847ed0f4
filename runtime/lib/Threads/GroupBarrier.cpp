// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting on a barrier word with Linux futexes.
#include "Threads/GroupBarrier.h"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace dtrt;

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t),
              "a futex is a plain 32-bit word");

namespace {

long futex(std::atomic<uint32_t> *word, int operation, uint32_t value,
           const timespec *timeout) {
  return ::syscall(SYS_futex, reinterpret_cast<uint32_t *>(word), operation,
                   value, timeout, nullptr, 0);
}

void relaxCpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

} // namespace

void GroupBarrier::wakeAll() {
  if (sleepers.load(std::memory_order_seq_cst) > 0)
    futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr);
}

bool GroupBarrier::waitForChange(uint32_t seen) {
  for (int i = 0; i < spins; ++i) {
    if (word.load(std::memory_order_acquire) != seen)
      return true;
    relaxCpu();
  }
  // A slice of 10 ms bounds how late a missed wake-up is noticed.
  timespec slice = {0, 10 * 1000 * 1000};
  sleepers.fetch_add(1, std::memory_order_seq_cst);
  if (word.load(std::memory_order_seq_cst) == seen)
    futex(&word, FUTEX_WAIT_PRIVATE, seen, &slice);
  sleepers.fetch_sub(1, std::memory_order_relaxed);
  return word.load(std::memory_order_acquire) != seen;
}
