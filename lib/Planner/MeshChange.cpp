// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution between meshes: said on one mesh where their grids agree, an
// exact exchange of boxes elsewhere.
#include "dtensor/Planner/MeshChange.h"

#include "CostModel.h"
#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>

using namespace dtensor;

namespace {

/// Devices that an exchange may span: it is planned box by box.
constexpr int64_t maxDevices = 1 << 14;

/// The part [begin, end) of a grid of `mesh`'s ranks, both measured as the
/// number of pieces that the grid is cut into, as a list of sub-axes; nothing
/// where a cut does not fall on a piece.
std::optional<std::vector<AxisRef>> gridPart(const Mesh &mesh, int64_t begin,
                                             int64_t end) {
  std::vector<AxisRef> refs;
  int64_t outer = 1;
  for (size_t i = 0; i < mesh.axes().size(); ++i) {
    int64_t size = mesh.axes()[i].size, inner = outer * size;
    int64_t lo = std::max(begin, outer), hi = std::min(end, inner);
    if (lo < hi) {
      if (lo % outer != 0 || hi % lo != 0 || inner % hi != 0)
        return std::nullopt;
      refs.push_back({static_cast<int>(i), lo / outer, hi / lo});
    }
    outer = inner;
  }
  return refs;
}

/// `ref` of `other` in terms of `mesh`, where both number the same ranks.
std::optional<std::vector<AxisRef>>
translateAxis(const Mesh &other, const AxisRef &ref, const Mesh &mesh) {
  int64_t outer = 1;
  for (int axis = 0; axis < ref.axis; ++axis)
    outer *= other.axes()[axis].size;
  return gridPart(mesh, outer * ref.preSize, outer * ref.end());
}

/// True where both cut every dimension into the same numbers of chunks.
bool chunksAlike(const Layout &a, const Layout &b) {
  auto sameSize = [](const AxisRef &x, const AxisRef &y) {
    return x.size == y.size;
  };
  for (int d = 0; d < a.rank(); ++d)
    if (!std::equal(a.dims[d].begin(), a.dims[d].end(), b.dims[d].begin(),
                    b.dims[d].end(), sameSize))
      return false;
  return true;
}

/// `layout` of `other` in terms of `mesh`.
std::optional<Layout> translateLayout(const Mesh &other, const Layout &layout,
                                      const std::vector<int64_t> &shape,
                                      const Mesh &mesh) {
  std::vector<PlacementEntry> entries;
  for (const PlacementEntry &entry : layoutEntries(layout)) {
    auto refs = translateAxis(other, entry.axis, mesh);
    if (!refs)
      return std::nullopt;
    for (const AxisRef &ref : *refs) {
      entries.push_back(entry);
      entries.back().axis = ref;
    }
  }
  auto made = makeLayout(mesh, layout.rank(), entries);
  // An axis that falls into two chunks twice, and two that merge into one
  // chunk once: the same boxes only where the sizes divide.
  if (!made || (!chunksAlike(*made, layout) &&
                !(isEven(layout, shape) && isEven(*made, shape))))
    return std::nullopt;
  return *made;
}

bool isSameOrder(const PlacedMesh &a, const PlacedMesh &b) {
  if (a.devices != b.devices)
    return false;
  for (int64_t at = 0; at < a.mesh.numRanks(); ++at)
    if (a.mesh.rankAt(at) != b.mesh.rankAt(at))
      return false;
  return true;
}

/// Boxes by participant.
std::vector<std::optional<Box>>
placeBoxes(const PlacedMesh &placed, const Layout &layout,
           const std::vector<int64_t> &shape,
           const std::vector<int64_t> &devices) {
  std::vector<std::optional<Box>> boxes(devices.size());
  for (size_t rank = 0; rank < placed.devices.size(); ++rank) {
    auto at =
        std::lower_bound(devices.begin(), devices.end(), placed.devices[rank]);
    boxes[at - devices.begin()] =
        localBox(placed.mesh, layout, shape, static_cast<int64_t>(rank));
  }
  return boxes;
}

int64_t elementsOf(const std::optional<Box> &box) {
  return box ? box->numElements() : 0;
}

void priceExchange(const MeshChangeRequest &request, MeshExchange &exchange) {
  int64_t bytes = elementBytes(request.type), peers = 0, target = 0;
  int64_t held = 0;
  RedistributionStep step;
  step.from = request.from;
  step.to = request.to;
  std::vector<int64_t> sent(exchange.devices.size());
  std::vector<int64_t> receivers(exchange.devices.size());
  exchange.plan.lowerBoundBytesMax = 0;
  for (size_t i = 0; i < exchange.devices.size(); ++i) {
    int64_t received = 0, sources = 0;
    for (const Transfer &transfer : exchange.transfers[i]) {
      if (transfer.source == static_cast<int64_t>(i))
        continue;
      int64_t size = transfer.box.numElements() * bytes;
      received += size;
      ++sources;
      sent[transfer.source] += size;
      ++receivers[transfer.source];
    }
    int64_t in = elementsOf(exchange.held[i]) * bytes;
    int64_t out = elementsOf(exchange.wanted[i]) * bytes;
    int64_t kept = 0;
    if (exchange.held[i] && exchange.wanted[i])
      kept = intersect(*exchange.held[i], *exchange.wanted[i]).numElements();
    exchange.plan.lowerBoundBytesMax =
        std::max(exchange.plan.lowerBoundBytesMax, out - kept * bytes);
    step.recvBytesMax = std::max(step.recvBytesMax, received);
    step.recvBytesAvg += static_cast<double>(received);
    held = std::max(held, in + out);
    target = std::max(target, out);
    peers = std::max(peers, sources);
  }
  step.recvBytesAvg /= static_cast<double>(exchange.devices.size());
  step.sendBytesMax = *std::max_element(sent.begin(), sent.end());
  // Messages are packed and unpacked, except where ranks share their memory.
  step.peakBytes = held;
  if (request.backend != Backend::Threads)
    step.peakBytes += step.sendBytesMax + step.recvBytesMax;
  peers =
      std::max(peers, *std::max_element(receivers.begin(), receivers.end()));
  // The slowest link of either mesh, and the one between nodes where the
  // devices lie on several.
  Link slowest = request.topology.defaultLink;
  int64_t perNode = request.topology.ranksPerNode;
  if (perNode > 0 &&
      exchange.devices.front() / perNode != exchange.devices.back() / perNode)
    slowest = request.topology.nodeLink;
  for (const PlacedMesh *placed : {&request.source, &request.target})
    for (size_t axis = 0; axis < placed->mesh.axes().size(); ++axis) {
      AxisRef whole = placed->mesh.wholeAxis(static_cast<int>(axis));
      Link link = request.topology.link(placed->mesh, {whole});
      slowest.latencyUs = std::max(slowest.latencyUs, link.latencyUs);
      slowest.bytesPerUs = std::min(slowest.bytesPerUs, link.bytesPerUs);
    }
  StepWork work;
  work.rounds = std::max(1.0, messageRounds(peers + 1));
  work.linkBytes =
      static_cast<double>(std::max(step.recvBytesMax, step.sendBytesMax));
  work.memoryBytes = 2.0 * static_cast<double>(target);
  step.timeUs = work.timeUs(slowest, request.topology.memoryBytesPerUs);
  exchange.plan.recvBytesMax = step.recvBytesMax;
  exchange.plan.recvBytesAvg = step.recvBytesAvg;
  exchange.plan.timeUs = step.timeUs;
  exchange.plan.peakBytes = step.peakBytes;
  exchange.plan.steps.push_back(std::move(step));
}

} // namespace

