// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the planner's steps to operations of the comm dialect.

#include "LowerSteps.h"

using namespace mlir;
using namespace mlir::dtensor;
using planner::StepKind;
using Axes = std::vector<planner::AxisRef>;

/// True where the minor-most axes of `axes` are `suffix`, in that order.
static bool endsWith(const Axes &axes, const Axes &suffix) {
  return axes.size() >= suffix.size() &&
         std::equal(suffix.rbegin(), suffix.rend(), axes.rbegin());
}

/// The plain collective takes the moved axes minor-most and in one order on
/// both sides; a step that reorders them is an exchange of boxes.
static bool isPlain(const planner::RedistributionStep &step) {
  bool fromFits =
      step.fromDim < 0 || endsWith(step.from.dims[step.fromDim], step.axes);
  bool toFits = step.toDim < 0 || endsWith(step.to.dims[step.toDim], step.axes);
  return fromFits && toFits;
}

static Value lowerExchange(OpBuilder &builder, Location loc,
                           const StepContext &context,
                           const planner::RedistributionStep &step, Value input,
                           RankedTensorType result) {
  // Boxes are those of the whole tensor, so the group is everyone.
  Axes all;
  for (size_t axis = 0; axis < context.mesh.axes().size(); ++axis)
    if (context.mesh.axes()[axis].size > 1)
      all.push_back(context.mesh.wholeAxis(axis));
  return comm::ExchangeOp::create(
      builder, loc, result, input, context.meshName,
      getAxesAttr(builder.getContext(), context.mesh, all),
      builder.getDenseI64ArrayAttr(context.globalType.getShape()),
      getLayoutAttr(context.meshName, context.mesh, step.from),
      getLayoutAttr(context.meshName, context.mesh, step.to),
      step.kind == StepKind::Permute ? builder.getUnitAttr() : UnitAttr());
}

Value mlir::dtensor::lowerStep(OpBuilder &builder, Location loc,
                               const StepContext &context,
                               const planner::RedistributionStep &step,
                               Value input) {
  RankedTensorType result =
      getLocalType(context.mesh, step.to, context.globalType);
  FlatSymbolRefAttr mesh = context.meshName;
  ArrayAttr axes = getAxesAttr(builder.getContext(), context.mesh, step.axes);
  auto op =
      ReduceOpAttr::get(builder.getContext(), static_cast<ReduceOp>(step.op));
  IntegerAttr dim = builder.getI64IntegerAttr(step.toDim);
  if (!isPlain(step)) {
    if (!step.from.partials.empty() || !step.to.partials.empty())
      return {};
    return lowerExchange(builder, loc, context, step, input, result);
  }
  switch (step.kind) {
  case StepKind::Slice:
    return comm::SliceOp::create(builder, loc, result, input, mesh, axes, dim);
  case StepKind::AllGather:
    return comm::AllGatherOp::create(builder, loc, result, input, mesh, axes,
                                     builder.getI64IntegerAttr(step.fromDim));
  case StepKind::AllToAll:
    return comm::AllToAllOp::create(builder, loc, result, input, mesh, axes,
                                    dim,
                                    builder.getI64IntegerAttr(step.fromDim));
  case StepKind::ReduceScatter:
    return comm::ReduceScatterOp::create(builder, loc, result, op, input, mesh,
                                         axes, dim);
  case StepKind::AllReduce:
    return comm::AllReduceOp::create(builder, loc, result, op, input, mesh,
                                     axes);
  case StepKind::ToPartial:
    return comm::ToPartialOp::create(
        builder, loc, result, op, input, mesh, axes,
        step.fromDim < 0 ? IntegerAttr()
                         : builder.getI64IntegerAttr(step.fromDim));
  case StepKind::Permute:
  case StepKind::Exchange:
    if (!step.from.partials.empty() || !step.to.partials.empty())
      return {};
    return lowerExchange(builder, loc, context, step, input, result);
  case StepKind::Scale:
    return {}; // sum <-> avg has no comm op
  }
  return {};
}
