// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// planRedistribution: splits a request into its reductions, its moves and the
// contributions it has to create, plans each way that is known, and keeps the
// cheapest.
#include "AxisCuts.h"
#include "CostModel.h"
#include "PlanSteps.h"
#include "dtensor/Planner/LayoutOps.h"

#include <algorithm>
#include <cassert>
#include <set>

using namespace dtensor;

namespace {

/// Of a tensor. Input, output, staging and a few steps of it can still be added
/// up in 64 bits.
constexpr int64_t maxBytes = int64_t(1) << 58;

/// Up to so many shards that become partial are moved or left one by one.
constexpr size_t maxChosenShards = 3;

bool isLinear(ReduceOp op) {
  return op == ReduceOp::Sum || op == ReduceOp::Avg;
}

Status checkLayout(const RedistributionRequest &request, const Layout &layout,
                   const char *name) {
  if (layout.dims.size() != request.shape.size())
    return Error{std::string("layout '") + name + "' is for rank " +
                 std::to_string(layout.dims.size()) +
                 ", but the tensor has rank " +
                 std::to_string(request.shape.size())};
  return checkElementType(layout, request.type);
}

/// What becomes of the partial axes between two layouts.
struct PartialSplit {
  std::vector<PartialAxis> kept;    ///< with the source's op
  std::vector<PartialAxis> scaled;  ///< the kept ones whose op changes
  std::vector<PartialAxis> created; ///< with the target's op
};

PartialSplit splitPartials(const AxisCuts &cuts, const Layout &from,
                           const Layout &to) {
  PartialSplit split;
  std::vector<PartialAxis> source = cuts.split(from.partials);
  for (const PartialAxis &wanted : cuts.split(to.partials)) {
    auto match = std::find_if(
        source.begin(), source.end(), [&](const PartialAxis &partial) {
          return partial.axis == wanted.axis &&
                 (partial.op == wanted.op ||
                  (isLinear(partial.op) && isLinear(wanted.op)));
        });
    if (match == source.end()) {
      split.created.push_back(wanted);
      continue;
    }
    split.kept.push_back(*match);
    if (match->op != wanted.op)
      split.scaled.push_back(*match);
  }
  return split;
}

/// Plans one request: every way to the target, the best of them kept.
class Planner {
public:
  explicit Planner(const RedistributionRequest &request)
      : request(request), cuts(request.mesh, request.from, request.to),
        split(splitPartials(cuts, request.from, request.to)) {}

  /// The plans that lost, best first, each once. After plan().
  std::vector<PlanAlternative>
  alternatives(const std::vector<RedistributionStep> &winner) {
    std::sort(considered.begin(), considered.end(),
              [this](const auto &a, const auto &b) { return isBetter(a, b); });
    std::vector<PlanAlternative> result;
    std::set<std::string> seen = {routeOf(winner)};
    for (std::vector<RedistributionStep> &steps : considered) {
      if (static_cast<int>(result.size()) == request.maxAlternatives)
        break;
      if (isBetter(steps, winner) || !seen.insert(routeOf(steps)).second)
        continue;
      PlanAlternative other;
      other.recvBytesMax = static_cast<int64_t>(bytesOf(steps));
      other.timeUs = timeOf(steps);
      other.peakBytes = peakOf(steps);
      other.steps = std::move(steps);
      result.push_back(std::move(other));
    }
    return result;
  }

  /// Nothing where no plan keeps the memory limit.
  std::optional<std::vector<RedistributionStep>> plan() {
    planSplit();
    // What both ends take together is enough for one step that does it all,
    // where the backend has that step.
    if (request.backend == Backend::Threads &&
        (request.memoryLimit >= 0 || request.objective == Objective::Memory)) {
      StepList list(request, request.from);
      if (combinesOnTheWay(request.from, request.to) &&
          list.exchangeAndCombine(request.to))
        keep(list.steps());
    }
    planCreatingFirst(/*fromShards=*/true);
    if (!split.created.empty())
      planCreatingFirst(/*fromShards=*/false);
    // Contributions that stay partial can also be reduced on the way and be
    // made again: in between there is less to move.
    if (!split.kept.empty() && (!best || objectiveValue(request, *best) > 0)) {
      split = {{}, {}, cuts.split(request.to.partials)};
      planSplit();
    }
    return std::move(best);
  }

private:
  /// A created piece that stays sharded on `dim` until it becomes partial.
  struct Padded {
    int dim;
    PartialAxis piece;
  };

