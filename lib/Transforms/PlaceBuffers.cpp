// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-place-buffers: gives every value a place in the slab, and turns
// functions of steps on tensors into programs of steps on views.
//
// Placement/SlabAllocator decides the offsets, Placement/ControlPlacement.cpp
// has loops and branches.

#include "dtensor/Transforms/Passes.h"

#include "Kernels/KernelBuilder.h"
#include "Placement/Placer.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_PLACEBUFFERSPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

namespace {

struct PlaceBuffersPass
    : mlir::dtensor::impl::PlaceBuffersPassBase<PlaceBuffersPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<func::FuncOp> funcs(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp func : funcs)
      if (!func.isExternal() && failed(Placer(func).run()))
        return signalPassFailure();
  }
};

} // namespace

/// The largest shape that a rank holds of a tensor in `layout`.
static SmallVector<int64_t> getLargestShape(Operation *at, LayoutAttr layout,
                                            RankedTensorType global) {
  planner::Mesh mesh = lookupMesh(at, layout.getMesh()).getPlannerMesh();
  return llvm::to_vector(planner::maxLocalShape(
      mesh, *getLayout(mesh, layout, global), global.getShape().vec()));
}

/// The shape of a reshape's result for operands of shape `source`: dimensions
/// that are left alone keep their extent, the others are static.
static SmallVector<int64_t> reshapeBounds(Operation &op,
                                          ArrayRef<int64_t> source) {
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  SmallVector<int64_t> bounds(type.getShape());
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      expand ? expand.getReassociationIndices()
             : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
  for (auto [coarse, group] : llvm::enumerate(groups))
    if (group.size() == 1)
      (expand ? bounds[group[0]] : bounds[coarse]) =
          expand ? source[coarse] : source[group[0]];
  return bounds;
}

Type Placer::getBufferType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto it = bounds.find(tensor);
  return MemRefType::get(it == bounds.end() ? type.getShape()
                                            : ArrayRef<int64_t>(it->second),
                         type.getElementType());
}

/// The name that users know an argument by.
static std::string getArgumentName(func::FuncOp func, unsigned index) {
  if (auto name = func.getArgAttrOfType<StringAttr>(index, kNameAttr))
    return name.str();
  return "arg" + std::to_string(index);
}

LogicalResult Placer::checkBoundary() {
  llvm::StringSet<> names;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (std::string name = getArgumentName(func, i); !names.insert(name).second)
      return func.emitOpError() << "has two arguments called '" << name
                                << "'; give them names that differ";
  for (BlockArgument argument : func.getArguments()) {
    unsigned i = argument.getArgNumber();
    if (!isDistributable(argument.getType()))
      return func.emitOpError()
             << "argument " << i << " of type " << argument.getType()
             << " is no tensor; programs take and give tensors";
    if (!func.getArgAttr(i, kGlobalTypeAttr) ||
        !func.getArgAttr(i, kLayoutAttr))
      return func.emitOpError()
             << "argument " << i
             << " lacks dtensor.layout or dtensor.global_type; run "
                "convert-dtensor-to-comm before";
  }
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    if (!isDistributable(type))
      return func.emitOpError() << "result " << i << " of type " << type
                                << " is no tensor; programs take and give "
                                   "tensors";
    if (!func.getResultAttr(i, kGlobalTypeAttr) ||
        !func.getResultAttr(i, kLayoutAttr))
      return func.emitOpError()
             << "result " << i
             << " lacks dtensor.layout or dtensor.global_type; run "
                "convert-dtensor-to-comm before";
  }
  return success();
}

/// True for ops whose result is the bytes of their operand.
static bool isReshape(Operation &op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

Value Placer::getOwner(Value value) {
  auto it = aliases.find(value);
  return it == aliases.end() ? value : it->second;
}

/// What the collectives that `wait` waits for give.
static Value getYielded(comm::WaitOp wait) {
  auto start = wait.getToken().getDefiningOp<comm::StartOp>();
  return start.getBody().front().getTerminator()->getOperand(0);
}

void Placer::countUses() {
  auto use = [&](Value value) {
    if (isDistributable(value.getType()))
      ++pendingUses[getOwner(value)];
  };
  // Definitions come before uses; those of bodies too.
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isReshape(*op)) {
      aliases[op->getResult(0)] = getOwner(op->getOperand(0));
      return;
    }
    if (auto wait = dyn_cast<comm::WaitOp>(op))
      aliases[wait.getResult()] = getYielded(wait);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (auto [result, carried] :
           llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
        aliases[result] = carried;
    // The condition is read by the branch.
    if (isa<tensor::ExtractOp>(op))
      return;
    if (auto branch = dyn_cast<scf::IfOp>(op))
      use(branch.getCondition().getDefiningOp()->getOperand(0));
    for (Value operand : op->getOperands())
      use(operand);
  });
}

Value Placer::viewAt(Location loc, Type type, int64_t offset) {
  OpBuilder at(builder);
  if (outermost)
    at.setInsertionPoint(outermost); // views stand outside of bodies
  return sched::ViewOp::create(at, loc, type, slabValue,
                               builder.getI64IntegerAttr(offset));
}

