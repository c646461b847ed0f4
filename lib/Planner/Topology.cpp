// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shipped machines and the link that a collective sees.
#include "dtensor/Planner/Topology.h"

#include <algorithm>
#include <numeric>

using namespace dtensor;

double CollectiveTable::timeUs(double bytes) const {
  if (bytes <= points.front().first || points.size() == 1)
    return points.front().second;
  size_t last = 1;
  while (last + 1 < points.size() && points[last].first < bytes)
    ++last;
  auto [x0, y0] = points[last - 1];
  auto [x1, y1] = points[last];
  return y0 + (y1 - y0) * (bytes - x0) / (x1 - x0);
}

/// The most nodes that ranks spread over which differ on `ref` alone.
static int64_t nodesSpanned(const Mesh &mesh, const AxisRef &ref,
                            int64_t ranksPerNode) {
  int64_t stride = mesh.stride(ref);
  if (stride >= ranksPerNode)
    return ref.size; // no two of them lie on one node
  // The ranks of a (sub-)axis lie in one aligned block of stride * size, and
  // pass over no node between their first and their last. Where on a node the
  // first lies: the blocks begin at all multiples of what they and nodes have
  // in common, unless there is only one.
  int64_t block = stride * ref.size;
  int64_t first = block == mesh.numRanks()
                      ? 0
                      : ranksPerNode - std::gcd(block, ranksPerNode);
  first = std::min(first + stride - 1, ranksPerNode - 1);
  return (first + block - stride) / ranksPerNode + 1;
}

GroupShape Topology::groupShape(const Mesh &mesh,
                                const std::vector<AxisRef> &axes) const {
  GroupShape shape = {totalSize(axes), 1};
  if (ranksPerNode == 0 || mesh.numRanks() <= ranksPerNode)
    return shape;
  for (const AxisRef &ref : axes)
    // A device order may put neighbours anywhere.
    shape.nodes *= mesh.devices().empty()
                       ? nodesSpanned(mesh, ref, ranksPerNode)
                       : ref.size;
  return shape;
}

bool Topology::spansNodes(const Mesh &mesh,
                          const std::vector<AxisRef> &axes) const {
  if (ranksPerNode == 0 || mesh.numRanks() <= ranksPerNode)
    return false;
  if (!mesh.devices().empty())
    return !axes.empty();
  return groupShape(mesh, axes).nodes > 1;
}

static Link ofOneRank(Link link) {
  link.bytesPerUs /= static_cast<double>(link.sharedBy);
  link.sharedBy = 1;
  return link;
}

static void slowDown(Link &link, const Link &other) {
  link.latencyUs = std::max(link.latencyUs, other.latencyUs);
  link.bytesPerUs = std::min(link.bytesPerUs, other.bytesPerUs);
}

Link Topology::linkInsideNode(const Mesh &mesh,
                              const std::vector<AxisRef> &axes) const {
  if (axes.empty() || axisLinks.empty())
    return ofOneRank(defaultLink);
  std::optional<Link> slowest;
  for (const AxisRef &ref : axes) {
    Link candidate = ofOneRank(defaultLink);
    for (const auto &[name, axisLink] : axisLinks)
      if (name == mesh.axes()[ref.axis].name)
        candidate = ofOneRank(axisLink);
    if (slowest)
      slowDown(*slowest, candidate);
    else
      slowest = candidate;
  }
  return *slowest;
}

Link Topology::link(const Mesh &mesh, const std::vector<AxisRef> &axes) const {
  Link slowest = linkInsideNode(mesh, axes);
  if (spansNodes(mesh, axes))
    slowDown(slowest, ofOneRank(nodeLink));
  return slowest;
}

bool Topology::hasSlowerLinks(const Mesh &mesh) const {
  return !axisLinks.empty() ||
         (ranksPerNode > 0 && mesh.numRanks() > ranksPerNode);
}

const CollectiveTable *Topology::table(std::string_view op,
                                       const GroupShape &group) const {
  for (const CollectiveTable &one : tables)
    if (one.op == op && one.group.size == group.size &&
        one.group.nodes == group.nodes)
      return &one;
  return nullptr;
}

Status dtensor::checkCapacity(const Topology &topology, const Mesh &mesh) {
  if (topology.ranks == 0 || mesh.numRanks() <= topology.ranks)
    return Status::success();
  return Error{"the mesh has " + std::to_string(mesh.numRanks()) +
               " ranks, but topology '" + topology.name + "' has " +
               std::to_string(topology.ranks)};
}

Expected<Topology> Topology::builtin(std::string_view name) {
  Topology topology;
  topology.name = "builtin:" + std::string(name);
  if (name == "threads") {
    // Two cores of a laptop: a message is a hand-over between threads, and
    // its bytes are one copy.
    topology.defaultLink = {2, 8000};
    topology.memoryBytesPerUs = 12000;
    topology.flopsPerUs = 5e4;
    topology.kernelFloorUs = 0.5;
    return topology;
  }
  if (name == "h100x8" || name == "h100x8x16") {
    // One NVSwitch node. A collective over 8 GPUs starts in about 30 us (3
    // rounds) and moves 394 GB/s of result, that is 345 GB/s per link; HBM3
    // at what a copy reaches; dense bf16 at what large matmuls reach.
    topology.ranks = 8;
    topology.defaultLink = {9, 345000};
    topology.memoryBytesPerUs = 2.8e6;
    topology.flopsPerUs = 6e8;
    topology.kernelFloorUs = 5;
    // 16 such nodes with one 400 Gb/s adapter per GPU, of which large messages
    // reach 45 GB/s; a round between nodes takes about 20 us (an all_gather
    // over 2 nodes starts in 70 us, that is 4 rounds).
    if (name == "h100x8x16") {
      topology.ranks = 128;
      topology.ranksPerNode = 8;
      topology.nodeLink = {20, 45000};
    }
    return topology;
  }
  return Error{"unknown topology 'builtin:" + std::string(name) +
               "' (the shipped ones are builtin:threads, builtin:h100x8, "
               "builtin:h100x8x16)"};
}
