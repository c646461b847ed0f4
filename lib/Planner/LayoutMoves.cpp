// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps between the states of a search, and their prices.
#include "LayoutSpace.h"

#include "CostModel.h"

#include <algorithm>
#include <limits>

using namespace dtensor;

namespace {

/// Up to this many pieces are reduced, and gathered to, in every order.
constexpr int maxOrderedPieces = 3;
/// The same for pieces that move to another dimension.
constexpr int maxMovedPieces = 4;

/// Calls `visit` with every ordered choice of `count` out of `from`.
template <typename Visit>
void forEachOrder(const AtomList &from, int count, AtomList &chosen,
                  const Visit &visit) {
  if (chosen.size() == count) {
    visit(chosen);
    return;
  }
  for (uint8_t atom : from) {
    if (chosen.contains(atom))
      continue;
    chosen.push_back(atom);
    forEachOrder(from, count, chosen, visit);
    chosen.pop_back();
  }
}

/// The same where there are few orders; otherwise `from` as it is.
template <typename Visit>
void forEachOrderOfAll(const AtomList &from, const Visit &visit) {
  AtomList chosen;
  if (from.size() <= maxMovedPieces)
    forEachOrder(from, from.size(), chosen, visit);
  else
    visit(from);
}

void append(AtomList &list, const AtomList &more) {
  for (uint8_t atom : more)
    list.push_back(atom);
}

Edge edge(StepKind kind, int fromDim, int toDim, int count) {
  return {kind, static_cast<int8_t>(fromDim), static_cast<int8_t>(toDim),
          static_cast<int8_t>(count)};
}

} // namespace

int64_t LayoutSpace::sizeOf(const AtomList &list) const {
  int64_t size = 1;
  for (uint8_t atom : list)
    size *= atoms[atom].ref.size;
  return size;
}

/// Bytes of the largest local tensor.
double LayoutSpace::bytesOf(const SearchState &state) const {
  double bytes = static_cast<double>(elementBytes(request.type));
  for (int d = 0; d < rank; ++d) {
    int64_t size = sizeOf(state.dims[d]);
    bytes *= static_cast<double>(shape[d] / size + (shape[d] % size != 0));
  }
  return bytes;
}

double LayoutSpace::cost(StepKind kind, double inBytes, double outBytes,
                         const AtomList &group) const {
  StepWork work = evenWork(kind, inBytes, outBytes, sizeOf(group));
  double peak = inBytes + outBytes +
                (request.backend == Backend::Threads ? 0 : 2 * work.linkBytes);
  if (request.objective == Objective::Memory)
    return peak;
  if (request.memoryLimit >= 0 &&
      inBytes + outBytes > static_cast<double>(request.memoryLimit))
    return std::numeric_limits<double>::infinity();
  if (request.objective == Objective::Bytes)
    return work.linkBytes;
  Link slowest = atoms[group[0]].slowest;
  Link inside = atoms[group[0]].insideNode;
  GroupShape shape = {sizeOf(group), 1};
  for (uint8_t number : group) {
    const Atom &atom = atoms[number];
    shape.nodes *= atom.nodes;
    for (auto [link, other] : {std::pair(&slowest, &atom.slowest),
                               std::pair(&inside, &atom.insideNode)}) {
      link->latencyUs = std::max(link->latencyUs, other->latencyUs);
      link->bytesPerUs = std::min(link->bytesPerUs, other->bytesPerUs);
    }
  }
  return collectiveTimeUs(request.topology, kind, shape, slowest, inside, work);
}

double LayoutSpace::permuteCost(const SearchState &state) const {
  AtomList all;
  for (size_t i = 0; i < atoms.size(); ++i)
    all.push_back(static_cast<uint8_t>(i));
  double bytes = bytesOf(state);
  return cost(StepKind::Permute, bytes, bytes, all);
}

/// How often `dim` can still be cut below `state`.
int64_t LayoutSpace::roomIn(const SearchState &state, int dim) const {
  return shape[dim] / sizeOf(state.dims[dim]);
}

