// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One box of a tensor, addressed in several dense row-major buffers at once.
// Built when a plan is loaded, walked when it runs: rows that are contiguous
// in all the buffers.
#ifndef DTRT_STRIDEDLOOP_H
#define DTRT_STRIDEDLOOP_H

#include "dtensor/Planner/Expected.h"
#include "dtensor/Planner/Layout.h"

#include <cstddef>

namespace dtrt {

/// Loops over a box. Operand k is a dense row-major buffer that holds a box
/// around it.
class StridedLoop {
public:
  StridedLoop() = default;
  /// `holders[k]` must contain `box`.
  StridedLoop(const dtensor::Box &box, const std::vector<dtensor::Box> &holders,
              int64_t elementBytes);

  int64_t rowBytes() const { return bytesPerRow; }
  int64_t numRows() const { return rows; }
  /// Bytes of the whole box.
  int64_t totalBytes() const { return rows * bytesPerRow; }

  /// Two-operand loops between operand `k` and a dense buffer of the box:
  /// what fills a message, and what empties it.
  StridedLoop packing(size_t k) const;
  StridedLoop unpacking(size_t k) const;
  /// Where the first row starts in operand `k`.
  int64_t start(size_t k) const { return starts[k]; }

  /// Operand 0 of a packing loop as numbers, for a rank that has to send what
  /// another one takes; decode gives the packing loop back, and refuses
  /// numbers that reach outside a buffer of `bytes`.
  std::vector<int64_t> encode() const;
  static dtensor::Expected<StridedLoop>
  decode(const std::vector<int64_t> &numbers, int64_t bytes);

  /// Calls `row(offsets)` for every row; offsets[k] is the byte at which the
  /// row starts in operand k.
  template <typename Function> void forEachRow(Function row) const {
    std::vector<int64_t> at(starts.size());
    forEachRun(
        [&](const int64_t *offsets, int64_t count, const int64_t *strides) {
          at.assign(offsets, offsets + at.size());
          for (int64_t i = 0; i < count; ++i) {
            row(at.data());
            for (size_t k = 0; k < at.size(); ++k)
              at[k] += strides[k];
          }
        });
  }

  /// The same in runs of `count` rows that lie `strides[k]` bytes apart in
  /// operand k: calls `run(offsets, count, strides)`.
  template <typename Function> void forEachRun(Function run) const {
    if (rows == 0)
      return;
    if (outer.empty()) {
      run(starts.data(), 1, starts.data());
      return;
    }
    const Dim &inner = outer.back();
    std::vector<int64_t> offsets = starts;
    std::vector<int64_t> counter(outer.size() - 1);
    while (true) {
      run(offsets.data(), inner.extent, inner.strides.data());
      int dim = static_cast<int>(counter.size()) - 1;
      for (; dim >= 0; --dim) {
        ++counter[dim];
        for (size_t k = 0; k < offsets.size(); ++k)
          offsets[k] += outer[dim].strides[k];
        if (counter[dim] < outer[dim].extent)
          break;
        for (size_t k = 0; k < offsets.size(); ++k)
          offsets[k] -= outer[dim].extent * outer[dim].strides[k];
        counter[dim] = 0;
      }
      if (dim < 0)
        return;
    }
  }

private:
  struct Dim {
    int64_t extent = 1;
    std::vector<int64_t> strides; ///< bytes, per operand
  };

  StridedLoop onto(size_t k, bool pack) const;

  std::vector<Dim> outer; ///< major first; rows inside are contiguous
  std::vector<int64_t> starts;
  int64_t rows = 0;
  int64_t bytesPerRow = 0;
};

/// Copies the box of a two-operand loop from operand 0 to operand 1.
void copyBox(const StridedLoop &loop, const std::byte *source,
             std::byte *target);

} // namespace dtrt

#endif // DTRT_STRIDEDLOOP_H
