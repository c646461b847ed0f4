// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO's collectives, in the bodies of manual computations. Groups that
// are those of axes of the mesh are written so.

#include "OpImport.h"

#include "dtensor/Dialect/Comm/Comm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// Whom a collective connects.
struct Groups {
  FlatSymbolRefAttr mesh;
  ArrayAttr axes;
  ArrayAttr groups; ///< null where axes say it
  int64_t size = 1;
};

} // namespace

/// The number of the op's channel; 0, which means none, where it has none.
static int64_t getChannel(Operation *op) {
  std::string text;
  if (Attribute handle = op->getAttr("channel_handle"))
    llvm::raw_string_ostream(text) << handle;
  StringRef number = StringRef(text).split("handle = ").second;
  int64_t channel = 0;
  if (number.take_while([](char c) { return c == '-' || llvm::isDigit(c); })
          .getAsInteger(10, channel))
    return 0;
  return channel;
}

/// Numbers in groups must mean ranks. They do with 'use_global_device_ids',
/// and, where an op has no such attribute, with a channel; otherwise they mean
/// replicas of the whole program, of which each has all ranks.
static LogicalResult checkNumbersAreRanks(OpImport &import) {
  if (import.name() == "stablehlo.all_to_all") {
    if (getChannel(import.op) > 0)
      return success();
    return import.emitError() << "has groups of replicas of the program; needs "
                                 "a 'channel_handle' for groups of ranks";
  }
  if (import.op->getAttrOfType<UnitAttr>("use_global_device_ids"))
    return success();
  return import.emitError() << "has groups of replicas of the program; needs "
                               "'use_global_device_ids' for groups of ranks";
}

/// The rows of `replica_groups`, those of `mesh` where it names no rank;
/// reports what is none.
static FailureOr<SmallVector<SmallVector<int64_t>>>
readGroups(OpImport &import, const planner::Mesh &mesh) {
  auto attr = import.op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  if (!attr || attr.getType().getRank() != 2)
    return import.emitError() << "needs 'replica_groups' of two dimensions";
  if (failed(checkNumbersAreRanks(import)))
    return failure();
  // One group of all ranks.
  if (attr.empty())
    return SmallVector<SmallVector<int64_t>>{
        llvm::to_vector(llvm::seq<int64_t>(0, mesh.numRanks()))};
  SmallVector<SmallVector<int64_t>> groups(attr.getType().getDimSize(0));
  int64_t size = attr.getType().getDimSize(1), at = 0;
  for (const APInt &rank : attr.getValues<APInt>())
    groups[at++ / size].push_back(rank.trySExtValue().value_or(-1));
  return groups;
}

/// True where the groups along `axes` are `groups`, which have each rank once,
/// in some order.
static bool isAlong(const planner::Mesh &mesh, ArrayRef<planner::AxisRef> axes,
                    ArrayRef<SmallVector<int64_t>> groups) {
  std::vector<planner::AxisRef> list(axes.begin(), axes.end());
  int64_t size = planner::totalSize(list);
  return llvm::all_of(groups, [&](ArrayRef<int64_t> group) {
    if (static_cast<int64_t>(group.size()) != size)
      return false;
    for (auto [index, rank] : llvm::enumerate(group)) {
      if (rank < 0 || rank >= mesh.numRanks() ||
          mesh.flatCoordinate(rank, list) != static_cast<int64_t>(index))
        return false;
      // Alike on all other axes.
      for (size_t axis = 0; axis < mesh.axes().size(); ++axis)
        if (planner::AxisRef whole = mesh.wholeAxis(axis);
            !llvm::is_contained(axes, whole) &&
            mesh.coordinate(rank, whole) != mesh.coordinate(group[0], whole))
          return false;
    }
    return true;
  });
}

/// The mesh of the manual computation around the op.
static FailureOr<FlatSymbolRefAttr> getManualMesh(OpImport &import) {
  if (FlatSymbolRefAttr name = import.blocks.getManualMesh())
    return name;
  return import.emitError()
         << "stands outside of a manual computation; a program of global "
            "tensors has no ranks";
}

