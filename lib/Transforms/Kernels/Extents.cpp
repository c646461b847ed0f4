// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `?` stands for in the local types of a function.

#include "Extents.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

/// The largest chunk of `size` elements cut by `axes`.
static int64_t getMaxChunk(int64_t size, ArrayRef<planner::AxisRef> axes) {
  for (const planner::AxisRef &axis : axes)
    size = llvm::divideCeil(size, axis.size);
  return size;
}

static Attribute getExtent(MLIRContext *context, const planner::Mesh &mesh,
                           int64_t size,
                           const std::vector<planner::AxisRef> &axes) {
  Builder builder(context);
  int64_t parts = planner::totalSize(axes);
  if (size % parts == 0)
    return builder.getI64IntegerAttr(size / parts);
  return sched::ExtentAttr::get(context, size, getAxesAttr(context, mesh, axes),
                                getMaxChunk(size, axes));
}

Attribute mlir::dtensor::getLocalExtent(comm::LocalExtentOp op) {
  planner::Mesh mesh = lookupMesh(op, op.getMeshAttr()).getPlannerMesh();
  return getExtent(op.getContext(), mesh, op.getSize(),
                   *getAxisRefs(mesh, op.getAxesAttr()));
}

Extents ExtentAnalysis::fromType(RankedTensorType type) const {
  Builder builder(context);
  Extents result;
  for (int64_t size : type.getShape())
    result.push_back(builder.getI64IntegerAttr(size));
  return result;
}

Extents ExtentAnalysis::fromLayout(const planner::Mesh &mesh,
                                   const planner::Layout &layout,
                                   ArrayRef<int64_t> shape) const {
  Extents result;
  for (auto [size, axes] : llvm::zip_equal(shape, layout.dims))
    result.push_back(getExtent(context, mesh, size, axes));
  return result;
}

ExtentAnalysis::ExtentAnalysis(func::FuncOp func) : context(func.getContext()) {
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    unsigned index = argument.getArgNumber();
    auto layout = func.getArgAttrOfType<LayoutAttr>(index, kLayoutAttr);
    auto global = func.getArgAttrOfType<TypeAttr>(index, kGlobalTypeAttr);
    if (!layout || !global) {
      extents[argument] = fromType(type);
      continue;
    }
    auto globalType = cast<RankedTensorType>(global.getValue());
    planner::Mesh mesh = lookupMesh(func, layout.getMesh()).getPlannerMesh();
    extents[argument] = fromLayout(mesh, *getLayout(mesh, layout, globalType),
                                   globalType.getShape());
  }
}

/// Extents of dimensions that `values` give, in the order of the `?` of `type`.
static std::optional<Extents> fromOperands(RankedTensorType type,
                                           ValueRange values) {
  Builder builder(type.getContext());
  Extents result;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      result.push_back(builder.getI64IntegerAttr(size));
      continue;
    }
    auto op = values.front().getDefiningOp<comm::LocalExtentOp>();
    values = values.drop_front();
    if (!op)
      return std::nullopt;
    result.push_back(getLocalExtent(op));
  }
  return result;
}

/// Dimensions that a reshape leaves as they are keep their extents; those that
/// it joins or splits are the same on all ranks.
static Extents throughReshape(ArrayRef<ReassociationIndices> groups,
                              bool expands, const Extents &source,
                              Extents result) {
  for (auto [coarse, group] : llvm::enumerate(groups)) {
    if (group.size() != 1)
      continue;
    if (expands)
      result[group[0]] = source[coarse];
    else
      result[coarse] = source[group[0]];
  }
  return result;
}

std::optional<Extents> ExtentAnalysis::compute(Operation *op,
                                               OpResult result) const {
  auto type = cast<RankedTensorType>(result.getType());
  if (auto collective = dyn_cast<comm::CollectiveOpInterface>(op)) {
    comm::CollectiveChange change = collective.getChange();
    if (!change.isFramed)
      return fromType(type);
    planner::Mesh mesh =
        lookupMesh(op, collective.getMeshAttr()).getPlannerMesh();
    return fromLayout(mesh, change.change.to, change.shape);
  }
  if (auto wait = dyn_cast<comm::WaitOp>(op)) {
    auto start = wait.getToken().getDefiningOp<comm::StartOp>();
    return get(start.getBody().front().getTerminator()->getOperand(0));
  }
  if (type.hasStaticShape())
    return fromType(type);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return fromOperands(type, empty.getDynamicSizes());
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return fromOperands(type, splat.getDynamicSizes());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return fromOperands(type, slice.getSizes());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return get(insert.getDest());
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    // The joined dimension is whole on every rank.
    Extents result = get(concat.getInputs().front());
    result[concat.getDim()] = fromType(type)[concat.getDim()];
    return result;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return throughReshape(expand.getReassociationIndices(), /*expands=*/true,
                          get(expand.getSrc()), fromType(type));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return throughReshape(collapse.getReassociationIndices(),
                          /*expands=*/false, get(collapse.getSrc()),
                          fromType(type));
  if (auto structured = dyn_cast<DestinationStyleOpInterface>(op))
    return get(structured.getDpsInitOperand(result.getResultNumber())->get());
  if (OpTrait::hasElementwiseMappableTraits(op))
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        return get(operand);
  return std::nullopt;
}

LogicalResult ExtentAnalysis::visit(Operation *op) {
  if (auto start = dyn_cast<comm::StartOp>(op)) {
    for (Operation &inner : start.getBody().front())
      if (failed(visit(&inner)))
        return failure();
    return success();
  }
  for (OpResult result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    std::optional<Extents> found = compute(op, result);
    if (!found)
      return op->emitOpError() << "has a dynamic extent that does not come "
                                  "from a layout; write comm.local_extent";
    extents[result] = std::move(*found);
  }
  return success();
}

void ExtentAnalysis::replace(Value old, Value made) {
  Extents kept = get(old);
  extents[made] = std::move(kept);
}

SmallVector<int64_t> ExtentAnalysis::getBounds(Value value) const {
  SmallVector<int64_t> bounds;
  for (Attribute extent : get(value)) {
    if (auto varying = dyn_cast<sched::ExtentAttr>(extent))
      bounds.push_back(varying.getMax());
    else
      bounds.push_back(cast<IntegerAttr>(extent).getInt());
  }
  return bounds;
}