  /// Plans over the layouts that lead to the target by local steps.
  void planSplit() {
    Layout middle;
    middle.dims = request.to.dims;
    middle.partials = split.kept;
    canonicalizePartials(middle.partials);
    planThrough(middle, {});
    if (split.created.empty())
      return;
    std::vector<Padded> inPlace = shardsThatBecomePartial();
    unsigned all = (1u << inPlace.size()) - 1; // a mesh has no 32 parts
    std::vector<unsigned> choices = {0, all};
    if (inPlace.size() <= maxChosenShards)
      for (unsigned stay = 1; stay < all; ++stay)
        choices.push_back(stay);
    for (int d = -1; d < request.to.rank(); ++d)
      for (unsigned stay : choices)
        if (d >= 0 || stay == all)
          planThroughShards(middle, d, inPlace, stay);
  }

  /// The created pieces that shard the source, where they do.
  std::vector<Padded> shardsThatBecomePartial() const {
    std::vector<Padded> shards;
    for (int d = 0; d < request.from.rank(); ++d)
      for (const AxisRef &piece : cuts.split(request.from.dims[d]))
        for (const PartialAxis &created : split.created)
          if (created.axis == piece && created.op != ReduceOp::Avg)
            shards.push_back({d, created});
    return shards;
  }

  /// Plans over the layout in which pieces that become partial shard the
  /// tensor first: those of `inPlace` that `stay` has a bit for where they do
  /// in the source, the others on `freeDim`. A chunk with the op's identity
  /// around it is as good a contribution as the whole, and less data moves.
  /// (avg has no identity.)
  void planThroughShards(Layout middle, int freeDim,
                         const std::vector<Padded> &inPlace, unsigned stay) {
    std::vector<Padded> padded;
    for (size_t i = 0; i < inPlace.size(); ++i)
      if (stay >> i & 1)
        padded.push_back(inPlace[i]);
    if (freeDim >= 0)
      for (const PartialAxis &created : split.created) {
        bool placed =
            std::any_of(padded.begin(), padded.end(), [&](const Padded &entry) {
              return entry.piece == created;
            });
        if (!placed && created.op != ReduceOp::Avg)
          padded.push_back({freeDim, created});
      }
    if (padded.empty())
      return;
    for (const Padded &entry : padded)
      middle.dims[entry.dim].push_back(entry.piece.axis);
    for (std::vector<AxisRef> &axes : middle.dims)
      canonicalizeAxes(axes);
    planThrough(middle, padded);
  }

  /// Plans from the layout in which chunks or, without `fromShards`, copies
  /// have become contributions already, where that can be done in place: what
  /// follows may then slice them, or gather around them.
  void planCreatingFirst(bool fromShards) {
    StepList list(request, request.from);
    for (int d = fromShards ? 0 : -1;
         d < (fromShards ? request.from.rank() : 0); ++d) {
      std::vector<AxisRef> axes;
      ReduceOp op = ReduceOp::Sum;
      if (fromShards)
        shardsToCreate(d, axes, op);
      else
        copiesToCreate(axes, op);
      bool mixes = std::any_of(
          list.current().partials.begin(), list.current().partials.end(),
          [&](const PartialAxis &partial) { return partial.op != op; });
      if (!axes.empty() && !mixes)
        list.toPartial(d, axes, op);
    }
    // The rest has fewer contributions to create, so this ends.
    if (list.steps().empty())
      return;
    RedistributionRequest rest = request;
    rest.from = list.current();
    std::vector<RedistributionStep> steps = list.steps();
    if (rest.from != rest.to) {
      rest.maxAlternatives = 0;
      auto more = Planner(rest).plan();
      if (!more)
        return;
      for (RedistributionStep &step : *more)
        steps.push_back(std::move(step));
    }
    keep(std::move(steps));
  }

