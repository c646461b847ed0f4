// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a machine costs: latency and bandwidth per mesh axis, memory bandwidth
// and compute rate. The planner and propagation price with it.
#ifndef DTENSOR_PLANNER_TOPOLOGY_H
#define DTENSOR_PLANNER_TOPOLOGY_H

#include "dtensor/Planner/Mesh.h"

namespace dtensor {

/// A link class in the Hockney model: a message of m bytes takes
/// latencyUs + m / bytesPerUs.
struct Link {
  double latencyUs = 1;
  double bytesPerUs = 1000;
};

/// A machine. Numbers are microseconds and bytes per microsecond (that is,
/// MB/s divided by one).
struct Topology {
  std::string name;
  /// Links by axis name; `defaultLink` serves all other axes.
  std::vector<std::pair<std::string, Link>> axisLinks;
  Link defaultLink;
  /// Ranks that share a node, in rank order; 0 where all do. Collectives whose
  /// groups span nodes also cross `nodeLink`.
  int64_t ranksPerNode = 0;
  Link nodeLink;
  double memoryBytesPerUs = 10000;
  double flopsPerUs = 100000;
  /// The least time that a compute step takes.
  double kernelFloorUs = 1;

  /// The slowest link that a collective over `axes` crosses.
  Link link(const Mesh &mesh, const std::vector<AxisRef> &axes) const;
  /// True when ranks that differ on `axes` may lie on different nodes.
  bool spansNodes(const Mesh &mesh, const std::vector<AxisRef> &axes) const;

  /// The shipped machines: "threads" (the default), "h100x8" and, 16 of those
  /// nodes, "h100x8x16".
  static Expected<Topology> builtin(std::string_view name);
};

/// Reads "builtin:NAME".
Expected<Topology> parseTopology(std::string_view text);

} // namespace dtensor

#endif // DTENSOR_PLANNER_TOPOLOGY_H