/// True where two atoms in this order are one part of an axis.
bool LayoutSpace::touch(uint8_t major, uint8_t minor) const {
  const AxisRef &a = atoms[major].ref, &b = atoms[minor].ref;
  return a.axis == b.axis && a.end() == b.preSize;
}

/// True where the chunks of `dim` can be cut by `more`.
bool LayoutSpace::canAppend(const SearchState &state, int dim,
                            const AtomList &more) const {
  if (!uneven[dim])
    return roomIn(state, dim) % sizeOf(more) == 0;
  return state.dims[dim].empty() || !touch(state.dims[dim].back(), more[0]);
}

/// True where the last `count` atoms of `dim` can be taken off.
bool LayoutSpace::canCut(const SearchState &state, int dim, int count) const {
  const AtomList &list = state.dims[dim];
  int kept = list.size() - count;
  return !uneven[dim] || kept == 0 || !touch(list[kept - 1], list[kept]);
}

AtomList LayoutSpace::freeAtoms(const SearchState &state) const {
  uint32_t used = 0;
  for (int d = 0; d < rank; ++d)
    for (uint8_t atom : state.dims[d])
      used |= 1u << atom;
  for (uint8_t atom : state.pending)
    used |= 1u << atom;
  AtomList result;
  for (size_t atom = 0; atom < atoms.size(); ++atom)
    if (!(used >> atom & 1))
      result.push_back(static_cast<uint8_t>(atom));
  return result;
}

static SearchState withoutPending(SearchState state, const AtomList &group) {
  AtomList rest;
  for (uint8_t atom : state.pending)
    if (!group.contains(atom))
      rest.push_back(atom);
  state.pending = rest;
  return state;
}

/// Reduces `group` and shards a dimension by it.
void LayoutSpace::scatterMoves(const SearchState &state, const AtomList &group,
                               MoveList &moves) const {
  int64_t size = sizeOf(group);
  double bytes = bytesOf(state);
  double price = cost(StepKind::ReduceScatter, bytes,
                      bytes / static_cast<double>(size), group);
  if (price > moves.budget)
    return;
  for (int d = 0; d < rank; ++d) {
    if (!canAppend(state, d, group))
      continue;
    SearchState next = withoutPending(state, group);
    append(next.dims[d], group);
    moves.add(edge(StepKind::ReduceScatter, -1, d, group.size()), next, price);
  }
}

/// Reductions of the pending atoms of `state` that have the first one's op.
void LayoutSpace::reductions(const SearchState &state, MoveList &moves) const {
  ReduceOp op = atoms[state.pending[0]].op;
  AtomList sameOp, chosen;
  for (uint8_t atom : state.pending)
    if (atoms[atom].op == op)
      sameOp.push_back(atom);
  double bytes = bytesOf(state);
  moves.add(edge(StepKind::AllReduce, -1, -1, sameOp.size()),
            withoutPending(state, sameOp),
            cost(StepKind::AllReduce, bytes, bytes, sameOp));
  if (sameOp.size() > maxOrderedPieces)
    return scatterMoves(state, sameOp, moves);
  for (int count = 1; count <= sameOp.size(); ++count)
    forEachOrder(sameOp, count, chosen, [&](const AtomList &group) {
      scatterMoves(state, group, moves);
    });
}

/// All-to-alls over the last `count` atoms of dimension `dim`: to others, or
/// with `backward` from others, which cost the same.
void LayoutSpace::exchangeMoves(const SearchState &state, int dim, int count,
                                bool backward, MoveList &moves) const {
  AtomList suffix = state.dims[dim].suffix(count);
  double bytes = bytesOf(state);
  double price = cost(StepKind::AllToAll, bytes, bytes, suffix);
  if (price > moves.budget || !canCut(state, dim, count))
    return;
  SearchState kept = state;
  kept.dims[dim].resize(state.dims[dim].size() - count);
  int64_t size = sizeOf(suffix);
  for (int e = 0; e < rank; ++e) {
    if (e == dim || (!uneven[e] && roomIn(state, e) % size != 0))
      continue;
    Edge step = backward ? edge(StepKind::AllToAll, e, dim, count)
                         : edge(StepKind::AllToAll, dim, e, count);
    forEachOrderOfAll(suffix, [&](const AtomList &order) {
      if (!canAppend(kept, e, order))
        return;
      SearchState other = kept;
      append(other.dims[e], order);
      moves.add(step, other, price);
    });
  }
}

