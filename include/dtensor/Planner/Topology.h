// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a machine costs: latency and bandwidth per mesh axis, memory bandwidth
// and compute rate. The planner and propagation price with it.
#ifndef DTENSOR_PLANNER_TOPOLOGY_H
#define DTENSOR_PLANNER_TOPOLOGY_H

#include "dtensor/Planner/ElementType.h"
#include "dtensor/Planner/Mesh.h"

#include <optional>

namespace dtensor {

/// A link class in the Hockney model: a message of m bytes takes
/// latencyUs + m / bytesPerUs. `sharedBy` ranks use one such link at the same
/// time, so each gets that part of its bandwidth.
struct Link {
  double latencyUs = 1;
  double bytesPerUs = 1000;
  int64_t sharedBy = 1;
};

/// How a group of ranks lies on a machine's nodes.
struct GroupShape {
  int64_t size = 1;
  int64_t nodes = 1; ///< that the group spans at most
};

/// Measured times of one collective in groups of one shape, by the bytes that
/// a rank receives (or sends, where that is more). As in the tables of NCCL's
/// tuner: straight lines between the points, the first time below them, and
/// the last slope above.
struct CollectiveTable {
  std::string op; ///< "all_gather", as steps are named
  GroupShape group;
  std::vector<std::pair<double, double>> points; ///< bytes, us; ascending

  double timeUs(double bytes) const;
};

/// A machine. Numbers are microseconds and bytes per microsecond (that is,
/// MB/s divided by one).
struct Topology {
  std::string name;
  /// Ranks that the machine has; 0 where any number is fine.
  int64_t ranks = 0;
  /// Links by axis name; `defaultLink` serves all other axes.
  std::vector<std::pair<std::string, Link>> axisLinks;
  Link defaultLink;
  /// Ranks that share a node, in rank order; 0 where all do. Collectives whose
  /// groups span nodes also cross `nodeLink`.
  int64_t ranksPerNode = 0;
  Link nodeLink;
  std::vector<CollectiveTable> tables;
  double memoryBytesPerUs = 10000;
  double flopsPerUs = 100000;
  /// Rates of single element types; `flopsPerUs` serves all others.
  std::vector<std::pair<ElementType, double>> typeFlopsPerUs;
  /// The least time that a compute step takes.
  double kernelFloorUs = 1;

  /// The slowest link that a collective over `axes` crosses, as one rank sees
  /// it: shared bandwidth is divided, so `sharedBy` is 1.
  Link link(const Mesh &mesh, const std::vector<AxisRef> &axes) const;
  /// The same without the link between nodes: what a message inside a node
  /// crosses.
  Link linkInsideNode(const Mesh &mesh, const std::vector<AxisRef> &axes) const;
  /// True when ranks that differ on `axes` may lie on different nodes.
  bool spansNodes(const Mesh &mesh, const std::vector<AxisRef> &axes) const;
  GroupShape groupShape(const Mesh &mesh,
                        const std::vector<AxisRef> &axes) const;
  /// True when some axes of the mesh cost more than others: then replicated
  /// axes are worth using as bandwidth.
  bool hasSlowerLinks(const Mesh &mesh) const;
  /// The table of `op` for this shape of groups; null where there is none.
  const CollectiveTable *table(std::string_view op,
                               const GroupShape &group) const;

  /// The shipped machines: "threads" (the default), "h100x8" and, 16 of those
  /// nodes, "h100x8x16".
  static Expected<Topology> builtin(std::string_view name);
};

/// Reads "builtin:NAME", or the topology file of that name.
Expected<Topology> parseTopology(std::string_view text);

/// Reads the JSON text of a topology file; `path` begins every message, with
/// line and column. Refuses unknown keys, numbers out of range and statements
/// that contradict each other. docs/Topology.md describes the format.
Expected<Topology> readTopology(std::string_view text, const std::string &path);
/// The text that readTopology reads back as an equal topology.
std::string printTopology(const Topology &topology);

/// 16 hexadecimal digits, equal for machines that price alike whatever they
/// are called.
std::string topologyHash(const Topology &topology);

/// Refuses a mesh that has more ranks than the machine.
Status checkCapacity(const Topology &topology, const Mesh &mesh);

} // namespace dtensor

#endif // DTENSOR_PLANNER_TOPOLOGY_H
