// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of layout by their definition: boxes from the planner's transfers,
// reductions in rank order.

#include "Collectives.h"

#include "Reduction.h"

using namespace mlir;
using namespace mlir::dtensor::interp;
namespace planner = ::dtensor;
using planner::Box;
using planner::ReduceOp;
using planner::StepKind;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> getExtents(const Box &box) {
  std::vector<int64_t> extents = box.extents();
  return SmallVector<int64_t>(extents.begin(), extents.end());
}

/// Where the first element of `part` lies in a tensor that holds `box`.
static int64_t getStart(const Box &box, const Box &part,
                        ArrayRef<int64_t> strides) {
  int64_t start = 0;
  for (size_t d = 0; d < strides.size(); ++d)
    start += (part.lo[d] - box.lo[d]) * strides[d];
  return start;
}

/// Copies `part` from a tensor that holds `from` to one that holds `to`.
static void copyBox(const Box &part, const Box &from, const Tensor &source,
                    const Box &to, Tensor &target) {
  if (part.isEmpty())
    return;
  SmallVector<int64_t> sourceStrides = getStrides(source.shape);
  SmallVector<int64_t> targetStrides = getStrides(target.shape);
  copyStrided(
      getExtents(part),
      source.data.data() + getStart(from, part, sourceStrides), sourceStrides,
      target.data.data() + getStart(to, part, targetStrides), targetStrides);
}

namespace {

/// One change of layout on all ranks.
class Changer {
public:
  Changer(const planner::Mesh &mesh, const comm::CollectiveChange &spec,
          const RankValues &values)
      : mesh(mesh), spec(spec), values(values) {
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      held.push_back(localBox(mesh, spec.change.from, spec.shape, rank));
      wanted.push_back(localBox(mesh, spec.change.to, spec.shape, rank));
    }
  }

  planner::Expected<RankValues> run() {
    if (spec.op == ReduceOp::Avg && spec.kind == StepKind::ToPartial &&
        spec.fromDim >= 0)
      return planner::Error{"a shard cannot become partial(avg) in one step; "
                            "gather it first"};
    RankValues results;
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      if (ArrayRef<int64_t>(getExtents(held[rank])) !=
          ArrayRef<int64_t>(values[rank]->shape))
        return planner::Error{"rank " + std::to_string(rank) +
                              " holds a tensor of another shape than the "
                              "layout gives it"};
      results.push_back(changeOne(rank));
    }
    return results;
  }

private:
  TensorRef changeOne(int64_t rank) {
    TensorPtr result =
        makeTensor(values[rank]->format, getExtents(wanted[rank]));
    switch (spec.kind) {
    case StepKind::AllReduce:
    case StepKind::ReduceScatter:
      reduce(rank, *result);
      break;
    case StepKind::ToPartial:
      toPartial(rank, *result);
      break;
    case StepKind::Scale:
      scale(rank, *result);
      break;
    case StepKind::Broadcast:
    case StepKind::Scatter: {
      int64_t root = getRoot(rank);
      copyBox(wanted[rank], held[root], *values[root], wanted[rank], *result);
      break;
    }
    case StepKind::Reduce:
      if (rank == getRoot(rank))
        reduce(rank, *result);
      break; // the others keep zeros
    case StepKind::Gather:
      if (rank != getRoot(rank))
        break;
      [[fallthrough]];
    default:
      for (const planner::Transfer &transfer :
           transfersInto(mesh, spec.shape, spec.change, rank))
        copyBox(transfer.box, held[transfer.source], *values[transfer.source],
                wanted[rank], *result);
    }
    return result;
  }

  /// The root of the group of `rank`.
  int64_t getRoot(int64_t rank) const {
    return mesh.groupMember(rank, spec.change.axes, spec.root);
  }

  void reduce(int64_t rank, Tensor &result) {
    ElementFormat format = result.format;
    ElementFormat accumulator = getAccumulator(spec.op, format);
    std::vector<int64_t> ranks = contributors(mesh, spec.change, rank);
    Tensor piece = result;
    for (size_t i = 0; i < ranks.size(); ++i) {
      copyBox(wanted[rank], held[ranks[i]], *values[ranks[i]], wanted[rank],
              i == 0 ? result : piece);
      if (i == 0)
        continue;
      for (int64_t k = 0; k < result.size(); ++k)
        result.data[k] = accumulator.round(
            combine(spec.op, format, result.data[k], piece.data[k]));
    }
    for (Scalar &value : result.data) {
      if (spec.op == ReduceOp::Avg)
        value.f /= static_cast<double>(ranks.size());
      value = format.round(value);
    }
  }

  void toPartial(int64_t rank, Tensor &result) {
    bool isWhole = held[rank] == wanted[rank];
    bool contributes = !isWhole || isIdempotent(spec.op) ||
                       mesh.flatCoordinate(rank, spec.change.axes) == 0;
    std::fill(result.data.begin(), result.data.end(),
              getIdentity(spec.op, result.format));
    if (contributes)
      copyBox(held[rank], held[rank], *values[rank], wanted[rank], result);
  }

  void scale(int64_t rank, Tensor &result) {
    auto size = static_cast<double>(planner::totalSize(spec.change.axes));
    for (int64_t k = 0; k < result.size(); ++k) {
      double value = values[rank]->data[k].f;
      value = spec.op == ReduceOp::Sum ? value * size : value / size;
      result.data[k] = result.format.round(fromFloat(value));
    }
  }

  const planner::Mesh &mesh;
  const comm::CollectiveChange &spec;
  const RankValues &values;
  std::vector<Box> held, wanted;
};

} // namespace

