// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout construction with its checks, and the boxes that layouts mean.
#include "dtensor/Planner/Layout.h"

#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>

using namespace dtensor;

bool Layout::isReplicated() const {
  return partials.empty() &&
         std::all_of(dims.begin(), dims.end(),
                     [](const auto &axes) { return axes.empty(); });
}

bool Layout::operator<(const Layout &other) const {
  if (dims != other.dims)
    return dims < other.dims;
  return std::lexicographical_compare(
      partials.begin(), partials.end(), other.partials.begin(),
      other.partials.end(), [](const PartialAxis &a, const PartialAxis &b) {
        return std::tie(a.axis, a.op) < std::tie(b.axis, b.op);
      });
}

/// Refuses entries that name one (part of an) axis twice, or parts of one
/// axis that are not cut from one divisor chain.
static Status checkAxesOnce(const Mesh &mesh,
                            const std::vector<PlacementEntry> &entries) {
  for (size_t i = 0; i < entries.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const AxisRef &a = entries[j].axis, &b = entries[i].axis;
      if (a.axis != b.axis)
        continue;
      // Parts one after the other are fine; size-1 parts hold no coordinate,
      // but writing the same one twice is still a slip.
      if (a != b && !overlaps(a, b))
        continue;
      bool nested =
          (a.preSize % b.preSize == 0 || b.preSize % a.preSize == 0) &&
          (a.end() % b.end() == 0 || b.end() % a.end() == 0) &&
          (a.end() % b.preSize == 0 || b.preSize % a.end() == 0) &&
          (b.end() % a.preSize == 0 || a.preSize % b.end() == 0);
      std::string first = printAxisRef(mesh, a), second = printAxisRef(mesh, b);
      if (!nested)
        return Error{"parts '" + first + "' and '" + second +
                     "' of one axis do not nest; cut the axis at sizes that "
                     "divide each other"};
      if (first == second)
        return Error{"axis '" + first +
                     "' is used twice in one layout; name each axis once"};
      return Error{"axis parts '" + first + "' and '" + second +
                   "' overlap; use each part of an axis once"};
    }
  return Status::success();
}

/// Refuses a mix of reduce ops whose order would matter.
static Status checkPartialOps(const Layout &layout) {
  auto isLinear = [](ReduceOp op) {
    return op == ReduceOp::Sum || op == ReduceOp::Avg;
  };
  for (const PartialAxis &partial : layout.partials) {
    ReduceOp first = layout.partials.front().op;
    if (partial.op != first && !(isLinear(first) && isLinear(partial.op)))
      return Error{"layout mixes partial(" + std::string(reduceOpName(first)) +
                   ") and partial(" + std::string(reduceOpName(partial.op)) +
                   "); only sum and avg may be mixed, reduce one of them "
                   "first"};
  }
  return Status::success();
}

static Status checkDim(const Mesh &mesh, const PlacementEntry &entry,
                       int rank) {
  std::string what = "shard(" + std::to_string(entry.dim) + ") of axis '" +
                     printAxisRef(mesh, entry.axis) + "'";
  if (rank == 0)
    return Error{what + ": a rank-0 tensor has no dimension to shard; "
                        "replicate it"};
  if (entry.dim < 0 || entry.dim >= rank)
    return Error{what + ": dim " + std::to_string(entry.dim) +
                 " is out of range, the tensor has rank " +
                 std::to_string(rank) + " (dims 0.." +
                 std::to_string(rank - 1) + ")"};
  return Status::success();
}

static Status checkOpenness(const Openness &openness, int rank) {
  for (int dim : openness.dims)
    if (dim < 0 || dim >= rank)
      return Error{"open dim " + std::to_string(dim) +
                   " is out of range, the tensor has rank " +
                   std::to_string(rank)};
  return Status::success();
}

