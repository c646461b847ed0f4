// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data movement between two layouts, found by intersecting boxes inside one
// group. Nothing here assumes even sizes.
#include "dtensor/Planner/Transfers.h"

#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>
#include <tuple>

using namespace dtensor;

namespace {

/// Group members (as indices into the group) that hold the same box.
struct HolderClass {
  Box box;
  std::vector<size_t> holders;
};

/// The distinct non-empty boxes that the group holds, ordered; holders stand
/// in group order.
std::vector<HolderClass>
holderClasses(const std::vector<std::optional<Box>> &boxes) {
  std::vector<size_t> order;
  for (size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i] && !boxes[i]->isEmpty())
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tie(boxes[a]->lo, boxes[a]->hi, a) <
           std::tie(boxes[b]->lo, boxes[b]->hi, b);
  });
  std::vector<HolderClass> classes;
  for (size_t index : order) {
    if (classes.empty() || !(classes.back().box == *boxes[index]))
      classes.push_back({*boxes[index], {}});
    classes.back().holders.push_back(index);
  }
  return classes;
}

/// True where the boxes share an element. A tensor of rank 0 is one element.
bool meet(const Box &a, const Box &b) {
  for (size_t d = 0; d < a.lo.size(); ++d)
    if (std::max(a.lo[d], b.lo[d]) >= std::min(a.hi[d], b.hi[d]))
      return false;
  return true;
}

} // namespace

std::vector<std::vector<Transfer>>
dtensor::boxTransfers(const std::vector<std::optional<Box>> &held,
                      const std::vector<std::optional<Box>> &wanted) {
  std::vector<std::vector<Transfer>> result(wanted.size());
  for (const HolderClass &group : holderClasses(held)) {
    // Receivers that hold nothing of this class take from its holders in
    // turn: each holder serves the same number, give or take one.
    size_t turn = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!wanted[i] || !meet(group.box, *wanted[i]))
        continue;
      size_t source = i;
      if (!held[i] || !(*held[i] == group.box))
        source = group.holders[turn++ % group.holders.size()];
      result[i].push_back(
          {static_cast<int64_t>(source), intersect(group.box, *wanted[i])});
    }
  }
  return result;
}

std::vector<std::vector<Transfer>>
dtensor::groupTransfers(const Mesh &mesh, const std::vector<int64_t> &shape,
                        const LayoutChange &change, int64_t rank) {
  std::vector<int64_t> members = mesh.group(rank, change.axes);
  std::vector<std::optional<Box>> held, wanted;
  for (int64_t member : members) {
    held.push_back(localBox(mesh, change.from, shape, member));
    wanted.push_back(localBox(mesh, change.to, shape, member));
  }
  auto result = boxTransfers(held, wanted);
  for (std::vector<Transfer> &transfers : result)
    for (Transfer &transfer : transfers)
      transfer.source = members[transfer.source];
  return result;
}

std::vector<Transfer> dtensor::transfersInto(const Mesh &mesh,
                                             const std::vector<int64_t> &shape,
                                             const LayoutChange &change,
                                             int64_t rank) {
  return groupTransfers(mesh, shape, change,
                        rank)[mesh.flatCoordinate(rank, change.axes)];
}

/// The partial axes of `layout` that `other` does not have with that op.
static std::vector<PartialAxis> partialsBeyond(const Layout &layout,
                                               const Layout &other) {
  Layout rest = layout;
  for (const PartialAxis &kept : other.partials)
    if (auto less = withoutPartials(rest, {kept.axis}, kept.op))
      rest = std::move(*less);
  return rest.partials;
}

bool dtensor::combinesOnTheWay(const Layout &from, const Layout &to) {
  return from.partials != to.partials;
}

std::vector<Combination>
dtensor::combinationsInto(const Mesh &mesh, const std::vector<int64_t> &shape,
                          const LayoutChange &change, int64_t rank) {
  std::vector<AxisRef> reduced;
  for (const PartialAxis &partial : partialsBeyond(change.from, change.to))
    reduced.push_back(partial.axis);
  std::vector<Combination> result;
  for (const PartialAxis &created : partialsBeyond(change.to, change.from)) {
    bool everywhere = created.op != ReduceOp::Sum &&
                      created.op != ReduceOp::Product &&
                      created.op != ReduceOp::BXor;
    if (!everywhere && mesh.coordinate(rank, created.axis) != 0)
      return result;
  }
  Box wanted = localBox(mesh, change.to, shape, rank);
  std::vector<int64_t> members = mesh.group(rank, change.axes);
  std::vector<std::optional<Box>> held;
  for (int64_t member : members)
    held.push_back(localBox(mesh, change.from, shape, member));
  size_t contributions = static_cast<size_t>(totalSize(reduced));
  for (const HolderClass &one : holderClasses(held)) {
    if (!meet(one.box, wanted))
      continue;
    std::vector<std::vector<int64_t>> holders(contributions);
    for (size_t holder : one.holders)
      holders[static_cast<size_t>(
                  mesh.flatCoordinate(members[holder], reduced))]
          .push_back(members[holder]);
    Combination combination = {intersect(one.box, wanted), {}};
    for (const std::vector<int64_t> &list : holders) {
      if (list.empty())
        return {}; // the axes of the change do not hold all of it
      bool own = std::find(list.begin(), list.end(), rank) != list.end();
      combination.sources.push_back(
          own ? rank : list[static_cast<size_t>(rank) % list.size()]);
    }
    result.push_back(std::move(combination));
  }
  return result;
}

std::vector<int64_t> dtensor::contributors(const Mesh &mesh,
                                           const LayoutChange &change,
                                           int64_t rank) {
  return mesh.group(rank, change.axes);
}
