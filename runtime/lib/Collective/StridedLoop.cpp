// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges the dimensions of a box into the fewest loops, and copies boxes.
#include "dtrt/StridedLoop.h"

#include <cstring>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

using namespace dtrt;

namespace {

/// Rows of a size known to the compiler: a few moves instead of a call.
template <size_t bytes>
void copyRows(const StridedLoop &loop, const std::byte *source,
              std::byte *target) {
  loop.forEachRun([&](const int64_t *offsets, int64_t count,
                      const int64_t *strides) {
    const std::byte *from = source + offsets[0];
    std::byte *to = target + offsets[1];
    for (int64_t i = 0; i < count; ++i, from += strides[0], to += strides[1])
      std::memcpy(to, from, bytes);
  });
}

#if defined(__x86_64__)
/// From here on a box leaves the caches before anyone reads it again.
constexpr int64_t kStreamBytes = int64_t(2) << 20;
/// Rows from here on are long enough for memcpy to do as well.
constexpr size_t kLongRow = 16384;
/// How far ahead rows are fetched: strided rows are no pattern that the CPU
/// sees by itself.
constexpr size_t kAhead = 4096;

/// True where `streamRows` may be used: all rows of the target must start at
/// multiples of 16.
bool streams(const StridedLoop &loop, const std::byte *target) {
  size_t bytes = static_cast<size_t>(loop.rowBytes());
  if (loop.totalBytes() < kStreamBytes || bytes % 16 != 0 || bytes >= kLongRow)
    return false;
  bool aligned = true;
  loop.forEachRun([&](const int64_t *offsets, int64_t, const int64_t *strides) {
    aligned &= (reinterpret_cast<uintptr_t>(target) +
                static_cast<uintptr_t>(offsets[1])) %
                       16 ==
                   0 &&
               strides[1] % 16 == 0;
  });
  return aligned;
}

/// Copies with stores that go past the caches: they need not read the lines
/// that they replace, which a large copy of narrow rows spends most time on.
void streamRows(const StridedLoop &loop, const std::byte *source,
                std::byte *target) {
  size_t bytes = static_cast<size_t>(loop.rowBytes());
  loop.forEachRun([&](const int64_t *offsets, int64_t count,
                      const int64_t *strides) {
    const std::byte *from = source + offsets[0];
    std::byte *to = target + offsets[1];
    for (int64_t i = 0; i < count; ++i, from += strides[0], to += strides[1]) {
      for (size_t k = 0; k < bytes; k += 64)
        _mm_prefetch(reinterpret_cast<const char *>(from) + kAhead + k,
                     _MM_HINT_T0);
      for (size_t k = 0; k < bytes; k += 16)
        _mm_stream_si128(
            reinterpret_cast<__m128i *>(to + k),
            _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + k)));
    }
  });
  // Such stores are not ordered by the barrier that follows a copy.
  _mm_sfence();
}
#endif

} // namespace

void dtrt::copyBox(const StridedLoop &loop, const std::byte *source,
                   std::byte *target) {
#if defined(__x86_64__)
  if (streams(loop, target))
    return streamRows(loop, source, target);
#endif
  size_t bytes = static_cast<size_t>(loop.rowBytes());
  switch (bytes) {
  case 1:
    return copyRows<1>(loop, source, target);
  case 2:
    return copyRows<2>(loop, source, target);
  case 4:
    return copyRows<4>(loop, source, target);
  case 8:
    return copyRows<8>(loop, source, target);
  case 16:
    return copyRows<16>(loop, source, target);
  case 32:
    return copyRows<32>(loop, source, target);
  case 64:
    return copyRows<64>(loop, source, target);
  case 128:
    return copyRows<128>(loop, source, target);
  default:
    break;
  }
  loop.forEachRun([&](const int64_t *offsets, int64_t count,
                      const int64_t *strides) {
    const std::byte *from = source + offsets[0];
    std::byte *to = target + offsets[1];
    for (int64_t i = 0; i < count; ++i, from += strides[0], to += strides[1])
      std::memcpy(to, from, bytes);
  });
}

