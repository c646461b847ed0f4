// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each collective as a change of layout. Without a frame a group is looked at
// on its own: the tensor that it holds as a whole, cut by the collective's axes
// only. With a frame it is the whole tensor in its whole layouts.

#include "dtensor/Dialect/Comm/Comm.h"

using namespace mlir;
using namespace mlir::comm;
namespace planner = ::dtensor;
using planner::Layout;
using planner::StepKind;

/// Reads the frame of `op`, or starts a change of a tensor of shape `shape`
/// that is replicated on both sides.
template <typename OpTy>
static CollectiveChange startChange(OpTy op, StepKind kind,
                                    ArrayRef<int64_t> shape) {
  CollectiveGroups groups = getGroups(CollectiveOpInterface(op));
  const planner::Mesh &mesh = groups.mesh;
  CollectiveChange result;
  result.kind = kind;
  result.change.axes = std::move(groups.axes);
  if (op.getShape()) {
    result.isFramed = true;
    result.shape = op.getShape()->vec();
    auto global = RankedTensorType::get(
        result.shape, op.getInput().getType().getElementType());
    result.change.from = *mlir::dtensor::getLayout(mesh, *op.getFrom(), global);
    result.change.to = *mlir::dtensor::getLayout(mesh, *op.getTo(), global);
    return result;
  }
  result.shape = shape.vec();
  result.change.from = Layout::replicated(shape.size());
  result.change.to = Layout::replicated(shape.size());
  return result;
}

/// Cuts dimension `dim` of `side` by the axes of the collective.
static void setShard(CollectiveChange &change, Layout &side, int64_t dim) {
  if (!change.isFramed)
    side.dims[dim] = change.change.axes;
}

static void setPartial(CollectiveChange &change, Layout &side,
                       mlir::dtensor::ReduceOp op) {
  change.op = static_cast<planner::ReduceOp>(op);
  if (change.isFramed)
    return;
  for (const planner::AxisRef &axis : change.change.axes)
    side.partials.push_back({axis, change.op});
  llvm::sort(side.partials,
             [](const auto &a, const auto &b) { return a.axis < b.axis; });
}

CollectiveChange AllGatherOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::AllGather, getResult().getType().getShape());
  result.fromDim = getDim();
  setShard(result, result.change.from, getDim());
  return result;
}

CollectiveChange AllReduceOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::AllReduce, getInput().getType().getShape());
  setPartial(result, result.change.from, getOp());
  return result;
}

CollectiveChange ReduceScatterOp::getChange() {
  CollectiveChange result = startChange(*this, StepKind::ReduceScatter,
                                        getInput().getType().getShape());
  result.toDim = getDim();
  setPartial(result, result.change.from, getOp());
  setShard(result, result.change.to, getDim());
  return result;
}

CollectiveChange AllToAllOp::getChange() {
  SmallVector<int64_t> shape(getInput().getType().getShape());
  shape[getConcat()] = getResult().getType().getShape()[getConcat()];
  CollectiveChange result = startChange(*this, StepKind::AllToAll, shape);
  result.fromDim = getConcat();
  result.toDim = getSplit();
  setShard(result, result.change.from, getConcat());
  setShard(result, result.change.to, getSplit());
  return result;
}

CollectiveChange SliceOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::Slice, getInput().getType().getShape());
  result.toDim = getDim();
  setShard(result, result.change.to, getDim());
  return result;
}

CollectiveChange ToPartialOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::ToPartial, getResult().getType().getShape());
  if (std::optional<int64_t> dim = getDim()) {
    result.fromDim = *dim;
    setShard(result, result.change.from, *dim);
  }
  setPartial(result, result.change.to, getOp());
  return result;
}

CollectiveChange ScaleOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::Scale, getInput().getType().getShape());
  setPartial(result, result.change.from, getOp());
  if (!result.isFramed) {
    result.change.to = result.change.from;
    for (planner::PartialAxis &partial : result.change.to.partials)
      partial.op = result.op == planner::ReduceOp::Sum ? planner::ReduceOp::Avg
                                                       : planner::ReduceOp::Sum;
  }
  return result;
}

CollectiveChange ExchangeOp::getChange() {
  return startChange(*this,
                     getPermute() ? StepKind::Permute : StepKind::Exchange, {});
}

CollectiveChange BroadcastOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::Broadcast, getInput().getType().getShape());
  result.root = getRoot();
  return result;
}

CollectiveChange comm::ReduceOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::Reduce, getInput().getType().getShape());
  result.root = getRoot();
  setPartial(result, result.change.from, getOp());
  return result;
}

CollectiveChange ScatterOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::Scatter, getInput().getType().getShape());
  result.root = getRoot();
  result.toDim = getDim();
  setShard(result, result.change.to, getDim());
  return result;
}

CollectiveChange GatherOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::Gather, getResult().getType().getShape());
  result.root = getRoot();
  result.fromDim = getDim();
  setShard(result, result.change.from, getDim());
  return result;
}
