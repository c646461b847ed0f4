// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// checkRedistribution: runs a plan on symbolic data. The tensor is cut into
// granules at every place where some layout of the plan cuts it; each rank
// holds, per granule, which contributions its data contains.
#include "Contributions.h"
#include "dtensor/Planner/LayoutOps.h"
#include "dtensor/Planner/Redistribution.h"

#include <algorithm>

using namespace dtensor;

namespace {

/// Granules times ranks that a check may hold.
constexpr int64_t maxCells = int64_t(1) << 24;
constexpr int absent = -1;

bool isLinear(ReduceOp op) {
  return op == ReduceOp::Sum || op == ReduceOp::Avg;
}

std::vector<AxisRef> partialAxes(const Layout &layout) {
  std::vector<AxisRef> axes;
  for (const PartialAxis &partial : layout.partials)
    axes.push_back(partial.axis);
  return axes;
}

bool sameSet(const std::vector<AxisRef> &a, const std::vector<AxisRef> &b) {
  return coveringAxes(a) == coveringAxes(b);
}

/// The grid of granules.
class Grid {
public:
  void addLayout(const Mesh &mesh, const Layout &layout,
                 const std::vector<int64_t> &shape) {
    cuts.resize(shape.size());
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      Box box = localBox(mesh, layout, shape, rank);
      for (size_t d = 0; d < shape.size(); ++d) {
        cuts[d].push_back(box.lo[d]);
        cuts[d].push_back(box.hi[d]);
      }
    }
    for (std::vector<int64_t> &list : cuts) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  int64_t size() const {
    int64_t count = 1;
    for (const std::vector<int64_t> &list : cuts)
      count *= std::max<int64_t>(0, static_cast<int64_t>(list.size()) - 1);
    return count;
  }

  /// Numbers of the granules inside `box`, ascending. Boxes of the layouts
  /// that were added, and their common parts, consist of whole granules.
  std::vector<int64_t> inside(const Box &box) const {
    std::vector<int64_t> found;
    if (box.isEmpty())
      return found;
    found.push_back(0);
    for (size_t d = 0; d < cuts.size(); ++d) {
      const std::vector<int64_t> &list = cuts[d];
      int64_t begin =
          std::lower_bound(list.begin(), list.end(), box.lo[d]) - list.begin();
      int64_t end =
          std::lower_bound(list.begin(), list.end(), box.hi[d]) - list.begin();
      std::vector<int64_t> next;
      for (int64_t outer : found)
        for (int64_t i = begin; i < end; ++i)
          next.push_back(outer * (static_cast<int64_t>(list.size()) - 1) + i);
      found = std::move(next);
    }
    return found;
  }

private:
  std::vector<std::vector<int64_t>> cuts;
};

/// Symbolic execution of one plan.
class Simulation {
public:
  Simulation(const RedistributionRequest &request,
             const RedistributionPlan &plan)
      : request(request), mesh(request.mesh), plan(plan),
        start(dataLayout(request.from)), goal(dataLayout(request.to)) {}

  Status run() {
    if (Status status = initialize(); !status)
      return status;
    Layout here = start;
    for (number = 0; number < plan.steps.size(); ++number) {
      const RedistributionStep &step = plan.steps[number];
      if (!(step.from == here))
        return fail("begins with layout '" + print(step.from) +
                    "', but the data has layout '" + print(here) + "'");
      if (Status status = checkShape(step); !status)
        return status;
      if (Status status = apply(step); !status)
        return status;
      here = step.to;
    }
    if (!(here == goal))
      return Error{"the plan ends with layout '" + print(here) +
                   "' instead of '" + print(goal) + "'"};
    return checkGoal();
  }

private:
  std::string print(const Layout &layout) const {
    return printLayout(mesh, dataLayout(layout));
  }

  Error fail(const std::string &what) const {
    const RedistributionStep &step = plan.steps[number];
    return Error{"step " + std::to_string(number) + " (" +
                 std::string(stepKindName(step.kind)) + ") " + what};
  }

  Error failOn(int64_t rank, const std::string &what) const {
    return fail("on rank " + std::to_string(rank) + ": " + what);
  }

  Box boxOf(const Layout &layout, int64_t rank) const {
    return localBox(mesh, layout, request.shape, rank);
  }

