// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// checkRedistribution: runs a plan on symbolic data. The tensor is cut into
// granules at every place where some layout of the plan cuts it; each rank
// holds, per granule, which contributions its data contains.
#include "CheckSteps.h"
#include "Contributions.h"
#include "CostModel.h"
#include "dtensor/Planner/LayoutOps.h"
#include "dtensor/Planner/Redistribution.h"

#include <algorithm>
#include <set>

using namespace dtensor;

namespace {

/// Granules times ranks that a check may hold.
constexpr int64_t maxCells = int64_t(1) << 24;
constexpr int absent = -1;

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
      if (Status status = checkStepShape(request, step); !status)
        return fail(status.message());
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

  Status apply(const RedistributionStep &step);
  Status applySlice(const RedistributionStep &step, int64_t rank);
  Status applyMove(const RedistributionStep &step);
  Status applyCombination(const RedistributionStep &step, int64_t rank);
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

Status Simulation::apply(const RedistributionStep &step) {
  next = emptyState();
  switch (step.kind) {
  case StepKind::AllGather:
  case StepKind::AllToAll:
  case StepKind::Permute:
  case StepKind::Exchange:
    if (combinesOnTheWay(step.from, step.to)) {
      for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
        if (Status status = applyCombination(step, rank); !status)
          return status;
      break;
    }
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

Status Simulation::applyCombination(const RedistributionStep &step,
                                    int64_t rank) {
  int identity = table.identity();
  for (int64_t granule : grid.inside(boxOf(step.to, rank)))
    next[rank][granule] = identity;
  std::vector<bool> taken(grid.size(), false);
  for (const Combination &one : combinationsInto(
           mesh, request.shape, {step.from, step.to, step.axes}, rank))
    for (int64_t granule : grid.inside(one.box)) {
      std::vector<int> values;
      for (int64_t source : one.sources) {
        if (held[source][granule] == absent)
          return failOn(rank, "takes data that its source lacks");
        values.push_back(held[source][granule]);
      }
      if (next[rank][granule] == absent || taken[granule])
        return failOn(rank, "takes the same data twice, or more than its box");
      taken[granule] = true;
      next[rank][granule] =
          values.size() == 1 ? values[0] : table.combine(step.op, values);
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

/// Ranks above which boxes are not even listed.
static constexpr int64_t maxSimulatedRanks = 1 << 12;

/// True where the simulation stays small: ranks times pieces, of which each
/// layout cuts a dimension into no more than its axes have ranks.
static bool isSmall(const RedistributionRequest &request,
                    const RedistributionPlan &plan) {
  if (request.mesh.numRanks() > maxSimulatedRanks)
    return false;
  double cells = static_cast<double>(request.mesh.numRanks());
  for (size_t d = 0; d < request.shape.size(); ++d) {
    std::set<std::vector<AxisRef>> lists = {request.from.dims[d],
                                            request.to.dims[d]};
    for (const RedistributionStep &step : plan.steps) {
      lists.insert(step.from.dims[d]);
      lists.insert(step.to.dims[d]);
    }
    double pieces = 1;
    for (const std::vector<AxisRef> &list : lists)
      pieces += static_cast<double>(totalSize(list)) - 1;
    cells *= std::min(pieces, static_cast<double>(request.shape[d]) + 1);
  }
  return cells <= maxCells;
}

Status dtensor::checkRedistribution(const RedistributionRequest &request,
                                    const RedistributionPlan &plan) {
  for (const RedistributionStep &step : plan.steps)
    if (step.from.dims.size() != request.shape.size() ||
        step.to.dims.size() != request.shape.size())
      return Error{"a step's layout has another rank than the tensor"};
  return isSmall(request, plan) ? Simulation(request, plan).run()
                                : checkByClass(request, plan);
}
