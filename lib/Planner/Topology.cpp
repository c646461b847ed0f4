// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shipped machines and the link that a collective sees.
#include "dtensor/Planner/Topology.h"

#include <algorithm>

using namespace dtensor;

bool Topology::spansNodes(const Mesh &mesh,
                          const std::vector<AxisRef> &axes) const {
  if (ranksPerNode == 0 || mesh.numRanks() <= ranksPerNode)
    return false;
  // A device order may put neighbours anywhere.
  if (!mesh.devices().empty())
    return !axes.empty();
  // The ranks of a (sub-)axis lie in one aligned block of stride * size.
  for (const AxisRef &ref : axes)
    if (ranksPerNode % (mesh.stride(ref) * ref.size) != 0)
      return true;
  return false;
}

Link Topology::link(const Mesh &mesh, const std::vector<AxisRef> &axes) const {
  bool outside = spansNodes(mesh, axes);
  if (axes.empty() || (axisLinks.empty() && !outside))
    return defaultLink;
  Link slowest = outside ? nodeLink : Link{0, 0};
  bool first = !outside;
  for (const AxisRef &ref : axes) {
    Link candidate = defaultLink;
    for (const auto &[name, axisLink] : axisLinks)
      if (name == mesh.axes()[ref.axis].name)
        candidate = axisLink;
    slowest.latencyUs = std::max(slowest.latencyUs, candidate.latencyUs);
    slowest.bytesPerUs =
        first ? candidate.bytesPerUs
              : std::min(slowest.bytesPerUs, candidate.bytesPerUs);
    first = false;
  }
  return slowest;
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
    topology.defaultLink = {9, 345000};
    topology.memoryBytesPerUs = 2.8e6;
    topology.flopsPerUs = 6e8;
    topology.kernelFloorUs = 5;
    // 16 such nodes with one 400 Gb/s adapter per GPU, of which large messages
    // reach 45 GB/s; a round between nodes takes about 20 us (an all_gather
    // over 2 nodes starts in 70 us, that is 4 rounds).
    if (name == "h100x8x16") {
      topology.ranksPerNode = 8;
      topology.nodeLink = {20, 45000};
    }
    return topology;
  }
  return Error{"unknown topology 'builtin:" + std::string(name) +
               "' (the shipped ones are builtin:threads, builtin:h100x8, "
               "builtin:h100x8x16)"};
}

Expected<Topology> dtensor::parseTopology(std::string_view text) {
  constexpr std::string_view prefix = "builtin:";
  if (text.substr(0, prefix.size()) != prefix)
    return Error{
        "unknown topology '" + std::string(text) +
        "'; write builtin:threads, builtin:h100x8 or builtin:h100x8x16"};
  return Topology::builtin(text.substr(prefix.size()));
}
