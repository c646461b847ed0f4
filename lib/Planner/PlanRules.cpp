// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans by fixed rules: slice and reduce first, then move. They hold for any
// sizes, since every step is checked by boxes before it is taken, and a direct
// exchange is always possible.
#include "AxisCuts.h"
#include "CostModel.h"
#include "PlanSteps.h"
#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>

using namespace dtensor;

bool StepList::tryAdd(RedistributionStep step) {
  step.from = here;
  if (!isExactStep(*request, step))
    return false;
  priceStep(*request, step);
  here = step.to;
  list.push_back(std::move(step));
  return true;
}

static RedistributionStep makeStep(StepKind kind, std::vector<AxisRef> axes,
                                   int fromDim, int toDim,
                                   ReduceOp op = ReduceOp::Sum) {
  RedistributionStep step;
  step.kind = kind;
  canonicalizeAxes(axes);
  step.axes = std::move(axes);
  step.fromDim = fromDim;
  step.toDim = toDim;
  step.op = op;
  return step;
}

bool StepList::slice(int dim, std::vector<AxisRef> axes) {
  // Two slices of one dimension are one, where the sizes allow it.
  if (!list.empty() && list.back().kind == StepKind::Slice &&
      list.back().toDim == dim) {
    StepList shorter = *this;
    shorter.here = list.back().from;
    shorter.list.pop_back();
    std::vector<AxisRef> joined = list.back().axes;
    joined.insert(joined.end(), axes.begin(), axes.end());
    if (shorter.slice(dim, std::move(joined))) {
      *this = std::move(shorter);
      return true;
    }
  }
  auto step = makeStep(StepKind::Slice, axes, -1, dim);
  step.to = withAppended(here, dim, axes);
  return tryAdd(std::move(step));
}

bool StepList::allGather(int dim, std::vector<AxisRef> axes) {
  auto to = withoutSuffix(here, dim, axes);
  if (!to)
    return false;
  auto step = makeStep(StepKind::AllGather, std::move(axes), dim, -1);
  step.to = std::move(*to);
  return tryAdd(std::move(step));
}

bool StepList::allToAll(int fromDim, int toDim, std::vector<AxisRef> suffix,
                        const std::vector<AxisRef> &appended) {
  auto to = withoutSuffix(here, fromDim, suffix);
  if (!to)
    return false;
  auto step = makeStep(StepKind::AllToAll, std::move(suffix), fromDim, toDim);
  step.to = withAppended(std::move(*to), toDim, appended);
  return tryAdd(std::move(step));
}

bool StepList::reduceScatter(int dim, std::vector<AxisRef> axes, ReduceOp op) {
  auto to = withoutPartials(here, axes, op);
  if (!to)
    return false;
  auto step = makeStep(StepKind::ReduceScatter, axes, -1, dim, op);
  step.to = withAppended(std::move(*to), dim, axes);
  return tryAdd(std::move(step));
}

bool StepList::reduceInto(std::vector<AxisRef> axes, ReduceOp op,
                          const Layout &to) {
  std::sort(axes.begin(), axes.end());
  int dim = 0;
  while (dim < to.rank() && to.dims[dim] == here.dims[dim])
    ++dim;
  if (dim == to.rank())
    return false;
  auto step = makeStep(StepKind::ReduceScatter, std::move(axes), -1, dim, op);
  step.to = to;
  return tryAdd(std::move(step));
}

bool StepList::allReduce(std::vector<AxisRef> axes, ReduceOp op) {
  auto to = withoutPartials(here, axes, op);
  if (!to)
    return false;
  auto step = makeStep(StepKind::AllReduce, std::move(axes), -1, -1, op);
  step.to = std::move(*to);
  return tryAdd(std::move(step));
}

bool StepList::toPartial(int dim, std::vector<AxisRef> axes, ReduceOp op) {
  std::optional<Layout> to = here;
  if (dim >= 0)
    to = withoutSuffix(here, dim, axes);
  if (!to)
    return false;
  auto step = makeStep(StepKind::ToPartial, axes, dim, -1, op);
  step.to = withPartials(std::move(*to), axes, op);
  return tryAdd(std::move(step));
}

bool StepList::scale(std::vector<AxisRef> axes, ReduceOp from) {
  auto rest = withoutPartials(here, axes, from);
  if (!rest)
    return false;
  auto step = makeStep(StepKind::Scale, axes, -1, -1, from);
  step.to = withPartials(std::move(*rest), axes,
                         from == ReduceOp::Sum ? ReduceOp::Avg : ReduceOp::Sum);
  return tryAdd(std::move(step));
}

void StepList::exchange(const Layout &to) {
  bool even = isEven(here, request->shape) && isEven(to, request->shape);
  RedistributionStep step;
  step.kind = StepKind::Exchange;
  step.axes = exchangeAxes(here, to, even);
  step.from = here;
  step.to = to;
  bool sameTiles = even;
  for (int d = 0; d < here.rank(); ++d)
    sameTiles &= totalSize(here.dims[d]) == totalSize(to.dims[d]);
  if (sameTiles)
    step.kind = StepKind::Permute;
  priceStep(*request, step);
  here = to;
  list.push_back(std::move(step));
}

