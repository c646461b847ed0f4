// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of the sched dialect; the labels are those of SchedOps.td.

#include "dtensor/Dialect/Sched/Sched.h"

#include "dtensor/Planner/Redistribution.h"

using namespace mlir;
using namespace mlir::sched;
namespace planner = ::dtensor;

//===----------------------------------------------------------------------===//
// Programs, slabs, views
//===----------------------------------------------------------------------===//

/// The mesh of the program around `op`; reports at `op` where it has none.
static FailureOr<planner::Mesh> getMesh(Operation *op) {
  auto program = op->getParentOfType<ProgramOp>();
  return mlir::dtensor::verifyMesh(program, program.getMeshAttr(),
                                   [&] { return op->emitOpError(); });
}

/// Largest number of a loop or event; a plan holds 32 bits of it.
static constexpr int64_t kMaxNumber = std::numeric_limits<int32_t>::max();

static LogicalResult verifyNumbering(ProgramOp program);

LogicalResult ProgramOp::verifyRegions() {
  if (failed(mlir::dtensor::verifyMesh(*this, getMeshAttr(), // (C1)
                                       [&] { return emitOpError(); })))
    return failure();
  Block &body = getBody().front();
  if (body.empty() || !isa<SlabOp>(body.front()) || // (C2)
      !llvm::hasSingleElement(body.getOps<SlabOp>()))
    return emitOpError() << "must begin with its only sched.slab";
  auto slab = cast<MemRefType>(body.front().getResult(0).getType());
  int64_t peak = static_cast<int64_t>(getPeakBytes());
  if (slab.hasStaticShape() && // (C3)
      (peak < 0 || peak > slab.getNumElements()))
    return emitOpError() << "has a peak of " << peak
                         << " bytes, which is not between 0 and its slab's "
                         << slab.getNumElements();
  return verifyNumbering(*this);
}

LogicalResult SlabOp::verify() {
  auto type = cast<MemRefType>(getSlab().getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity()) // (C1)
    return emitOpError() << "needs a known size, got " << type;
  return success();
}

/// Checks that `type` is a dense buffer of known size that a plan can hold.
static LogicalResult verifyBuffer(Operation *op, MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return op->emitOpError()
           << "needs a dense view of static shape, got " << type;
  if (!mlir::dtensor::getElementType(type))
    return op->emitOpError() << "element type " << type.getElementType()
                             << " cannot lie in a slab";
  return success();
}

LogicalResult ViewOp::verify() {
  auto type = cast<MemRefType>(getView().getType());
  auto slabType = cast<MemRefType>(getSlab().getType());
  if (failed(verifyBuffer(*this, type)) || !slabType.hasStaticShape())
    return failure();
  int64_t offset = static_cast<int64_t>(getOffset());
  int64_t bytes = planner::elementBytes(*mlir::dtensor::getElementType(type));
  bool fits = offset >= 0;
  for (int64_t extent : type.getShape())
    fits &= !__builtin_mul_overflow(bytes, extent, &bytes);
  int64_t end = 0;
  fits = fits && !__builtin_add_overflow(offset, bytes, &end) &&
         end <= slabType.getNumElements();
  if (!fits) // (C1)
    return emitOpError() << "of type " << type << " at offset " << offset
                         << " leaves the slab of " << slabType.getNumElements()
                         << " bytes";
  if (offset % kBufferAlignment != 0) // (C2)
    return emitOpError() << "offset " << offset << " is not a multiple of "
                         << kBufferAlignment;
  return success();
}

//===----------------------------------------------------------------------===//
// Inputs and results
//===----------------------------------------------------------------------===//

/// Checks that `view` has the largest local shape of `global` under `attr`.
static LogicalResult verifyLocalShape(Operation *op, const planner::Mesh &mesh,
                                      Value view, RankedTensorType global,
                                      mlir::dtensor::LayoutAttr attr,
                                      StringRef what) {
  auto layout = mlir::dtensor::getLayout(mesh, attr, global);
  if (!layout)
    return op->emitOpError() << layout.error().message;
  if (layout->openness.open)
    return op->emitOpError() << "layout " << attr << " must not be open";
  auto type = cast<MemRefType>(view.getType());
  auto local = MemRefType::get(
      planner::maxLocalShape(mesh, *layout, global.getShape().vec()),
      global.getElementType());
  if (local != type)
    return op->emitOpError()
           << what << " must have type " << local << ", the local form of "
           << global << " under " << attr << ", got " << type;
  return success();
}