Value Placer::place(Value tensor) {
  Type type = getBufferType(tensor);
  int64_t offset = slab.allocate(sched::getByteSize(cast<MemRefType>(type)));
  offsets[tensor] = offset;
  loopDepths[tensor] = loops.size();
  return views[tensor] = viewAt(tensor.getLoc(), type, offset);
}

/// One use of `tensor` is over; after the last its bytes are free. Arguments
/// stay: a program can be run again on the same inputs.
void Placer::release(Value tensor) {
  Value owner = getOwner(tensor);
  if (owner.getParentBlock() == &func.getBody().front() &&
      isa<BlockArgument>(owner))
    return;
  if (loopDepths[owner] < loops.size()) {
    // The next iteration uses it again.
    loops.back().push_back(owner);
    return;
  }
  if (--pendingUses[owner] == 0)
    slab.free(offsets[owner]);
}

void Placer::placeAlias(Operation &reshape) {
  Value result = reshape.getResult(0);
  auto source = cast<MemRefType>(views[reshape.getOperand(0)].getType());
  bounds[result] = reshapeBounds(reshape, source.getShape());
  views[result] = viewAt(reshape.getLoc(), getBufferType(result),
                         offsets[getOwner(result)]);
}

void Placer::placeInputs() {
  for (BlockArgument argument : func.getArguments()) {
    unsigned i = argument.getArgNumber();
    bounds[argument] = getLargestShape(
        func, func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr),
        cast<RankedTensorType>(
            func.getArgAttrOfType<TypeAttr>(i, kGlobalTypeAttr).getValue()));
    Value view = place(argument);
    sched::InputOp::create(
        builder, argument.getLoc(),
        builder.getStringAttr(getArgumentName(func, i)), view,
        func.getArgAttrOfType<TypeAttr>(i, kGlobalTypeAttr),
        func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr),
        func.getArgAttrOfType<UnitAttr>(i, kRequiresGradAttr));
  }
}

void Placer::placeGemm(sched::GemmOp gemm) {
  if (std::optional<ArrayAttr> extents = gemm.getExtents()) {
    // m, n, k and the number of products.
    auto bound = [&](unsigned index) {
      Attribute extent = (*extents)[index];
      if (auto varying = dyn_cast<sched::ExtentAttr>(extent))
        return varying.getMax();
      return cast<IntegerAttr>(extent).getInt();
    };
    SmallVector<int64_t> shape{bound(0), bound(1)};
    if (cast<RankedTensorType>(gemm.getResult().getType()).getRank() == 3)
      shape.insert(shape.begin(), bound(3));
    bounds[gemm.getResult()] = shape;
  }
  Value target = place(gemm.getResult());
  if (Value init = gemm.getInit())
    sched::CopyOp::create(builder, gemm.getLoc(), views[init], target);
  sched::GemmOp::create(builder, gemm.getLoc(), TypeRange(), views[gemm.getA()],
                        views[gemm.getB()], Value(), target,
                        gemm.getInit() ? builder.getUnitAttr() : UnitAttr(),
                        gemm.getExtentsAttr());
}

void Placer::placeStart(comm::StartOp start) {
  int64_t event = events[start.getToken()] = numEvents++;
  auto step = sched::StartOp::create(builder, start.getLoc(), event,
                                     /*queue=*/1);
  OpBuilder inside(builder.getContext());
  inside.createBlock(&step.getBody());
  // Views stand before the step.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(step); // of views, where no body is around
  for (Operation &op : start.getBody().front().without_terminator())
    placeCollective(cast<comm::CollectiveOpInterface>(op), inside);
}

void Placer::placeWait(comm::WaitOp wait) {
  sched::WaitOp::create(builder, wait.getLoc(), events[wait.getToken()]);
  Value yielded = getYielded(wait);
  views[wait.getResult()] = views[yielded];
  if (auto it = bounds.find(yielded); it != bounds.end()) {
    SmallVector<int64_t> shape = it->second;
    bounds[wait.getResult()] = shape;
  }
  // Until here another queue may have been reading and writing.
  auto start = wait.getToken().getDefiningOp<comm::StartOp>();
  for (Operation &op : start.getBody().front())
    for (Value operand : op.getOperands())
      release(operand);
}

void Placer::placeCollective(comm::CollectiveOpInterface op, OpBuilder &at) {
  comm::CollectiveChange change = op.getChange();
  Value source = op->getOperand(0), result = op->getResult(0);
  planner::Mesh mesh = lookupMesh(op, op.getMeshAttr()).getPlannerMesh();
  bounds[result] = llvm::to_vector(
      planner::maxLocalShape(mesh, change.change.to, change.shape));
  Value target = place(result);
  auto number = [&](int64_t value) {
    return value < 0 ? IntegerAttr() : builder.getI64IntegerAttr(value);
  };
  bool reduces = !change.change.from.partials.empty() ||
                 !change.change.to.partials.empty();
  auto reduceOp = reduces ? ReduceOpAttr::get(builder.getContext(),
                                              static_cast<ReduceOp>(change.op))
                          : ReduceOpAttr();
  sched::CollectiveOp::create(
      at, op->getLoc(), static_cast<sched::CollectiveKind>(change.kind),
      views[source], target, op.getAxesAttr(), reduceOp, number(change.fromDim),
      number(change.toDim), builder.getDenseI64ArrayAttr(change.shape),
      getLayoutAttr(op.getMeshAttr(), mesh, change.change.from),
      getLayoutAttr(op.getMeshAttr(), mesh, change.change.to),
      number(change.root));
}

