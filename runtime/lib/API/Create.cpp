// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// distributeTensor and fromLocal.
#include "API/TensorState.h"

#include "Plan/Xxh64.h"
#include "dtensor/Planner/LayoutOps.h"
#include "dtrt/Tensor.h"

#include <cstring>

using namespace dtensor;

namespace {

DTensorError refuse(const std::string &text) {
  return DTensorError(ErrorCode::InvalidArgument, text);
}

/// A spec of the same tensor in another layout.
std::shared_ptr<const TensorSpec>
withLayout(MeshState &mesh, const TensorSpec &spec, const Layout &layout) {
  return mesh.spec(spec.shape, spec.type, spec.requiresGrad,
                   Placements::ordered(toOrdered(mesh.grid, layout)));
}

/// The chunks of a whole tensor on `root`, a row-major position of the mesh, to
/// all ranks.
std::shared_ptr<Routine> scatterFrom(MeshState &mesh, const TensorSpec &to,
                                     int64_t root) {
  bool whole = to.layout.isReplicated();
  std::string text = "distribute_tensor of " + to.text + " from position " +
                     std::to_string(root);
  return mesh.routine(text, [&] {
    dtrt::CollectiveSpec spec;
    spec.kind = whole ? StepKind::Broadcast : StepKind::Scatter;
    spec.name = "distribute_tensor." + std::string(stepKindName(spec.kind));
    spec.type = to.type;
    spec.shape = to.shape;
    spec.change.from = Layout::replicated(static_cast<int>(to.shape.size()));
    spec.change.to = dataLayout(to.layout);
    for (size_t i = 0; i < mesh.grid.axes().size(); ++i)
      spec.change.axes.push_back(mesh.grid.wholeAxis(static_cast<int>(i)));
    spec.root = root;
    auto prepare = [&mesh, spec] {
      Routine::Steps steps;
      if (mesh.me < 0)
        return steps;
      auto prepared = dtrt::prepareCollective(mesh.grid, spec, mesh.me);
      if (!prepared)
        throw DTensorError(ErrorCode::Internal, prepared.error().message);
      placeOnWorld(*prepared, mesh.ranks);
      steps.push_back(std::move(*prepared));
      return steps;
    };
    return std::make_shared<Routine>(*mesh.context, mesh.channel, mesh.ranks,
                                     Call::make(text), 1, mesh.ranks.size() > 1,
                                     prepare);
  });
}

} // namespace

DTensor dtensor::distributeTensor(const Array &tensor,
                                  const std::optional<DeviceMesh> &given,
                                  const Placements &placements,
                                  const DistributeTensorOptions &options) {
  DeviceMesh mesh = resolveMesh(given);
  MeshState &state = *mesh.impl();
  auto spec = state.spec(tensor.shape(), tensor.dtype(), tensor.requiresGrad(),
                         placements);
  if (options.srcDataRank &&
      (*options.srcDataRank < 0 || *options.srcDataRank >= mesh.size()))
    throw refuse("src_data_rank " + std::to_string(*options.srcDataRank) +
                 " is outside of the mesh " + mesh.text() + ", whose " +
                 std::to_string(mesh.size()) +
                 " ranks are counted from 0 in row-major order");
  bool needsData =
      !options.srcDataRank ||
      (state.me >= 0 && state.grid.position(state.me) == *options.srcDataRank);
  if (needsData && !tensor.data() && tensor.numel() > 0)
    throw refuse("the tensor has no data on rank " +
                 std::to_string(state.context->rank) +
                 ", whose values are to be distributed");
  if (!options.srcDataRank) {
    auto whole =
        withLayout(state, *spec,
                   Layout::replicated(static_cast<int>(tensor.shape().size())));
    Array local = spec->box ? allocateLocal(*spec) : Array();
    if (spec->layout == whole->layout) {
      if (spec->box && local.bytes() > 0)
        std::memcpy(local.data(), tensor.data(),
                    static_cast<size_t>(local.bytes()));
    } else {
      state.redistribution(*whole, *spec)->run(tensor, local);
    }
    return makeTensor(mesh, spec, std::move(local));
  }
  Layout plain = spec->layout;
  plain.partials.clear();
  auto first =
      spec->layout.partials.empty() ? spec : withLayout(state, *spec, plain);
  Array local = first->box ? allocateLocal(*first) : Array();
  scatterFrom(state, *first, *options.srcDataRank)->run(tensor, local);
  DTensor arrived = makeTensor(mesh, first, std::move(local));
  // Contributions are made where the values lie.
  return first == spec ? arrived : arrived.redistribute(placements);
}

DTensor dtensor::distributeTensor(const DTensor &tensor,
                                  const std::optional<DeviceMesh> &given,
                                  const Placements &placements) {
  return tensor.redistribute(given ? *given : tensor.deviceMesh(), placements);
}

//===----------------------------------------------------------------------===//
// fromLocal
//===----------------------------------------------------------------------===//

