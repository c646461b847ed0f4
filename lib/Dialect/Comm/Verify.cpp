// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of collectives; the labels are those of CommOps.td. All checks
// need the mesh, so they run as checks of symbol uses.

#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Planner/LayoutOps.h"

using namespace mlir;
using namespace mlir::comm;
namespace planner = ::dtensor;

namespace {
/// The mesh and group size of a collective whose common constraints hold.
struct Group {
  planner::Mesh mesh;
  std::vector<planner::AxisRef> axes;
  int64_t size = 1;
};
} // namespace

/// (C1) and (C2).
template <typename OpTy> static FailureOr<Group> verifyCommon(OpTy op) {
  FailureOr<planner::Mesh> mesh = mlir::dtensor::verifyMesh(
      op, op.getMeshAttr(), [&] { return op.emitOpError(); });
  if (failed(mesh))
    return failure();
  planner::Expected<CollectiveGroups> groups =
      getGroups(*mesh, op.getAxesAttr(), op.getGroupsAttr());
  if (!groups)
    return op.emitOpError() << groups.error().message;
  if (op.getGroupsAttr() && op.getShape())
    return op.emitOpError() << "has groups and a frame; a frame is of axes";
  Group group{std::move(groups->mesh), std::move(groups->axes)};
  RankedTensorType input = op.getInput().getType();
  RankedTensorType result = op.getResult().getType();
  if (input.getElementType() != result.getElementType())
    return op.emitOpError()
           << "operand and result must have one element type, "
              "got "
           << input.getElementType() << " and " << result.getElementType();
  bool isStatic = input.hasStaticShape() && result.hasStaticShape();
  if (!isStatic && !op.getShape())
    return op.emitOpError() << "needs static shapes or a frame (`of [SHAPE] "
                               "from LAYOUT to LAYOUT`), got "
                            << input << " and " << result;
  if (!mlir::dtensor::getElementType(input))
    return op.emitOpError() << "element type " << input.getElementType()
                            << " cannot be communicated";
  group.size = planner::totalSize(group.axes);
  return group;
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

/// (F1) and (F2) of one side of a frame.
template <typename OpTy>
static FailureOr<planner::Layout>
verifyFrameSide(OpTy op, const planner::Mesh &mesh,
                mlir::dtensor::LayoutAttr attr, RankedTensorType local,
                StringRef side) {
  auto global = RankedTensorType::get(*op.getShape(), local.getElementType());
  if (attr.getMesh() != op.getMeshAttr())
    return op.emitOpError()
           << "'" << side << "' is a layout on " << attr.getMesh()
           << ", the collective on " << op.getMeshAttr();
  auto layout = mlir::dtensor::getLayout(mesh, attr, global); // (F1)
  if (!layout)
    return op.emitOpError() << "'" << side << "': " << layout.error().message;
  if (layout->openness.open)
    return op.emitOpError() << "'" << side << "' must not be open";
  RankedTensorType expected = mlir::dtensor::getLocalType(*layout, global);
  if (expected != local) // (F2)
    return op.emitOpError() << "'" << side << "' has the local type "
                            << expected << ", got " << local;
  return *layout;
}

/// Both sides of a frame.
template <typename OpTy>
static FailureOr<std::pair<planner::Layout, planner::Layout>>
verifyFrameSides(OpTy op, const planner::Mesh &mesh) {
  if (llvm::any_of(*op.getShape(), [](int64_t size) { return size < 0; }))
    return op.emitOpError() << "the frame's shape has a negative extent";
  auto from =
      verifyFrameSide(op, mesh, *op.getFrom(), op.getInput().getType(), "from");
  if (failed(from))
    return failure();
  auto to =
      verifyFrameSide(op, mesh, *op.getTo(), op.getResult().getType(), "to");
  if (failed(to))
    return failure();
  return std::make_pair(*from, *to);
}

/// What the collective makes of a layout; none where it does not apply.
using LayoutEffect =
    llvm::function_ref<std::optional<planner::Layout>(const planner::Layout &)>;

/// (F1) to (F3).
template <typename OpTy>
static LogicalResult verifyFrame(OpTy op, const planner::Mesh &mesh,
                                 LayoutEffect effect) {
  auto sides = verifyFrameSides(op, mesh);
  if (failed(sides))
    return failure();
  std::optional<planner::Layout> after =
      effect(planner::dataLayout(sides->first));
  if (!after || *after != planner::dataLayout(sides->second)) // (F3)
    return op.emitOpError()
           << "'to' is not what the collective makes of 'from'"
           << (after ? ": that is [" + planner::printLayout(mesh, *after) + "]"
                     : std::string());
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes without a frame
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// The collectives
//===----------------------------------------------------------------------===//

/// (C3) and (C4) of ops that leave every rank its part of `dim`.
template <typename OpTy>
static LogicalResult verifyParts(OpTy op, FailureOr<Group> group) {
  if (failed(group) || failed(verifyDim(op, op.getDim(), "dim")))
    return failure();
  if (op.getShape())
    return verifyFrame(op, group->mesh, [&](const planner::Layout &from) {
      return std::optional(
          planner::withAppended(from, op.getDim(), group->axes));
    });
  SmallVector<int64_t> shape(op.getInput().getType().getShape());
  if (failed(verifyCut(op, op.getDim(), group->size, shape)))
    return failure();
  return verifyShape(op, shape);
}

/// The same of ops that put the parts of `dim` together.
template <typename OpTy>
static LogicalResult verifyWhole(OpTy op, FailureOr<Group> group) {
  if (failed(group) || failed(verifyDim(op, op.getDim(), "dim")))
    return failure();
  if (op.getShape())
    return verifyFrame(op, group->mesh, [&](const planner::Layout &from) {
      return planner::withoutSuffix(from, op.getDim(), group->axes);
    });
  SmallVector<int64_t> shape(op.getInput().getType().getShape());
  if (failed(verifyJoin(op, op.getDim(), group->size, shape)))
    return failure();
  return verifyShape(op, shape);
}

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyWhole(*this, verifyCommon(*this));
}

/// All-reduce and reduce: the axes are partial before and no more after.
template <typename OpTy>
static LogicalResult verifySummed(OpTy op, FailureOr<Group> group) {
  if (failed(group) || failed(verifyReduceOp(op)))
    return failure();
  if (!op.getShape())
    return success();
  return verifyFrame(op, group->mesh, [&](const planner::Layout &from) {
    return planner::withoutPartials(from, group->axes,
                                    static_cast<planner::ReduceOp>(op.getOp()));
  });
}

LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &) {
  return verifySummed(*this, verifyCommon(*this));
}

LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group) || failed(verifyDim(*this, getDim(), "dim")) ||
      failed(verifyReduceOp(*this)))
    return failure();
  if (getShape())
    return verifyFrame(*this, group->mesh, [&](const planner::Layout &from) {
      auto reduced = planner::withoutPartials(
          from, group->axes, static_cast<planner::ReduceOp>(getOp()));
      if (reduced)
        reduced = planner::withAppended(*reduced, getDim(), group->axes);
      return reduced;
    });
  SmallVector<int64_t> shape(getInput().getType().getShape());
  if (failed(verifyCut(*this, getDim(), group->size, shape)))
    return failure();
  return verifyShape(*this, shape);
}

LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group) || failed(verifyDim(*this, getSplit(), "split")) ||
      failed(verifyDim(*this, getConcat(), "concat")))
    return failure();
  if (getSplit() == getConcat())
    return emitOpError() << "'split' and 'concat' must differ, both are "
                         << getSplit();
  if (getShape())
    return verifyFrame(*this, group->mesh, [&](const planner::Layout &from) {
      auto joined = planner::withoutSuffix(from, getConcat(), group->axes);
      if (joined)
        joined = planner::withAppended(*joined, getSplit(), group->axes);
      return joined;
    });
  SmallVector<int64_t> shape(getInput().getType().getShape());
  if (failed(verifyCut(*this, getSplit(), group->size, shape)) ||
      failed(verifyJoin(*this, getConcat(), group->size, shape)))
    return failure();
  return verifyShape(*this, shape);
}

LogicalResult SliceOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyParts(*this, verifyCommon(*this));
}

LogicalResult ToPartialOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group) || failed(verifyReduceOp(*this)))
    return failure();
  std::optional<int64_t> dim = getDim();
  if (dim && failed(verifyDim(*this, *dim, "dim")))
    return failure();
  if (getShape())
    return verifyFrame(*this, group->mesh, [&](const planner::Layout &from) {
      auto whole = dim ? planner::withoutSuffix(from, *dim, group->axes) : from;
      if (whole)
        whole = planner::withPartials(*whole, group->axes,
                                      static_cast<planner::ReduceOp>(getOp()));
      return whole;
    });
  SmallVector<int64_t> shape(getInput().getType().getShape());
  if (dim && failed(verifyJoin(*this, *dim, group->size, shape)))
    return failure();
  return verifyShape(*this, shape);
}

LogicalResult ScaleOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group))
    return failure();
  auto op = static_cast<planner::ReduceOp>(getOp());
  bool toAvg = op == planner::ReduceOp::Sum;
  if (!toAvg && op != planner::ReduceOp::Avg) // (C5)
    return emitOpError() << "scales between sum and avg, got '"
                         << planner::reduceOpName(op) << "'";
  Type element = getInput().getType().getElementType();
  if (!planner::isReductionSupported(planner::ReduceOp::Avg,
                                     *mlir::dtensor::getElementType(element)))
    return emitOpError() << "element type " << element
                         << " has no reduce op 'avg'";
  if (!getShape())
    return success();
  return verifyFrame(*this, group->mesh, [&](const planner::Layout &from) {
    auto rest = planner::withoutPartials(from, group->axes, op);
    if (rest)
      rest = planner::withPartials(*rest, group->axes,
                                   toAvg ? planner::ReduceOp::Avg
                                         : planner::ReduceOp::Sum);
    return rest;
  });
}

