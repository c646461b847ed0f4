// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memo of plans: requests are hashed and compared field by field, without
// making a text of them.
#include "dtensor/Planner/PlanCache.h"

using namespace dtensor;

namespace {

class Hasher {
public:
  void add(uint64_t value) {
    // The mixing step of splitmix64.
    state ^= value + 0x9e3779b97f4a7c15u + (state << 6) + (state >> 2);
    state ^= state >> 30;
    state *= 0xbf58476d1ce4e5b9u;
    state ^= state >> 27;
  }
  void add(const AxisRef &ref) {
    add(static_cast<uint64_t>(ref.axis) << 32 ^
        static_cast<uint64_t>(ref.preSize) << 16 ^
        static_cast<uint64_t>(ref.size));
  }
  void add(const Layout &layout) {
    for (const std::vector<AxisRef> &axes : layout.dims) {
      for (const AxisRef &ref : axes)
        add(ref);
      add(~uint64_t(0));
    }
    for (const PartialAxis &partial : layout.partials) {
      add(partial.axis);
      add(static_cast<uint64_t>(partial.op));
    }
  }
  uint64_t value() const { return state; }

private:
  uint64_t state = 0;
};

uint64_t hashOf(const RedistributionRequest &request) {
  Hasher hasher;
  for (const MeshAxis &axis : request.mesh.axes())
    hasher.add(static_cast<uint64_t>(axis.size));
  for (int64_t extent : request.shape)
    hasher.add(static_cast<uint64_t>(extent));
  hasher.add(request.from);
  hasher.add(~uint64_t(1));
  hasher.add(request.to);
  hasher.add(static_cast<uint64_t>(request.type) << 8 ^
             static_cast<uint64_t>(request.objective) << 4 ^
             static_cast<uint64_t>(request.backend));
  hasher.add(static_cast<uint64_t>(request.memoryLimit));
  return hasher.value();
}

bool isSame(const Link &a, const Link &b) {
  return a.latencyUs == b.latencyUs && a.bytesPerUs == b.bytesPerUs &&
         a.sharedBy == b.sharedBy;
}

/// Compares what plans are priced with.
bool isSame(const Topology &a, const Topology &b) {
  if (a.name != b.name || a.ranks != b.ranks ||
      a.ranksPerNode != b.ranksPerNode ||
      a.axisLinks.size() != b.axisLinks.size() ||
      a.tables.size() != b.tables.size() ||
      a.memoryBytesPerUs != b.memoryBytesPerUs ||
      !isSame(a.defaultLink, b.defaultLink) || !isSame(a.nodeLink, b.nodeLink))
    return false;
  for (size_t i = 0; i < a.axisLinks.size(); ++i)
    if (a.axisLinks[i].first != b.axisLinks[i].first ||
        !isSame(a.axisLinks[i].second, b.axisLinks[i].second))
      return false;
  for (size_t i = 0; i < a.tables.size(); ++i)
    if (a.tables[i].op != b.tables[i].op ||
        a.tables[i].group.size != b.tables[i].group.size ||
        a.tables[i].group.nodes != b.tables[i].group.nodes ||
        a.tables[i].points != b.tables[i].points)
      return false;
  return true;
}

bool isSame(const RedistributionRequest &a, const RedistributionRequest &b) {
  return a.shape == b.shape && a.type == b.type && a.from == b.from &&
         a.to == b.to && a.objective == b.objective &&
         a.memoryLimit == b.memoryLimit && a.backend == b.backend &&
         a.maxAlternatives == b.maxAlternatives && a.mesh == b.mesh &&
         isSame(a.topology, b.topology);
}

} // namespace

PlanCache::Answer PlanCache::plan(const RedistributionRequest &request) {
  uint64_t hash = hashOf(request);
  auto find = [&]() -> Answer {
    auto [begin, end] = entries.equal_range(hash);
    for (auto it = begin; it != end; ++it)
      if (isSame(it->second.request, request))
        return it->second.answer;
    return nullptr;
  };
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (Answer known = find())
      return known;
  }
  // Planned outside of the lock: two threads may do so at once, with the same
  // result.
  auto made = std::make_shared<const Expected<RedistributionPlan>>(
      planRedistribution(request));
  std::lock_guard<std::mutex> lock(mutex);
  if (Answer known = find())
    return known;
  entries.emplace(hash, Entry{request, made});
  return made;
}

size_t PlanCache::size() const {
  std::lock_guard<std::mutex> lock(mutex);
  return entries.size();
}

void PlanCache::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  entries.clear();
}