StridedLoop::StridedLoop(const dtensor::Box &box,
                         const std::vector<dtensor::Box> &holders,
                         int64_t elementBytes) {
  starts.assign(holders.size(), 0);
  if (box.isEmpty())
    return;
  int rank = static_cast<int>(box.lo.size());
  std::vector<Dim> dims(rank);
  for (size_t k = 0; k < holders.size(); ++k) {
    int64_t stride = elementBytes;
    for (int d = rank - 1; d >= 0; --d) {
      if (k == 0) {
        dims[d].extent = box.hi[d] - box.lo[d];
        dims[d].strides.resize(holders.size());
      }
      dims[d].strides[k] = stride;
      starts[k] += (box.lo[d] - holders[k].lo[d]) * stride;
      stride *= holders[k].hi[d] - holders[k].lo[d];
    }
  }
  // From the minor end: a dimension joins the row while the row fills it in
  // every buffer; after that, neighbours join each other the same way.
  bytesPerRow = elementBytes;
  rows = 1;
  bool inRow = true;
  for (int d = rank - 1; d >= 0; --d) {
    Dim &dim = dims[d];
    if (dim.extent == 1)
      continue;
    auto follows = [&](auto innerSpan) {
      for (size_t k = 0; k < holders.size(); ++k)
        if (dim.strides[k] != innerSpan(k))
          return false;
      return true;
    };
    if (inRow && follows([&](size_t) { return bytesPerRow; })) {
      bytesPerRow *= dim.extent;
      continue;
    }
    inRow = false;
    rows *= dim.extent;
    if (!outer.empty() && follows([&](size_t k) {
          return outer.front().strides[k] * outer.front().extent;
        })) {
      outer.front().extent *= dim.extent;
      continue;
    }
    outer.insert(outer.begin(), dim);
  }
}

StridedLoop StridedLoop::packing(size_t k) const { return onto(k, true); }
StridedLoop StridedLoop::unpacking(size_t k) const { return onto(k, false); }

StridedLoop StridedLoop::onto(size_t k, bool pack) const {
  StridedLoop out;
  size_t buffer = pack ? 0 : 1;
  out.starts = {0, 0};
  out.starts[buffer] = rows == 0 ? 0 : starts[k];
  out.rows = rows;
  out.bytesPerRow = bytesPerRow;
  if (rows == 0)
    return out;
  // With fewer operands more dimensions may join: from the minor end again.
  int64_t dense = bytesPerRow;
  for (size_t d = outer.size(); d-- > 0;) {
    const Dim &dim = outer[d];
    if (out.outer.empty() && dim.strides[k] == out.bytesPerRow) {
      out.bytesPerRow *= dim.extent;
      out.rows /= dim.extent;
    } else if (!out.outer.empty() &&
               dim.strides[k] == out.outer.front().strides[buffer] *
                                     out.outer.front().extent) {
      out.outer.front().extent *= dim.extent;
    } else {
      Dim one{dim.extent, {dense, dense}};
      one.strides[buffer] = dim.strides[k];
      out.outer.insert(out.outer.begin(), one);
    }
    dense *= dim.extent;
  }
  return out;
}

std::vector<int64_t> StridedLoop::encode() const {
  std::vector<int64_t> numbers = {rows == 0 ? 0 : bytesPerRow,
                                  rows == 0 ? 0 : starts[0],
                                  static_cast<int64_t>(outer.size())};
  for (const Dim &dim : outer) {
    numbers.push_back(dim.extent);
    numbers.push_back(dim.strides[0]);
  }
  return numbers;
}

dtensor::Expected<StridedLoop>
StridedLoop::decode(const std::vector<int64_t> &numbers, int64_t bytes) {
  dtensor::Error bad{"a box lies outside the buffer of " +
                     std::to_string(bytes) + " bytes"};
  if (numbers.size() < 3 || numbers[2] < 0 ||
      numbers.size() != 3 + 2 * static_cast<size_t>(numbers[2]))
    return bad;
  StridedLoop out;
  out.bytesPerRow = numbers[0];
  out.starts = {numbers[1], 0};
  if (out.bytesPerRow == 0)
    return out;
  out.rows = 1;
  int64_t end = 0;
  if (out.bytesPerRow < 0 || out.starts[0] < 0 ||
      __builtin_add_overflow(out.starts[0], out.bytesPerRow, &end))
    return bad;
  for (size_t i = 3; i < numbers.size(); i += 2) {
    int64_t extent = numbers[i], stride = numbers[i + 1], span = 0;
    if (extent < 1 || stride < 0 ||
        __builtin_mul_overflow(extent - 1, stride, &span) ||
        __builtin_add_overflow(end, span, &end) ||
        __builtin_mul_overflow(out.rows, extent, &out.rows))
      return bad;
    out.outer.push_back({extent, {stride, 0}});
  }
  if (end > bytes)
    return bad;
  int64_t dense = out.bytesPerRow;
  for (size_t d = out.outer.size(); d-- > 0;) {
    out.outer[d].strides[1] = dense;
    if (__builtin_mul_overflow(dense, out.outer[d].extent, &dense))
      return bad;
  }
  return out;
}
