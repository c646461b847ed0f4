// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributed tensors: creation, redistribution, metadata.
#ifndef DTENSOR_API_DISTRIBUTEDTENSOR_H
#define DTENSOR_API_DISTRIBUTEDTENSOR_H

#include "dtensor/API/Array.h"
#include "dtensor/API/DeviceMesh.h"
#include "dtensor/API/Placement.h"

namespace dtensor {

class TensorState;

struct RedistributeOptions {
  /// Return at once: the first use of the result waits, and throws what went
  /// wrong. Where ranks are processes the work is done then.
  bool asyncOp = false;
};

/// A tensor of a global shape, of which each rank of a mesh holds its part: a
/// handle, cheap to copy. There is no arithmetic: programs are compiled.
class DTensor {
public:
  /// This rank's part, sharing its memory. Waits for the value. On ranks
  /// outside of the mesh throws.
  Array toLocal() const;
  /// The whole tensor on every rank of the mesh: a redistribution to
  /// replicated. All ranks of the mesh call it.
  Array fullTensor() const;
  /// The same values in another layout, by the planner's cheapest plan, which
  /// is remembered. All ranks of the mesh call it; of both meshes, where
  /// `deviceMesh` is another one (boxes then move straight to their ranks).
  /// All replicas hold identical bits afterwards. Where the layout is the same
  /// already, the result shares this tensor's memory.
  DTensor redistribute(const Placements &placements,
                       const RedistributeOptions &options = {}) const;
  DTensor redistribute(const DeviceMesh &deviceMesh,
                       const Placements &placements,
                       const RedistributeOptions &options = {}) const;
  /// Waits for an asynchronous redistribution and returns *this; throws what
  /// ended it, now and at every later use.
  const DTensor &wait() const;
  /// False while an asynchronous redistribution is under way.
  bool isReady() const;

  const std::vector<int64_t> &shape() const;
  std::vector<int64_t> size() const { return shape(); }
  /// Extent of one dimension; negative from the end.
  int64_t size(int64_t dim) const;
  /// Of the contiguous global tensor, in elements.
  std::vector<int64_t> stride() const;
  int64_t stride(int64_t dim) const;
  int64_t ndim() const;
  int64_t numel() const;
  ElementType dtype() const;
  /// "cpu".
  const std::string &device() const;
  const DeviceMesh &deviceMesh() const;
  /// Per mesh dimension. Throws where the layout cannot be said so, which
  /// isMeshOrder tells; layout() and orderedPlacements() always can.
  std::vector<Placement> placements() const;
  bool isMeshOrder() const;
  std::vector<AxisPlacement> orderedPlacements() const;
  const Layout &layout() const;
  /// "dp=shard(0), tp=partial(sum)": the form of tools.
  std::string layoutText() const;
  bool requiresGrad() const;

  /// The box that this rank holds (of a partial tensor: holds a contribution
  /// to); nothing outside of the mesh.
  std::optional<Box> localBox() const;
  /// The box that another rank of the world holds.
  std::optional<Box> boxOf(int64_t rank) const;

  /// "DTensor(8x6 f32, dp=shard(0) on (dp=2, tp=2))".
  std::string text() const;

  /// For the parts of the API.
  explicit DTensor(std::shared_ptr<const TensorState> state)
      : state(std::move(state)) {}
  const std::shared_ptr<const TensorState> &impl() const { return state; }

private:
  std::shared_ptr<const TensorState> state;
};

/// The box of a tensor of this shape and layout that this rank would hold;
/// nothing outside of the mesh.
std::optional<Box> localBoxOf(const DeviceMesh &mesh,
                              const std::vector<int64_t> &shape,
                              const Placements &placements);

struct DistributeTensorOptions {
  /// The rank, counted in the mesh's row-major order, whose values count: its
  /// chunks go to the others. Nothing: every rank has the data, and keeps its
  /// part without any traffic.
  std::optional<int64_t> srcDataRank = 0;
};

/// Puts a tensor onto a mesh. All ranks of the mesh call it with tensors of one
/// shape and type; only the source's values count, so that the others' memory
/// may be null. Without a mesh: the current one; without placements:
/// replicated.
DTensor distributeTensor(const Array &tensor,
                         const std::optional<DeviceMesh> &mesh = std::nullopt,
                         const Placements &placements = {},
                         const DistributeTensorOptions &options = {});
/// A tensor that is distributed already is redistributed.
DTensor distributeTensor(const DTensor &tensor,
                         const std::optional<DeviceMesh> &mesh = std::nullopt,
                         const Placements &placements = {});

struct FromLocalOptions {
  /// All ranks compare shapes, types, layouts and, where they hold replicas,
  /// hashes of the data; what differs is thrown on all of them. The data itself
  /// does not move.
  bool runCheck = false;
  /// The global shape. Without it all ranks are taken to hold equal parts.
  std::optional<std::vector<int64_t>> shape;
  /// Of the contiguous global tensor, the only ones that there are.
  std::optional<std::vector<int64_t>> stride;
};

/// Makes a tensor of the parts that the ranks hold, sharing their memory. No
/// traffic without runCheck. Throws on a rank whose part is not the box that
/// layout and shape give it.
DTensor fromLocal(const Array &local,
                  const std::optional<DeviceMesh> &mesh = std::nullopt,
                  const Placements &placements = {},
                  const FromLocalOptions &options = {});

/// What the factories take beside sizes. They make each rank's part in place,
/// without traffic.
struct FactoryOptions {
  ElementType dtype = ElementType::F32;
  /// Memory format: "strided" only.
  std::string layout = "strided";
  /// Floats only.
  bool requiresGrad = false;
  std::optional<DeviceMesh> deviceMesh;
  Placements placements;
  /// rand and randn: the key; nothing takes the next one (manualSeed).
  std::optional<uint64_t> seed;
};

/// A number of either kind, exact.
struct Scalar {
  bool isWhole = false;
  double real = 0;
  int64_t whole = 0;

  Scalar(double value) : real(value) {}
  Scalar(int64_t value)
      : isWhole(true), real(static_cast<double>(value)), whole(value) {}
  Scalar(int value) : Scalar(static_cast<int64_t>(value)) {}
};

DTensor ones(const std::vector<int64_t> &size,
             const FactoryOptions &options = {});
DTensor zeros(const std::vector<int64_t> &size,
              const FactoryOptions &options = {});
/// Values that nobody has set.
DTensor empty(const std::vector<int64_t> &size,
              const FactoryOptions &options = {});
/// Throws for a value that the type does not have.
DTensor full(const std::vector<int64_t> &size, const Scalar &value,
             const FactoryOptions &options = {});
/// Uniform in [0, 1): Philox 4x32-10 keyed by the seed and counted by the
/// global element, so that the values are the same on every layout and every
/// number of ranks, and those of the compiler's `dtensor.rand`. Floats of at
/// least 16 bits.
DTensor rand(const std::vector<int64_t> &size,
             const FactoryOptions &options = {});
/// Normal, mean 0 and variance 1; otherwise as rand.
DTensor randn(const std::vector<int64_t> &size,
              const FactoryOptions &options = {});

} // namespace dtensor

#endif // DTENSOR_API_DISTRIBUTEDTENSOR_H
