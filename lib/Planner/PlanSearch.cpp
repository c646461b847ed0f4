// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans by search: Dijkstra over layouts forward from the source and backward
// from the target, joined by at most one permute. Axes are cut into parts of
// prime size where the space stays small and sizes divide; other sizes are
// searched by their largest chunks, and priced exactly once a plan is found.
#include "LayoutSpace.h"
#include "PlanSteps.h"
#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>

using namespace dtensor;

namespace {

/// Layouts from which a direct exchange is tried.
constexpr size_t maxExchanges = 4;
/// Layouts to which an exchange before the last step is tried.
constexpr size_t maxArrivals = 8;

struct Node {
  double cost = 0;
  int steps = 0;
  StateCode neighbour = 0;
  Edge edge;
  bool done = false;
};

/// One direction's layouts and the order in which they were settled.
struct Frontier {
  std::unordered_map<StateCode, Node> nodes;
  std::vector<StateCode> settled;
};

class LayoutSearch {
public:
  LayoutSearch(const RedistributionRequest &request, const Layout &from,
               const LayoutSpace &space)
      : request(request), from(from), space(space) {}

  std::vector<StepList> run(double bound) const;
  /// Plans through other layouts, cheapest first.
  void findOthers(double best, std::vector<StepList> &others) const;

private:
  using Moves = void (LayoutSpace::*)(const SearchState &, MoveList &) const;
  Frontier explore(const SearchState &start, StateCode goal, double bound,
                   Moves moves) const;
  bool replay(StepList &list, const Edge &edge, const SearchState &before,
              const SearchState &after) const;
  std::optional<StepList> rebuild(const Frontier &forward,
                                  const Frontier &backward, StateCode left,
                                  StateCode right) const;

  /// A layout one step before the target.
  struct Arrival {
    double price; ///< of the step
    StateCode state;
    Edge edge;
  };
  std::vector<Arrival> findArrivals(double best) const;
  void exchangeAfter(const Frontier &forward, double best,
                     std::vector<StepList> &plans) const;

  /// Costs of two stretches of a path: they add up, but peaks do not.
  double join(double a, double b) const {
    return request.objective == Objective::Memory ? std::max(a, b) : a + b;
  }