template <typename OpTy> static LogicalResult verifyBoundary(OpTy op) {
  FailureOr<planner::Mesh> mesh = getMesh(op);
  if (failed(mesh))
    return failure();
  auto global = cast<RankedTensorType>(op.getGlobalType());
  if (!global.hasStaticShape())
    return op.emitOpError()
           << "needs a global type of static shape, got " << global;
  auto program = op->template getParentOfType<ProgramOp>();
  if (op.getLayout().getMesh() != program.getMeshAttr())
    return op.emitOpError() << "has a layout on " << op.getLayout().getMesh()
                            << ", its program is on " << program.getMeshAttr();
  return verifyLocalShape(op, *mesh, op.getView(), global, op.getLayout(),
                          "view"); // (C1)
}

LogicalResult InputOp::verify() { return verifyBoundary(*this); }

LogicalResult ResultOp::verify() { return verifyBoundary(*this); }

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

/// Checks the axes of numbers that differ by rank, where `op` has a mesh.
static LogicalResult verifyNumbers(Operation *op,
                                   std::optional<ArrayAttr> numbers) {
  if (!numbers || !op->getParentOfType<ProgramOp>())
    return success();
  FailureOr<planner::Mesh> mesh = getMesh(op);
  if (failed(mesh))
    return failure();
  for (Attribute number : *numbers) {
    if (auto counter = dyn_cast<CounterAttr>(number)) {
      LoopOp loop = op->getParentOfType<LoopOp>();
      while (loop &&
             static_cast<int64_t>(loop.getNumber()) != counter.getLoop())
        loop = loop->getParentOfType<LoopOp>();
      if (!loop)
        return op->emitOpError()
               << "'extents' has " << number << ", and stands in no such loop";
      continue;
    }
    ArrayAttr axes;
    if (auto extent = dyn_cast<ExtentAttr>(number))
      axes = extent.getAxes();
    else if (auto index = dyn_cast<AxisIndexAttr>(number))
      axes = index.getAxes();
    else
      continue;
    if (auto known = mlir::dtensor::getAxisRefs(*mesh, axes); !known)
      return op->emitOpError()
             << "'extents' has " << number << ": " << known.error().message;
  }
  return success();
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
  return verifyNumbers(*this, getExtents()); // (C2)
}

