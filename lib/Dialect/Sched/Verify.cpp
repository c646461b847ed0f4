// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of the sched dialect; the labels are those of SchedOps.td.

#include "dtensor/Dialect/Sched/Sched.h"

using namespace mlir;
using namespace mlir::sched;
namespace planner = ::dtensor;

/// The program's mesh, once ProgramOp has verified that it exists.
static std::optional<planner::Mesh> getMesh(Operation *op) {
  auto program = op->getParentOfType<ProgramOp>();
  mlir::dtensor::MeshOp mesh =
      program ? mlir::dtensor::lookupMesh(program, program.getMeshAttr())
              : nullptr;
  if (!mesh)
    return std::nullopt;
  return mesh.getPlannerMesh();
}

/// Checks that `view` has the local shape of `global` under `attr`.
static LogicalResult verifyLocalShape(Operation *op, Value view,
                                      RankedTensorType global,
                                      mlir::dtensor::LayoutAttr attr,
                                      StringRef what) {
  std::optional<planner::Mesh> mesh = getMesh(op);
  if (!mesh)
    return op->emitOpError() << "needs a program on a known mesh";
  auto layout = mlir::dtensor::getLayout(*mesh, attr, global);
  if (!layout)
    return op->emitOpError() << layout.error().message;
  auto type = cast<MemRefType>(view.getType());
  RankedTensorType local = mlir::dtensor::getLocalType(*mesh, *layout, global);
  if (!local || local.getShape() != type.getShape() ||
      local.getElementType() != type.getElementType())
    return op->emitOpError()
           << what << " of type " << type << " has not the local shape of "
           << global << " under " << attr;
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  if (!mlir::dtensor::lookupMesh(*this, getMeshAttr())) // (C1)
    return emitOpError() << "unknown mesh " << getMeshAttr()
                         << " (declare it with `dtensor.mesh`)";
  Block &body = getBody().front();
  auto slabs = body.getOps<SlabOp>();
  if (body.empty() || !isa<SlabOp>(body.front()) || // (C2)
      !llvm::hasSingleElement(slabs))
    return emitOpError() << "must begin with its only sched.slab";
  return success();
}

LogicalResult ViewOp::verify() {
  auto type = cast<MemRefType>(getView().getType());
  if (!type.hasStaticShape())
    return emitOpError() << "needs a static shape, got " << type;
  int64_t end = static_cast<int64_t>(getOffset()) + getByteSize(type);
  int64_t slab = cast<MemRefType>(getSlab().getType()).getNumElements();
  if (static_cast<int64_t>(getOffset()) < 0 || end > slab) // (C1)
    return emitOpError() << "ends at byte " << end << " of a slab of " << slab;
  if (getOffset() % kBufferAlignment != 0) // (C2)
    return emitOpError() << "offset " << getOffset() << " is not a multiple of "
                         << kBufferAlignment;
  return success();
}

LogicalResult InputOp::verify() {
  return verifyLocalShape(*this, getView(),
                          cast<RankedTensorType>(getGlobalType()), getLayout(),
                          "view");
}

LogicalResult ResultOp::verify() {
  return verifyLocalShape(*this, getView(),
                          cast<RankedTensorType>(getGlobalType()), getLayout(),
                          "view");
}

LogicalResult KernelOp::verify() {
  bool onTensors =
      llvm::all_of(getInputs().getTypes(), llvm::IsaPred<RankedTensorType>);
  bool onViews =
      llvm::all_of(getInputs().getTypes(), llvm::IsaPred<MemRefType>);
  bool tensorForm = onTensors && getOutputs().empty() && !getResults().empty();
  bool viewForm = onViews && !getOutputs().empty() && getResults().empty();
  if (!tensorForm && !viewForm) // (C1)
    return emitOpError()
           << "needs tensors and results, or views and outputs, not a mixture";
  return success();
}

LogicalResult GemmOp::verify() {
  bool onTensors = isa<RankedTensorType>(getA().getType());
  bool tensorForm =
      onTensors && getResult() && !getOutput() && !getAccumulate();
  bool viewForm = !onTensors && !getResult() && getOutput() && !getInit();
  if (!tensorForm && !viewForm) // (C1)
    return emitOpError()
           << "needs tensors and a result, or views and an output";
  auto a = cast<ShapedType>(getA().getType());
  auto b = cast<ShapedType>(getB().getType());
  Value target = onTensors ? Value(getResult()) : Value(getOutput());
  auto c = cast<ShapedType>(target.getType());
  int64_t rank = a.getRank();
  if ((rank != 2 && rank != 3) || b.getRank() != rank || c.getRank() != rank)
    return emitOpError() << "operands must have two or three dimensions, got "
                         << a << ", " << b << " and " << c;
  if (a.getElementType() != b.getElementType() ||
      a.getElementType() != c.getElementType())
    return emitOpError() << "element types must be equal, got " << a << ", "
                         << b << " and " << c;
  SmallVector<int64_t> expected(a.getShape().drop_back());
  expected.push_back(b.getShape().back());
  bool batchesAgree = rank == 2 || a.getDimSize(0) == b.getDimSize(0);
  if (a.getDimSize(rank - 1) != b.getDimSize(rank - 2) || !batchesAgree ||
      c.getShape() != ArrayRef<int64_t>(expected)) // (C2)
    return emitOpError() << "extents do not agree: " << a << ", " << b
                         << " and " << c;
  return success();
}

LogicalResult CollectiveOp::verify() {
  auto type = cast<MemRefType>(getSource().getType());
  auto global = RankedTensorType::get(getShape(), type.getElementType());
  if (failed(verifyLocalShape(*this, getSource(), global, getFrom(), "source")))
    return failure();
  return verifyLocalShape(*this, getTarget(), global, getTo(), "target");
}