  Status initialize() {
    grid.addLayout(mesh, start, request.shape);
    grid.addLayout(mesh, goal, request.shape);
    for (const RedistributionStep &step : plan.steps) {
      if (step.from.dims.size() != request.shape.size() ||
          step.to.dims.size() != request.shape.size())
        return Error{"a step's layout has another rank than the tensor"};
      grid.addLayout(mesh, step.from, request.shape);
      grid.addLayout(mesh, step.to, request.shape);
    }
    if (grid.size() > maxCells / mesh.numRanks())
      return Error{
          "the plan is too large to check: " + std::to_string(grid.size()) +
          " pieces on " + std::to_string(mesh.numRanks()) + " ranks"};
    held = emptyState();
    std::vector<AxisRef> axes = partialAxes(start);
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      int value = table.single(mesh.flatCoordinate(rank, axes));
      for (int64_t granule : grid.inside(boxOf(start, rank)))
        held[rank][granule] = value;
    }
    return Status::success();
  }

  std::vector<std::vector<int>> emptyState() const {
    return std::vector<std::vector<int>>(mesh.numRanks(),
                                         std::vector<int>(grid.size(), absent));
  }

  /// What every value must be once its partial group is combined.
  int expectedValue() {
    int64_t divisor = 1;
    for (const PartialAxis &partial : start.partials)
      if (partial.op == ReduceOp::Avg)
        divisor *= partial.axis.size;
    return table.all(totalSize(partialAxes(start)), divisor);
  }

  Status checkGoal() {
    int expected = expectedValue();
    std::vector<AxisRef> axes = partialAxes(goal);
    std::vector<bool> seen(mesh.numRanks(), false);
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      if (seen[rank])
        continue;
      std::vector<int64_t> members = mesh.group(rank, axes);
      for (int64_t member : members)
        seen[member] = true;
      for (int64_t granule : grid.inside(boxOf(goal, rank))) {
        std::vector<int> values;
        for (int64_t member : members) {
          if (held[member][granule] == absent)
            return Error{"at the end rank " + std::to_string(member) +
                         " lacks a part of its box"};
          values.push_back(held[member][granule]);
        }
        if (combineOver(goal.partials, values) != expected)
          return Error{"at the end rank " + std::to_string(rank) +
                       " does not hold every contribution exactly once"};
      }
    }
    return Status::success();
  }

  /// Combines the values of a group in group order, minor axis first.
  int combineOver(const std::vector<PartialAxis> &partials,
                  std::vector<int> values) {
    for (size_t i = partials.size(); i-- > 0;) {
      size_t size = static_cast<size_t>(partials[i].axis.size);
      std::vector<int> reduced;
      for (size_t at = 0; at < values.size(); at += size)
        reduced.push_back(table.combine(
            partials[i].op,
            std::vector<int>(values.begin() + at, values.begin() + at + size)));
      values = std::move(reduced);
    }
    return values.front();
  }

  Status checkShape(const RedistributionStep &step);
  std::optional<Layout> layoutAfter(const RedistributionStep &step) const;
  bool isAllToAll(const RedistributionStep &step) const;
  std::optional<Layout> cutFurther(const RedistributionStep &step,
                                   Layout reduced) const;
  Status apply(const RedistributionStep &step);
  Status applySlice(const RedistributionStep &step, int64_t rank);
  Status applyMove(const RedistributionStep &step);
  Status applyReduction(const RedistributionStep &step, int64_t rank);
  Status applyToPartial(const RedistributionStep &step, int64_t rank);
  Status applyScale(const RedistributionStep &step, int64_t rank);

  const RedistributionRequest &request;
  const Mesh &mesh;
  const RedistributionPlan &plan;
  Layout start, goal;
  size_t number = 0;
  Grid grid;
  ContributionTable table;
  std::vector<std::vector<int>> held, next;
};

bool Simulation::isAllToAll(const RedistributionStep &step) const {
  if (step.fromDim < 0 || step.toDim < 0 || step.fromDim == step.toDim ||
      step.fromDim >= step.from.rank() || step.toDim >= step.from.rank() ||
      step.from.partials != step.to.partials)
    return false;
  for (int d = 0; d < step.from.rank(); ++d)
    if (d != step.fromDim && d != step.toDim &&
        step.from.dims[d] != step.to.dims[d])
      return false;
  auto lost =
      dropPrefix(step.from.dims[step.fromDim], step.to.dims[step.fromDim]);
  auto gained =
      dropPrefix(step.to.dims[step.toDim], step.from.dims[step.toDim]);
  return lost && gained && sameSet(*lost, step.axes) &&
         sameSet(*gained, step.axes);
}