  /// The pieces at the minor end of dimension `d` that become partial, all
  /// with one op.
  void shardsToCreate(int d, std::vector<AxisRef> &axes, ReduceOp &op) const {
    std::vector<AxisRef> pieces = cuts.split(request.from.dims[d]);
    while (!pieces.empty()) {
      auto match = std::find_if(
          split.created.begin(), split.created.end(),
          [&](const PartialAxis &p) { return p.axis == pieces.back(); });
      if (match == split.created.end() || match->op == ReduceOp::Avg ||
          (!axes.empty() && match->op != op))
        return;
      op = match->op;
      axes.insert(axes.begin(), pieces.back());
      pieces.pop_back();
    }
  }

  /// The replicated pieces that become partial, all with one op.
  void copiesToCreate(std::vector<AxisRef> &axes, ReduceOp &op) const {
    for (const PartialAxis &created : split.created) {
      auto touches = [&](const AxisRef &ref) {
        return overlaps(ref, created.axis);
      };
      bool used = false;
      for (const std::vector<AxisRef> &list : request.from.dims)
        used |= std::any_of(list.begin(), list.end(), touches);
      for (const PartialAxis &partial : request.from.partials)
        used |= touches(partial.axis);
      if (used || (!axes.empty() && created.op != op))
        continue;
      op = created.op;
      axes.push_back(created.axis);
    }
  }

  /// Remembers the plan where it keeps the limit and none is better.
  void keep(std::vector<RedistributionStep> steps, bool eligible = true) {
    if (request.memoryLimit >= 0 && peakOf(steps) > request.memoryLimit)
      return;
    if (request.maxAlternatives > 0)
      considered.push_back(steps);
    if (eligible && (!best || isBetter(steps, *best)))
      best = std::move(steps);
  }

  void planThrough(const Layout &middle, const std::vector<Padded> &padded) {
    if (request.from == middle) {
      finish(StepList(request, request.from), padded);
      return;
    }
    double bound = 1e300;
    for (StepList &list : planByRules(request, request.from, middle)) {
      if (request.memoryLimit < 0 ||
          peakOf(list.steps()) <= request.memoryLimit)
        bound = std::min(bound, objectiveValue(request, list.steps()));
      finish(std::move(list), padded);
    }
    // A plan of local steps alone cannot be improved on.
    if (bound <= 0)
      return;
    std::vector<StepList> others;
    for (StepList &list :
         planBySearch(request, request.from, middle, bound, others))
      finish(std::move(list), padded);
    // Not taken even where it prices better in the end: a plan must not depend
    // on whether it is explained.
    for (StepList &list : others)
      finish(std::move(list), padded, /*eligible=*/false);
  }

  /// Appends the local steps from the middle layout to the target.
  void finish(StepList list, const std::vector<Padded> &padded,
              bool eligible = true) {
    for (ReduceOp op : {ReduceOp::Sum, ReduceOp::Avg}) {
      std::vector<AxisRef> axes;
      for (const PartialAxis &partial : split.scaled)
        if (partial.op == op)
          axes.push_back(partial.axis);
      if (!axes.empty() && !list.scale(axes, op))
        return;
    }
    std::vector<PartialAxis> rest = split.created;
    for (int d = 0; d < request.to.rank(); ++d) {
      std::vector<AxisRef> axes;
      ReduceOp op = ReduceOp::Sum;
      for (const Padded &entry : padded)
        if (entry.dim == d) {
          axes.push_back(entry.piece.axis);
          op = entry.piece.op;
          rest.erase(std::find(rest.begin(), rest.end(), entry.piece));
        }
      if (!axes.empty() && !list.toPartial(d, axes, op))
        return;
    }
    while (!rest.empty()) {
      ReduceOp op = rest.front().op;
      std::vector<AxisRef> axes;
      for (const PartialAxis &partial : rest)
        if (partial.op == op)
          axes.push_back(partial.axis);
      rest.erase(
          std::remove_if(rest.begin(), rest.end(),
                         [&](const PartialAxis &p) { return p.op == op; }),
          rest.end());
      if (!list.toPartial(-1, axes, op))
        return;
    }
    keep(list.steps(), eligible);
  }

