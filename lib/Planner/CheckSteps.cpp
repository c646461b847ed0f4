// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that every step of a plan keeps, and the proof of whole plans from them
// alone: for meshes whose ranks are too many to be simulated one by one.
#include "CheckSteps.h"

#include "CostModel.h"
#include "dtensor/Planner/LayoutOps.h"

using namespace dtensor;

static bool isLinear(ReduceOp op) {
  return op == ReduceOp::Sum || op == ReduceOp::Avg;
}

static bool sameSet(const std::vector<AxisRef> &a,
                    const std::vector<AxisRef> &b) {
  return coveringAxes(a) == coveringAxes(b);
}

std::vector<AxisRef> dtensor::partialAxes(const Layout &layout) {
  std::vector<AxisRef> axes;
  for (const PartialAxis &partial : layout.partials)
    axes.push_back(partial.axis);
  return axes;
}

static bool isAllToAll(const RedistributionStep &step) {
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
static std::optional<Layout> cutFurther(const RedistributionStep &step,
                                        Layout reduced) {
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
static std::optional<Layout> layoutAfter(const RedistributionStep &step) {
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
    if (from.partials != step.to.partials && step.kind == StepKind::Permute)
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
Status dtensor::checkStepShape(const RedistributionRequest &request,
                               const RedistributionStep &step) {
  const Mesh &mesh = request.mesh;
  auto fail = [](const std::string &what) { return Error{what}; };
  auto print = [&](const Layout &layout) {
    return printLayout(mesh, dataLayout(layout));
  };
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
  bool combines = combinesOnTheWay(step.from, step.to);
  if (step.kind == StepKind::Exchange && combines) {
    RedistributionStep known = step;
    if (!setCombination(request, known) || known.op != step.op ||
        !sameSet(known.axes, step.axes))
      return fail("combines or creates contributions of several kinds at once, "
                  "or along other axes than it says");
  } else if (moves) {
    for (const AxisRef &ref : step.axes)
      for (const PartialAxis &partial : step.from.partials)
        if (overlaps(ref, partial.axis))
          return fail("moves contributions along the partial axis '" +
                      printAxisRef(mesh, partial.axis) + "'");
  }
  return Status::success();
}

/// Refuses a step that some group of ranks cannot do, by the layouts alone.
static Status checkGroups(const RedistributionRequest &request,
                          const RedistributionStep &step) {
  if (!isCleanStep(request, step))
    return Error{"cuts chunks of a size that does not divide across, which "
                 "cannot be decided for classes of ranks"};
  bool even =
      isEven(step.from, request.shape) && isEven(step.to, request.shape);
  if (step.kind == StepKind::Permute || step.kind == StepKind::Exchange) {
    std::vector<AxisRef> needed = exchangeAxes(step.from, step.to, even);
    needed.insert(needed.end(), step.axes.begin(), step.axes.end());
    if (!sameSet(needed, step.axes))
      return Error{"its group does not hold all of its new box"};
  }
  if (step.kind == StepKind::Permute)
    for (int d = 0; d < step.from.rank(); ++d)
      if (!even || totalSize(step.from.dims[d]) != totalSize(step.to.dims[d]))
        return Error{"a permute takes from more than one rank"};
  // avg divides by the number of contributions, and an identity is none.
  if (step.kind == StepKind::ToPartial && step.op == ReduceOp::Avg &&
      step.fromDim >= 0)
    return Error{"shards do not become partial(avg) in one step"};
  return Status::success();
}

Status dtensor::checkByClass(const RedistributionRequest &request,
                             const RedistributionPlan &plan) {
  // Before each step every rank holds its box under the layout, combined over
  // all axes that are partial in the source and not in the layout; a step that
  // keeps the rules keeps this, in every class of ranks.
  auto print = [&](const Layout &layout) {
    return printLayout(request.mesh, dataLayout(layout));
  };
  Layout here = dataLayout(request.from);
  for (size_t number = 0; number < plan.steps.size(); ++number) {
    const RedistributionStep &step = plan.steps[number];
    std::string name = "step " + std::to_string(number) + " (" +
                       std::string(stepKindName(step.kind)) + ") ";
    if (!(step.from == here))
      return Error{name + "begins with layout '" + print(step.from) +
                   "', but the data has layout '" + print(here) + "'"};
    if (Status status = checkStepShape(request, step); !status)
      return Error{name + status.message()};
    if (Status status = checkGroups(request, step); !status)
      return Error{name + status.message()};
    here = step.to;
  }
  if (!(here == dataLayout(request.to)))
    return Error{"the plan ends with layout '" + print(here) +
                 "' instead of '" + print(request.to) + "'"};
  return Status::success();
}
