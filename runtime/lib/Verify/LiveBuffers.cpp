// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slab as a map from bytes to the buffer written there last. Every write
// adds at most one segment and splits at most two, so all of it takes n log n
// time in the number of accesses.
#include "Verify/LiveBuffers.h"

#include <algorithm>
#include <tuple>

using namespace dtrt;

std::optional<size_t> LiveBuffers::exact(const ByteRange &range) const {
  if (range.isEmpty()) {
    auto found = empties.find(range.begin);
    return found == empties.end() ? std::nullopt
                                  : std::optional<size_t>(found->second);
  }
  auto found = segments.find(range.begin);
  if (found == segments.end() || found->second.end != range.end ||
      !(buffers[found->second.buffer].range == range))
    return std::nullopt;
  return found->second.buffer;
}

bool LiveBuffers::isMadeBefore(const ByteRange &range, Time time) const {
  if (range.isEmpty())
    return false;
  auto at = segments.upper_bound(range.begin);
  if (at != segments.begin() && std::prev(at)->second.end > range.begin)
    --at;
  uint64_t byte = range.begin;
  for (; at != segments.end() && at->first < range.end; ++at) {
    if (at->first > byte || buffers[at->second.buffer].first >= time)
      return false;
    byte = at->second.end;
  }
  return byte >= range.end;
}

void LiveBuffers::forget(const ByteRange &range, Time time) {
  auto at = segments.lower_bound(range.begin);
  while (at != segments.end() && at->second.end <= range.end)
    at = buffers[at->second.buffer].first >= time ? segments.erase(at)
                                                  : std::next(at);
}

/// Makes a segment begin at `at` where one spans it; returns the first segment
/// that begins at `at` or later.
std::map<uint64_t, LiveBuffers::Segment>::iterator
LiveBuffers::splitAt(uint64_t at) {
  auto next = segments.lower_bound(at);
  if (next == segments.begin())
    return next;
  auto before = std::prev(next);
  if (before->second.end <= at)
    return next;
  Segment rest = before->second;
  before->second.end = at;
  return segments.emplace_hint(next, at, rest);
}

void LiveBuffers::write(const ByteRange &range, Time time, bool updates) {
  if (updates)
    if (auto same = exact(range)) {
      buffers[*same].lastWrite = time;
      // What is read from here on is another value.
      buffers[*same].isReadWhole = false;
      return;
    }
  size_t number = buffers.size();
  Buffer fresh;
  fresh.range = range;
  fresh.first = fresh.lastWrite = fresh.last = time;
  buffers.push_back(std::move(fresh));
  if (range.isEmpty()) {
    empties[range.begin] = number;
    return;
  }
  auto first = splitAt(range.begin), last = splitAt(range.end);
  for (auto at = first; at != last; ++at) {
    Buffer &lost = buffers[at->second.buffer];
    if (lost.isInput) {
      lost.isInput = false;
      lost.last = std::max(lost.last, time - 1);
    }
  }
  segments.erase(first, last);
  segments[range.begin] = {range.end, number};
}

std::optional<Conflict> LiveBuffers::addInput(const ByteRange &range) {
  if (!range.isEmpty()) {
    auto next = segments.lower_bound(range.begin);
    if (next != segments.begin() && std::prev(next)->second.end > range.begin)
      --next;
    if (next != segments.end() && next->first < range.end)
      return Conflict{0,
                      "bytes " + range.text() + " overlap " +
                          buffers[next->second.buffer].range.text() +
                          " of an earlier input",
                      false};
  }
  write(range, 0, false);
  buffers.back().isInput = true;
  return std::nullopt;
}

void LiveBuffers::markRead(Buffer &buffer, Time time) {
  buffer.last = std::max(buffer.last, time);
  if (useful.size() <= buffer.lastWrite)
    useful.resize(buffer.lastWrite + 1);
  useful[buffer.lastWrite] = true;
}