bool StepList::exchangeAndCombine(const Layout &to) {
  RedistributionStep step;
  step.kind = StepKind::Exchange;
  step.from = here;
  step.to = to;
  if (!setCombination(*request, step))
    return false;
  priceStep(*request, step);
  here = to;
  list.push_back(std::move(step));
  return true;
}

/// True when no coordinate of `ref` shards or is partial in `layout`.
static bool isFree(const Layout &layout, const AxisRef &ref) {
  for (const std::vector<AxisRef> &axes : layout.dims)
    for (const AxisRef &used : axes)
      if (overlaps(used, ref))
        return false;
  for (const PartialAxis &partial : layout.partials)
    if (overlaps(partial.axis, ref))
      return false;
  return true;
}

/// The pieces that dimension `dim` of `here` still has to gain at its minor
/// end.
static std::vector<AxisRef> missingPieces(const Layout &here, const Layout &to,
                                          const AxisCuts &cuts, int dim) {
  auto rest = dropPrefix(to.dims[dim], here.dims[dim]);
  return rest ? cuts.split(*rest) : std::vector<AxisRef>();
}

bool StepList::sliceTowards(const Layout &to, const AxisCuts &cuts) {
  std::vector<std::pair<int64_t, int>> order; // size of the cut, dimension
  std::vector<std::vector<AxisRef>> runs(to.rank());
  for (int d = 0; d < to.rank(); ++d) {
    for (const AxisRef &piece : missingPieces(here, to, cuts, d)) {
      if (!isFree(here, piece))
        break;
      runs[d].push_back(piece);
    }
    if (!runs[d].empty())
      order.push_back({-totalSize(runs[d]), d});
  }
  std::sort(order.begin(), order.end());
  bool progress = false;
  for (auto [cut, d] : order)
    progress |= slice(d, runs[d]);
  return progress;
}

namespace {

/// Rules over the pieces of one pair of layouts.
class RulePlanner {
public:
  RulePlanner(const RedistributionRequest &request, const Layout &from,
              const Layout &to)
      : shape(request.shape), to(to), cuts(request.mesh, from, to),
        state(request, from), pending(cuts.split(from.partials)),
        memoryMatters(request.memoryLimit >= 0 ||
                      request.objective == Objective::Memory) {
    // What the target keeps partial is not to be reduced.
    for (const PartialAxis &kept : cuts.split(to.partials))
      pending.erase(std::remove(pending.begin(), pending.end(), kept),
                    pending.end());
  }

  std::vector<StepList> plan() {
    std::vector<StepList> variants;
    if (memoryMatters)
      cutAtOnce(variants);
    if (!pending.empty())
      scatterAnywhere(variants);
    if (pending.empty()) {
      // Slicing first is free, but can let go of data that the target needs
      // where sizes do not divide: keep the exchange of the whole as well.
      variants.push_back(state);
      variants.back().exchange(to);
    }
    reduce();
    if (state.current() == to) {
      variants.push_back(std::move(state));
      return variants;
    }
    StepList direct = state;
    direct.exchange(to);
    if (move())
      variants.push_back(std::move(state));
    variants.push_back(std::move(direct));
    return variants;
  }

private:
  std::vector<AxisRef> missing(int dim) const {
    return missingPieces(state.current(), to, cuts, dim);
  }

  /// The pieces that dimension `dim` has beyond what it is to keep.
  std::vector<AxisRef> excess(int dim) const {
    auto rest = dropPrefix(state.current().dims[dim], to.dims[dim]);
    return rest ? cuts.split(*rest) : std::vector<AxisRef>();
  }

  /// Cuts the tensor in one step by all that the target cuts it with and that
  /// does not cut it yet, reducing what waits for it: no tensor between the
  /// two exists. What follows is no larger than the target.
  void cutAtOnce(std::vector<StepList> &variants) {
    for (int shift = 0; shift < std::max(1, to.rank()); ++shift) {
      StepList list = state;
      std::vector<PartialAxis> rest = pending;
      Layout small = list.current();
      std::vector<AxisRef> reduced;
      ReduceOp op = ReduceOp::Sum;
      for (int d = 0; d < to.rank(); ++d)
        for (const AxisRef &piece : cuts.split(to.dims[d])) {
          const PartialAxis *partial = findPending(piece);
          bool usable = partial ? reduced.empty() || partial->op == op
                                : isFree(list.current(), piece);
          if (!usable || !cut(small, piece, (d + shift) % to.rank()))
            continue;
          if (!partial)
            continue;
          op = partial->op;
          reduced.push_back(piece);
          rest.erase(std::find(rest.begin(), rest.end(), *partial));
        }
      if (small == list.current())
        return;
      if (reduced.empty()) {
        list.exchange(small);
      } else {
        auto left = withoutPartials(small, reduced, op);
        if (!left || !list.reduceInto(reduced, op, *left))
          continue;
      }
      reduceRest(list, std::move(rest));
      if (list.current() != to)
        list.exchange(to);
      variants.push_back(std::move(list));
    }
  }