LogicalResult GemmOp::verify() {
  bool onTensors = isa<RankedTensorType>(getA().getType());
  bool alike = onTensors == isa<RankedTensorType>(getB().getType());
  bool tensorForm =
      onTensors && getResult() && !getOutput() && !getAccumulate();
  bool viewForm = !onTensors && !getResult() && getOutput() && !getInit();
  if (!alike || (!tensorForm && !viewForm)) // (C1)
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
  if (getExtents() &&
      (getExtents()->size() != 4 || // (C3)
       !llvm::all_of(*getExtents(), llvm::IsaPred<IntegerAttr, ExtentAttr>)))
    return emitOpError() << "'extents' must be m, n, k and the number of "
                            "products, got "
                         << *getExtents();
  if (failed(verifyNumbers(*this, getExtents())))
    return failure();
  if (getInit() && getInit().getType() != c)
    return emitOpError() << "'init' must have the type of the result, " << c
                         << ", got " << getInit().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

LogicalResult CollectiveOp::verify() {
  FailureOr<planner::Mesh> programMesh = getMesh(*this);
  FailureOr<planner::Mesh> mesh = mlir::dtensor::verifyMesh(
      *this, getFrom().getMesh(), [&] { return emitOpError(); });
  if (failed(programMesh) || failed(mesh))
    return failure();
  if (getFrom().getMesh() != getTo().getMesh()) // (C1)
    return emitOpError() << "leads from mesh " << getFrom().getMesh()
                         << " to mesh " << getTo().getMesh()
                         << "; a collective is on one";
  if (mesh->numRanks() != programMesh->numRanks()) // (C1)
    return emitOpError() << "is on mesh " << getFrom().getMesh() << " of "
                         << mesh->numRanks() << " ranks, its program on "
                         << programMesh->numRanks();
  auto type = cast<MemRefType>(getSource().getType());
  if (llvm::any_of(getShape(), [](int64_t size) { return size < 0; }))
    return emitOpError() << "'shape' has a negative extent";
  auto global = RankedTensorType::get(getShape(), type.getElementType());
  if (failed(verifyLocalShape(*this, *mesh, getSource(), global, getFrom(),
                              "source")) || // (C1)
      failed(verifyLocalShape(*this, *mesh, getTarget(), global, getTo(),
                              "target")))
    return failure();
  auto axes = mlir::dtensor::getAxisRefs(*mesh, getAxes());
  if (!axes) // (C2)
    return emitOpError() << axes.error().message;
  int64_t rank = global.getRank();
  for (std::optional<uint64_t> dim : {getFromDim(), getToDim()})
    if (dim && static_cast<int64_t>(*dim) >= rank) // (C3)
      return emitOpError() << "dimension " << *dim
                           << " is out of range for a tensor of rank " << rank;
  auto from = mlir::dtensor::getLayout(*mesh, getFrom(), global);
  auto to = mlir::dtensor::getLayout(*mesh, getTo(), global);
  bool reduces = !from->partials.empty() || !to->partials.empty();
  if (reduces != static_cast<bool>(getOp())) // (C4)
    return emitOpError() << (reduces ? "has a partial side and needs 'op'"
                                     : "has no partial side and no use for "
                                       "'op'");
  bool isRooted =
      planner::isRooted(static_cast<planner::StepKind>(getKind())); // (C5)
  if (isRooted != getRoot().has_value())
    return emitOpError() << (isRooted ? "is a kind with a root and needs 'root'"
                                      : "has no use for 'root'");
  int64_t size = planner::totalSize(*axes);
  if (isRooted && (static_cast<int64_t>(*getRoot()) < 0 ||
                   static_cast<int64_t>(*getRoot()) >= size))
    return emitOpError() << "'root' " << static_cast<int64_t>(*getRoot())
                         << " is no coordinate in a group of " << size
                         << " ranks";
  return success();
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

LogicalResult StartOp::verifyRegions() {
  Block &body = getBody().front();
  for (Operation &op : body)
    if (!isa<CollectiveOp>(op)) // (C1)
      return op.emitOpError() << "stands in a sched.start, which hands over "
                                 "collectives only";
  if (body.empty()) // (C1)
    return emitOpError() << "hands over no collective";
  auto event = static_cast<int64_t>(getEvent());
  if (static_cast<int64_t>(getQueue()) != 1 || event < 0 ||
      event > kMaxNumber) // (C2)
    return emitOpError() << "hands event " << event << " to queue "
                         << static_cast<int64_t>(getQueue())
                         << "; events count from 0 to " << kMaxNumber
                         << ", and there is queue 1";
  return success();
}

/// (C3) of sched.start and (C1) of sched.wait, for all in `block` at once.
static LogicalResult verifyEvents(Block &block) {
  llvm::MapVector<int64_t, std::pair<StartOp, unsigned>> waits;
  for (Operation &op : block) {
    if (auto start = dyn_cast<StartOp>(op)) {
      auto event = static_cast<int64_t>(start.getEvent());
      if (!waits.try_emplace(event, start, 0).second)
        return start.emitOpError()
               << "has event " << event << ", as another sched.start";
    } else if (auto wait = dyn_cast<WaitOp>(op)) {
      auto event = static_cast<int64_t>(wait.getEvent());
      auto started = waits.find(event);
      if (started == waits.end())
        return wait.emitOpError() << "waits for event " << event
                                  << ", which no sched.start before it has";
      ++started->second.second;
    }
  }
  for (auto &[event, start] : waits)
    if (start.second != 1)
      return start.first.emitOpError()
             << "must be waited for by one sched.wait " << event
             << " after it, there are " << start.second;
  return success();
}

/// What holds between the starts, waits and loops of `program`.
static LogicalResult verifyNumbering(ProgramOp program) {
  llvm::SmallDenseSet<int64_t> loops;
  WalkResult result = program->walk([&](Block *block) {
    if (failed(verifyEvents(*block)))
      return WalkResult::interrupt();
    for (auto loop : block->getOps<LoopOp>()) {
      auto number = static_cast<int64_t>(loop.getNumber());
      if (!loops.insert(number).second) { // (C1) of sched.loop
        loop.emitOpError() << "has number " << number << ", as another loop";
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// Checks that `block`, of `op`, holds steps.
static LogicalResult verifySteps(Operation *op, Block &block) {
  for (Operation &step : block)
    if (!isa<KernelOp, GemmOp, CopyOp, CollectiveOp, StartOp, WaitOp, LoopOp,
             IfOp>(step))
      return step.emitOpError()
             << "is no step; move it out of '" << op->getName() << "'";
  return success();
}

LogicalResult LoopOp::verifyRegions() {
  auto number = static_cast<int64_t>(getNumber());
  auto count = static_cast<int64_t>(getCount());
  if (number < 0 || number > kMaxNumber || count < 1) // (C1)
    return emitOpError() << "of number " << number << " runs " << count
                         << " times; numbers count from 0 to " << kMaxNumber
                         << ", and it runs at least once";
  if (getBody().front().empty()) // (C2)
    return emitOpError() << "has no steps";
  return verifySteps(*this, getBody().front());
}

LogicalResult IfOp::verifyRegions() {
  auto condition = cast<MemRefType>(getCondition().getType());
  if (!condition.getElementType().isInteger(1) || !condition.hasStaticShape() ||
      condition.getNumElements() != 1) // (C1)
    return emitOpError() << "needs one i1 as its condition, got " << condition;
  if (failed(verifySteps(*this, getThenSteps().front()))) // (C2)
    return failure();
  return verifySteps(*this, getElseSteps().front());
}
