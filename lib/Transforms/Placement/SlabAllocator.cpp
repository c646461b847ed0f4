// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets for buffers whose lifetimes follow one order of steps.

#include "SlabAllocator.h"

#include "dtensor/Dialect/Sched/Sched.h"

using namespace mlir;
using namespace mlir::dtensor;

int64_t SlabAllocator::allocate(int64_t bytes) {
  // Empty buffers take a line too, so that offsets stay distinct.
  int64_t needed =
      llvm::alignTo(std::max<int64_t>(bytes, 1), sched::kBufferAlignment);
  int64_t offset = size;
  auto best = bySize.lower_bound({needed, 0});
  if (best != bySize.end()) {
    auto [gapBytes, gapOffset] = *best;
    offset = gapOffset;
    removeGap(gaps.find(gapOffset));
    if (gapBytes > needed)
      addGap(gapOffset + needed, gapBytes - needed);
  } else {
    // Grow from the last gap where that touches the end.
    if (!gaps.empty()) {
      auto last = std::prev(gaps.end());
      if (last->first + last->second == size) {
        offset = last->first;
        removeGap(last);
      }
    }
    size = offset + needed;
  }
  live[offset] = needed;
  liveBytes += needed;
  peak = std::max(peak, liveBytes);
  return offset;
}

void SlabAllocator::free(int64_t offset) {
  auto it = live.find(offset);
  int64_t bytes = it->second;
  live.erase(it);
  liveBytes -= bytes;
  // Join the neighbouring gaps.
  auto next = gaps.lower_bound(offset);
  if (next != gaps.end() && offset + bytes == next->first) {
    bytes += next->second;
    removeGap(next);
  }
  auto following = gaps.lower_bound(offset);
  if (following != gaps.begin()) {
    auto previous = std::prev(following);
    if (previous->first + previous->second == offset) {
      offset = previous->first;
      bytes += previous->second;
      removeGap(previous);
    }
  }
  addGap(offset, bytes);
}

void SlabAllocator::addGap(int64_t offset, int64_t bytes) {
  gaps[offset] = bytes;
  bySize.insert({bytes, offset});
}

void SlabAllocator::removeGap(std::map<int64_t, int64_t>::iterator gap) {
  bySize.erase({gap->second, gap->first});
  gaps.erase(gap);
}