/// A reduction into chunks of several dimensions: `reduced` cut further, by
/// all of the step's axes and by axes that nothing uses.
std::optional<Layout> Simulation::cutFurther(const RedistributionStep &step,
                                             Layout reduced) const {
  std::vector<AxisRef> added;
  for (int d = 0; d < step.from.rank(); ++d) {
    auto more = dropPrefix(step.to.dims[d], step.from.dims[d]);
    if (!more)
      return std::nullopt;
    added.insert(added.end(), more->begin(), more->end());
    reduced.dims[d] = step.to.dims[d];
  }
  std::vector<AxisRef> all = added;
  all.insert(all.end(), step.axes.begin(), step.axes.end());
  if (!sameSet(all, added)) // some axis is reduced and cuts nothing
    return std::nullopt;
  return reduced;
}

/// The layout that the step's kind, axes and dimensions make of `step.from`;
/// `step.to` for the kinds that name no dimension.
std::optional<Layout>
Simulation::layoutAfter(const RedistributionStep &step) const {
  const Layout &from = step.from;
  bool toDimValid = step.toDim >= 0 && step.toDim < from.rank();
  bool fromDimValid = step.fromDim >= 0 && step.fromDim < from.rank();
  switch (step.kind) {
  case StepKind::Slice:
    return toDimValid ? std::optional(withAppended(from, step.toDim, step.axes))
                      : std::nullopt;
  case StepKind::AllGather:
    return fromDimValid ? withoutSuffix(from, step.fromDim, step.axes)
                        : std::nullopt;
  case StepKind::AllToAll:
    return isAllToAll(step) ? std::optional(step.to) : std::nullopt;
  case StepKind::AllReduce:
    return withoutPartials(from, step.axes, step.op);
  case StepKind::ReduceScatter: {
    auto rest = withoutPartials(from, step.axes, step.op);
    if (!rest || !toDimValid)
      return std::nullopt;
    Layout plain = withAppended(*rest, step.toDim, step.axes);
    return plain == step.to ? plain : cutFurther(step, std::move(*rest));
  }
  case StepKind::ToPartial: {
    std::optional<Layout> rest = from;
    if (step.fromDim >= 0)
      rest = fromDimValid ? withoutSuffix(from, step.fromDim, step.axes)
                          : std::nullopt;
    if (!rest)
      return std::nullopt;
    return withPartials(*rest, step.axes, step.op);
  }
  case StepKind::Scale: {
    auto rest = withoutPartials(from, step.axes, step.op);
    if (!rest || !isLinear(step.op))
      return std::nullopt;
    return withPartials(*rest, step.axes,
                        step.op == ReduceOp::Sum ? ReduceOp::Avg
                                                 : ReduceOp::Sum);
  }
  case StepKind::Permute:
  case StepKind::Exchange:
    if (from.partials != step.to.partials)
      return std::nullopt;
    return step.to;
  case StepKind::Broadcast:
  case StepKind::Reduce:
  case StepKind::Scatter:
  case StepKind::Gather:
    break; // no layout says what they make
  }
  return std::nullopt;
}