static FailureOr<Groups> getGroups(OpImport &import) {
  FailureOr<FlatSymbolRefAttr> found = getManualMesh(import);
  if (failed(found))
    return failure();
  FlatSymbolRefAttr name = *found;
  planner::Mesh mesh =
      lookupMesh(import.builder.getBlock()->getParentOp(), name)
          .getPlannerMesh();
  FailureOr<SmallVector<SmallVector<int64_t>>> groups =
      readGroups(import, mesh);
  if (failed(groups))
    return failure();
  Builder &builder = import.builder;
  SmallVector<Attribute> lists;
  for (ArrayRef<int64_t> group : *groups)
    lists.push_back(builder.getDenseI64ArrayAttr(group));
  ArrayAttr all = builder.getArrayAttr(lists);
  auto checked = comm::getGroups(mesh, builder.getArrayAttr({}), all);
  if (!checked)
    return import.emitError()
           << "'replica_groups': " << checked.error().message;
  // Of few axes, every choice in mesh order.
  constexpr size_t kMaxAxes = 8;
  size_t count = mesh.axes().size();
  for (size_t chosen = 1; count <= kMaxAxes && chosen < size_t(1) << count;
       ++chosen) {
    SmallVector<planner::AxisRef> axes;
    for (size_t axis = 0; axis < count; ++axis)
      if (chosen >> axis & 1)
        axes.push_back(mesh.wholeAxis(axis));
    if (isAlong(mesh, axes, *groups))
      return Groups{name,
                    getAxesAttr(builder.getContext(), mesh, axes),
                    {},
                    planner::totalSize({axes.begin(), axes.end()})};
  }
  return Groups{name, builder.getArrayAttr({}), all,
                planner::totalSize(checked->axes)};
}

static FailureOr<ReduceOpAttr> getReduceOp(OpImport &import, unsigned operand) {
  Operation *op = import.op;
  std::optional<mlir::dtensor::ReduceOp> found;
  if (op->getNumRegions() == 1)
    found = getBodyReduceOp(op->getRegion(0), import.kind(operand));
  if (!found)
    return import.emitError()
           << "has a body that is not one of add, multiply, maximum, minimum, "
              "and, or, xor of its arguments";
  return ReduceOpAttr::get(op->getContext(), *found);
}

/// A dimension of operand `i`, from an attribute.
static FailureOr<IntegerAttr> getDim(OpImport &import, unsigned i,
                                     StringRef name) {
  auto attr = import.op->getAttrOfType<IntegerAttr>(name);
  int64_t rank = import.operandTensor(i).getRank();
  if (!attr || attr.getInt() < 0 || attr.getInt() >= rank)
    return import.emitError()
           << "needs '" << name << "' in [0, " << rank << ')';
  return import.builder.getI64IntegerAttr(attr.getInt());
}

/// The type of result `i`, which differs from operand `i` in `dim` only.
static FailureOr<RankedTensorType> getResultType(OpImport &import, unsigned i,
                                                 int64_t dim, int64_t size) {
  RankedTensorType operand = import.operandTensor(i);
  SmallVector<int64_t> shape(operand.getShape());
  shape[dim] = size;
  auto type = RankedTensorType::get(shape, operand.getElementType());
  if (type != import.form.convert(import.op->getResult(i).getType()))
    return import.emitError()
           << "has a result of type " << import.op->getResult(i).getType()
           << "; its operands give " << type;
  return type;
}

static LogicalResult importAllReduce(OpImport &import) {
  FailureOr<Groups> groups = getGroups(import);
  if (failed(groups))
    return failure();
  for (unsigned i = 0; i < import.operands.size(); ++i) {
    FailureOr<ReduceOpAttr> op = getReduceOp(import, i);
    if (failed(op))
      return failure();
    import.results.push_back(comm::AllReduceOp::create(
        import.builder, import.loc(), import.operands[i].getType(), *op,
        import.operands[i], groups->mesh, groups->axes, DenseI64ArrayAttr(),
        LayoutAttr(), LayoutAttr(), groups->groups));
  }
  return success();
}