Expected<PlacedMesh> PlacedMesh::create(std::vector<MeshAxis> axes,
                                        const std::vector<int64_t> &order) {
  Expected<Mesh> plain = Mesh::create(axes);
  if (!plain)
    return plain.error();
  PlacedMesh placed;
  placed.devices = order;
  if (order.empty()) {
    if (plain->numRanks() > maxDevices)
      return Error{"redistribution between meshes is planned for up to " +
                   std::to_string(maxDevices) + " devices, but a mesh has " +
                   std::to_string(plain->numRanks())};
    for (int64_t device = 0; device < plain->numRanks(); ++device)
      placed.devices.push_back(device);
  }
  std::sort(placed.devices.begin(), placed.devices.end());
  auto repeated =
      std::adjacent_find(placed.devices.begin(), placed.devices.end());
  if (repeated != placed.devices.end())
    return Error{"device " + std::to_string(*repeated) +
                 " stands twice in a device order"};
  if (!placed.devices.empty() && placed.devices.front() < 0)
    return Error{"device " + std::to_string(placed.devices.front()) +
                 " in a device order is negative"};
  std::vector<int64_t> ranks;
  for (int64_t device : order)
    ranks.push_back(
        std::lower_bound(placed.devices.begin(), placed.devices.end(), device) -
        placed.devices.begin());
  Expected<Mesh> mesh = Mesh::create(std::move(axes), std::move(ranks));
  if (!mesh)
    return mesh.error();
  placed.mesh = std::move(*mesh);
  return placed;
}