namespace {

/// The global shape of equal parts.
std::vector<int64_t> multiplyShape(const MeshState &mesh, const Layout &layout,
                                   const std::vector<int64_t> &local) {
  std::vector<int64_t> shape = local;
  for (size_t d = 0; d < shape.size(); ++d)
    if (__builtin_mul_overflow(shape[d], totalSize(layout.dims[d]), &shape[d]))
      throw refuse("the global shape of local parts " + dtrt::shapeText(local) +
                   " is too large");
  return shape;
}

/// Empty, or what is wrong with this rank's part.
std::string problemWith(const MeshState &mesh, const TensorSpec &spec,
                        const Array &local, const FromLocalOptions &options) {
  std::string rank = "rank " + std::to_string(mesh.context->rank);
  if (!spec.box)
    return local.numel() == 0
               ? ""
               : rank + " gives " + std::to_string(local.numel()) +
                     " elements, but is not in the mesh " + mesh.text();
  if (local.shape() != spec.box->extents())
    return rank + " gives a part of shape " + dtrt::shapeText(local.shape()) +
           ", but its box of " + spec.text + " is " +
           dtrt::shapeText(spec.box->extents()) +
           "; chunks are of ceil(n / parts) elements until they run out";
  if (options.stride && *options.stride != contiguousStrides(spec.shape))
    return "the strides of a global tensor of shape " +
           dtrt::shapeText(spec.shape) +
           " are those of a contiguous one; leave stride out";
  return "";
}

/// Which of a tensor's replicas and contributions a rank holds.
std::string holdingText(const MeshState &mesh, const TensorSpec &spec,
                        int64_t member) {
  Box box = localBox(mesh.grid, spec.layout, spec.shape, member);
  std::string text;
  for (size_t d = 0; d < box.lo.size(); ++d)
    text += std::to_string(box.lo[d]) + ":" + std::to_string(box.hi[d]) + ",";
  for (const PartialAxis &partial : spec.layout.partials)
    text += "p" + std::to_string(mesh.grid.coordinate(member, partial.axis));
  return text;
}

/// What a rank tells the others about its part.
struct Card {
  uint64_t spec = 0;  ///< of the global tensor
  uint64_t value = 0; ///< of the data
  uint64_t wrong = 0; ///< its part does not fit
};

/// Throws the same error on all ranks where their parts do not go together.
void checkParts(MeshState &mesh, const TensorSpec &spec, const Array &local,
                const std::string &problem) {
  runOnChannel(*mesh.context, mesh.channel, mesh.ranks, [&](Agreement &all) {
    all.check(Call::make("from_local with run_check on " + mesh.text()));
    std::string mine = spec.text + (spec.requiresGrad ? ", requires_grad" : "");
    Card card{dtrt::xxh64(mine.data(), mine.size()),
              dtrt::xxh64(local.data(), static_cast<size_t>(local.bytes())),
              problem.empty() ? 0u : 1u};
    std::vector<std::byte> bytes =
        all.gather(reinterpret_cast<const std::byte *>(&card), sizeof(card));
    std::vector<Card> cards(mesh.ranks.size());
    std::memcpy(cards.data(), bytes.data(), bytes.size());
    bool differ = false;
    for (const Card &one : cards)
      differ |= one.wrong || one.spec != cards[0].spec;
    if (differ) {
      std::vector<std::string> problems = all.gatherTexts(problem);
      for (const std::string &text : problems)
        if (!text.empty())
          throw refuse("from_local: " + text);
      std::vector<std::string> specs = all.gatherTexts(mine);
      for (size_t i = 1; i < specs.size(); ++i)
        if (specs[i] != specs[0])
          throw DTensorError(
              ErrorCode::Mismatch,
              "from_local: rank " + std::to_string(mesh.ranks[0]) +
                  " has a part of " + specs[0] + ", rank " +
                  std::to_string(mesh.ranks[i]) + " of " + specs[i] +
                  "; uneven parts need the global shape (shape=...)");
    }
    std::map<std::string, size_t> first;
    for (size_t i = 0; i < cards.size(); ++i) {
      auto [entry, isNew] =
          first.emplace(holdingText(mesh, spec, static_cast<int64_t>(i)), i);
      if (!isNew && cards[entry->second].value != cards[i].value)
        throw DTensorError(ErrorCode::Mismatch,
                           "from_local: rank " +
                               std::to_string(mesh.ranks[entry->second]) +
                               " and rank " + std::to_string(mesh.ranks[i]) +
                               " hold different bits of the same replica");
    }
  });
}

} // namespace

DTensor dtensor::fromLocal(const Array &local,
                           const std::optional<DeviceMesh> &given,
                           const Placements &placements,
                           const FromLocalOptions &options) {
  DeviceMesh mesh = resolveMesh(given);
  MeshState &state = *mesh.impl();
  std::vector<int64_t> shape;
  if (options.shape)
    shape = *options.shape;
  else
    shape = multiplyShape(
        state, placements.layout(state.grid, static_cast<int>(local.ndim())),
        local.shape());
  auto spec =
      state.spec(shape, local.dtype(), local.requiresGrad(), placements);
  std::string problem = problemWith(state, *spec, local, options);
  if (options.runCheck && state.me >= 0 && state.ranks.size() > 1)
    checkParts(state, *spec, local, problem);
  if (!problem.empty())
    throw refuse("from_local: " + problem);
  return makeTensor(mesh, spec, spec->box ? local : Array());
}