static LogicalResult importAllGather(OpImport &import) {
  FailureOr<Groups> groups = getGroups(import);
  if (failed(groups))
    return failure();
  for (unsigned i = 0; i < import.operands.size(); ++i) {
    FailureOr<IntegerAttr> dim = getDim(import, i, "all_gather_dim");
    if (failed(dim))
      return failure();
    int64_t size = import.operandTensor(i).getDimSize(dim->getInt());
    auto type = getResultType(import, i, dim->getInt(), size * groups->size);
    if (failed(type))
      return failure();
    import.results.push_back(comm::AllGatherOp::create(
        import.builder, import.loc(), *type, import.operands[i], groups->mesh,
        groups->axes, *dim, DenseI64ArrayAttr(), LayoutAttr(), LayoutAttr(),
        groups->groups));
  }
  return success();
}

static LogicalResult importReduceScatter(OpImport &import) {
  FailureOr<Groups> groups = getGroups(import);
  if (failed(groups))
    return failure();
  FailureOr<ReduceOpAttr> op = getReduceOp(import, 0);
  FailureOr<IntegerAttr> dim = getDim(import, 0, "scatter_dimension");
  if (failed(op) || failed(dim))
    return failure();
  int64_t size = import.operandTensor(0).getDimSize(dim->getInt());
  auto type = getResultType(import, 0, dim->getInt(), size / groups->size);
  if (failed(type))
    return failure();
  return import.yield(comm::ReduceScatterOp::create(
      import.builder, import.loc(), *type, *op, import.operands[0],
      groups->mesh, groups->axes, *dim, DenseI64ArrayAttr(), LayoutAttr(),
      LayoutAttr(), groups->groups));
}

static LogicalResult importAllToAll(OpImport &import) {
  FailureOr<Groups> groups = getGroups(import);
  if (failed(groups))
    return failure();
  FailureOr<IntegerAttr> split = getDim(import, 0, "split_dimension");
  FailureOr<IntegerAttr> concat = getDim(import, 0, "concat_dimension");
  if (failed(split) || failed(concat))
    return failure();
  if (*split == *concat)
    return import.emitError()
           << "splits and joins dimension " << split->getInt()
           << "; only different ones are imported";
  return import.yield(comm::AllToAllOp::create(
      import.builder, import.loc(), import.resultTensor(), import.operands[0],
      groups->mesh, groups->axes, *split, *concat, DenseI64ArrayAttr(),
      LayoutAttr(), LayoutAttr(), groups->groups));
}

/// The rank: its place on all axes, where ranks are in order.
static LogicalResult importPartitionId(OpImport &import) {
  FailureOr<FlatSymbolRefAttr> found = getManualMesh(import);
  if (failed(found))
    return failure();
  FlatSymbolRefAttr name = *found;
  planner::Mesh mesh =
      lookupMesh(import.builder.getBlock()->getParentOp(), name)
          .getPlannerMesh();
  if (!mesh.devices().empty())
    return import.emitError() << "on mesh " << name
                              << ", whose devices are in another order, is "
                                 "not imported";
  SmallVector<planner::AxisRef> axes;
  for (size_t axis = 0; axis < mesh.axes().size(); ++axis)
    axes.push_back(mesh.wholeAxis(axis));
  Location loc = import.loc();
  OpBuilder &builder = import.builder;
  Value index =
      comm::AxisIndexOp::create(builder, loc, builder.getIndexType(), name,
                                getAxesAttr(builder.getContext(), mesh, axes));
  RankedTensorType type = import.resultTensor();
  Value number =
      arith::IndexCastOp::create(builder, loc, type.getElementType(), index);
  return import.yield(
      tensor::SplatOp::create(builder, loc, type, number, ValueRange()));
}

void mlir::dtensor::addCollectiveRules(ImportRules &rules) {
  rules["stablehlo.all_reduce"] = {importAllReduce, -1, false, true};
  rules["stablehlo.all_gather"] = {importAllGather, -1, false, true};
  rules["stablehlo.reduce_scatter"] = {importReduceScatter, 1, false};
  rules["stablehlo.all_to_all"] = {importAllToAll, 1, false};
  rules["stablehlo.partition_id"] = {importPartitionId, 0, false};
}
