// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the planner's steps to operations of the comm dialect.

#include "LowerSteps.h"

#include "dtensor/Planner/LayoutOps.h"

using namespace mlir;
using namespace mlir::dtensor;
using planner::StepKind;

/// The plain collective appends the moved axes in the order in which it takes
/// them; an all-to-all that reorders them is an exchange of boxes.
static bool keepsOrder(const planner::RedistributionStep &step) {
  if (step.kind != StepKind::AllToAll)
    return true;
  auto joined = planner::withoutSuffix(planner::dataLayout(step.from),
                                       step.fromDim, step.axes);
  return joined &&
         planner::withAppended(*joined, step.toDim, step.axes) == step.to;
}

namespace {

/// Builds the op of one step.
class StepLowering {
public:
  StepLowering(OpBuilder &builder, Location loc, const StepContext &context,
               const planner::RedistributionStep &step, Value input)
      : builder(builder), loc(loc), context(context), step(step), input(input),
        result(getLocalType(step.to, context.globalType)),
        axes(getAxesAttr(builder.getContext(), context.mesh, step.axes)),
        op(ReduceOpAttr::get(builder.getContext(),
                             static_cast<ReduceOp>(step.op))) {
    auto source = cast<RankedTensorType>(input.getType());
    // Unequal pieces: the op alone does not say how they are cut.
    if (!source.hasStaticShape() || !result.hasStaticShape())
      addFrame();
  }

  Value lower();

private:
  void addFrame() {
    shape = builder.getDenseI64ArrayAttr(context.globalType.getShape());
    from = getLayoutAttr(context.meshName, context.mesh, step.from);
    to = getLayoutAttr(context.meshName, context.mesh, step.to);
  }
  IntegerAttr dim(int value) { return builder.getI64IntegerAttr(value); }
  Value exchange();

  OpBuilder &builder;
  Location loc;
  const StepContext &context;
  const planner::RedistributionStep &step;
  Value input;
  RankedTensorType result;
  ArrayAttr axes;
  ReduceOpAttr op;
  DenseI64ArrayAttr shape;
  LayoutAttr from, to;
};

} // namespace

Value StepLowering::exchange() {
  // Boxes are those of the whole tensor, so the group is everyone.
  std::vector<planner::AxisRef> all;
  for (size_t axis = 0; axis < context.mesh.axes().size(); ++axis)
    if (context.mesh.axes()[axis].size > 1)
      all.push_back(context.mesh.wholeAxis(axis));
  addFrame();
  bool permutes = step.kind == StepKind::Permute && result == input.getType();
  return comm::ExchangeOp::create(
      builder, loc, result, input, context.meshName,
      getAxesAttr(builder.getContext(), context.mesh, all),
      permutes ? builder.getUnitAttr() : UnitAttr(), shape, from, to,
      ArrayAttr());
}

Value StepLowering::lower() {
  FlatSymbolRefAttr mesh = context.meshName;
  if (!keepsOrder(step))
    return exchange();
  switch (step.kind) {
  case StepKind::Slice:
    return comm::SliceOp::create(builder, loc, result, input, mesh, axes,
                                 dim(step.toDim), shape, from, to, ArrayAttr());
  case StepKind::AllGather:
    return comm::AllGatherOp::create(builder, loc, result, input, mesh, axes,
                                     dim(step.fromDim), shape, from, to,
                                     ArrayAttr());
  case StepKind::AllToAll:
    return comm::AllToAllOp::create(builder, loc, result, input, mesh, axes,
                                    dim(step.toDim), dim(step.fromDim), shape,
                                    from, to, ArrayAttr());
  case StepKind::ReduceScatter:
    return comm::ReduceScatterOp::create(builder, loc, result, op, input, mesh,
                                         axes, dim(step.toDim), shape, from, to,
                                         ArrayAttr());
  case StepKind::AllReduce:
    return comm::AllReduceOp::create(builder, loc, result, op, input, mesh,
                                     axes, shape, from, to, ArrayAttr());
  case StepKind::ToPartial:
    return comm::ToPartialOp::create(
        builder, loc, result, op, input, mesh, axes,
        step.fromDim < 0 ? IntegerAttr() : dim(step.fromDim), shape, from, to,
        ArrayAttr());
  case StepKind::Scale:
    return comm::ScaleOp::create(builder, loc, result, op, input, mesh, axes,
                                 shape, from, to, ArrayAttr());
  case StepKind::Permute:
  case StepKind::Exchange:
    return exchange();
  case StepKind::Broadcast:
  case StepKind::Reduce:
  case StepKind::Scatter:
  case StepKind::Gather:
    break; // in no plan
  }
  return {};
}

Value mlir::dtensor::lowerStep(OpBuilder &builder, Location loc,
                               const StepContext &context,
                               const planner::RedistributionStep &step,
                               Value input) {
  return StepLowering(builder, loc, context, step, input).lower();
}