Expected<Layout> dtensor::makeLayout(const Mesh &mesh, int rank,
                                     const std::vector<PlacementEntry> &entries,
                                     Openness openness) {
  if (Status status = checkAxesOnce(mesh, entries); !status)
    return status.error();
  Layout layout = Layout::replicated(rank);
  for (const PlacementEntry &entry : entries) {
    switch (entry.kind) {
    case PlacementEntry::Kind::Shard:
      if (Status status = checkDim(mesh, entry, rank); !status)
        return status.error();
      layout.dims[entry.dim].push_back(entry.axis);
      break;
    case PlacementEntry::Kind::Replicate:
      layout.pinned.push_back(entry.axis);
      break;
    case PlacementEntry::Kind::Partial:
      layout.partials.push_back({entry.axis, entry.op});
      break;
    }
  }
  // Before axes of size 1 are dropped: what is written must be right.
  if (Status status = checkPartialOps(layout); !status)
    return status.error();
  for (std::vector<AxisRef> &axes : layout.dims)
    canonicalizeAxes(axes);
  canonicalizePartials(layout.partials);
  std::sort(layout.pinned.begin(), layout.pinned.end());
  canonicalizeAxes(layout.pinned);
  if (Status status = checkOpenness(openness, rank); !status)
    return status.error();
  std::sort(openness.dims.begin(), openness.dims.end());
  openness.dims.erase(std::unique(openness.dims.begin(), openness.dims.end()),
                      openness.dims.end());
  layout.openness = std::move(openness);
  return layout;
}

std::vector<PlacementEntry> dtensor::layoutEntries(const Layout &layout) {
  std::vector<PlacementEntry> entries;
  for (int d = 0; d < layout.rank(); ++d)
    for (const AxisRef &axis : layout.dims[d])
      entries.push_back({axis, PlacementEntry::Kind::Shard, d, ReduceOp::Sum});
  for (const PartialAxis &partial : layout.partials)
    entries.push_back(
        {partial.axis, PlacementEntry::Kind::Partial, 0, partial.op});
  for (const AxisRef &axis : layout.pinned)
    entries.push_back(
        {axis, PlacementEntry::Kind::Replicate, 0, ReduceOp::Sum});
  return entries;
}

Status dtensor::checkElementType(const Layout &layout, ElementType type) {
  for (const PartialAxis &partial : layout.partials)
    if (!isReductionSupported(partial.op, type))
      return Error{"partial(" + std::string(reduceOpName(partial.op)) +
                   ") is not defined on element type " +
                   std::string(elementTypeName(type)) +
                   "; use an op or a type that go together"};
  return Status::success();
}

bool Box::isEmpty() const {
  for (size_t d = 0; d < lo.size(); ++d)
    if (hi[d] <= lo[d])
      return true;
  return false;
}

int64_t Box::numElements() const {
  int64_t count = 1;
  for (size_t d = 0; d < lo.size(); ++d)
    count *= std::max<int64_t>(0, hi[d] - lo[d]);
  return count;
}

std::vector<int64_t> Box::extents() const {
  std::vector<int64_t> extents(lo.size());
  for (size_t d = 0; d < lo.size(); ++d)
    extents[d] = std::max<int64_t>(0, hi[d] - lo[d]);
  return extents;
}

Box dtensor::intersect(const Box &a, const Box &b) {
  Box common = a;
  for (size_t d = 0; d < a.lo.size(); ++d) {
    common.lo[d] = std::max(a.lo[d], b.lo[d]);
    // Where the boxes miss each other the result is empty, not inverted.
    common.hi[d] = std::max(common.lo[d], std::min(a.hi[d], b.hi[d]));
  }
  return common;
}

void dtensor::chunk(int64_t &lo, int64_t &hi, int64_t parts, int64_t index) {
  int64_t n = hi - lo;
  int64_t size = n / parts + (n % parts != 0);
  int64_t begin = std::min(index * size, n);
  int64_t end = std::min(begin + size, n);
  hi = lo + end;
  lo += begin;
}

Box dtensor::localBox(const Mesh &mesh, const Layout &layout,
                      const std::vector<int64_t> &shape, int64_t rank) {
  Box box;
  box.lo.assign(shape.size(), 0);
  box.hi = shape;
  for (size_t d = 0; d < shape.size(); ++d)
    for (const AxisRef &axis : layout.dims[d])
      chunk(box.lo[d], box.hi[d], axis.size, mesh.coordinate(rank, axis));
  return box;
}

std::vector<int64_t> dtensor::maxLocalShape(const Mesh &mesh,
                                            const Layout &layout,
                                            const std::vector<int64_t> &shape) {
  std::vector<int64_t> extents = shape;
  for (size_t d = 0; d < shape.size(); ++d)
    for (const AxisRef &axis : layout.dims[d])
      extents[d] = extents[d] / axis.size + (extents[d] % axis.size != 0);
  return extents;
}

bool dtensor::isEven(const Layout &layout, const std::vector<int64_t> &shape) {
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t extent = shape[d];
    for (const AxisRef &axis : layout.dims[d]) {
      if (extent % axis.size != 0)
        return false;
      extent /= axis.size;
    }
  }
  return true;
}