/// Refuses steps that do not mean what their layouts say.
Status Simulation::checkShape(const RedistributionStep &step) {
  for (size_t i = 0; i < step.axes.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (overlaps(step.axes[i], step.axes[j]))
        return fail("names axis '" + printAxisRef(mesh, step.axes[i]) +
                    "' twice");
  std::optional<Layout> after = layoutAfter(step);
  if (!after || !(*after == step.to))
    return fail("over '" + printAxisRefs(mesh, step.axes) +
                "' does not lead from '" + print(step.from) + "' to '" +
                print(step.to) + "'");
  // Each axis has one use in a layout, and one op where order would matter.
  std::vector<AxisRef> used = partialAxes(step.to);
  for (const std::vector<AxisRef> &axes : step.to.dims)
    used.insert(used.end(), axes.begin(), axes.end());
  for (size_t i = 0; i < used.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (overlaps(used[i], used[j]))
        return fail("leads to layout '" + print(step.to) +
                    "', which uses an axis twice");
  for (const PartialAxis &partial : step.to.partials) {
    ReduceOp first = step.to.partials.front().op;
    if (partial.op != first && !(isLinear(first) && isLinear(partial.op)))
      return fail("leads to layout '" + print(step.to) +
                  "', which mixes reduce ops");
  }
  bool moves =
      step.kind == StepKind::AllGather || step.kind == StepKind::AllToAll ||
      step.kind == StepKind::Permute || step.kind == StepKind::Exchange;
  if (moves)
    for (const AxisRef &ref : step.axes)
      for (const PartialAxis &partial : step.from.partials)
        if (overlaps(ref, partial.axis))
          return fail("moves contributions along the partial axis '" +
                      printAxisRef(mesh, partial.axis) + "'");
  return Status::success();
}

Status Simulation::apply(const RedistributionStep &step) {
  next = emptyState();
  switch (step.kind) {
  case StepKind::AllGather:
  case StepKind::AllToAll:
  case StepKind::Permute:
  case StepKind::Exchange:
    if (Status status = applyMove(step); !status)
      return status;
    break;
  default:
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      Status status;
      if (step.kind == StepKind::Slice)
        status = applySlice(step, rank);
      else if (step.kind == StepKind::ToPartial)
        status = applyToPartial(step, rank);
      else if (step.kind == StepKind::Scale)
        status = applyScale(step, rank);
      else
        status = applyReduction(step, rank);
      if (!status)
        return status;
    }
  }
  std::swap(held, next);
  return Status::success();
}

Status Simulation::applySlice(const RedistributionStep &step, int64_t rank) {
  for (int64_t granule : grid.inside(boxOf(step.to, rank))) {
    if (held[rank][granule] == absent)
      return failOn(rank, "the chunk is not inside what the rank holds");
    next[rank][granule] = held[rank][granule];
  }
  return Status::success();
}

Status Simulation::applyMove(const RedistributionStep &step) {
  LayoutChange change = {step.from, step.to, step.axes};
  for (int64_t first = 0; first < mesh.numRanks(); ++first) {
    if (mesh.flatCoordinate(first, step.axes) != 0)
      continue;
    std::vector<int64_t> members = mesh.group(first, step.axes);
    auto transfers = groupTransfers(mesh, request.shape, change, first);
    for (size_t i = 0; i < members.size(); ++i) {
      int64_t rank = members[i], peers = 0;
      for (const Transfer &transfer : transfers[i]) {
        if (std::find(members.begin(), members.end(), transfer.source) ==
            members.end())
          return failOn(rank, "takes data from outside its group");
        peers += transfer.source != rank;
        for (int64_t granule : grid.inside(transfer.box)) {
          int value = held[transfer.source][granule];
          if (value == absent || next[rank][granule] != absent)
            return failOn(rank, value == absent
                                    ? "takes data that its source lacks"
                                    : "takes the same data twice");
          next[rank][granule] = value;
        }
      }
      for (int64_t granule : grid.inside(boxOf(step.to, rank)))
        if (next[rank][granule] == absent)
          return failOn(rank, "its group does not hold all of its new box");
      if (step.kind == StepKind::Permute && peers > 1)
        return failOn(rank, "a permute takes from more than one rank");
    }
  }
  return Status::success();
}

Status Simulation::applyReduction(const RedistributionStep &step,
                                  int64_t rank) {
  std::vector<int64_t> sources =
      contributors(mesh, {step.from, step.to, step.axes}, rank);
  for (int64_t granule : grid.inside(boxOf(step.to, rank))) {
    std::vector<int> values;
    for (int64_t source : sources) {
      if (held[source][granule] == absent)
        return failOn(rank, "rank " + std::to_string(source) +
                                " holds no contribution to a part of its box");
      values.push_back(held[source][granule]);
    }
    next[rank][granule] = table.combine(step.op, values);
  }
  return Status::success();
}

Status Simulation::applyToPartial(const RedistributionStep &step,
                                  int64_t rank) {
  bool everywhere = step.op != ReduceOp::Sum && step.op != ReduceOp::Product &&
                    step.op != ReduceOp::BXor;
  bool keeps = step.fromDim >= 0 || everywhere ||
               mesh.flatCoordinate(rank, step.axes) == 0;
  int identity = table.identity();
  for (int64_t granule : grid.inside(boxOf(step.to, rank)))
    next[rank][granule] = identity;
  for (int64_t granule : grid.inside(boxOf(step.from, rank))) {
    if (next[rank][granule] == absent)
      return failOn(rank, "the chunk reaches outside the new box");
    if (keeps)
      next[rank][granule] = held[rank][granule];
  }
  return Status::success();
}

Status Simulation::applyScale(const RedistributionStep &step, int64_t rank) {
  int64_t size = totalSize(step.axes);
  bool toAvg = step.op == ReduceOp::Sum;
  for (int64_t granule : grid.inside(boxOf(step.to, rank)))
    next[rank][granule] =
        table.scale(held[rank][granule], toAvg ? size : 1, toAvg ? 1 : size);
  return Status::success();
}

} // namespace

Status dtensor::checkRedistribution(const RedistributionRequest &request,
                                    const RedistributionPlan &plan) {
  return Simulation(request, plan).run();
}
