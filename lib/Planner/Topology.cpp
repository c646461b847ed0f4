// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shipped machines and the link that a collective sees.
#include "dtensor/Planner/Topology.h"

#include <algorithm>

using namespace dtensor;

Link Topology::link(const Mesh &mesh, const std::vector<AxisRef> &axes) const {
  if (axisLinks.empty() || axes.empty())
    return defaultLink;
  Link slowest = {0, 0};
  bool first = true;
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
  if (name == "h100x8") {
    // One NVSwitch node. A collective over 8 GPUs starts in about 30 us (3
    // rounds) and moves 394 GB/s of result, that is 345 GB/s per link; HBM3
    // at what a copy reaches; dense bf16 at what large matmuls reach.
    topology.defaultLink = {9, 345000};
    topology.memoryBytesPerUs = 2.8e6;
    topology.flopsPerUs = 6e8;
    topology.kernelFloorUs = 5;
    return topology;
  }
  return Error{"unknown topology 'builtin:" + std::string(name) +
               "' (the shipped ones are builtin:threads, builtin:h100x8)"};
}

Expected<Topology> dtensor::parseTopology(std::string_view text) {
  constexpr std::string_view prefix = "builtin:";
  if (text.substr(0, prefix.size()) != prefix)
    return Error{"unknown topology '" + std::string(text) +
                 "'; write builtin:threads or builtin:h100x8"};
  return Topology::builtin(text.substr(prefix.size()));
}