void Placer::placeResults(func::ReturnOp ret) {
  DenseSet<Value> taken;
  for (auto [index, value] : llvm::enumerate(ret.getOperands())) {
    Value view = views[value];
    // A result has a buffer of its own: inputs must stay as they are, and two
    // results may be used differently.
    if (llvm::is_contained(func.getArguments(), getOwner(value)) ||
        !taken.insert(getOwner(value)).second) {
      Type type = getBufferType(value);
      view = viewAt(ret.getLoc(), type,
                    slab.allocate(sched::getByteSize(cast<MemRefType>(type))));
      sched::CopyOp::create(builder, ret.getLoc(), views[value], view);
    }
    sched::ResultOp::create(
        builder, ret.getLoc(),
        builder.getStringAttr("result" + std::to_string(index)), view,
        cast<TypeAttr>(func.getResultAttr(index, kGlobalTypeAttr)),
        cast<LayoutAttr>(func.getResultAttr(index, kLayoutAttr)),
        func.getResultAttrOfType<UnitAttr>(index, kRequiresGradAttr));
  }
}

LogicalResult Placer::placeStep(Operation &op) {
  if (auto ret = dyn_cast<func::ReturnOp>(op)) {
    placeResults(ret);
    return success();
  }
  if (isReshape(op)) {
    placeAlias(op);
    return success();
  }
  if (auto start = dyn_cast<comm::StartOp>(op)) {
    placeStart(start);
    return success();
  }
  if (auto wait = dyn_cast<comm::WaitOp>(op)) {
    placeWait(wait);
    return success();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return placeFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return placeIf(branch);
  // Part of the steps that use them; scalars are made again where kernels need
  // them.
  if (isa<comm::LocalExtentOp, comm::AxisIndexOp, tensor::ExtractOp>(op) ||
      (hasNoTensors(&op) && isMemoryEffectFree(&op)))
    return success();
  if (auto gemm = dyn_cast<sched::GemmOp>(op)) {
    placeGemm(gemm);
  } else if (auto collective = dyn_cast<comm::CollectiveOpInterface>(op)) {
    placeCollective(collective, builder);
  } else if (auto kernel = dyn_cast<sched::KernelOp>(op)) {
    SmallVector<Value> inputs, outputs;
    for (Value input : kernel.getInputs())
      inputs.push_back(views[input]);
    for (OpResult result : kernel.getResults()) {
      if (std::optional<ArrayAttr> shapes = kernel.getResultBounds())
        bounds[result] = SmallVector<int64_t>(
            cast<DenseI64ArrayAttr>((*shapes)[result.getResultNumber()])
                .asArrayRef());
      outputs.push_back(place(result));
    }
    sched::KernelOp::create(builder, kernel.getLoc(), TypeRange(),
                            kernel.getKernelAttr(), inputs, outputs,
                            kernel.getExtentsAttr(), ArrayAttr());
  } else {
    return op.emitOpError() << "is no step; run dtensor-outline-kernels before";
  }
  // Outputs were placed while the inputs were live, so they never overlap.
  for (Value operand : op.getOperands())
    release(operand);
  for (Value result : op.getResults())
    if (!pendingUses.lookup(result))
      slab.free(offsets[result]);
  return success();
}

LogicalResult Placer::run() {
  if (failed(checkBoundary()))
    return failure();
  countUses();
  FlatSymbolRefAttr mesh;
  for (unsigned i = 0; i < func.getNumArguments() && !mesh; ++i)
    mesh = func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr).getMesh();
  for (unsigned i = 0; i < func.getNumResults() && !mesh; ++i)
    mesh = cast<LayoutAttr>(func.getResultAttr(i, kLayoutAttr)).getMesh();
  if (!mesh)
    return func.emitOpError() << "has neither arguments nor results";

  builder.setInsertionPoint(func);
  auto program = sched::ProgramOp::create(
      builder, func.getLoc(), func.getSymNameAttr(), mesh,
      builder.getI64IntegerAttr(0),
      func->getAttrOfType<StringAttr>(kReferenceOfAttr),
      func->getAttrOfType<UnitAttr>(kLocalValuesAttr));
  Block *body = builder.createBlock(&program.getBody());
  builder.setInsertionPointToStart(body);
  auto slabType = [&](int64_t bytes) {
    return MemRefType::get({bytes}, builder.getI8Type());
  };
  slabValue = sched::SlabOp::create(builder, func.getLoc(), slabType(0));
  placeInputs();
  for (Operation &op : func.getBody().front())
    if (failed(placeStep(op)))
      return failure();
  // The sizes are known only now.
  slabValue.setType(slabType(slab.getSize()));
  program.setPeakBytes(slab.getPeak());
  func.erase();
  return success();
}
