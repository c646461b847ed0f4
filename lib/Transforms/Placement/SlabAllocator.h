// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets for buffers whose lifetimes follow one order of steps.
#ifndef DTENSOR_LIB_TRANSFORMS_PLACEMENT_SLABALLOCATOR_H
#define DTENSOR_LIB_TRANSFORMS_PLACEMENT_SLABALLOCATOR_H

#include <cstdint>
#include <map>
#include <set>

namespace mlir::dtensor {

/// Best fit over the gaps of one slab, in the order of the steps: allocate
/// when a buffer is first written, free after its last read. Each call takes
/// logarithmic time in the number of gaps. Offsets and sizes are bytes; every
/// buffer starts at a multiple of sched::kBufferAlignment.
class SlabAllocator {
public:
  /// Returns the offset of a new buffer of `bytes` bytes (0 is allowed).
  int64_t allocate(int64_t bytes);
  /// Gives the buffer at `offset` back.
  void free(int64_t offset);

  /// Bytes of slab that all buffers so far need.
  int64_t getSize() const { return size; }
  /// The most bytes live at once.
  int64_t getPeak() const { return peak; }

private:
  void addGap(int64_t offset, int64_t bytes);
  void removeGap(std::map<int64_t, int64_t>::iterator gap);

  std::map<int64_t, int64_t> gaps;              ///< offset -> bytes
  std::set<std::pair<int64_t, int64_t>> bySize; ///< (bytes, offset)
  std::map<int64_t, int64_t> live;              ///< offset -> bytes
  int64_t size = 0;
  int64_t liveBytes = 0;
  int64_t peak = 0;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PLACEMENT_SLABALLOCATOR_H
