// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges the dimensions of a box into the fewest loops, and copies boxes.
#include "dtrt/StridedLoop.h"

#include <cstring>

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

} // namespace

void dtrt::copyBox(const StridedLoop &loop, const std::byte *source,
                   std::byte *target) {
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
