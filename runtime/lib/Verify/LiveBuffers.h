// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of a program found from its reads and writes alone: which write
// each byte of the slab holds, and how long each buffer lives.
#ifndef DTRT_LIB_VERIFY_LIVEBUFFERS_H
#define DTRT_LIB_VERIFY_LIVEBUFFERS_H

#include "Verify/StepAccess.h"

#include <map>
#include <optional>

namespace dtrt {

/// Times: 0 is before the first step, step i is at i + 1, and the results are
/// read after the last step.
using Time = size_t;

/// One value in the slab, from the write that makes it.
struct Buffer {
  ByteRange range;
  Time first = 0;
  Time lastWrite = 0; ///< later than `first` where updated in place
  Time last = 0;      ///< of its last read, at least `first`
  bool isInput = false;
  bool isReadWhole = false;
  std::vector<ByteRange> parts; ///< reads of parts of it
  Time firstPart = 0;
};

/// What is wrong with a read. `at` is the step to blame: the reader, or the
/// writer that destroyed what is read.
struct Conflict {
  Time at = 0;
  std::string what;
  bool isMissing = false; ///< nothing has written the bytes
};

class LiveBuffers {
public:
  /// Names a time in messages.
  using Namer = std::string (*)(const void *context, Time time);
  LiveBuffers(Namer namer, const void *context)
      : namer(namer), context(context) {}

  /// Number of the buffer that holds `range` as a whole, or nothing where it
  /// is none or several.
  std::optional<size_t> exact(const ByteRange &range) const;

  /// True where all of `range` was made before `time`.
  bool isMadeBefore(const ByteRange &range, Time time) const;

  /// Buffers inside of `range` that were made at `time` or later are no more.
  void forget(const ByteRange &range, Time time);

  std::optional<Conflict> read(const ByteRange &range, Time time);
  /// `updates` says that the same step reads the same range: then the buffer
  /// stays the same one.
  void write(const ByteRange &range, Time time, bool updates);
  /// An input; refuses one that overlaps an earlier one.
  std::optional<Conflict> addInput(const ByteRange &range);

  /// A buffer that is read in parts must be read in all of them, up to
  /// padding to `line`: anything else is a read of the wrong place.
  std::optional<Conflict> checkParts(uint64_t line);
  /// True when something reads what was written at `time`.
  bool isUseful(Time time) const {
    return time < useful.size() && useful[time];
  }

  /// The most bytes live at once, each buffer rounded up to `line`, and when
  /// that is. `end` is the time after the last step; inputs that nothing has
  /// overwritten live until then.
  std::pair<uint64_t, Time> peak(uint64_t line, Time end) const;

private:
  struct Segment {
    uint64_t end = 0;
    size_t buffer = 0;
  };

  std::map<uint64_t, Segment>::iterator splitAt(uint64_t at);
  std::optional<Conflict> readPart(const ByteRange &range, Time time,
                                   const ByteRange &part, size_t buffer);

  void markRead(Buffer &buffer, Time time);

  Namer namer;
  const void *context;
  std::vector<Buffer> buffers;
  std::vector<bool> useful; ///< by time of the write
  /// By first byte, disjoint: the buffer that was written there last.
  std::map<uint64_t, Segment> segments;
  /// Buffers without bytes, by offset: they take a line too.
  std::map<uint64_t, size_t> empties;
};

} // namespace dtrt

#endif // DTRT_LIB_VERIFY_LIVEBUFFERS_H
