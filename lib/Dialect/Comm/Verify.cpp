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
  mlir::dtensor::MeshOp meshOp =
      mlir::dtensor::lookupMesh(op, op.getMeshAttr());
  if (!meshOp)
    return op.emitOpError() << "unknown mesh " << op.getMeshAttr()
                            << " (declare it with `dtensor.mesh`)";
  Group group{meshOp.getPlannerMesh()};
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
    return op.emitOpError() << layout.error().message;
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
  shape[getDim()] *= group->size;
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
  if (failed(verifyCut(*this, getSplit(), group->size, shape)))
    return failure();
  shape[getConcat()] *= group->size;
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
    if (failed(verifyDim(*this, *dim, "dim")))
      return failure();
    shape[*dim] *= group->size;
  }
  if (failed(verifyShape(*this, shape)))
    return failure();
  return verifyReduceOp(*this);
}

LogicalResult ExchangeOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group))
    return failure();
  auto verifySide = [&](mlir::dtensor::LayoutAttr attr, RankedTensorType local,
                        StringRef side) -> LogicalResult {
    auto global = RankedTensorType::get(getShape(), local.getElementType());
    if (attr.getMesh() != getMeshAttr())
      return emitOpError() << "'" << side << "' is a layout on "
                           << attr.getMesh() << ", the collective on "
                           << getMeshAttr();
    auto layout = mlir::dtensor::getLayout(group->mesh, attr, global); // (C3)
    if (!layout)
      return emitOpError() << layout.error().message;
    if (!layout->partials.empty())
      return emitOpError() << "'" << side
                           << "' must not be partial (reduce first)";
    if (mlir::dtensor::getLocalType(group->mesh, *layout, global) !=
        local) // (C4)
      return emitOpError() << "type " << local << " is not the local type of '"
                           << side << "'";
    return success();
  };
  if (failed(verifySide(getFrom(), getInput().getType(), "from")))
    return failure();
  return verifySide(getTo(), getResult().getType(), "to");
}