  /// Reduces into chunks of a dimension, whichever the target wants, and
  /// exchanges the rest: where the search does not look, over chunks of sizes
  /// that do not divide and parts of an axis that do not nest.
  void scatterAnywhere(std::vector<StepList> &variants) const {
    for (int d = 0; d < to.rank(); ++d) {
      StepList list = state;
      ReduceOp op = pending.front().op;
      std::vector<AxisRef> axes;
      std::vector<PartialAxis> others;
      for (const PartialAxis &partial : pending) {
        if (partial.op == op)
          axes.push_back(partial.axis);
        else
          others.push_back(partial);
      }
      bool divides =
          shape[d] % (totalSize(list.current().dims[d]) * totalSize(axes)) == 0;
      if ((divides && cuts.allNest()) || !list.reduceScatter(d, axes, op))
        continue;
      reduceRest(list, std::move(others));
      if (list.current() != to)
        list.exchange(to);
      variants.push_back(std::move(list));
    }
  }

  /// Appends `piece` to the first dimension from `dim` on that it divides, or
  /// to `dim` itself.
  bool cut(Layout &layout, const AxisRef &piece, int dim) const {
    for (int k = 0; k < to.rank(); ++k) {
      int d = (dim + k) % to.rank();
      if (shape[d] % (totalSize(layout.dims[d]) * piece.size) == 0) {
        layout = withAppended(layout, d, {piece});
        return true;
      }
    }
    const std::vector<AxisRef> &list = layout.dims[dim];
    if (!list.empty() && list.back().axis == piece.axis &&
        list.back().end() == piece.preSize)
      return false; // the chunks of both together are others
    layout = withAppended(layout, dim, {piece});
    return true;
  }

  static void reduceRest(StepList &list, std::vector<PartialAxis> pending) {
    while (!pending.empty()) {
      ReduceOp op = pending.front().op;
      std::vector<AxisRef> axes;
      std::vector<PartialAxis> others;
      for (const PartialAxis &partial : pending) {
        if (partial.op == op)
          axes.push_back(partial.axis);
        else
          others.push_back(partial);
      }
      pending = std::move(others);
      canonicalizeAxes(axes);
      list.allReduce(axes, op);
    }
  }

  const PartialAxis *findPending(const AxisRef &piece) const {
    for (const PartialAxis &partial : pending)
      if (partial.axis == piece)
        return &partial;
    return nullptr;
  }

  bool slices() { return state.sliceTowards(to, cuts); }

  /// Reduces straight into the shards that the target wants, one dimension
  /// per call, all axes with one op at once.
  bool scatter() {
    for (int d = 0; d < to.rank(); ++d) {
      std::vector<AxisRef> run;
      ReduceOp op = ReduceOp::Sum;
      for (const AxisRef &piece : missing(d)) {
        const PartialAxis *partial = findPending(piece);
        if (!partial || (!run.empty() && partial->op != op))
          break;
        op = partial->op;
        run.push_back(piece);
      }
      if (run.empty() || !state.reduceScatter(d, run, op))
        continue;
      for (const AxisRef &piece : run)
        pending.erase(
            std::find(pending.begin(), pending.end(), PartialAxis{piece, op}));
      return true;
    }
    return false;
  }

  void reduce() {
    do {
      while (slices())
        ;
    } while (scatter());
    reduceRest(state, std::move(pending));
    pending.clear();
  }

  /// Moves the longest minor part of some dimension that another dimension
  /// wants next.
  bool moveOnce() {
    for (int d = 0; d < to.rank(); ++d) {
      std::vector<AxisRef> surplus = excess(d);
      for (size_t skip = 0; skip < surplus.size(); ++skip) {
        std::vector<AxisRef> suffix(surplus.begin() + skip, surplus.end());
        for (int e = 0; e < to.rank(); ++e) {
          std::vector<AxisRef> wanted = missing(e);
          if (e == d || wanted.size() < suffix.size())
            continue;
          wanted.resize(suffix.size());
          // Which chunk goes to which peer is free, so any order will do.
          if (std::is_permutation(wanted.begin(), wanted.end(),
                                  suffix.begin()) &&
              state.allToAll(d, e, suffix, wanted))
            return true;
        }
      }
    }
    return false;
  }

  /// Reaches the target by whole moves; false where they do not suffice.
  bool move() {
    while (slices() || moveOnce())
      ;
    for (int d = 0; d < to.rank(); ++d) {
      std::vector<AxisRef> surplus = excess(d);
      canonicalizeAxes(surplus);
      if (!surplus.empty() && !state.allGather(d, surplus))
        return false;
    }
    while (slices())
      ;
    return state.current() == to;
  }

  const std::vector<int64_t> &shape;
  const Layout &to;
  AxisCuts cuts;
  StepList state;
  std::vector<PartialAxis> pending;
  bool memoryMatters;
};

} // namespace

std::vector<StepList> dtensor::planByRules(const RedistributionRequest &request,
                                           const Layout &from,
                                           const Layout &to) {
  return RulePlanner(request, from, to).plan();
}
