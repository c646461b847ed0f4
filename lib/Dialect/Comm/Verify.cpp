// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of collectives; the labels are those of CommOps.td. All checks
// need the mesh, so they run as checks of symbol uses.

#include "dtensor/Dialect/Comm/Comm.h"

using namespace mlir;
using namespace mlir::comm;
namespace planner = ::dtensor;

namespace {
/// The mesh and group size of a collective whose common constraints hold.
struct Group {
  planner::Mesh mesh;
  int64_t size = 1;
};
} // namespace

/// (C1) and (C2).
template <typename OpTy> static FailureOr<Group> verifyCommon(OpTy op) {
  FailureOr<planner::Mesh> mesh = mlir::dtensor::verifyMesh(
      op, op.getMeshAttr(), [&] { return op.emitOpError(); });
  if (failed(mesh))
    return failure();
  Group group{*mesh};
  planner::Expected<std::vector<planner::AxisRef>> axes =
      mlir::dtensor::getAxisRefs(group.mesh, op.getAxesAttr());
  if (!axes)
    return op.emitOpError() << axes.error().message;
  if (axes->empty())
    return op.emitOpError() << "needs at least one axis";
  std::vector<planner::PlacementEntry> entries;
  for (const planner::AxisRef &axis : *axes)
    entries.push_back({axis, planner::PlacementEntry::Kind::Replicate});
  // A layout with these axes is refused exactly where one is named twice.
  if (auto layout = planner::makeLayout(group.mesh, 0, entries); !layout)
    return op.emitOpError()
           << "axes " << op.getAxesAttr() << ": " << layout.error().message;
  RankedTensorType input = op.getInput().getType();
  RankedTensorType result = op.getResult().getType();
  if (input.getElementType() != result.getElementType())
    return op.emitOpError()
           << "operand and result must have one element type, "
              "got "
           << input.getElementType() << " and " << result.getElementType();
  if (!input.hasStaticShape() || !result.hasStaticShape())
    return op.emitOpError()
           << "needs static shapes, got " << input << " and " << result;
  if (!mlir::dtensor::getElementType(input))
    return op.emitOpError() << "element type " << input.getElementType()
                            << " cannot be communicated";
  group.size = planner::totalSize(*axes);
  return group;
}

/// (C3).
template <typename OpTy>
static LogicalResult verifyDim(OpTy op, int64_t dim, StringRef name) {
  int64_t rank = op.getInput().getType().getRank();
  if (dim < 0 || dim >= rank)
    return op.emitOpError() << "'" << name << "' " << dim
                            << " is out of range for a tensor of rank " << rank;
  return success();
}

/// (C4): `result` must be `input` with the given extents multiplied.
template <typename OpTy>
static LogicalResult verifyShape(OpTy op, ArrayRef<int64_t> expected) {
  RankedTensorType result = op.getResult().getType();
  if (result.getShape() != expected)
    return op.emitOpError()
           << "result must have type "
           << RankedTensorType::get(expected, result.getElementType())
           << ", got " << result;
  return success();
}

/// (C4) for ops that join the chunks of a group along `dim`.
template <typename OpTy>
static LogicalResult verifyJoin(OpTy op, int64_t dim, int64_t groupSize,
                                SmallVectorImpl<int64_t> &shape) {
  if (__builtin_mul_overflow(shape[dim], groupSize, &shape[dim]))
    return op.emitOpError() << "dimension " << dim << " joined over "
                            << groupSize << " ranks does not fit 64 bits";
  return success();
}

/// (C4) for ops that cut `dim` into a chunk for each rank of the group.
template <typename OpTy>
static LogicalResult verifyCut(OpTy op, int64_t dim, int64_t groupSize,
                               SmallVectorImpl<int64_t> &shape) {
  if (shape[dim] % groupSize != 0)
    return op.emitOpError()
           << "dimension " << dim << " of size " << shape[dim]
           << " does not divide by the group of " << groupSize << " ranks";
  shape[dim] /= groupSize;
  return success();
}

/// (C5).
template <typename OpTy> static LogicalResult verifyReduceOp(OpTy op) {
  Type element = op.getInput().getType().getElementType();
  std::optional<planner::ElementType> type =
      mlir::dtensor::getElementType(element);
  auto reduceOp = static_cast<planner::ReduceOp>(op.getOp());
  if (!type || !planner::isReductionSupported(reduceOp, *type))
    return op.emitOpError()
           << "element type " << element << " has no reduce op '"
           << planner::reduceOpName(reduceOp) << "'";
  return success();
}

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group) || failed(verifyDim(*this, getDim(), "dim")))
    return failure();
  SmallVector<int64_t> shape(getInput().getType().getShape());
  if (failed(verifyJoin(*this, getDim(), group->size, shape)))
    return failure();
  return verifyShape(*this, shape);
}

LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &) {
  if (failed(verifyCommon(*this)))
    return failure();
  return verifyReduceOp(*this);
}

LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group) || failed(verifyDim(*this, getDim(), "dim")))
    return failure();
  SmallVector<int64_t> shape(getInput().getType().getShape());
  if (failed(verifyCut(*this, getDim(), group->size, shape)) ||
      failed(verifyShape(*this, shape)))
    return failure();
  return verifyReduceOp(*this);
}

LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group) || failed(verifyDim(*this, getSplit(), "split")) ||
      failed(verifyDim(*this, getConcat(), "concat")))
    return failure();
  if (getSplit() == getConcat())
    return emitOpError() << "'split' and 'concat' must differ, both are "
                         << getSplit();
  SmallVector<int64_t> shape(getInput().getType().getShape());
  if (failed(verifyCut(*this, getSplit(), group->size, shape)) ||
      failed(verifyJoin(*this, getConcat(), group->size, shape)))
    return failure();
  return verifyShape(*this, shape);
}

LogicalResult SliceOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group) || failed(verifyDim(*this, getDim(), "dim")))
    return failure();
  SmallVector<int64_t> shape(getInput().getType().getShape());
  if (failed(verifyCut(*this, getDim(), group->size, shape)))
    return failure();
  return verifyShape(*this, shape);
}

LogicalResult ToPartialOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group))
    return failure();
  SmallVector<int64_t> shape(getInput().getType().getShape());
  if (std::optional<int64_t> dim = getDim()) {
    if (failed(verifyDim(*this, *dim, "dim")) ||
        failed(verifyJoin(*this, *dim, group->size, shape)))
      return failure();
  }
  if (failed(verifyShape(*this, shape)))
    return failure();
  return verifyReduceOp(*this);
}

/// One side of an exchange: its layout, once (C3) and (C4) hold.
static FailureOr<planner::Layout>
verifyExchangeSide(ExchangeOp op, const planner::Mesh &mesh,
                   mlir::dtensor::LayoutAttr attr, RankedTensorType local,
                   StringRef side) {
  if (llvm::any_of(op.getShape(), [](int64_t size) { return size < 0; }))
    return op.emitOpError() << "'shape' has a negative extent";
  auto global = RankedTensorType::get(op.getShape(), local.getElementType());
  if (attr.getMesh() != op.getMeshAttr())
    return op.emitOpError()
           << "'" << side << "' is a layout on " << attr.getMesh()
           << ", the collective on " << op.getMeshAttr();
  auto layout = mlir::dtensor::getLayout(mesh, attr, global); // (C3)
  if (!layout)
    return op.emitOpError() << "'" << side << "': " << layout.error().message;
  if (layout->openness.open)
    return op.emitOpError() << "'" << side << "' must not be open";
  if (!layout->partials.empty())
    return op.emitOpError()
           << "'" << side << "' must not be partial (reduce first)";
  RankedTensorType expected =
      mlir::dtensor::getLocalType(mesh, *layout, global);
  if (!expected)
    return op.emitOpError() << "'" << side << "' does not divide 'shape'";
  if (expected != local) // (C4)
    return op.emitOpError() << "'" << side << "' has the local type "
                            << expected << ", got " << local;
  return *layout;
}

LogicalResult ExchangeOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group))
    return failure();
  auto from = verifyExchangeSide(*this, group->mesh, getFrom(),
                                 getInput().getType(), "from");
  if (failed(from))
    return failure();
  auto to = verifyExchangeSide(*this, group->mesh, getTo(),
                               getResult().getType(), "to");
  if (failed(to))
    return failure();
  if (getPermute() && getInput().getType() != getResult().getType()) // (C6)
    return emitOpError() << "a permutation keeps the local type, got "
                         << getInput().getType() << " and "
                         << getResult().getType();
  // (C5): ranks exchange only within their group.
  std::vector<planner::AxisRef> axes =
      *mlir::dtensor::getAxisRefs(group->mesh, getAxesAttr());
  auto isOutside = [&](const planner::AxisRef &ref) {
    return llvm::none_of(axes, [&](const planner::AxisRef &axis) {
      return axis.axis == ref.axis && axis.preSize <= ref.preSize &&
             ref.preSize * ref.size <= axis.preSize * axis.size;
    });
  };
  for (size_t dim = 0; dim < from->dims.size(); ++dim) {
    std::vector<planner::AxisRef> before, after;
    llvm::copy_if(from->dims[dim], std::back_inserter(before), isOutside);
    llvm::copy_if(to->dims[dim], std::back_inserter(after), isOutside);
    if (before != after)
      return emitOpError() << "moves dimension " << dim
                           << " over axes outside of its group; list them in "
                              "'over'";
  }
  return success();
}