std::optional<Conflict> LiveBuffers::checkParts(uint64_t line) {
  for (Buffer &buffer : buffers) {
    if (buffer.parts.empty())
      continue;
    std::vector<ByteRange> &parts = buffer.parts;
    ByteRange first = parts.front();
    std::sort(parts.begin(), parts.end(),
              [](const ByteRange &a, const ByteRange &b) {
                return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
              });
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    uint64_t end = buffer.range.begin;
    bool tiles = !buffer.isReadWhole;
    for (const ByteRange &part : parts) {
      // Parts start at lines, so up to a line between them is padding.
      tiles &= part.begin >= end && part.begin - end < line;
      end = part.end;
    }
    tiles &= buffer.range.end - end < line;
    if (!tiles)
      return Conflict{buffer.firstPart,
                      "reads bytes " + first.text() +
                          ", a part of the buffer " + buffer.range.text() +
                          " of " + namer(context, buffer.first) +
                          " that is not read part by part",
                      false};
  }
  return std::nullopt;
}

/// Checks that all of `buffer` that lies in `range` is still there; `part` is
/// what was found.
std::optional<Conflict> LiveBuffers::readPart(const ByteRange &range, Time time,
                                              const ByteRange &part,
                                              size_t buffer) {
  Buffer &held = buffers[buffer];
  if (!held.range.contains(range) && !range.contains(held.range))
    return Conflict{time,
                    "reads bytes " + range.text() +
                        ", which begin or end inside the buffer " +
                        held.range.text() + " of " + namer(context, held.first),
                    false};
  markRead(held, time);
  if (range.contains(held.range)) {
    held.isReadWhole = true;
  } else {
    if (held.parts.empty())
      held.firstPart = time;
    held.parts.push_back(range);
  }
  ByteRange wanted(std::max(range.begin, held.range.begin),
                   std::min(range.end, held.range.end));
  if (part == wanted)
    return std::nullopt;
  // Who took the rest? The neighbour in the map that lies where it was.
  uint64_t missing = part.begin > wanted.begin ? wanted.begin : part.end;
  const Segment *taker = nullptr;
  uint64_t takerBegin = 0;
  auto next = segments.upper_bound(missing);
  if (next != segments.begin()) {
    taker = &std::prev(next)->second;
    takerBegin = std::prev(next)->first;
  }
  const Buffer &over = buffers[taker->buffer];
  ByteRange lost(std::max(takerBegin, wanted.begin),
                 std::min(taker->end, wanted.end));
  return Conflict{over.first,
                  "writes bytes " + lost.text() + " over the live buffer " +
                      held.range.text() + " of " + namer(context, held.first) +
                      ", which " + namer(context, time) + " reads",
                  false};
}

std::optional<Conflict> LiveBuffers::read(const ByteRange &range, Time time) {
  if (range.isEmpty()) {
    auto found = empties.find(range.begin);
    if (found != empties.end())
      markRead(buffers[found->second], time);
    return std::nullopt;
  }
  auto first = segments.upper_bound(range.begin);
  if (first != segments.begin() && std::prev(first)->second.end > range.begin)
    --first;
  auto last = first;
  for (uint64_t byte = range.begin; byte < range.end; ++last) {
    bool isGap = last == segments.end() || last->first > byte;
    if (isGap) {
      uint64_t end =
          last == segments.end() ? range.end : std::min(range.end, last->first);
      return Conflict{time,
                      "reads bytes " + ByteRange(byte, end).text() +
                          " that nothing has written",
                      true};
    }
    byte = last->second.end;
  }
  for (auto at = first; at != last; ++at) {
    ByteRange part(std::max(range.begin, at->first),
                   std::min(range.end, at->second.end));
    if (auto conflict = readPart(range, time, part, at->second.buffer))
      return conflict;
  }
  return std::nullopt;
}

std::pair<uint64_t, Time> LiveBuffers::peak(uint64_t line, Time end) const {
  // Bytes that begin and end to live, by time.
  std::vector<uint64_t> born(end + 2), died(end + 2);
  for (const Buffer &buffer : buffers) {
    uint64_t bytes =
        std::max<uint64_t>(buffer.range.end - buffer.range.begin, 1);
    bytes = (bytes + line - 1) / line * line;
    Time last = buffer.isInput ? end : std::max(buffer.last, buffer.lastWrite);
    born[buffer.first] += bytes;
    died[last + 1] += bytes;
  }
  uint64_t now = 0, most = 0;
  Time when = 0;
  for (Time time = 0; time <= end; ++time) {
    now += born[time] - died[time];
    if (now > most) {
      most = now;
      when = time;
    }
  }
  return {most, when};
}
