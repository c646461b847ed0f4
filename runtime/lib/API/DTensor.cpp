// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributed tensors: their specs and metadata, and ways back to plain ones.
#include "API/TensorState.h"
#include "dtensor/Planner/LayoutOps.h"
#include "dtrt/Tensor.h"

using namespace dtensor;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

int64_t dtensor::resolveDim(int64_t dim, int64_t rank,
                            const std::string &what) {
  if (dim >= -rank && dim < rank)
    return dim < 0 ? dim + rank : dim;
  throw DTensorError(ErrorCode::InvalidArgument,
                     what + ": dimension " + std::to_string(dim) +
                         " is out of range for rank " + std::to_string(rank) +
                         "; dimensions are " + std::to_string(-rank) + " to " +
                         std::to_string(rank - 1));
}

void dtensor::requireShape(const std::vector<int64_t> &shape,
                           ElementType type) {
  if (auto count = dtrt::countElements(shape, type); !count)
    throw DTensorError(ErrorCode::InvalidArgument, count.error().message);
}

std::string dtensor::typeText(ElementType type,
                              const std::vector<int64_t> &shape) {
  return std::string(elementTypeName(type)) + " " + dtrt::shapeText(shape);
}

std::vector<int64_t>
dtensor::contiguousStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<int64_t>(shape[d], 1);
  return strides;
}

Array dtensor::allocateLocal(const TensorSpec &spec) {
  return Array(spec.type, spec.localShape());
}

DTensor dtensor::makeTensor(const DeviceMesh &mesh,
                            std::shared_ptr<const TensorSpec> spec,
                            Array local) {
  return DTensor(
      std::make_shared<TensorState>(mesh, std::move(spec), std::move(local)));
}

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

std::vector<int64_t> TensorSpec::localShape() const {
  return box ? box->extents() : std::vector<int64_t>{0};
}

namespace {

class Hasher {
public:
  void add(int64_t value) {
    state ^= static_cast<uint64_t>(value) + 0x9e3779b97f4a7c15u + (state << 6) +
             (state >> 2);
    state *= 0xbf58476d1ce4e5b9u;
    state ^= state >> 29;
  }
  uint64_t value() const { return state; }

private:
  uint64_t state = 0;
};

} // namespace

std::shared_ptr<const TensorSpec>
MeshState::spec(const std::vector<int64_t> &shape, ElementType type,
                bool requiresGrad, const Placements &placements) {
  // Named ones share a bucket: they are rare.
  Hasher hasher;
  for (int64_t extent : shape)
    hasher.add(extent);
  for (const Placement &placement : placements.list())
    hasher.add(static_cast<int64_t>(placement.kind) << 8 ^ placement.dim);
  hasher.add(static_cast<int64_t>(type) * 2 + requiresGrad);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto [begin, end] = specs.equal_range(hasher.value());
    for (auto it = begin; it != end; ++it)
      if (it->second->shape == shape && it->second->type == type &&
          it->second->requiresGrad == requiresGrad &&
          it->second->placements == placements &&
          it->second->placements.given() == placements.given())
        return it->second;
  }
  requireShape(shape, type);
  if (requiresGrad && !isFloat(type))
    throw DTensorError(ErrorCode::InvalidArgument,
                       "only tensors of floats require gradients, not " +
                           std::string(elementTypeName(type)));
  auto made = std::make_shared<TensorSpec>();
  made->shape = shape;
  made->type = type;
  made->requiresGrad = requiresGrad;
  made->placements = placements;
  // Pins are for propagation; a tensor has none.
  made->layout =
      dataLayout(placements.layout(grid, static_cast<int>(shape.size())));
  if (Status status = checkElementType(made->layout, type); !status)
    throw DTensorError(ErrorCode::InvalidArgument, status.message());
  if (me >= 0)
    made->box = dtensor::localBox(grid, made->layout, shape, me);
  std::string layoutText = printLayout(grid, made->layout);
  made->text = typeText(type, shape) + " as " +
               (layoutText.empty() ? "replicated" : layoutText) + " on " +
               text();
  std::lock_guard<std::mutex> lock(mutex);
  specs.emplace(hasher.value(), made);
  return made;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Array DTensor::toLocal() const {
  const MeshState &mesh = *state->mesh.impl();
  if (mesh.me < 0)
    throw DTensorError(ErrorCode::InvalidArgument,
                       "rank " + std::to_string(mesh.context->rank) +
                           " holds no part of the tensor: it is not in the "
                           "mesh " +
                           mesh.text());
  state->wait();
  Array local = state->local;
  local.setRequiresGrad(state->spec->requiresGrad);
  return local;
}

