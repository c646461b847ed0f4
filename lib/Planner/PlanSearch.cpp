// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans by search, on sizes that divide: Dijkstra over layouts forward from
// the source and backward from the target, joined by at most one permute.
// Axes are cut into parts of prime size where the space stays small.
#include "AxisCuts.h"
#include "CostModel.h"
#include "LayoutOps.h"
#include "PlanSteps.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <unordered_map>

using namespace dtensor;

namespace {

constexpr int maxAtoms = 9;
constexpr int maxAtomsWithSpare = 4;
constexpr int maxDims = 6;
constexpr int maxLists = maxDims + 1;
/// Layouts that a search may hold; larger spaces are left to the rules.
constexpr double maxStates = 2500;
/// Reductions of up to this many pieces are tried in every order.
constexpr int maxOrderedPieces = 3;

/// The part of an axis that the search moves as one.
struct Atom {
  AxisRef ref;
  double latencyUs, bytesPerUs;
  ReduceOp op = ReduceOp::Sum; ///< of a pending reduction
};

/// A layout: per dimension its atoms, major to minor, then the pending ones.
struct State {
  std::array<std::array<uint8_t, maxAtoms>, maxLists> items = {};
  std::array<uint8_t, maxLists> sizes = {};

  void push(int list, int atom) {
    items[list][sizes[list]++] = static_cast<uint8_t>(atom);
  }
  uint8_t atom(int list, int index) const { return items[list][index]; }
};

using Code = uint64_t;
using Tile = std::array<int64_t, maxDims>;

/// How a layout was reached: enough to rebuild the step from the two layouts.
struct Edge {
  StepKind kind = StepKind::Slice;
  int8_t fromDim = -1, toDim = -1;
  int8_t count = 0; ///< atoms that move
};

struct Node {
  double cost = 0;
  int steps = 0;
  Code neighbour = 0;
  Edge edge;
  bool done = false;
};

/// One direction's layouts and the order in which they were settled.
struct Frontier {
  std::unordered_map<Code, Node> nodes;
  std::vector<Code> settled;
};

/// Calls `visit` with every ordered choice of `count` out of `from`.
template <typename Visit>
void forEachOrder(const std::vector<uint8_t> &from, size_t count,
                  std::vector<uint8_t> &chosen, const Visit &visit) {
  if (chosen.size() == count) {
    visit(chosen);
    return;
  }
  for (uint8_t atom : from) {
    if (std::find(chosen.begin(), chosen.end(), atom) != chosen.end())
      continue;
    chosen.push_back(atom);
    forEachOrder(from, count, chosen, visit);
    chosen.pop_back();
  }
}

bool isUsed(const Layout &layout, const AxisRef &ref) {
  auto touches = [&](const AxisRef &used) { return overlaps(used, ref); };
  for (const std::vector<AxisRef> &axes : layout.dims)
    if (std::any_of(axes.begin(), axes.end(), touches))
      return true;
  return std::any_of(
      layout.partials.begin(), layout.partials.end(),
      [&](const PartialAxis &partial) { return touches(partial.axis); });
}

class LayoutSearch {
public:
  LayoutSearch(const RedistributionRequest &request, const Layout &from,
               const Layout &to)
      : request(request), from(from), to(to), rank(from.rank()) {}

  /// False where the space is too large for a search.
  bool prepare(const AxisCuts &cuts, bool primes);
  std::optional<StepList> run(double bound);

private:
  Code encode(const State &state) const;
  State decode(Code code) const;
  Tile tileOf(const State &state) const;
  double bytesOf(const State &state) const;
  double cost(StepKind kind, const State &before, const State &after,
              const uint8_t *group, int count) const;
  std::vector<uint8_t> freeAtoms(const State &state) const;
  bool divides(const State &state) const;

