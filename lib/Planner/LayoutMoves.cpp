// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps between the states of a search, and their prices.
#include "LayoutSpace.h"

#include "CostModel.h"

#include <algorithm>

using namespace dtensor;

namespace {

/// Up to this many pieces are moved and reduced in every order.
constexpr int maxOrderedPieces = 3;

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
  if (from.size() <= maxOrderedPieces)
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

bool LayoutSpace::divides(const SearchState &state) const {
  for (int d = 0; d < rank; ++d) {
    int64_t q = 1;
    for (uint8_t atom : state.dims[d])
      q *= atoms[atom].ref.size;
    if (shape[d] % q != 0)
      return false;
  }
  return true;
}

double LayoutSpace::bytesOf(const SearchState &state) const {
  double bytes = static_cast<double>(elementBytes(request.type));
  for (int d = 0; d < rank; ++d) {
    bytes *= static_cast<double>(shape[d]);
    for (uint8_t atom : state.dims[d])
      bytes /= static_cast<double>(atoms[atom].ref.size);
  }
  return bytes;
}

double LayoutSpace::cost(StepKind kind, const SearchState &before,
                         const SearchState &after,
                         const AtomList &group) const {
  int64_t size = 1;
  Link link = {0, 0};
  bool first = true;
  for (uint8_t number : group) {
    const Atom &atom = atoms[number];
    size *= atom.ref.size;
    link.latencyUs = std::max(link.latencyUs, atom.latencyUs);
    link.bytesPerUs =
        first ? atom.bytesPerUs : std::min(link.bytesPerUs, atom.bytesPerUs);
    first = false;
  }
  StepWork work = evenWork(kind, bytesOf(before), bytesOf(after), size);
  if (request.objective == Objective::Bytes)
    return work.linkBytes;
  return work.timeUs(link, request.topology.memoryBytesPerUs);
}

double LayoutSpace::permuteCost(const SearchState &state) const {
  AtomList all;
  for (size_t i = 0; i < atoms.size(); ++i)
    all.push_back(static_cast<uint8_t>(i));
  return cost(StepKind::Permute, state, state, all);
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
                               std::vector<Move> &moves) const {
  for (int d = 0; d < rank; ++d) {
    SearchState next = withoutPending(state, group);
    append(next.dims[d], group);
    if (divides(next))
      moves.push_back({edge(StepKind::ReduceScatter, -1, d, group.size()), next,
                       cost(StepKind::ReduceScatter, state, next, group)});
  }
}

/// Reductions of the pending atoms of `state` that have the first one's op.
void LayoutSpace::reductions(const SearchState &state,
                             std::vector<Move> &moves) const {
  ReduceOp op = atoms[state.pending[0]].op;
  AtomList sameOp, chosen;
  for (uint8_t atom : state.pending)
    if (atoms[atom].op == op)
      sameOp.push_back(atom);
  SearchState whole = withoutPending(state, sameOp);
  moves.push_back({edge(StepKind::AllReduce, -1, -1, sameOp.size()), whole,
                   cost(StepKind::AllReduce, state, whole, sameOp)});
  if (sameOp.size() > maxOrderedPieces)
    return scatterMoves(state, sameOp, moves);
  for (int count = 1; count <= sameOp.size(); ++count)
    forEachOrder(sameOp, count, chosen, [&](const AtomList &group) {
      scatterMoves(state, group, moves);
    });
}

/// Gathers the last `count` atoms of dimension `dim`, or moves them to others.
void LayoutSpace::gatherMoves(const SearchState &state, int dim, int count,
                              std::vector<Move> &moves) const {
  AtomList suffix = state.dims[dim].suffix(count);
  SearchState kept = state;
  kept.dims[dim].resize(state.dims[dim].size() - count);
  moves.push_back({edge(StepKind::AllGather, dim, -1, count), kept,
                   cost(StepKind::AllGather, state, kept, suffix)});
  double price = cost(StepKind::AllToAll, state, state, suffix);
  forEachOrderOfAll(suffix, [&](const AtomList &order) {
    for (int e = 0; e < rank; ++e) {
      SearchState next = kept;
      append(next.dims[e], order);
      if (e != dim && divides(next))
        moves.push_back({edge(StepKind::AllToAll, dim, e, count), next, price});
    }
  });
}

void LayoutSpace::forwardMoves(const SearchState &state,
                               std::vector<Move> &moves) const {
  for (uint8_t atom : freeAtoms(state))
    for (int d = 0; d < rank; ++d) {
      SearchState next = state;
      next.dims[d].push_back(atom);
      if (!divides(next))
        continue;
      moves.push_back(
          {edge(StepKind::Slice, -1, d, 1), next,
           cost(StepKind::Slice, state, next, next.dims[d].suffix(1))});
    }
  if (!state.pending.empty())
    return reductions(state, moves);
  for (int d = 0; d < rank; ++d)
    for (int count = 1; count <= state.dims[d].size(); ++count)
      gatherMoves(state, d, count, moves);
}

void LayoutSpace::backwardMoves(const SearchState &state,
                                std::vector<Move> &moves) const {
  AtomList unused = freeAtoms(state), chosen;
  for (int d = 0; d < rank; ++d) {
    int most = std::min(unused.size(), maxOrderedPieces);
    for (int count = 1; count <= most; ++count)
      forEachOrder(unused, count, chosen, [&](const AtomList &order) {
        SearchState before = state;
        append(before.dims[d], order);
        if (divides(before))
          moves.push_back({edge(StepKind::AllGather, d, -1, count), before,
                           cost(StepKind::AllGather, before, state, order)});
      });
    for (int count = 1; count <= state.dims[d].size(); ++count) {
      AtomList suffix = state.dims[d].suffix(count);
      SearchState kept = state;
      kept.dims[d].resize(state.dims[d].size() - count);
      if (count == 1)
        moves.push_back({edge(StepKind::Slice, -1, d, 1), kept,
                         cost(StepKind::Slice, kept, state, suffix)});
      double price = cost(StepKind::AllToAll, state, state, suffix);
      forEachOrderOfAll(suffix, [&](const AtomList &order) {
        for (int e = 0; e < rank; ++e) {
          SearchState before = kept;
          append(before.dims[e], order);
          if (e != d && divides(before))
            moves.push_back(
                {edge(StepKind::AllToAll, e, d, count), before, price});
        }
      });
    }
  }
}
