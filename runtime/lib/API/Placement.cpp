// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placements and their layouts.
#include "API/TensorState.h"

using namespace dtensor;

std::string Placement::text() const {
  switch (kind) {
  case Kind::Shard:
    return "Shard(dim=" + std::to_string(dim) + ")";
  case Kind::Replicate:
    return "Replicate()";
  case Kind::Partial:
    break;
  }
  return "Partial(" + std::string(reduceOpName(op)) + ")";
}

bool Placement::operator==(const Placement &other) const {
  return kind == other.kind && (!isShard() || dim == other.dim) &&
         (!isPartial() || op == other.op);
}

Shard::Shard(int64_t dim) : Placement{Kind::Shard, dim, ReduceOp::Sum} {}
Replicate::Replicate() : Placement{Kind::Replicate, 0, ReduceOp::Sum} {}
Partial::Partial(ReduceOp op) : Placement{Kind::Partial, 0, op} {}

static ReduceOp reduceOpNamed(const std::string &name) {
  if (std::optional<ReduceOp> op = parseReduceOp(name))
    return *op;
  throw DTensorError(ErrorCode::InvalidArgument,
                     "there is no reduce op '" + name +
                         "'; there are sum, product, min, max, umin, umax, "
                         "avg, band, bor, bxor");
}

Partial::Partial(const std::string &op) : Partial(reduceOpNamed(op)) {}

Placements Placements::ordered(std::vector<AxisPlacement> entries) {
  Placements out;
  out.entries = std::move(entries);
  out.isGiven = true;
  if (out.entries.empty()) // all replicated, but given
    out.text = " ";
  return out;
}

Placements Placements::parse(std::string text) {
  Placements out;
  out.text = text.empty() ? " " : std::move(text);
  out.isGiven = true;
  return out;
}

static PlacementEntry toEntry(const AxisRef &axis, const Placement &placement,
                              int rank) {
  PlacementEntry entry;
  entry.axis = axis;
  switch (placement.kind) {
  case Placement::Kind::Shard:
    entry.kind = PlacementEntry::Kind::Shard;
    if (rank == 0)
      throw DTensorError(ErrorCode::InvalidArgument,
                         placement.text() +
                             " does not fit a tensor of rank 0: it has no "
                             "dimension to chunk; use Replicate()");
    entry.dim = resolveDim(placement.dim, rank, placement.text());
    break;
  case Placement::Kind::Replicate:
    entry.kind = PlacementEntry::Kind::Replicate;
    break;
  case Placement::Kind::Partial:
    entry.kind = PlacementEntry::Kind::Partial;
    entry.op = placement.op;
    break;
  }
  return entry;
}

Layout Placements::layout(const Mesh &mesh, int rank) const {
  if (!isGiven)
    return Layout::replicated(rank);
  if (!text.empty()) {
    Layout parsed = unwrap(parseLayout(mesh, rank, text == " " ? "" : text));
    if (parsed.openness.open)
      throw DTensorError(ErrorCode::InvalidArgument,
                         "the layout '" + text +
                             "' is open; a tensor's is not: leave out '...'");
    return parsed;
  }
  std::vector<PlacementEntry> list;
  if (!entries.empty()) {
    for (const AxisPlacement &entry : entries)
      list.push_back(toEntry(unwrap(parseAxisRef(mesh, entry.axis)),
                             entry.placement, rank));
    return unwrap(makeLayout(mesh, rank, list));
  }
  if (perMeshDim.size() != mesh.axes().size())
    throw DTensorError(ErrorCode::InvalidArgument,
                       std::to_string(perMeshDim.size()) +
                           " placements do not fit the mesh (" +
                           printMesh(mesh) + "), which has " +
                           std::to_string(mesh.axes().size()) +
                           " dimensions; give one placement for each");
  for (size_t axis = 0; axis < perMeshDim.size(); ++axis)
    list.push_back(toEntry(mesh.wholeAxis(static_cast<int>(axis)),
                           perMeshDim[axis], rank));
  return unwrap(makeLayout(mesh, rank, list));
}

bool dtensor::toMeshOrder(const Mesh &mesh, const Layout &layout,
                          std::vector<Placement> &perMeshDim) {
  perMeshDim.assign(mesh.axes().size(), Replicate());
  for (int dim = 0; dim < layout.rank(); ++dim) {
    int last = -1;
    for (const AxisRef &axis : layout.dims[dim]) {
      if (!mesh.isWhole(axis) || axis.axis <= last)
        return false;
      last = axis.axis;
      perMeshDim[axis.axis] = Shard(dim);
    }
  }
  for (const PartialAxis &partial : layout.partials) {
    if (!mesh.isWhole(partial.axis))
      return false;
    perMeshDim[partial.axis.axis] = Partial(partial.op);
  }
  return true;
}

std::vector<AxisPlacement> dtensor::toOrdered(const Mesh &mesh,
                                              const Layout &layout) {
  std::vector<AxisPlacement> out;
  for (int dim = 0; dim < layout.rank(); ++dim)
    for (const AxisRef &axis : layout.dims[dim])
      out.push_back({printAxisRef(mesh, axis), Shard(dim)});
  for (const PartialAxis &partial : layout.partials)
    out.push_back({printAxisRef(mesh, partial.axis), Partial(partial.op)});
  return out;
}
