// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device meshes and their (sub-)axes.
#ifndef DTENSOR_PLANNER_MESH_H
#define DTENSOR_PLANNER_MESH_H

#include "dtensor/Planner/Expected.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace dtensor {

/// One named axis of a mesh. `size` is a number of ranks, at least 1.
struct MeshAxis {
  std::string name;
  int64_t size = 1;

  bool operator==(const MeshAxis &other) const {
    return name == other.name && size == other.size;
  }
};

/// An axis of a mesh, or a part of one: axis of size n read as
/// [preSize, size, n / (preSize * size)], of which this is the middle.
/// The whole axis has preSize 1 and size n.
struct AxisRef {
  int axis = 0; ///< index into Mesh::axes()
  int64_t preSize = 1;
  int64_t size = 1;

  /// preSize of the part that would follow this one.
  int64_t end() const { return preSize * size; }
  bool operator==(const AxisRef &other) const {
    return axis == other.axis && preSize == other.preSize && size == other.size;
  }
  bool operator!=(const AxisRef &other) const { return !(*this == other); }
  /// Mesh order: by axis, then major part first.
  bool operator<(const AxisRef &other) const {
    return std::tie(axis, preSize, size) <
           std::tie(other.axis, other.preSize, other.size);
  }
};

/// An n-dimensional grid of ranks with named axes. Position p of the grid, in
/// row-major order, is rank p, or rank devices()[p] where an order is given.
class Mesh {
public:
  /// Refuses: bad or repeated axis names ([A-Za-z_][A-Za-z0-9_]*), sizes
  /// below 1, a rank count over 2^31, and a device order that is not a
  /// permutation of 0..n-1.
  static Expected<Mesh> create(std::vector<MeshAxis> axes,
                               std::vector<int64_t> devices = {});

  const std::vector<MeshAxis> &axes() const { return meshAxes; }
  /// Empty for the identity order.
  const std::vector<int64_t> &devices() const { return deviceOrder; }
  int64_t numRanks() const { return ranks; }

  /// Index of the axis called `name`, or -1.
  int findAxis(std::string_view name) const;
  /// The whole axis number `axis`.
  AxisRef wholeAxis(int axis) const { return {axis, 1, meshAxes[axis].size}; }
  bool isWhole(const AxisRef &ref) const {
    return ref.preSize == 1 && ref.size == meshAxes[ref.axis].size;
  }

  /// Coordinate of `rank` on a (sub-)axis, in [0, ref.size).
  int64_t coordinate(int64_t rank, const AxisRef &ref) const;
  /// Position of `rank` in the grid, row-major.
  int64_t position(int64_t rank) const;
  /// The rank at a row-major grid position.
  int64_t rankAt(int64_t position) const;
  /// Grid positions between neighbours on a (sub-)axis.
  int64_t stride(const AxisRef &ref) const {
    return strides[ref.axis] * (meshAxes[ref.axis].size / ref.end());
  }

  /// Coordinate of `rank` on the listed (sub-)axes read as one axis, first
  /// one major: in [0, product of sizes).
  int64_t flatCoordinate(int64_t rank, const std::vector<AxisRef> &axes) const;
  /// Ranks that differ from `rank` only on `axes`, ordered by flatCoordinate;
  /// `rank` is among them.
  std::vector<int64_t> group(int64_t rank,
                             const std::vector<AxisRef> &axes) const;

  /// Member `index` of that group, without listing the others.
  int64_t groupMember(int64_t rank, const std::vector<AxisRef> &axes,
                      int64_t index) const;

  bool operator==(const Mesh &other) const {
    return meshAxes == other.meshAxes && deviceOrder == other.deviceOrder;
  }

private:
  std::vector<MeshAxis> meshAxes;
  std::vector<int64_t> deviceOrder;
  std::vector<int64_t> devicePosition; ///< inverse of deviceOrder
  std::vector<int64_t> strides;        ///< grid positions per axis step
  int64_t ranks = 1;
};

/// Parses "x=2,y=4" (the form of tools and JSON).
Expected<Mesh> parseMesh(std::string_view text,
                         std::vector<int64_t> devices = {});
/// Prints the form that parseMesh reads, without the device order.
std::string printMesh(const Mesh &mesh);

/// Product of the sizes of `axes`.
int64_t totalSize(const std::vector<AxisRef> &axes);
/// "tp" or "x:(1)2".
std::string printAxisRef(const Mesh &mesh, const AxisRef &ref);
/// "tp, x:(1)2".
std::string printAxisRefs(const Mesh &mesh, const std::vector<AxisRef> &refs);
/// Parses one (sub-)axis name; refuses unknown axes and parts that do not
/// divide.
Expected<AxisRef> parseAxisRef(const Mesh &mesh, std::string_view text);

} // namespace dtensor

#endif // DTENSOR_PLANNER_MESH_H