  double bytesOf(const std::vector<RedistributionStep> &steps) const {
    double bytes = 0;
    for (const RedistributionStep &step : steps)
      bytes += static_cast<double>(step.recvBytesMax);
    return bytes;
  }

  double timeOf(const std::vector<RedistributionStep> &steps) const {
    double time = 0;
    for (const RedistributionStep &step : steps)
      time += step.timeUs;
    return time;
  }

  /// What the steps do, whatever dimensions and orders of axes they choose.
  std::string routeOf(const std::vector<RedistributionStep> &steps) const {
    std::string text;
    for (const RedistributionStep &step : steps)
      text += std::string(stepKindName(step.kind)) + " " +
              printAxisRefs(request.mesh, coveringAxes(step.axes)) + "; ";
    return text;
  }

  /// Decides between plans of equal price; names of axes do not count.
  std::string textOf(const std::vector<RedistributionStep> &steps) const {
    std::string text;
    auto add = [&text](const AxisRef &ref) {
      text += " " + std::to_string(ref.axis) + ":" +
              std::to_string(ref.preSize) + ":" + std::to_string(ref.size);
    };
    for (const RedistributionStep &step : steps) {
      text += stepKindName(step.kind);
      for (const std::vector<AxisRef> &axes : step.to.dims) {
        std::for_each(axes.begin(), axes.end(), add);
        text += ",";
      }
      for (const PartialAxis &partial : step.to.partials)
        add(partial.axis);
      text += "; ";
    }
    return text;
  }

  bool isBetter(const std::vector<RedistributionStep> &a,
                const std::vector<RedistributionStep> &b) const {
    double timeA = timeOf(a), timeB = timeOf(b);
    double bytesA = bytesOf(a), bytesB = bytesOf(b);
    if (request.objective == Objective::Memory) {
      int64_t peakA = peakOf(a), peakB = peakOf(b);
      if (peakA != peakB)
        return peakA < peakB;
    }
    if (request.objective == Objective::Bytes) {
      std::swap(timeA, bytesA);
      std::swap(timeB, bytesB);
    }
    auto keyA = std::make_tuple(timeA, bytesA, a.size());
    auto keyB = std::make_tuple(timeB, bytesB, b.size());
    return keyA != keyB ? keyA < keyB : textOf(a) < textOf(b);
  }

  const RedistributionRequest &request;
  AxisCuts cuts;
  PartialSplit split;
  std::optional<std::vector<RedistributionStep>> best;
  std::vector<std::vector<RedistributionStep>> considered;
};

} // namespace

Status dtensor::checkShape(const std::vector<int64_t> &shape,
                           ElementType type) {
  int64_t bytes = elementBytes(type);
  bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0)
      return Error{"dim " + std::to_string(d) + " has size " +
                   std::to_string(shape[d]) + ", but sizes start at 0"};
    // An empty tensor has no bytes; its other sizes still bound indices.
    if (shape[d] != 0 && shape[d] > maxBytes / bytes)
      return Error{"the tensor is larger than 2^58 bytes at dim " +
                   std::to_string(d) + " of size " + std::to_string(shape[d]) +
                   "; such sizes cannot be addressed"};
    if (!empty)
      bytes *= shape[d];
  }
  return Status::success();
}

