// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mesh and a distributed tensor are made of.
#ifndef DTENSOR_LIB_API_TENSORSTATE_H
#define DTENSOR_LIB_API_TENSORSTATE_H

#include "API/Routine.h"
#include "dtensor/API/DistributedTensor.h"
#include "dtensor/Planner/PlanCache.h"

#include <unordered_map>

namespace dtensor {

/// A tensor's shape, type and layout on one mesh. Kept by the mesh, one for
/// equal ones, so that pointers compare.
struct TensorSpec {
  std::vector<int64_t> shape;
  ElementType type = ElementType::F32;
  bool requiresGrad = false;
  Placements placements; ///< as they were given
  Layout layout;
  std::optional<Box> box; ///< of this rank; nothing outside of the mesh

  /// "f32 8x6 as dp=shard(0) on (dp=2, tp=2)".
  std::string text;
  int64_t localElements() const { return box ? box->numElements() : 0; }
  std::vector<int64_t> localShape() const;
};

class MeshState : public std::enable_shared_from_this<MeshState> {
public:
  MeshState(std::shared_ptr<RankContext> context, std::string deviceType,
            Mesh grid, std::vector<int64_t> ranks,
            std::vector<std::string> names, std::string key);

  const std::shared_ptr<RankContext> context;
  const std::string deviceType;
  const Mesh grid;
  /// Rank r of `grid` is ranks[r] of the world; ascending.
  const std::vector<int64_t> ranks;
  const std::vector<std::string> names; ///< as given; may be empty
  const std::string key; ///< what tells the mesh from others, on all ranks
  const uint64_t channel;
  const int64_t me; ///< this rank in `grid`, or -1

  std::string text() const { return "(" + gridText + ")"; }

  /// The spec of these contents. Throws what is wrong with them.
  std::shared_ptr<const TensorSpec> spec(const std::vector<int64_t> &shape,
                                         ElementType type, bool requiresGrad,
                                         const Placements &placements);
  /// From one spec of this mesh to another one.
  std::shared_ptr<Routine> redistribution(const TensorSpec &from,
                                          const TensorSpec &to);
  /// A routine of this mesh by its call; made where there is none.
  std::shared_ptr<Routine>
  routine(const std::string &call,
          const std::function<std::shared_ptr<Routine>()> &make);

  /// This rank's row along some dimensions, or all ranks as one line: made
  /// once.
  DeviceMesh derived(const std::string &how,
                     const std::function<DeviceMesh()> &make);

private:
  using SpecPair = std::pair<const TensorSpec *, const TensorSpec *>;

  std::string gridText;
  std::mutex mutex; ///< guards the members below
  std::unordered_multimap<uint64_t, std::shared_ptr<const TensorSpec>> specs;
  std::map<SpecPair, std::shared_ptr<Routine>> redistributions;
  std::map<std::string, std::shared_ptr<Routine>> routines;
  std::map<std::string, std::shared_ptr<MeshState>> parts;
};

class TensorState {
public:
  TensorState(DeviceMesh mesh, std::shared_ptr<const TensorSpec> spec,
              Array local, std::shared_ptr<Pending> pending = nullptr)
      : mesh(std::move(mesh)), spec(std::move(spec)), local(std::move(local)),
        pending(std::move(pending)) {}

  const DeviceMesh mesh;
  const std::shared_ptr<const TensorSpec> spec;
  const Array local; ///< no memory outside of the mesh
  const std::shared_ptr<Pending> pending;

  void wait() const {
    if (pending)
      pending->wait();
  }
};

/// Throws the error of a planner's function as one of an argument.
template <typename T> T unwrap(Expected<T> value) {
  if (!value)
    throw DTensorError(ErrorCode::InvalidArgument, value.error().message);
  return std::move(*value);
}

/// The mesh given, or the current one.
DeviceMesh resolveMesh(const std::optional<DeviceMesh> &mesh);
/// A dimension counted from the front; throws for one out of range.
int64_t resolveDim(int64_t dim, int64_t rank, const std::string &what);
/// Throws for shapes with negative extents, and too large ones.
void requireShape(const std::vector<int64_t> &shape, ElementType type);
/// "f32 8x6".
std::string typeText(ElementType type, const std::vector<int64_t> &shape);
std::vector<int64_t> contiguousStrides(const std::vector<int64_t> &shape);
/// New memory for what this rank holds.
Array allocateLocal(const TensorSpec &spec);
DTensor makeTensor(const DeviceMesh &mesh,
                   std::shared_ptr<const TensorSpec> spec, Array local);

/// The plans of all redistributions on this machine.
PlanCache &planCache();
/// The backend that a world's plans are made for.
Backend backendOf(const World &world);

/// Steps of `plan` for this rank of a mesh; empty outside of it.
void appendSteps(const MeshState &mesh, const RedistributionRequest &request,
                 const RedistributionPlan &plan, const std::string &name,
                 Routine::Steps &steps);

} // namespace dtensor

#endif // DTENSOR_LIB_API_TENSORSTATE_H
