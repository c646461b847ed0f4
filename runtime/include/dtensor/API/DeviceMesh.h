// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device meshes: ranks in a grid.
#ifndef DTENSOR_API_DEVICEMESH_H
#define DTENSOR_API_DEVICEMESH_H

#include "dtensor/Planner/Mesh.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dtensor {

class MeshState;

/// A grid of ranks with named dimensions; a handle, cheap to copy. Each mesh
/// has communicators of its own, so that two meshes can be used by two threads
/// of a rank at the same time.
class DeviceMesh {
public:
  /// The ranks of the grid in row-major order, each at most once; not all
  /// ranks need be among them. All ranks call it, also those outside. Throws
  /// for device types other than "cpu", names that are no identifiers or are
  /// used twice, ranks that do not exist, and another number of ranks or names
  /// than the shape says. Names may be left out: "dim0", "dim1", ...
  static DeviceMesh create(const std::string &deviceType,
                           const std::vector<int64_t> &shape,
                           const std::vector<int64_t> &ranks,
                           const std::vector<std::string> &names = {});

  /// All ranks as a line; the same mesh each time. No traffic: two ranks may
  /// begin with it while the others do something else.
  static DeviceMesh world();

  const std::string &deviceType() const;
  std::vector<int64_t> shape() const;
  int64_t ndim() const;
  /// Empty where none were given.
  const std::vector<std::string> &names() const;
  /// Ranks in all, or along one dimension (negative: from the end).
  int64_t size() const;
  int64_t size(int64_t dim) const;
  int64_t size(const std::string &name) const;
  /// Row-major.
  std::vector<int64_t> ranks() const;

  /// This rank's number in the world.
  int64_t getRank() const;
  /// False on ranks outside of the mesh: their tensors on it hold nothing.
  bool contains() const;
  /// This rank's coordinates; nothing outside of the mesh.
  std::optional<std::vector<int64_t>> getCoordinate() const;
  /// This rank's coordinate on one dimension. Throws outside of the mesh.
  int64_t getLocalRank(int64_t dim) const;
  int64_t getLocalRank(const std::string &name) const;
  /// Of a mesh with one dimension.
  int64_t getLocalRank() const;

  /// The part of the mesh that this rank shares the other coordinates with:
  /// mesh["tp"] is this rank's row along "tp". No traffic. Throws for names
  /// that the mesh does not have, and outside of the mesh.
  DeviceMesh operator[](const std::string &name) const;
  DeviceMesh slice(const std::vector<std::string> &names) const;
  /// All ranks along one dimension, in row-major order; it is called like its
  /// parts joined by "_" unless named.
  DeviceMesh flatten(const std::string &name = "") const;
  /// Some ranks of the mesh, in that order, as a mesh of one dimension. No
  /// traffic: only those that use it need make it. Throws for ranks that are
  /// not in the mesh.
  DeviceMesh part(const std::vector<int64_t> &ranks) const;
  /// The ranks along one dimension, as a mesh of one dimension.
  DeviceMesh getGroup(int64_t dim) const;
  DeviceMesh getGroup(const std::string &name) const;

  /// The planner's view: rank r of it is the r-th smallest of ranks().
  const Mesh &grid() const;
  /// "(dp=2, tp=4)".
  std::string text() const;

  bool operator==(const DeviceMesh &other) const;
  bool operator!=(const DeviceMesh &other) const { return !(*this == other); }

  /// For the parts of the API.
  explicit DeviceMesh(std::shared_ptr<MeshState> state)
      : state(std::move(state)) {}
  const std::shared_ptr<MeshState> &impl() const { return state; }

private:
  std::shared_ptr<MeshState> state;
};

/// A mesh of all ranks, in order. Joins the launcher's ranks where this thread
/// is none yet. All ranks call it. Throws where the product of `shape` is not
/// the number of ranks.
DeviceMesh initDeviceMesh(const std::string &deviceType,
                          const std::vector<int64_t> &shape,
                          const std::vector<std::string> &meshDimNames = {});

/// Makes a mesh the current one of this thread's rank while it lives: what
/// functions take that are given none.
class MeshScope {
public:
  explicit MeshScope(const DeviceMesh &mesh);
  ~MeshScope();
  MeshScope(const MeshScope &) = delete;
  MeshScope &operator=(const MeshScope &) = delete;
};
/// Throws where there is no current mesh.
DeviceMesh currentMesh();

} // namespace dtensor

#endif // DTENSOR_API_DEVICEMESH_H
