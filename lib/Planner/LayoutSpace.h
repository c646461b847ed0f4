// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that a search for a plan walks over, and the steps between them.
// The common major part of two layouts stays out of it; the rest is lists of
// small parts of axes.
#ifndef DTENSOR_LIB_PLANNER_LAYOUTSPACE_H
#define DTENSOR_LIB_PLANNER_LAYOUTSPACE_H

#include "AxisCuts.h"
#include "dtensor/Planner/Redistribution.h"

#include <array>

namespace dtensor {

/// The part of an axis that a search moves as one.
struct Atom {
  AxisRef ref;
  Link slowest, insideNode;
  int64_t nodes = 1;           ///< that it spans
  ReduceOp op = ReduceOp::Sum; ///< of a pending reduction
};

/// A short list of atoms, by number.
class AtomList {
public:
  static constexpr int capacity = 9;

  void push_back(uint8_t atom) { ids[count++] = atom; }
  void pop_back() { --count; }
  void clear() { count = 0; }
  void resize(int size) { count = static_cast<uint8_t>(size); }
  int size() const { return count; }
  bool empty() const { return count == 0; }
  uint8_t operator[](int index) const { return ids[index]; }
  uint8_t back() const { return ids[count - 1]; }
  const uint8_t *begin() const { return ids.data(); }
  const uint8_t *end() const { return ids.data() + count; }
  bool contains(uint8_t atom) const {
    for (uint8_t id : *this)
      if (id == atom)
        return true;
    return false;
  }
  /// The last `size` atoms.
  AtomList suffix(int size) const {
    AtomList list;
    for (int i = count - size; i < count; ++i)
      list.push_back(ids[i]);
    return list;
  }

private:
  std::array<uint8_t, capacity> ids = {};
  uint8_t count = 0;
};

/// A layout as lists of atoms.
struct SearchState {
  static constexpr int maxDims = 6;

  /// Per dimension, major to minor.
  std::array<AtomList, maxDims> dims;
  /// Those that wait for a reduction.
  AtomList pending;
};

/// A state as one number.
using StateCode = uint64_t;
/// Extents of a local tensor.
using Tile = std::array<int64_t, SearchState::maxDims>;

/// How a layout was reached: enough to rebuild the step from the two layouts.
struct Edge {
  StepKind kind = StepKind::Slice;
  int8_t fromDim = -1, toDim = -1;
  int8_t count = 0; ///< atoms that move
};

/// A step to another layout, or back to one that it may come from.
struct Move {
  Edge edge;
  SearchState state;
  double price = 0;
};

/// Moves of up to a price of `budget`.
struct MoveList {
  double budget = 0;
  std::vector<Move> moves;

  void add(const Edge &edge, const SearchState &state, double price) {
    if (price <= budget)
      moves.push_back({edge, state, price});
  }
};

class LayoutSpace {
public:
  LayoutSpace(const RedistributionRequest &request, const Layout &from,
              const Layout &to)
      : request(request), from(from), to(to), rank(from.rank()) {}

  /// Cuts the axes, into parts of prime size where `primes` says so and all
  /// sizes divide. False where the space is too large for a search.
  bool prepare(const AxisCuts &cuts, bool primes);

  const SearchState &source() const { return start; }
  const SearchState &target() const { return goal; }
  const Atom &atom(uint8_t number) const { return atoms[number]; }

  StateCode encode(const SearchState &state) const;
  SearchState decode(StateCode code) const;
  Layout layoutOf(const SearchState &state) const;
  /// Extents of the largest local tensor.
  Tile tileOf(const SearchState &state) const;
  std::vector<AxisRef> refs(const AtomList &list) const;

  /// Appends every step from `state`, without permutes.
  void forwardMoves(const SearchState &state, MoveList &moves) const;
  /// Appends the inverse moves: every layout from which one step, other than
  /// a reduction or a permute, leads to `state`.
  void backwardMoves(const SearchState &state, MoveList &moves) const;
  /// An upper bound: a permute may span every axis, and its exact price comes
  /// with the step.
  double permuteCost(const SearchState &state) const;

private:
  int atomOf(const AxisRef &ref);
  void addSpareAtoms(const AxisCuts &cuts);
  bool isSmall() const;
  int64_t sizeOf(const AtomList &list) const;
  double bytesOf(const SearchState &state) const;
  int64_t roomIn(const SearchState &state, int dim) const;
  bool touch(uint8_t major, uint8_t minor) const;
  bool canAppend(const SearchState &state, int dim, const AtomList &more) const;
  bool canCut(const SearchState &state, int dim, int count) const;
  double cost(StepKind kind, double inBytes, double outBytes,
              const AtomList &group) const;
  AtomList freeAtoms(const SearchState &state) const;
  void sliceRuns(const SearchState &state, MoveList &moves) const;
  void reductions(const SearchState &state, MoveList &moves) const;
  void scatterMoves(const SearchState &state, const AtomList &group,
                    MoveList &moves) const;
  void exchangeMoves(const SearchState &state, int dim, int count,
                     bool backward, MoveList &moves) const;

  const RedistributionRequest &request;
  const Layout &from, &to;
  int rank;
  std::vector<Atom> atoms;
  SearchState start, goal;
  /// Common major part per dimension, and the tensor's shape below it.
  std::vector<std::vector<AxisRef>> prefix;
  std::vector<int64_t> shape;
  /// Dimensions that some layout does not divide: their chunks are cut and
  /// joined as whole axes only.
  std::array<bool, SearchState::maxDims> uneven = {};
};

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_LAYOUTSPACE_H
