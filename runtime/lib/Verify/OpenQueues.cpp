// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of steps that are under way. Few are at any time, so plain lists do.
#include "Verify/OpenQueues.h"

#include <algorithm>

using namespace dtrt;

std::optional<uint32_t> OpenQueues::enter(const schema::ProgramT &program,
                                          size_t index) {
  const schema::Step &step = program.steps[index];
  if (step.kind() == schema::StepKind::start) {
    const schema::StartT &start = *program.starts[step.index()];
    current = start.event;
    covered = index + 1 + start.count;
    open[current];
    return std::nullopt;
  }
  return index < covered ? std::optional<uint32_t>(current) : std::nullopt;
}

void OpenQueues::add(uint32_t event, const StepAccess &access) {
  StepAccess &all = open[event];
  all.reads.insert(all.reads.end(), access.reads.begin(), access.reads.end());
  all.writes.insert(all.writes.end(), access.writes.begin(),
                    access.writes.end());
}

std::vector<ByteRange> OpenQueues::close(uint32_t event) {
  std::vector<ByteRange> reads = std::move(open[event].reads);
  open.erase(event);
  return reads;
}

static std::optional<ByteRange> intersect(const std::vector<ByteRange> &ranges,
                                          const ByteRange &range) {
  for (const ByteRange &other : ranges) {
    ByteRange common(std::max(other.begin, range.begin),
                     std::min(other.end, range.end));
    if (common.begin < common.end)
      return common;
  }
  return std::nullopt;
}

std::optional<ByteRange>
OpenQueues::findWrite(const ByteRange &range,
                      std::optional<uint32_t> event) const {
  for (const auto &[number, access] : open)
    if (event != number)
      if (auto common = intersect(access.writes, range))
        return common;
  return std::nullopt;
}

std::optional<ByteRange>
OpenQueues::findRead(const ByteRange &range,
                     std::optional<uint32_t> event) const {
  for (const auto &[number, access] : open)
    if (event != number)
      if (auto common = intersect(access.reads, range))
        return common;
  return std::nullopt;
}