Array DTensor::fullTensor() const { return redistribute({}).toLocal(); }

const DTensor &DTensor::wait() const {
  state->wait();
  return *this;
}

bool DTensor::isReady() const {
  return !state->pending || state->pending->isDone();
}

const std::vector<int64_t> &DTensor::shape() const {
  return state->spec->shape;
}

int64_t DTensor::size(int64_t dim) const {
  return shape()[resolveDim(dim, ndim(), "size")];
}

std::vector<int64_t> DTensor::stride() const {
  return contiguousStrides(shape());
}

int64_t DTensor::stride(int64_t dim) const {
  return stride()[resolveDim(dim, ndim(), "stride")];
}

int64_t DTensor::ndim() const { return static_cast<int64_t>(shape().size()); }

int64_t DTensor::numel() const {
  int64_t count = 1;
  for (int64_t extent : shape())
    count *= extent;
  return count;
}

ElementType DTensor::dtype() const { return state->spec->type; }
const std::string &DTensor::device() const { return state->mesh.deviceType(); }
const DeviceMesh &DTensor::deviceMesh() const { return state->mesh; }

/// One placement per mesh dimension. What was given counts where it is such a
/// list: a layout does not tell what mesh dimensions of size one do.
static bool inMeshOrder(const TensorState &state,
                        std::vector<Placement> &perMeshDim) {
  const TensorSpec &spec = *state.spec;
  if (!spec.placements.given() || !spec.placements.isMeshOrder())
    return toMeshOrder(state.mesh.grid(), spec.layout, perMeshDim);
  perMeshDim = spec.placements.list();
  for (Placement &placement : perMeshDim)
    if (placement.isShard() && placement.dim < 0)
      placement.dim += static_cast<int64_t>(spec.shape.size());
  return true;
}

bool DTensor::isMeshOrder() const {
  std::vector<Placement> unused;
  return inMeshOrder(*state, unused);
}

std::vector<Placement> DTensor::placements() const {
  std::vector<Placement> out;
  if (inMeshOrder(*state, out))
    return out;
  throw DTensorError(ErrorCode::InvalidArgument,
                     "the layout " + layoutText() +
                         " has an order or parts of axes that one placement "
                         "per mesh dimension cannot say; ask for the ordered "
                         "placements");
}

std::vector<AxisPlacement> DTensor::orderedPlacements() const {
  return toOrdered(state->mesh.grid(), layout());
}

const Layout &DTensor::layout() const { return state->spec->layout; }

std::string DTensor::layoutText() const {
  return printLayout(state->mesh.grid(), layout());
}

bool DTensor::requiresGrad() const { return state->spec->requiresGrad; }

std::optional<Box> dtensor::localBoxOf(const DeviceMesh &mesh,
                                       const std::vector<int64_t> &shape,
                                       const Placements &placements) {
  // Types differ in what they may be partial of, not in boxes.
  requireShape(shape, ElementType::I8);
  const MeshState &state = *mesh.impl();
  Layout layout = placements.layout(state.grid, static_cast<int>(shape.size()));
  if (state.me < 0)
    return std::nullopt;
  return dtensor::localBox(state.grid, layout, shape, state.me);
}

std::optional<Box> DTensor::localBox() const { return state->spec->box; }

std::optional<Box> DTensor::boxOf(int64_t rank) const {
  const MeshState &mesh = *state->mesh.impl();
  for (size_t i = 0; i < mesh.ranks.size(); ++i)
    if (mesh.ranks[i] == rank)
      return dtensor::localBox(mesh.grid, layout(), shape(),
                               static_cast<int64_t>(i));
  return std::nullopt;
}

std::string DTensor::text() const {
  std::string layout = layoutText();
  return "DTensor(" + dtrt::shapeText(shape()) + " " +
         std::string(elementTypeName(dtype())) + ", " +
         (layout.empty() ? "replicated" : layout) + " on " +
         state->mesh.text() + ")";
}
