// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each step reads and writes, for the checks that do not care how.
#ifndef DTRT_LIB_VERIFY_STEPACCESS_H
#define DTRT_LIB_VERIFY_STEPACCESS_H

#include "dtrt/PlanFile.h"

namespace dtrt {

/// Bytes [begin, end) of the slab.
struct ByteRange {
  uint64_t begin = 0, end = 0;

  ByteRange() = default;
  ByteRange(uint64_t begin, uint64_t end) : begin(begin), end(end) {}
  ByteRange(const schema::View &view)
      : begin(view.offset()), end(view.offset() + view.bytes()) {}
  bool operator==(const ByteRange &other) const {
    return begin == other.begin && end == other.end;
  }
  bool isEmpty() const { return begin == end; }
  bool contains(const ByteRange &other) const {
    return begin <= other.begin && other.end <= end;
  }
  /// "[128, 256)".
  std::string text() const;
};

struct StepAccess {
  std::vector<ByteRange> reads, writes;
};

StepAccess accessOf(const schema::ProgramT &program, const schema::Step &step);

/// The collective's name, the kernel's symbol, "gemm" or "copy".
std::string stepName(const schema::PlanT &plan, const schema::ProgramT &program,
                     const schema::Step &step);

} // namespace dtrt

#endif // DTRT_LIB_VERIFY_STEPACCESS_H