planner::Expected<RankValues>
mlir::dtensor::interp::changeLayout(const planner::Mesh &mesh,
                                    const comm::CollectiveChange &change,
                                    const RankValues &values) {
  return Changer(mesh, change, values).run();
}

//===----------------------------------------------------------------------===//
// Global tensors
//===----------------------------------------------------------------------===//

static std::vector<planner::AxisRef> getAllAxes(const planner::Mesh &mesh) {
  std::vector<planner::AxisRef> axes;
  for (size_t i = 0; i < mesh.axes().size(); ++i)
    axes.push_back(mesh.wholeAxis(static_cast<int>(i)));
  return axes;
}

/// The same layout, with nothing left to combine.
static planner::Layout withoutPartials(planner::Layout layout) {
  layout.partials.clear();
  return layout;
}

planner::Expected<RankValues>
mlir::dtensor::interp::distribute(const planner::Mesh &mesh,
                                  const planner::Layout &layout,
                                  const TensorRef &global) {
  comm::CollectiveChange slice;
  slice.kind = StepKind::Slice;
  slice.shape.assign(global->shape.begin(), global->shape.end());
  slice.change.from = planner::Layout::replicated(layout.rank());
  slice.change.to = withoutPartials(layout);
  slice.change.axes = getAllAxes(mesh);
  auto values = changeLayout(mesh, slice, RankValues(mesh.numRanks(), global));
  for (const planner::PartialAxis &partial : layout.partials) {
    if (!values)
      return values.error();
    comm::CollectiveChange step;
    step.kind = StepKind::ToPartial;
    step.op = partial.op;
    step.shape = slice.shape;
    step.change.from = step.change.to = slice.change.to;
    step.change.axes = {partial.axis};
    values = changeLayout(mesh, step, *values);
  }
  return values;
}

/// Whether two ranks that hold the same box hold the same bits.
static planner::Status checkReplicas(const std::vector<Box> &boxes,
                                     const RankValues &values) {
  for (size_t rank = 1; rank < boxes.size(); ++rank)
    for (size_t other = 0; other < rank; ++other) {
      if (!(boxes[rank] == boxes[other]))
        continue;
      for (int64_t k = 0; k < values[rank]->size(); ++k)
        if (values[rank]->data[k].i != values[other]->data[k].i)
          return planner::Error{"replicas differ: ranks " +
                                std::to_string(other) + " and " +
                                std::to_string(rank) + " at element " +
                                std::to_string(k) + " of what they hold"};
      break;
    }
  return planner::Status::success();
}

planner::Expected<TensorRef> mlir::dtensor::interp::assemble(
    const planner::Mesh &mesh, const planner::Layout &layout,
    ArrayRef<int64_t> shape, const RankValues &values) {
  comm::CollectiveChange reduce;
  reduce.kind = StepKind::AllReduce;
  reduce.shape = shape.vec();
  reduce.change.from = layout;
  reduce.change.to = withoutPartials(layout);
  planner::Expected<RankValues> whole = values;
  for (planner::ReduceOp op :
       {planner::ReduceOp::Sum, planner::ReduceOp::Product,
        planner::ReduceOp::Min, planner::ReduceOp::Max, planner::ReduceOp::UMin,
        planner::ReduceOp::UMax, planner::ReduceOp::Avg,
        planner::ReduceOp::BAnd, planner::ReduceOp::BOr,
        planner::ReduceOp::BXor}) {
    reduce.op = op;
    reduce.change.axes.clear();
    for (const planner::PartialAxis &partial : layout.partials)
      if (partial.op == op)
        reduce.change.axes.push_back(partial.axis);
    if (reduce.change.axes.empty())
      continue;
    whole = changeLayout(mesh, reduce, *whole);
    if (!whole)
      return whole.error();
  }
  std::vector<Box> boxes;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
    boxes.push_back(localBox(mesh, layout, reduce.shape, rank));
  if (planner::Status same = checkReplicas(boxes, *whole); !same)
    return same.error();
  TensorPtr result = makeTensor(values.front()->format, shape);
  Box all;
  all.lo.assign(shape.size(), 0);
  all.hi.assign(shape.begin(), shape.end());
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
    copyBox(boxes[rank], boxes[rank], *(*whole)[rank], all, *result);
  return TensorRef(result);
}