/// Slices by several atoms at once, where the target wants them all or there
/// are few: less is written than by one after the other.
void LayoutSpace::sliceRuns(const SearchState &state, MoveList &moves) const {
  AtomList unused = freeAtoms(state);
  double bytes = bytesOf(state);
  for (int d = 0; d < rank; ++d) {
    if (static_cast<int>(atoms.size()) <= maxOrderedPieces &&
        !state.pending.empty()) {
      AtomList chosen;
      forEachOrder(unused, 2, chosen, [&](const AtomList &pair) {
        if (!canAppend(state, d, pair))
          return;
        SearchState next = state;
        append(next.dims[d], pair);
        moves.add(edge(StepKind::Slice, -1, d, 2), next,
                  cost(StepKind::Slice, bytes, bytesOf(next), pair));
      });
    }
    const AtomList &have = state.dims[d], &want = goal.dims[d];
    if (have.size() + 2 > want.size() ||
        !std::equal(have.begin(), have.end(), want.begin()))
      continue;
    AtomList run;
    for (int i = have.size(); i < want.size() && unused.contains(want[i]);
         ++i) {
      run.push_back(want[i]);
      if (run.size() < 2 || !canAppend(state, d, run))
        continue;
      SearchState next = state;
      append(next.dims[d], run);
      moves.add(edge(StepKind::Slice, -1, d, run.size()), next,
                cost(StepKind::Slice, bytes, bytesOf(next), run));
    }
  }
}

void LayoutSpace::forwardMoves(const SearchState &state,
                               MoveList &moves) const {
  double bytes = bytesOf(state);
  for (uint8_t atom : freeAtoms(state)) {
    AtomList single;
    single.push_back(atom);
    int64_t size = sizeOf(single);
    double price =
        cost(StepKind::Slice, bytes, bytes / static_cast<double>(size), single);
    for (int d = 0; d < rank; ++d) {
      if (!canAppend(state, d, single))
        continue;
      SearchState next = state;
      next.dims[d].push_back(atom);
      moves.add(edge(StepKind::Slice, -1, d, 1), next, price);
    }
  }
  sliceRuns(state, moves);
  if (!state.pending.empty())
    return reductions(state, moves);
  for (int d = 0; d < rank; ++d)
    for (int count = 1; count <= state.dims[d].size(); ++count) {
      if (!canCut(state, d, count))
        continue;
      AtomList suffix = state.dims[d].suffix(count);
      SearchState next = state;
      next.dims[d].resize(state.dims[d].size() - count);
      moves.add(edge(StepKind::AllGather, d, -1, count), next,
                cost(StepKind::AllGather, bytes, bytesOf(next), suffix));
      exchangeMoves(state, d, count, /*backward=*/false, moves);
    }
}

void LayoutSpace::backwardMoves(const SearchState &state,
                                MoveList &moves) const {
  AtomList unused = freeAtoms(state), chosen;
  double bytes = bytesOf(state);
  for (int d = 0; d < rank; ++d) {
    int most = std::min(unused.size(), maxOrderedPieces);
    for (int count = 1; count <= most; ++count)
      forEachOrder(unused, count, chosen, [&](const AtomList &order) {
        if (!canAppend(state, d, order))
          return;
        SearchState before = state;
        append(before.dims[d], order);
        moves.add(edge(StepKind::AllGather, d, -1, count), before,
                  cost(StepKind::AllGather, bytesOf(before), bytes, order));
      });
    for (int count = 1; count <= state.dims[d].size(); ++count) {
      if (!canCut(state, d, count))
        continue;
      if (count == 1) {
        SearchState before = state;
        before.dims[d].pop_back();
        moves.add(edge(StepKind::Slice, -1, d, 1), before,
                  cost(StepKind::Slice, bytesOf(before), bytes,
                       state.dims[d].suffix(1)));
      }
      exchangeMoves(state, d, count, /*backward=*/true, moves);
    }
  }
}