std::optional<RedistributionRequest>
dtensor::asOneMesh(const MeshChangeRequest &request) {
  if (!isSameOrder(request.source, request.target))
    return std::nullopt;
  auto to = translateLayout(request.target.mesh, request.to, request.shape,
                            request.source.mesh);
  if (!to)
    return std::nullopt;
  RedistributionRequest one;
  one.mesh = request.source.mesh;
  one.shape = request.shape;
  one.type = request.type;
  one.from = request.from;
  one.to = std::move(*to);
  one.topology = request.topology;
  one.objective = request.objective;
  one.memoryLimit = request.memoryLimit;
  one.backend = request.backend;
  return one;
}

/// planMeshExchange for a source without partials.
static Expected<MeshExchange> planBoxes(const MeshChangeRequest &request) {
  MeshExchange exchange;
  std::set_union(request.source.devices.begin(), request.source.devices.end(),
                 request.target.devices.begin(), request.target.devices.end(),
                 std::back_inserter(exchange.devices));
  if (static_cast<int64_t>(exchange.devices.size()) > maxDevices)
    return Error{"redistribution between meshes is planned for up to " +
                 std::to_string(maxDevices) + " devices, but these have " +
                 std::to_string(exchange.devices.size())};
  exchange.held =
      placeBoxes(request.source, request.from, request.shape, exchange.devices);
  exchange.wanted =
      placeBoxes(request.target, request.to, request.shape, exchange.devices);
  exchange.transfers = boxTransfers(exchange.held, exchange.wanted);
  priceExchange(request, exchange);
  if (request.memoryLimit >= 0 && exchange.plan.peakBytes > request.memoryLimit)
    return memoryLimitError(request.memoryLimit, exchange.plan.peakBytes);
  return exchange;
}

/// The layouts that the source may be reduced to: as it lies, or with a
/// dimension cut further by the axes that were partial.
static std::vector<Layout> reducedLayouts(const MeshChangeRequest &request) {
  Layout plain = dataLayout(request.from);
  std::vector<AxisRef> axes;
  for (const PartialAxis &partial : plain.partials)
    axes.push_back(partial.axis);
  plain.partials.clear();
  std::vector<Layout> layouts = {plain};
  for (int d = 0; d < plain.rank(); ++d)
    layouts.push_back(withAppended(plain, d, axes));
  return layouts;
}