std::string_view dtensor::stepKindName(StepKind kind) {
  switch (kind) {
  case StepKind::Slice:
    return "slice";
  case StepKind::ToPartial:
    return "to_partial";
  case StepKind::Scale:
    return "scale";
  case StepKind::AllGather:
    return "all_gather";
  case StepKind::AllToAll:
    return "all_to_all";
  case StepKind::Permute:
    return "permute";
  case StepKind::ReduceScatter:
    return "reduce_scatter";
  case StepKind::AllReduce:
    return "all_reduce";
  case StepKind::Exchange:
    return "exchange";
  case StepKind::Broadcast:
    return "broadcast";
  case StepKind::Reduce:
    return "reduce";
  case StepKind::Scatter:
    return "scatter";
  case StepKind::Gather:
    return "gather";
  }
  return "";
}

bool dtensor::isCollective(StepKind kind) {
  return kind != StepKind::Slice && kind != StepKind::ToPartial &&
         kind != StepKind::Scale;
}

bool dtensor::isRooted(StepKind kind) {
  return kind == StepKind::Broadcast || kind == StepKind::Reduce ||
         kind == StepKind::Scatter || kind == StepKind::Gather;
}

double dtensor::objectiveValue(const RedistributionRequest &request,
                               const std::vector<RedistributionStep> &steps) {
  if (request.objective == Objective::Memory)
    return static_cast<double>(peakOf(steps));
  double value = 0;
  for (const RedistributionStep &step : steps)
    value += request.objective == Objective::Bytes
                 ? static_cast<double>(step.recvBytesMax)
                 : step.timeUs;
  return value;
}

int64_t dtensor::peakOf(const std::vector<RedistributionStep> &steps) {
  int64_t peak = 0;
  for (const RedistributionStep &step : steps)
    peak = std::max(peak, step.peakBytes);
  return peak;
}

Error dtensor::memoryLimitError(int64_t limit, int64_t least) {
  return Error{"no plan keeps the memory limit of " + std::to_string(limit) +
               " bytes per rank; the smallest possible is " +
               std::to_string(least) + " bytes"};
}

Expected<RedistributionPlan>
dtensor::planRedistribution(const RedistributionRequest &original) {
  if (Status status = checkShape(original.shape, original.type); !status)
    return status.error();
  if (Status status = checkLayout(original, original.from, "from"); !status)
    return status.error();
  if (Status status = checkLayout(original, original.to, "to"); !status)
    return status.error();
  RedistributionRequest request = original;
  request.from = dataLayout(original.from);
  request.to = dataLayout(original.to);

  RedistributionPlan plan;
  plan.peakBytes = maxLocalBytes(request, request.from);
  if (request.from.partials.empty() && request.to.partials.empty())
    plan.lowerBoundBytesMax = lowerBoundBytes(request);
  if (request.memoryLimit >= 0 && plan.peakBytes > request.memoryLimit &&
      request.from == request.to)
    return memoryLimitError(request.memoryLimit, plan.peakBytes);
  if (request.from == request.to)
    return plan;
  Planner planner(request);
  auto steps = planner.plan();
  if (!steps) {
    // The search does not know staging to the byte: what has the smallest peak
    // decides what is possible.
    RedistributionRequest smallest = request;
    smallest.objective = Objective::Memory;
    smallest.memoryLimit = -1;
    steps = Planner(smallest).plan();
    int64_t least = std::max(plan.peakBytes, peakOf(*steps));
    if (least > request.memoryLimit)
      return memoryLimitError(request.memoryLimit, least);
  }
  if (request.maxAlternatives > 0)
    plan.alternatives = planner.alternatives(*steps);
  plan.steps = std::move(*steps);
  for (const RedistributionStep &step : plan.steps) {
    plan.recvBytesMax += step.recvBytesMax;
    plan.recvBytesAvg += step.recvBytesAvg;
    plan.timeUs += step.timeUs;
    plan.peakBytes = std::max(plan.peakBytes, step.peakBytes);
  }
  assert((checkByClass(request, plan) || checkRedistribution(request, plan)) &&
         "a plan that is wrong");
  return plan;
}
