// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each collective as a change of layout. A group is looked at on its own: the
// tensor that it holds as a whole, cut by the collective's axes only.

#include "dtensor/Dialect/Comm/Comm.h"

using namespace mlir;
using namespace mlir::comm;
namespace planner = ::dtensor;
using planner::Layout;
using planner::StepKind;

/// A change over the axes of `op`, of a tensor of shape `shape`, with both
/// sides replicated so far.
template <typename OpTy>
static CollectiveChange startChange(OpTy op, StepKind kind,
                                    ArrayRef<int64_t> shape) {
  planner::Mesh mesh =
      mlir::dtensor::lookupMesh(op, op.getMeshAttr()).getPlannerMesh();
  CollectiveChange result;
  result.kind = kind;
  result.shape = shape.vec();
  result.change.axes = *mlir::dtensor::getAxisRefs(mesh, op.getAxesAttr());
  result.change.from = Layout::replicated(shape.size());
  result.change.to = Layout::replicated(shape.size());
  return result;
}

static void setPartial(CollectiveChange &change, Layout &side,
                       mlir::dtensor::ReduceOp op) {
  change.op = static_cast<planner::ReduceOp>(op);
  for (const planner::AxisRef &axis : change.change.axes)
    side.partials.push_back({axis, change.op});
  llvm::sort(side.partials,
             [](const auto &a, const auto &b) { return a.axis < b.axis; });
}

CollectiveChange AllGatherOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::AllGather, getResult().getType().getShape());
  result.fromDim = getDim();
  result.change.from.dims[getDim()] = result.change.axes;
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
  result.change.to.dims[getDim()] = result.change.axes;
  return result;
}

CollectiveChange AllToAllOp::getChange() {
  SmallVector<int64_t> shape(getInput().getType().getShape());
  shape[getConcat()] = getResult().getType().getShape()[getConcat()];
  CollectiveChange result = startChange(*this, StepKind::AllToAll, shape);
  result.fromDim = getConcat();
  result.toDim = getSplit();
  result.change.from.dims[getConcat()] = result.change.axes;
  result.change.to.dims[getSplit()] = result.change.axes;
  return result;
}

CollectiveChange SliceOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::Slice, getInput().getType().getShape());
  result.toDim = getDim();
  result.change.to.dims[getDim()] = result.change.axes;
  return result;
}

CollectiveChange ToPartialOp::getChange() {
  CollectiveChange result =
      startChange(*this, StepKind::ToPartial, getResult().getType().getShape());
  if (std::optional<int64_t> dim = getDim()) {
    result.fromDim = *dim;
    result.change.from.dims[*dim] = result.change.axes;
  }
  setPartial(result, result.change.to, getOp());
  return result;
}

CollectiveChange ExchangeOp::getChange() {
  CollectiveChange result = startChange(
      *this, getPermute() ? StepKind::Permute : StepKind::Exchange, getShape());
  planner::Mesh mesh =
      mlir::dtensor::lookupMesh(*this, getMeshAttr()).getPlannerMesh();
  auto global =
      RankedTensorType::get(getShape(), getInput().getType().getElementType());
  result.change.from = *mlir::dtensor::getLayout(mesh, getFrom(), global);
  result.change.to = *mlir::dtensor::getLayout(mesh, getTo(), global);
  return result;
}
