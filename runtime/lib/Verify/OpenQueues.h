// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other queues are reading and writing at a step.
#ifndef DTRT_LIB_VERIFY_OPENQUEUES_H
#define DTRT_LIB_VERIFY_OPENQUEUES_H

#include "Verify/StepAccess.h"

#include <map>
#include <optional>

namespace dtrt {

/// Steps that are under way beside the rank's own, by event.
class OpenQueues {
public:
  /// To be called for each step in order. Returns the event that the step is
  /// handed over with, or nothing for the rank's own steps.
  std::optional<uint32_t> enter(const schema::ProgramT &program, size_t index);

  /// Notes what a step of `event` does.
  void add(uint32_t event, const StepAccess &access);
  /// Removes `event`, and returns what its steps read.
  std::vector<ByteRange> close(uint32_t event);

  /// The bytes that a step under way writes and `range` has in common; steps
  /// of `event` itself run in order and do not count. Nothing where there are
  /// none.
  std::optional<ByteRange> findWrite(const ByteRange &range,
                                     std::optional<uint32_t> event) const;
  /// The same with the bytes that are read.
  std::optional<ByteRange> findRead(const ByteRange &range,
                                    std::optional<uint32_t> event) const;

private:
  std::map<uint32_t, StepAccess> open;
  size_t covered = 0; ///< steps before it belong to `current`
  uint32_t current = 0;
};

} // namespace dtrt

#endif // DTRT_LIB_VERIFY_OPENQUEUES_H
