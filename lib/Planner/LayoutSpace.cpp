// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States of a search for a plan: how layouts become lists of atoms and back.
#include "LayoutSpace.h"

#include "RankClasses.h"
#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>

using namespace dtensor;

namespace {

constexpr int maxAtomsWithSpare = 4;
/// Layouts that a search may hold; larger spaces are left to the rules.
constexpr double maxStates = 12000;

bool isUsed(const Layout &layout, const AxisRef &ref) {
  auto touches = [&](const AxisRef &used) { return overlaps(used, ref); };
  for (const std::vector<AxisRef> &axes : layout.dims)
    if (std::any_of(axes.begin(), axes.end(), touches))
      return true;
  return std::any_of(
      layout.partials.begin(), layout.partials.end(),
      [&](const PartialAxis &partial) { return touches(partial.axis); });
}

} // namespace

int LayoutSpace::atomOf(const AxisRef &ref) {
  for (size_t i = 0; i < atoms.size(); ++i)
    if (atoms[i].ref == ref)
      return static_cast<int>(i);
  const Topology &topology = request.topology;
  atoms.push_back({ref, topology.link(request.mesh, {ref}),
                   topology.linkInsideNode(request.mesh, {ref}),
                   topology.groupShape(request.mesh, {ref}).nodes,
                   ReduceOp::Sum});
  return static_cast<int>(atoms.size() - 1);
}

/// Axes that replicate on both sides can still share the work of a reduction,
/// or of a slow link: slice, move a part each, gather.
void LayoutSpace::addSpareAtoms(const AxisCuts &cuts) {
  for (size_t axis = 0; axis < request.mesh.axes().size(); ++axis)
    for (const AxisRef &piece :
         cuts.split({request.mesh.wholeAxis(static_cast<int>(axis))}))
      if (piece.size > 1 && atoms.size() <= maxAtomsWithSpare &&
          !isUsed(from, piece) && !isUsed(to, piece))
        atomOf(piece);
}

bool LayoutSpace::isSmall() const {
  if (atoms.size() > AtomList::capacity || atoms.size() + rank + 2 > 16)
    return false;
  // Ordered placements of j of k atoms on the dimensions.
  double k = static_cast<double>(atoms.size()), states = 0, placed = 1;
  for (int j = 0; j <= k; ++j) {
    states += placed;
    placed *= (k - j) * (j + rank) / (j + 1);
  }
  return states <= maxStates;
}

bool LayoutSpace::prepare(const AxisCuts &cuts, bool primes) {
  if (rank > SearchState::maxDims)
    return false;
  // Parts of an axis refine it only where sizes divide.
  std::vector<bool> whole(request.mesh.axes().size(), !primes);
  for (int d = 0; d < rank; ++d) {
    uneven[d] =
        !isEvenDim(from, request.shape, d) || !isEvenDim(to, request.shape, d);
    for (const Layout *layout : {&from, &to})
      for (const AxisRef &ref : layout->dims[d])
        if (uneven[d])
          whole[ref.axis] = true;
  }
  auto split = [&](const std::vector<AxisRef> &list) {
    std::vector<AxisRef> parts;
    for (const AxisRef &ref : list) {
      auto more = whole[ref.axis] ? cuts.split(std::vector<AxisRef>{ref})
                                  : cuts.splitPrimes({ref});
      parts.insert(parts.end(), more.begin(), more.end());
    }
    return parts;
  };
  prefix.resize(rank);
  shape = request.shape;
  std::array<std::vector<int>, 2> lists[SearchState::maxDims];
  for (int d = 0; d < rank; ++d) {
    std::vector<AxisRef> a = split(from.dims[d]), b = split(to.dims[d]);
    size_t common = commonPrefix(a, b);
    auto joins = [&](const std::vector<AxisRef> &list) {
      return common > 0 && common < list.size() &&
             list[common].axis == list[common - 1].axis &&
             list[common].preSize == list[common - 1].end();
    };
    while (uneven[d] && (joins(a) || joins(b)))
      --common;
    for (size_t i = 0; i < common; ++i)
      shape[d] = shape[d] / a[i].size + (shape[d] % a[i].size != 0);
    prefix[d].assign(a.begin(), a.begin() + common);
    for (size_t i = common; i < a.size(); ++i)
      lists[d][0].push_back(atomOf(a[i]));
    for (size_t i = common; i < b.size(); ++i)
      lists[d][1].push_back(atomOf(b[i]));
  }
  std::vector<int> pending;
  std::vector<PartialAxis> kept = cuts.split(to.partials);
  for (const PartialAxis &partial : cuts.split(from.partials)) {
    if (std::find(kept.begin(), kept.end(), partial) != kept.end())
      continue;
    for (const AxisRef &piece : split({partial.axis})) {
      pending.push_back(atomOf(piece));
      atoms[pending.back()].op = partial.op;
    }
  }
  if (!pending.empty() || request.topology.hasSlowerLinks(request.mesh))
    addSpareAtoms(cuts);
  // Lists hold few atoms: nothing may be put into them before this.
  if (!isSmall())
    return false;
  for (int d = 0; d < rank; ++d) {
    for (int atom : lists[d][0])
      start.dims[d].push_back(static_cast<uint8_t>(atom));
    for (int atom : lists[d][1])
      goal.dims[d].push_back(static_cast<uint8_t>(atom));
  }
  std::sort(pending.begin(), pending.end());
  for (int atom : pending)
    start.pending.push_back(static_cast<uint8_t>(atom));
  return true;
}

// Four bits per atom, 15 between lists, 14 at the end.
StateCode LayoutSpace::encode(const SearchState &state) const {
  StateCode code = 0;
  int shift = 0;
  auto put = [&](uint8_t digit) {
    code |= StateCode(digit) << shift;
    shift += 4;
  };
  for (int d = 0; d < rank; ++d) {
    for (uint8_t atom : state.dims[d])
      put(atom);
    put(15);
  }
  for (uint8_t atom : state.pending)
    put(atom);
  put(14);
  return code;
}

SearchState LayoutSpace::decode(StateCode code) const {
  SearchState state;
  int dim = 0;
  for (;; code >>= 4) {
    uint8_t digit = static_cast<uint8_t>(code & 15);
    if (digit == 14)
      return state;
    if (digit == 15)
      ++dim;
    else
      (dim < rank ? state.dims[dim] : state.pending).push_back(digit);
  }
}

Tile LayoutSpace::tileOf(const SearchState &state) const {
  Tile tile = {};
  for (int d = 0; d < rank; ++d) {
    tile[d] = shape[d];
    for (uint8_t atom : state.dims[d]) {
      int64_t size = atoms[atom].ref.size;
      tile[d] = tile[d] / size + (tile[d] % size != 0);
    }
  }
  return tile;
}

Layout LayoutSpace::layoutOf(const SearchState &state) const {
  Layout layout = Layout::replicated(rank);
  for (int d = 0; d < rank; ++d) {
    layout.dims[d] = prefix[d];
    for (uint8_t atom : state.dims[d])
      layout.dims[d].push_back(atoms[atom].ref);
    canonicalizeAxes(layout.dims[d]);
  }
  layout.partials = to.partials;
  for (uint8_t atom : state.pending)
    layout.partials.push_back({atoms[atom].ref, atoms[atom].op});
  canonicalizePartials(layout.partials);
  return layout;
}

std::vector<AxisRef> LayoutSpace::refs(const AtomList &list) const {
  std::vector<AxisRef> result;
  for (uint8_t atom : list)
    result.push_back(atoms[atom].ref);
  return result;
}