  template <typename Visit>
  void forwardMoves(const State &state, const Visit &visit) const;
  template <typename Visit>
  void reductions(const State &state, const Visit &visit) const;
  template <typename Visit>
  void backwardMoves(const State &state, const Visit &visit) const;
  template <typename Moves>
  Frontier explore(const State &start, Code goal, double bound,
                   const Moves &moves) const;
  double permuteCost(const State &state) const;

  Layout layoutOf(const State &state) const;
  std::vector<AxisRef> refs(const uint8_t *atoms, int count) const;
  bool replay(StepList &list, const Edge &edge, const State &before,
              const State &after) const;
  std::optional<StepList> rebuild(const Frontier &forward,
                                  const Frontier &backward, Code left,
                                  Code right) const;

  const RedistributionRequest &request;
  const Layout &from, &to;
  int rank;
  std::vector<Atom> atoms;
  State source, target;
  /// Common major part per dimension, and the tensor's shape below it.
  std::vector<std::vector<AxisRef>> prefix;
  std::vector<int64_t> shape;
};

bool LayoutSearch::prepare(const AxisCuts &cuts, bool primes) {
  auto split = [&](const std::vector<AxisRef> &list) {
    return primes ? cuts.splitPrimes(list) : cuts.split(list);
  };
  if (rank > maxDims)
    return false;
  auto idOf = [this](const AxisRef &ref) {
    for (size_t i = 0; i < atoms.size(); ++i)
      if (atoms[i].ref == ref)
        return static_cast<int>(i);
    Link link = request.topology.link(request.mesh, {ref});
    atoms.push_back({ref, link.latencyUs, link.bytesPerUs, ReduceOp::Sum});
    return static_cast<int>(atoms.size() - 1);
  };
  prefix.resize(rank);
  shape = request.shape;
  std::array<std::vector<int>, 2> lists[maxDims];
  for (int d = 0; d < rank; ++d) {
    std::vector<AxisRef> a = split(from.dims[d]), b = split(to.dims[d]);
    size_t common = 0;
    while (common < a.size() && common < b.size() && a[common] == b[common])
      shape[d] /= a[common++].size;
    prefix[d].assign(a.begin(), a.begin() + common);
    for (size_t i = common; i < a.size(); ++i)
      lists[d][0].push_back(idOf(a[i]));
    for (size_t i = common; i < b.size(); ++i)
      lists[d][1].push_back(idOf(b[i]));
  }
  std::vector<int> pending;
  std::vector<PartialAxis> kept = cuts.split(to.partials);
  for (const PartialAxis &partial : cuts.split(from.partials)) {
    if (std::find(kept.begin(), kept.end(), partial) != kept.end())
      continue;
    for (const AxisRef &piece : split({partial.axis})) {
      pending.push_back(idOf(piece));
      atoms[pending.back()].op = partial.op;
    }
  }
  // Axes that replicate on both sides can still share the work of a
  // reduction: slice, reduce a part each, gather.
  if (!pending.empty())
    for (size_t axis = 0; axis < request.mesh.axes().size(); ++axis)
      for (const AxisRef &piece :
           cuts.split({request.mesh.wholeAxis(static_cast<int>(axis))}))
        if (piece.size > 1 && atoms.size() <= maxAtomsWithSpare &&
            !isUsed(from, piece) && !isUsed(to, piece))
          idOf(piece);
  if (atoms.size() > maxAtoms || atoms.size() + rank + 2 > 16)
    return false;
  // Ordered placements of j of k atoms on the dimensions.
  double k = static_cast<double>(atoms.size()), states = 0, placed = 1;
  for (int j = 0; j <= k; ++j) {
    states += placed;
    placed *= (k - j) * (j + rank) / (j + 1);
  }
  if (states > maxStates)
    return false;
  for (int d = 0; d < rank; ++d) {
    for (int atom : lists[d][0])
      source.push(d, atom);
    for (int atom : lists[d][1])
      target.push(d, atom);
  }
  std::sort(pending.begin(), pending.end());
  for (int atom : pending)
    source.push(rank, atom);
  return true;
}

// Four bits per atom, 15 between lists, 14 at the end.
Code LayoutSearch::encode(const State &state) const {
  Code code = 0;
  int shift = 0;
  for (int list = 0; list <= rank; ++list) {
    for (int i = 0; i < state.sizes[list]; ++i, shift += 4)
      code |= Code(state.atom(list, i)) << shift;
    code |= Code(list == rank ? 14 : 15) << shift;
    shift += 4;
  }
  return code;
}

State LayoutSearch::decode(Code code) const {
  State state;
  for (int list = 0; list <= rank; code >>= 4) {
    int digit = static_cast<int>(code & 15);
    if (digit >= 14)
      ++list;
    else
      state.push(list, digit);
  }
  return state;
}

/// Extents of the local tensor; 0 where a dimension does not divide.
Tile LayoutSearch::tileOf(const State &state) const {
  Tile tile = {};
  for (int d = 0; d < rank; ++d) {
    tile[d] = shape[d];
    for (int i = 0; i < state.sizes[d]; ++i) {
      int64_t size = atoms[state.atom(d, i)].ref.size;
      if (tile[d] % size != 0)
        return {};
      tile[d] /= size;
    }
  }
  return tile;
}

bool LayoutSearch::divides(const State &state) const {
  for (int d = 0; d < rank; ++d) {
    int64_t q = 1;
    for (int i = 0; i < state.sizes[d]; ++i)
      q *= atoms[state.atom(d, i)].ref.size;
    if (shape[d] % q != 0)
      return false;
  }
  return true;
}

double LayoutSearch::bytesOf(const State &state) const {
  double bytes = static_cast<double>(elementBytes(request.type));
  for (int d = 0; d < rank; ++d) {
    bytes *= static_cast<double>(shape[d]);
    for (int i = 0; i < state.sizes[d]; ++i)
      bytes /= static_cast<double>(atoms[state.atom(d, i)].ref.size);
  }
  return bytes;
}

double LayoutSearch::cost(StepKind kind, const State &before,
                          const State &after, const uint8_t *group,
                          int count) const {
  int64_t size = 1;
  Link link = {0, 0};
  for (int i = 0; i < count; ++i) {
    const Atom &atom = atoms[group[i]];
    size *= atom.ref.size;
    link.latencyUs = std::max(link.latencyUs, atom.latencyUs);
    link.bytesPerUs =
        i ? std::min(link.bytesPerUs, atom.bytesPerUs) : atom.bytesPerUs;
  }
  StepWork work = evenWork(kind, bytesOf(before), bytesOf(after), size);
  if (request.objective == Objective::Bytes)
    return work.linkBytes;
  return work.timeUs(link, request.topology.memoryBytesPerUs);
}

std::vector<uint8_t> LayoutSearch::freeAtoms(const State &state) const {
  uint32_t used = 0;
  for (int list = 0; list <= rank; ++list)
    for (int i = 0; i < state.sizes[list]; ++i)
      used |= 1u << state.atom(list, i);
  std::vector<uint8_t> result;
  for (size_t atom = 0; atom < atoms.size(); ++atom)
    if (!(used >> atom & 1))
      result.push_back(static_cast<uint8_t>(atom));
  return result;
}

/// Reductions of the pending atoms of `state`.
template <typename Visit>
void LayoutSearch::reductions(const State &state, const Visit &visit) const {
  std::vector<uint8_t> pending(state.items[rank].begin(),
                               state.items[rank].begin() + state.sizes[rank]);
  ReduceOp op = atoms[pending.front()].op;
  std::vector<uint8_t> sameOp, others, chosen;
  for (uint8_t atom : pending)
    (atoms[atom].op == op ? sameOp : others).push_back(atom);
  auto reduced = [&](const std::vector<uint8_t> &group) {
    State next = state;
    next.sizes[rank] = 0;
    for (uint8_t atom : pending)
      if (std::find(group.begin(), group.end(), atom) == group.end())
        next.push(rank, atom);
    return next;
  };
  int all = static_cast<int>(sameOp.size());
  State whole = reduced(sameOp);
  visit(Edge{StepKind::AllReduce, -1, -1, static_cast<int8_t>(all)}, whole,
        cost(StepKind::AllReduce, state, whole, sameOp.data(), all));
  auto scatter = [&](const std::vector<uint8_t> &group) {
    int count = static_cast<int>(group.size());
    for (int d = 0; d < rank; ++d) {
      State next = reduced(group);
      for (uint8_t atom : group)
        next.push(d, atom);
      if (divides(next))
        visit(Edge{StepKind::ReduceScatter, -1, static_cast<int8_t>(d),
                   static_cast<int8_t>(count)},
              next,
              cost(StepKind::ReduceScatter, state, next, group.data(), count));
    }
  };
  if (all > maxOrderedPieces)
    return scatter(sameOp);
  for (int count = 1; count <= all; ++count)
    forEachOrder(sameOp, count, chosen, scatter);
}

template <typename Visit>
void LayoutSearch::forwardMoves(const State &state, const Visit &visit) const {
  for (uint8_t atom : freeAtoms(state))
    for (int d = 0; d < rank; ++d) {
      State next = state;
      next.push(d, atom);
      if (divides(next))
        visit(Edge{StepKind::Slice, -1, static_cast<int8_t>(d), 1}, next,
              cost(StepKind::Slice, state, next, &atom, 1));
    }
  if (state.sizes[rank] > 0)
    return reductions(state, visit);
  for (int d = 0; d < rank; ++d)
    for (int count = 1; count <= state.sizes[d]; ++count) {
      State kept = state;
      kept.sizes[d] -= count;
      const uint8_t *suffix = &state.items[d][kept.sizes[d]];
      visit(Edge{StepKind::AllGather, static_cast<int8_t>(d), -1,
                 static_cast<int8_t>(count)},
            kept, cost(StepKind::AllGather, state, kept, suffix, count));
      std::vector<uint8_t> moved(suffix, suffix + count), chosen;
      double price = cost(StepKind::AllToAll, state, state, suffix, count);
      auto append = [&](const std::vector<uint8_t> &order) {
        for (int e = 0; e < rank; ++e) {
          State next = kept;
          for (uint8_t atom : order)
            next.push(e, atom);
          if (e != d && divides(next))
            visit(Edge{StepKind::AllToAll, static_cast<int8_t>(d),
                       static_cast<int8_t>(e), static_cast<int8_t>(count)},
                  next, price);
        }
      };
      if (count <= maxOrderedPieces)
        forEachOrder(moved, count, chosen, append);
      else
        append(moved);
    }
}

/// The inverse moves: every layout from which one step leads to `state`.
template <typename Visit>
void LayoutSearch::backwardMoves(const State &state, const Visit &visit) const {
  std::vector<uint8_t> unused = freeAtoms(state), chosen;
  for (int d = 0; d < rank; ++d) {
    size_t most = std::min<size_t>(unused.size(), maxOrderedPieces);
    for (size_t count = 1; count <= most; ++count)
      forEachOrder(unused, count, chosen, [&](const auto &order) {
        State before = state;
        for (uint8_t atom : order)
          before.push(d, atom);
        int n = static_cast<int>(count);
        if (divides(before))
          visit(Edge{StepKind::AllGather, static_cast<int8_t>(d), -1,
                     static_cast<int8_t>(n)},
                before,
                cost(StepKind::AllGather, before, state, order.data(), n));
      });
    for (int count = 1; count <= state.sizes[d]; ++count) {
      State kept = state;
      kept.sizes[d] -= count;
      const uint8_t *suffix = &state.items[d][kept.sizes[d]];
      if (count == 1)
        visit(Edge{StepKind::Slice, -1, static_cast<int8_t>(d), 1}, kept,
              cost(StepKind::Slice, kept, state, suffix, 1));
      std::vector<uint8_t> moved(suffix, suffix + count);
      double price = cost(StepKind::AllToAll, state, state, suffix, count);
      auto append = [&](const std::vector<uint8_t> &order) {
        for (int e = 0; e < rank; ++e) {
          State before = kept;
          for (uint8_t atom : order)
            before.push(e, atom);
          if (e != d && divides(before))
            visit(Edge{StepKind::AllToAll, static_cast<int8_t>(e),
                       static_cast<int8_t>(d), static_cast<int8_t>(count)},
                  before, price);
        }
      };
      if (count <= maxOrderedPieces)
        forEachOrder(moved, count, chosen, append);
      else
        append(moved);
    }
  }
}

/// Dijkstra from `start` over `moves`, up to a cost of `bound` or of `goal`:
/// dearer layouts are on no plan that is worth having.
template <typename Moves>
Frontier LayoutSearch::explore(const State &start, Code goal, double bound,
                               const Moves &moves) const {
  Frontier frontier;
  using Entry = std::tuple<double, int, Code>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  frontier.nodes.reserve(512);
  Code first = encode(start);
  frontier.nodes[first] = Node();
  queue.push({0, 0, first});
  while (!queue.empty()) {
    auto [cost, steps, code] = queue.top();
    queue.pop();
    Node &node = frontier.nodes[code];
    if (node.done)
      continue;
    node.done = true;
    frontier.settled.push_back(code);
    double base = cost;
    int depth = steps + 1;
    Code here = code;
    moves(decode(code), [&](Edge edge, const State &next, double price) {
      double total = base + price;
      if (total > bound)
        return;
      Code key = encode(next);
      auto [it, fresh] = frontier.nodes.try_emplace(key);
      Node &other = it->second;
      if (!fresh && (other.done || std::tie(other.cost, other.steps) <=
                                       std::tie(total, depth)))
        return;
      other = {total, depth, here, edge, false};
      if (key == goal)
        bound = total;
      queue.push({total, depth, key});
    });
  }
  return frontier;
}

/// A permute may span every axis; the exact price comes with the step.
double LayoutSearch::permuteCost(const State &state) const {
  std::array<uint8_t, maxAtoms> all;
  for (size_t i = 0; i < atoms.size(); ++i)
    all[i] = static_cast<uint8_t>(i);
  return cost(StepKind::Permute, state, state, all.data(),
              static_cast<int>(atoms.size()));
}

Layout LayoutSearch::layoutOf(const State &state) const {
  Layout layout = Layout::replicated(rank);
  for (int d = 0; d < rank; ++d) {
    layout.dims[d] = prefix[d];
    for (int i = 0; i < state.sizes[d]; ++i)
      layout.dims[d].push_back(atoms[state.atom(d, i)].ref);
    canonicalizeAxes(layout.dims[d]);
  }
  layout.partials = to.partials;
  for (int i = 0; i < state.sizes[rank]; ++i) {
    const Atom &atom = atoms[state.atom(rank, i)];
    layout.partials.push_back({atom.ref, atom.op});
  }
  canonicalizePartials(layout.partials);
  return layout;
}

std::vector<AxisRef> LayoutSearch::refs(const uint8_t *ids, int count) const {
  std::vector<AxisRef> result;
  for (int i = 0; i < count; ++i)
    result.push_back(atoms[ids[i]].ref);
  return result;
}

bool LayoutSearch::replay(StepList &list, const Edge &edge, const State &before,
                          const State &after) const {
  auto tail = [&](const State &state, int dim) {
    return refs(&state.items[dim][state.sizes[dim] - edge.count], edge.count);
  };
  switch (edge.kind) {
  case StepKind::Slice:
    return list.slice(edge.toDim, tail(after, edge.toDim));
  case StepKind::AllGather:
    return list.allGather(edge.fromDim, tail(before, edge.fromDim));
  case StepKind::AllToAll:
    return list.allToAll(edge.fromDim, edge.toDim, tail(before, edge.fromDim),
                         tail(after, edge.toDim));
  case StepKind::ReduceScatter: {
    ReduceOp op = atoms[after.atom(edge.toDim, after.sizes[edge.toDim] - 1)].op;
    return list.reduceScatter(edge.toDim, tail(after, edge.toDim), op);
  }
  case StepKind::AllReduce: {
    ReduceOp op = atoms[before.atom(rank, 0)].op;
    std::vector<AxisRef> group;
    for (int i = 0; i < before.sizes[rank]; ++i)
      if (atoms[before.atom(rank, i)].op == op)
        group.push_back(atoms[before.atom(rank, i)].ref);
    std::sort(group.begin(), group.end());
    return list.allReduce(std::move(group), op);
  }
  default:
    return false;
  }
}

/// The steps source -> left, a permute to `right` where that differs, and
/// right -> target.
std::optional<StepList> LayoutSearch::rebuild(const Frontier &forward,
                                              const Frontier &backward,
                                              Code left, Code right) const {
  std::vector<Code> path = {left};
  Code start = encode(source), end = encode(target);
  while (path.back() != start)
    path.push_back(forward.nodes.at(path.back()).neighbour);
  StepList list(request, from);
  for (size_t i = path.size() - 1; i-- > 0;)
    if (!replay(list, forward.nodes.at(path[i]).edge, decode(path[i + 1]),
                decode(path[i])))
      return std::nullopt;
  if (right != left)
    list.exchange(layoutOf(decode(right)));
  for (Code at = right; at != end;) {
    const Node &node = backward.nodes.at(at);
    if (!replay(list, node.edge, decode(at), decode(node.neighbour)))
      return std::nullopt;
    at = node.neighbour;
  }
  return list;
}

std::optional<StepList> LayoutSearch::run(double bound) {
  auto onward = [this](const State &state, const auto &visit) {
    forwardMoves(state, visit);
  };
  auto inverse = [this](const State &state, const auto &visit) {
    backwardMoves(state, visit);
  };
  Code end = encode(target);
  Frontier forward = explore(source, end, bound, onward);
  double best = bound;
  bool found = false;
  Code left = end, right = end;
  auto direct = forward.nodes.find(end);
  if (direct != forward.nodes.end()) {
    found = true;
    best = direct->second.cost;
  }
  // The cheapest layout of each tile is the only one worth permuting from.
  struct Departure {
    Code code;
    double cost; ///< up to and with the permute
  };
  std::map<Tile, Departure> cheapest;
  double least = best;
  for (Code code : forward.settled) {
    State state = decode(code);
    if (state.sizes[rank] > 0)
      continue;
    double total = forward.nodes.at(code).cost + permuteCost(state);
    if (cheapest.try_emplace(tileOf(state), Departure{code, total}).second)
      least = std::min(least, total);
  }
  // What is left for the way from the permute to the target; the slack is for
  // sums that round differently.
  double rest = best - least + 1e-12 * best;
  Frontier backward = explore(target, encode(source), rest, inverse);
  for (Code code : backward.settled) {
    auto partner = cheapest.find(tileOf(decode(code)));
    if (partner == cheapest.end() || partner->second.code == code)
      continue;
    double total = partner->second.cost + backward.nodes.at(code).cost;
    if (total < best) {
      best = total;
      found = true;
      left = partner->second.code;
      right = code;
    }
  }
  if (!found)
    return std::nullopt;
  return rebuild(forward, backward, left, right);
}

} // namespace

std::optional<StepList>
dtensor::planBySearch(const RedistributionRequest &request, const Layout &from,
                      const Layout &to, double bound) {
  AxisCuts cuts(request.mesh, from, to);
  if (!cuts.allNest() || !isEven(from, request.shape) ||
      !isEven(to, request.shape))
    return std::nullopt;
  for (bool primes : {true, false}) {
    LayoutSearch search(request, from, to);
    if (search.prepare(cuts, primes))
      return search.run(bound);
  }
  return std::nullopt;
}