LogicalResult ExchangeOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyCommon(*this);
  if (failed(group))
    return failure();
  if (!getShape()) // (C3)
    return emitOpError() << "needs its frame (`of [SHAPE] from LAYOUT to "
                            "LAYOUT`)";
  auto sides = verifyFrameSides(*this, group->mesh);
  if (failed(sides))
    return failure();
  auto &[from, to] = *sides;
  if (!from.partials.empty() || !to.partials.empty())
    return emitOpError() << "must not be partial (reduce first)";
  // (C4): ranks exchange only within their group.
  auto isOutside = [&](const planner::AxisRef &ref) {
    return llvm::none_of(group->axes, [&](const planner::AxisRef &axis) {
      return axis.axis == ref.axis && axis.preSize <= ref.preSize &&
             ref.preSize * ref.size <= axis.preSize * axis.size;
    });
  };
  for (size_t dim = 0; dim < from.dims.size(); ++dim) {
    std::vector<planner::AxisRef> before, after;
    llvm::copy_if(from.dims[dim], std::back_inserter(before), isOutside);
    llvm::copy_if(to.dims[dim], std::back_inserter(after), isOutside);
    if (before != after)
      return emitOpError() << "moves dimension " << dim
                           << " over axes outside of its group; list them in "
                              "'over'";
  }
  if (getPermute() && getInput().getType() != getResult().getType()) // (C5)
    return emitOpError() << "a permutation keeps the local type, got "
                         << getInput().getType() << " and "
                         << getResult().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives with a root
//===----------------------------------------------------------------------===//

/// (C1), (C2) and (R1).
template <typename OpTy> static FailureOr<Group> verifyRooted(OpTy op) {
  FailureOr<Group> group = verifyCommon(op);
  if (failed(group))
    return failure();
  auto root = static_cast<int64_t>(op.getRoot());
  if (root < 0 || root >= group->size)
    return op.emitOpError()
           << "'root' " << root << " is no coordinate in a group of "
           << group->size << " ranks (0 to " << group->size - 1 << ")";
  return group;
}

LogicalResult BroadcastOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<Group> group = verifyRooted(*this);
  if (failed(group))
    return failure();
  if (!getShape())
    return success();
  auto isOfGroup = [&](const planner::AxisRef &ref) {
    return llvm::any_of(group->axes, [&](const planner::AxisRef &axis) {
      return planner::overlaps(axis, ref);
    });
  };
  planner::Layout from = *mlir::dtensor::getLayout(
      group->mesh, *getFrom(),
      RankedTensorType::get(*getShape(),
                            getInput().getType().getElementType()));
  for (auto [dim, axes] : llvm::enumerate(from.dims))
    if (llvm::any_of(axes, isOfGroup)) // (C3)
      return emitOpError() << "'from' shards dimension " << dim
                           << " over the axes of the group, so its ranks hold "
                              "different parts; use comm.scatter or "
                              "comm.all_gather";
  return verifyFrame(*this, group->mesh, [](const planner::Layout &from) {
    return std::optional(from);
  });
}

LogicalResult comm::ReduceOp::verifySymbolUses(SymbolTableCollection &) {
  return verifySummed(*this, verifyRooted(*this));
}

LogicalResult ScatterOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyParts(*this, verifyRooted(*this));
}

LogicalResult GatherOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyWhole(*this, verifyRooted(*this));
}

//===----------------------------------------------------------------------===//
// What a rank knows of itself
//===----------------------------------------------------------------------===//

/// (C1) of ops that are no collectives.
template <typename OpTy> static LogicalResult verifyAxes(OpTy op) {
  FailureOr<planner::Mesh> mesh = mlir::dtensor::verifyMesh(
      op, op.getMeshAttr(), [&] { return op.emitOpError(); });
  if (failed(mesh))
    return failure();
  if (auto groups = getGroups(*mesh, op.getAxesAttr(), {}); !groups)
    return op.emitOpError() << groups.error().message;
  return success();
}

LogicalResult AxisIndexOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyAxes(*this);
}

LogicalResult LocalExtentOp::verifySymbolUses(SymbolTableCollection &) {
  if (failed(verifyAxes(*this)))
    return failure();
  if (static_cast<int64_t>(getSize()) < 0) // (C2)
    return emitOpError() << "'size' must be at least 0, got "
                         << static_cast<int64_t>(getSize());
  return success();
}