/// Reduces to `middle` on the source mesh and exchanges the rest.
static Expected<MeshExchange> planThrough(const MeshChangeRequest &request,
                                          const Layout &middle) {
  MeshReduction reduction;
  RedistributionRequest &first = reduction.request;
  first.mesh = request.source.mesh;
  first.shape = request.shape;
  first.type = request.type;
  first.from = request.from;
  first.to = middle;
  first.topology = request.topology;
  first.objective = request.objective;
  first.memoryLimit = request.memoryLimit;
  first.backend = request.backend;
  auto plan = planRedistribution(first);
  if (!plan)
    return plan.error();
  reduction.plan = std::move(*plan);
  MeshChangeRequest rest = request;
  rest.from = middle;
  auto exchange = planBoxes(rest);
  if (!exchange)
    return exchange.error();
  RedistributionPlan &total = exchange->plan;
  const RedistributionPlan &before = reduction.plan;
  total.steps.insert(total.steps.begin(), before.steps.begin(),
                     before.steps.end());
  total.recvBytesMax += before.recvBytesMax;
  total.recvBytesAvg += before.recvBytesAvg;
  total.timeUs += before.timeUs;
  total.peakBytes = std::max(total.peakBytes, before.peakBytes);
  total.lowerBoundBytesMax = -1;
  exchange->reduction = std::move(reduction);
  return exchange;
}

Expected<MeshExchange>
dtensor::planMeshExchange(const MeshChangeRequest &request) {
  if (!request.to.partials.empty())
    return Error{"the target on another mesh is partial; make contributions "
                 "there, after the redistribution"};
  for (const Layout *layout : {&request.from, &request.to})
    if (layout->rank() != static_cast<int>(request.shape.size()))
      return Error{"a layout has rank " + std::to_string(layout->rank()) +
                   ", but the tensor has rank " +
                   std::to_string(request.shape.size())};
  if (Status status = checkShape(request.shape, request.type); !status)
    return status.error();
  if (request.from.partials.empty())
    return planBoxes(request);
  std::optional<MeshExchange> best;
  std::optional<Error> refusal;
  auto key = [&](const RedistributionPlan &plan) {
    double bytes = static_cast<double>(plan.recvBytesMax);
    return request.objective == Objective::Bytes
               ? std::make_pair(bytes, plan.timeUs)
               : std::make_pair(plan.timeUs, bytes);
  };
  for (const Layout &middle : reducedLayouts(request)) {
    auto exchange = planThrough(request, middle);
    if (!exchange)
      refusal = exchange.error();
    else if (!best || key(exchange->plan) < key(best->plan))
      best = std::move(*exchange);
  }
  if (!best)
    return *refusal;
  return std::move(*best);
}

Status dtensor::checkMeshExchange(const MeshExchange &exchange) {
  if (exchange.reduction)
    if (Status status = checkRedistribution(exchange.reduction->request,
                                            exchange.reduction->plan);
        !status)
      return status;
  for (size_t i = 0; i < exchange.devices.size(); ++i) {
    auto fail = [&](const std::string &what) {
      return Error{"device " + std::to_string(exchange.devices[i]) + ": " +
                   what};
    };
    int64_t found = 0;
    const std::vector<Transfer> &transfers = exchange.transfers[i];
    for (size_t k = 0; k < transfers.size(); ++k) {
      const Transfer &transfer = transfers[k];
      const auto &held = exchange.held[transfer.source];
      if (!held || !(intersect(*held, transfer.box) == transfer.box))
        return fail("takes a box that its source does not hold");
      if (!exchange.wanted[i] ||
          !(intersect(*exchange.wanted[i], transfer.box) == transfer.box))
        return fail("takes a box that it does not want");
      for (size_t j = 0; j < k; ++j)
        if (!intersect(transfers[j].box, transfer.box).isEmpty())
          return fail("takes the same data twice");
      found += transfer.box.numElements();
    }
    if (found != elementsOf(exchange.wanted[i]))
      return fail("gets " + std::to_string(found) + " of its " +
                  std::to_string(elementsOf(exchange.wanted[i])) + " elements");
  }
  return Status::success();
}