  const RedistributionRequest &request;
  const Layout &from;
  const LayoutSpace &space;
};

/// Dijkstra from `start`, up to a cost of `bound` or of `goal`: dearer layouts
/// are on no plan that is worth having.
Frontier LayoutSearch::explore(const SearchState &start, StateCode goal,
                               double bound, Moves moves) const {
  Frontier frontier;
  using Entry = std::tuple<double, int, StateCode>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  frontier.nodes.reserve(512);
  StateCode first = space.encode(start);
  frontier.nodes[first] = Node();
  queue.push({0, 0, first});
  MoveList next;
  while (!queue.empty()) {
    auto [cost, steps, code] = queue.top();
    queue.pop();
    Node &node = frontier.nodes[code];
    if (node.done)
      continue;
    node.done = true;
    frontier.settled.push_back(code);
    next.moves.clear();
    next.budget = request.objective == Objective::Memory
                      ? bound
                      : bound - cost + 1e-12 * bound;
    (space.*moves)(space.decode(code), next);
    for (const Move &move : next.moves) {
      double total = join(cost, move.price);
      int depth = steps + 1;
      if (total > bound)
        continue;
      StateCode key = space.encode(move.state);
      auto [it, fresh] = frontier.nodes.try_emplace(key);
      Node &other = it->second;
      if (!fresh && (other.done || std::tie(other.cost, other.steps) <=
                                       std::tie(total, depth)))
        continue;
      other = {total, depth, code, move.edge, false};
      if (key == goal)
        bound = total;
      queue.push({total, depth, key});
    }
  }
  return frontier;
}

bool LayoutSearch::replay(StepList &list, const Edge &edge,
                          const SearchState &before,
                          const SearchState &after) const {
  auto tail = [&](const SearchState &state, int dim) {
    return space.refs(state.dims[dim].suffix(edge.count));
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
    ReduceOp op = space.atom(after.dims[edge.toDim].back()).op;
    return list.reduceScatter(edge.toDim, tail(after, edge.toDim), op);
  }
  case StepKind::AllReduce: {
    ReduceOp op = space.atom(before.pending[0]).op;
    std::vector<AxisRef> group;
    for (uint8_t atom : before.pending)
      if (space.atom(atom).op == op)
        group.push_back(space.atom(atom).ref);
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
                                              StateCode left,
                                              StateCode right) const {
  std::vector<StateCode> path = {left};
  StateCode start = space.encode(space.source());
  StateCode end = space.encode(space.target());
  while (path.back() != start)
    path.push_back(forward.nodes.at(path.back()).neighbour);
  StepList list(request, from);
  for (size_t i = path.size() - 1; i-- > 0;)
    if (!replay(list, forward.nodes.at(path[i]).edge, space.decode(path[i + 1]),
                space.decode(path[i])))
      return std::nullopt;
  if (right != left)
    list.exchange(space.layoutOf(space.decode(right)));
  for (StateCode at = right; at != end && backward.nodes.count(at);) {
    const Node &node = backward.nodes.at(at);
    if (!replay(list, node.edge, space.decode(at),
                space.decode(node.neighbour)))
      return std::nullopt;
    at = node.neighbour;
  }
  return list;
}

/// The cheapest layouts of different sizes that wait for no reduction: what is
/// left may be exchanged in one step, for exactly the bytes that are missing.
/// Slices first cost no message, and are all that is left of some; but they can
/// let go of data that the target needs where sizes do not divide.
void LayoutSearch::exchangeAfter(const Frontier &forward, double best,
                                 std::vector<StepList> &plans) const {
  Layout target = space.layoutOf(space.target());
  std::vector<Arrival> arrivals = findArrivals(best);
  // The exchange of the source itself is among the rules.
  bool reduces = !space.source().pending.empty();
  std::set<Tile> seen;
  for (StateCode code : forward.settled) {
    SearchState state = space.decode(code);
    if (!state.pending.empty() || !seen.insert(space.tileOf(state)).second)
      continue;
    auto list = rebuild(forward, Frontier(), code, code);
    if (list && list->current() != target) {
      double cost = forward.nodes.at(code).cost;
      for (const Arrival &arrival : arrivals)
        if (cost + arrival.price < best && arrival.state != code) {
          StepList joined = *list;
          SearchState before = space.decode(arrival.state);
          joined.exchange(space.layoutOf(before));
          if (replay(joined, arrival.edge, before, space.target()))
            plans.push_back(std::move(joined));
        }
      StepList sliced = *list;
      AxisCuts cuts(request.mesh, sliced.current(), target);
      bool progress = false;
      while (reduces && sliced.sliceTowards(target, cuts))
        progress = true;
      if (sliced.current() != target)
        sliced.exchange(target);
      if (progress)
        plans.push_back(std::move(sliced));
      if (reduces || !list->steps().empty()) {
        list->exchange(target);
        plans.push_back(std::move(*list));
      }
    }
    if (seen.size() == maxExchanges)
      return;
  }
}

/// Layouts from which one gather leads to the target, the cheapest first: where
/// an exchange reaches them, ranks that want the same share what they fetch.
std::vector<LayoutSearch::Arrival>
LayoutSearch::findArrivals(double best) const {
  std::vector<Arrival> arrivals;
  if (request.objective != Objective::Time)
    return arrivals;
  MoveList moves;
  moves.budget = best;
  space.backwardMoves(space.target(), moves);
  for (const Move &move : moves.moves)
    if (move.edge.kind == StepKind::AllGather)
      arrivals.push_back({move.price, space.encode(move.state), move.edge});
  std::sort(arrivals.begin(), arrivals.end(),
            [](const Arrival &a, const Arrival &b) {
              return std::tie(a.price, a.state) < std::tie(b.price, b.state);
            });
  if (arrivals.size() > maxArrivals)
    arrivals.resize(maxArrivals);
  return arrivals;
}

void LayoutSearch::findOthers(double best,
                              std::vector<StepList> &others) const {
  constexpr double worthMention = 4;
  constexpr StateCode noGoal = ~StateCode(0);
  double bound = worthMention * best;
  Frontier forward =
      explore(space.source(), noGoal, bound, &LayoutSpace::forwardMoves);
  Frontier backward =
      explore(space.target(), noGoal, bound, &LayoutSpace::backwardMoves);
  std::vector<std::pair<double, StateCode>> meetings;
  for (StateCode code : forward.settled) {
    auto other = backward.nodes.find(code);
    if (other != backward.nodes.end())
      meetings.push_back(
          {join(forward.nodes.at(code).cost, other->second.cost), code});
  }
  std::sort(meetings.begin(), meetings.end());
  // Most meetings lie on one path and are dropped as equal later.
  size_t most = static_cast<size_t>(request.maxAlternatives) * 8;
  for (size_t i = 0; i < meetings.size() && i < most; ++i)
    if (auto list =
            rebuild(forward, backward, meetings[i].second, meetings[i].second))
      others.push_back(std::move(*list));
}

std::vector<StepList> LayoutSearch::run(double bound) const {
  StateCode end = space.encode(space.target());
  Frontier forward =
      explore(space.source(), end, bound, &LayoutSpace::forwardMoves);
  double best = bound;
  bool found = false;
  StateCode left = end, right = end;
  auto direct = forward.nodes.find(end);
  if (direct != forward.nodes.end()) {
    found = true;
    best = direct->second.cost;
  }
  // The cheapest layout of each tile is the only one worth permuting from.
  struct Departure {
    StateCode code;
    double cost; ///< up to and with the permute
  };
  std::map<Tile, Departure> cheapest;
  double least = best;
  for (StateCode code : forward.settled) {
    SearchState state = space.decode(code);
    if (!state.pending.empty())
      continue;
    double total = join(forward.nodes.at(code).cost, space.permuteCost(state));
    if (cheapest.try_emplace(space.tileOf(state), Departure{code, total})
            .second)
      least = std::min(least, total);
  }
  // What is left for the way from the permute to the target; the slack is for
  // sums that round differently.
  double rest = request.objective == Objective::Memory
                    ? best
                    : best - least + 1e-12 * best;
  Frontier backward = explore(space.target(), space.encode(space.source()),
                              rest, &LayoutSpace::backwardMoves);
  for (StateCode code : backward.settled) {
    auto partner = cheapest.find(space.tileOf(space.decode(code)));
    if (partner == cheapest.end() || partner->second.code == code)
      continue;
    double total = join(partner->second.cost, backward.nodes.at(code).cost);
    if (total < best) {
      best = total;
      found = true;
      left = partner->second.code;
      right = code;
    }
  }
  std::vector<StepList> plans;
  if (found)
    if (auto list = rebuild(forward, backward, left, right))
      plans.push_back(std::move(*list));
  exchangeAfter(forward, best, plans);
  return plans;
}

} // namespace

std::vector<StepList>
dtensor::planBySearch(const RedistributionRequest &request, const Layout &from,
                      const Layout &to, double bound,
                      std::vector<StepList> &others) {
  AxisCuts cuts(request.mesh, from, to);
  if (!cuts.allNest())
    return {};
  for (bool primes : {true, false}) {
    LayoutSpace space(request, from, to);
    if (!space.prepare(cuts, primes))
      continue;
    LayoutSearch search(request, from, space);
    if (request.maxAlternatives > 0)
      search.findOthers(bound, others);
    return search.run(bound);
  }
  return {};
}
