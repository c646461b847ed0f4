// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-outline-kernels: turns local compute into kernels and matrix
// products, so that a function is a list of steps.
//
//   %1 = linalg.matmul ...      ->  %1 = sched.gemm ...
//   %2 = math.tanh %1           ->  %2 = sched.kernel @kernels::@kernel0(%1)
//   %3 = arith.mulf %2, %x            (tanh and mulf in one loop)
//
// Kernels/ builds the functions.

#include "dtensor/Transforms/Passes.h"

#include "Kernels/KernelBuilder.h"
#include "Kernels/StructuredLoops.h"
#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Dialect/Sched/Sched.h"
#include "dtensor/Interfaces/ShardingRule.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

namespace {

class Outliner {
public:
  Outliner(func::FuncOp func, KernelBuilder &kernels)
      : func(func), kernels(kernels), extents(func) {
    kernels.setExtents(&extents);
  }
  LogicalResult run();

private:
  LogicalResult visit(Operation &op);
  LogicalResult visitQueue(Operation &op);
  LogicalResult visitBlock(Block &block);
  LogicalResult visitFor(scf::ForOp loop);
  LogicalResult visitIf(scf::IfOp branch);
  LogicalResult checkLoop(scf::ForOp loop);
  static bool isCondition(Operation &op);
  LogicalResult checkMesh(Operation &op);
  LogicalResult closeGroup();
  LogicalResult outlineLoops(Operation &op);
  LogicalResult outlineMove(Operation &op);
  LogicalResult outlineGemm(Operation &op);
  ArrayAttr getGemmExtents(Operation &op);
  /// Replaces freely laid out operands of a step by values in memory.
  LogicalResult materializeOperands(Operation &op);
  LogicalResult materializeInputs(Operation &op);
  LogicalResult materializeOperand(OpOperand &operand, Operation *before);
  Value materialize(Value value, Operation *before);
  sched::KernelOp createCall(OpBuilder &builder, Location loc,
                             const Kernel &kernel);
  /// Replaces what `kernel` computes by a call of it after `last`.
  void replaceByCall(const Kernel &kernel, Operation *last);

  func::FuncOp func;
  FlatSymbolRefAttr mesh;
  int64_t numLoops = 0;
  KernelBuilder &kernels;
  ExtentAnalysis extents;
  /// Neighbouring elementwise ops that will be one kernel.
  SmallVector<Operation *> group;
};

struct OutlineKernelsPass
    : mlir::dtensor::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  using Base::Base;
  void runOnOperation() override;
};

} // namespace

/// Most ops in one kernel, so that compile time per kernel is bounded.
static constexpr size_t kMaxGroupSize = 64;

/// Moves elements from operands to results: a kernel of its own.
static bool isMove(Operation &op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getStrides().empty();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getStrides().empty();
  auto concat = dyn_cast<tensor::ConcatOp>(op);
  return concat && llvm::none_of(concat.getInputs(), [&](Value input) {
           return cast<RankedTensorType>(input.getType())
               .isDynamicDim(concat.getDim());
         });
}

/// A matrix product that the gemm step expresses.
static bool isGemm(Operation &op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInputs() != 2)
    return false;
  if (auto matmul = dyn_cast<linalg::MatmulOp>(op))
    if (matmul.hasUserDefinedMaps())
      return false;
  if (auto matmul = dyn_cast<linalg::BatchMatmulOp>(op))
    if (matmul.hasUserDefinedMaps())
      return false;
  if (!isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
    return false;
  Type type = getElementTypeOrSelf(op.getResult(0).getType());
  if (type.isInteger(1))
    return false;
  return llvm::all_of(op.getOperandTypes(), [&](Type operand) {
    return getElementTypeOrSelf(operand) == type;
  });
}

sched::KernelOp Outliner::createCall(OpBuilder &builder, Location loc,
                                     const Kernel &kernel) {
  // The largest shapes, where the types do not say them.
  SmallVector<Attribute> bounds;
  bool isStatic = true;
  for (Value result : kernel.results) {
    isStatic &= cast<RankedTensorType>(result.getType()).hasStaticShape();
    bounds.push_back(builder.getDenseI64ArrayAttr(extents.getBounds(result)));
  }
  auto call = sched::KernelOp::create(
      builder, loc, TypeRange(ValueRange(kernel.results)), kernel.symbol,
      kernel.inputs, ValueRange(),
      kernel.extents.empty() ? ArrayAttr()
                             : builder.getArrayAttr(kernel.extents),
      isStatic ? ArrayAttr() : builder.getArrayAttr(bounds));
  for (auto [old, made] : llvm::zip_equal(kernel.results, call.getResults()))
    extents.replace(old, made);
  return call;
}

void Outliner::replaceByCall(const Kernel &kernel, Operation *last) {
  OpBuilder builder(last);
  builder.setInsertionPointAfter(last);
  sched::KernelOp call = createCall(builder, last->getLoc(), kernel);
  for (auto [old, made] : llvm::zip_equal(kernel.results, call.getResults()))
    Value(old).replaceAllUsesWith(made);
}

LogicalResult Outliner::closeGroup() {
  if (group.empty())
    return success();
  FailureOr<Kernel> kernel = kernels.buildElementwise(group);
  if (failed(kernel))
    return failure();
  if (!kernel->results.empty())
    replaceByCall(*kernel, group.back());
  for (Operation *op : llvm::reverse(group))
    op->erase();
  group.clear();
  return success();
}

Value Outliner::materialize(Value value, Operation *before) {
  FailureOr<Kernel> kernel = kernels.buildFill(value);
  if (failed(kernel))
    return {};
  OpBuilder builder(before);
  return createCall(builder, before->getLoc(), *kernel).getResults()[0];
}

LogicalResult Outliner::materializeOperand(OpOperand &operand,
                                           Operation *before) {
  Operation *def = operand.get().getDefiningOp();
  if (!def || !isDistributable(operand.get().getType()) ||
      !isFreelyLaidOut(def))
    return success();
  Value made = materialize(operand.get(), before);
  if (!made)
    return failure();
  operand.set(made);
  return success();
}

LogicalResult Outliner::materializeOperands(Operation &op) {
  for (OpOperand &operand : op.getOpOperands())
    if (failed(materializeOperand(operand, &op)))
      return failure();
  return success();
}

/// The same for the operands that a structured op reads element by element;
/// its destinations are made in its kernel.
LogicalResult Outliner::materializeInputs(Operation &op) {
  auto structured = cast<DestinationStyleOpInterface>(op);
  for (OpOperand *operand : structured.getDpsInputOperands())
    if (failed(materializeOperand(*operand, &op)))
      return failure();
  return success();
}

LogicalResult Outliner::outlineLoops(Operation &op) {
  if (failed(materializeInputs(op)))
    return failure();
  // Memory that only the kernel uses is one of its results, which nobody reads.
  Value scratch;
  if (RankedTensorType type = getScratchType(&op)) {
    OpBuilder builder(&op);
    auto empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                         type.getElementType());
    if (failed(extents.visit(empty)))
      return failure();
    scratch = empty;
  }
  FailureOr<Kernel> kernel =
      kernels.buildLoops(cast<DestinationStyleOpInterface>(op), scratch);
  if (failed(kernel))
    return failure();
  replaceByCall(*kernel, &op);
  op.erase();
  return success();
}

LogicalResult Outliner::outlineMove(Operation &op) {
  FailureOr<Kernel> kernel = failure();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    // What it inserts into is made in the kernel.
    if (failed(materializeOperand(insert.getSourceMutable(), &op)))
      return failure();
    kernel = kernels.buildInsert(insert);
  } else {
    if (failed(materializeOperands(op)))
      return failure();
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    kernel = slice ? kernels.buildSlice(slice)
                   : kernels.buildConcat(cast<tensor::ConcatOp>(op));
  }
  if (failed(kernel))
    return failure();
  replaceByCall(*kernel, &op);
  op.erase();
  return success();
}

LogicalResult Outliner::outlineGemm(Operation &op) {
  auto matmul = cast<linalg::LinalgOp>(op);
  Value init = matmul.getDpsInits()[0];
  if (isIdentityOf(init, planner::ReduceOp::Sum))
    init = {};
  OpBuilder builder(&op);
  auto gemm = sched::GemmOp::create(
      builder, op.getLoc(), op.getResult(0).getType(), op.getOperand(0),
      op.getOperand(1), init, Value(), UnitAttr(), getGemmExtents(op));
  extents.replace(op.getResult(0), gemm.getResult());
  op.getResult(0).replaceAllUsesWith(gemm.getResult());
  op.erase();
  return materializeOperands(*gemm);
}

/// m, n, k and the number of products, where one of them differs by rank.
ArrayAttr Outliner::getGemmExtents(Operation &op) {
  const Extents &a = extents.get(op.getOperand(0));
  const Extents &b = extents.get(op.getOperand(1));
  Builder builder(op.getContext());
  SmallVector<Attribute> all{
      a[a.size() - 2], b.back(), a.back(),
      a.size() == 3 ? a[0] : Attribute(builder.getI64IntegerAttr(1))};
  if (llvm::none_of(all, llvm::IsaPred<sched::ExtentAttr>))
    return {};
  return builder.getArrayAttr(all);
}

/// Types of 8-bit floats are moved, never computed with.
static LogicalResult checkComputable(Operation &op) {
  if (isa<comm::CollectiveOpInterface, func::ReturnOp, scf::YieldOp,
          tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp>(op))
    return success();
  for (Type type :
       llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes())) {
    Type element = getElementTypeOrSelf(type);
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 16)
      return op.emitOpError() << "computes in " << element
                              << ", which can only be moved; convert it first";
  }
  return success();
}

/// Kernels get what differs by rank as arguments, so it is asked for outside of
/// loop bodies.
static LogicalResult checkBodies(Operation &op) {
  if (isa<comm::StartOp, scf::ForOp, scf::IfOp>(op))
    return success();
  WalkResult result = op.walk([&](Operation *inner) {
    if (inner == &op ||
        !isa_and_nonnull<comm::CommDialect>(inner->getDialect()))
      return WalkResult::advance();
    inner->emitOpError() << "stands in the body of '" << op.getName()
                         << "'; move it before that op";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// What comes before a start or a wait is done before it.
LogicalResult Outliner::visitQueue(Operation &op) {
  if (failed(closeGroup()))
    return failure();
  auto start = dyn_cast<comm::StartOp>(op);
  if (!start)
    return success();
  for (Operation &collective : start.getBody().front().without_terminator())
    for (OpOperand &operand : collective.getOpOperands())
      if (failed(materializeOperand(operand, &op)))
        return failure();
  return success();
}

/// The mesh of the function's layouts; null where it has none.
static FlatSymbolRefAttr getMesh(func::FuncOp func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (auto layout = func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr))
      return layout.getMesh();
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (auto layout = func.getResultAttrOfType<LayoutAttr>(i, kLayoutAttr))
      return layout.getMesh();
  return {};
}

/// What a rank knows of itself it knows on the program's mesh.
LogicalResult Outliner::checkMesh(Operation &op) {
  FlatSymbolRefAttr on;
  if (auto index = dyn_cast<comm::AxisIndexOp>(op))
    on = index.getMeshAttr();
  if (auto extent = dyn_cast<comm::LocalExtentOp>(op))
    on = extent.getMeshAttr();
  if (!on || !mesh || on == mesh)
    return success();
  return op.emitOpError() << "is on mesh " << on << ", the program on " << mesh
                          << "; name axes of that";
}

LogicalResult Outliner::visit(Operation &op) {
  // Loops and branches know the extents of their results when they are done.
  if (failed(checkMesh(op)) || failed(checkBodies(op)) ||
      (!isa<scf::ForOp, scf::IfOp>(op) && failed(extents.visit(&op))))
    return failure();
  if (isa<comm::StartOp, comm::WaitOp>(op))
    return visitQueue(op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (isFreelyLaidOut(&op) || hasNoTensors(&op))
    return success(); // becomes part of its users
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (!isa<DenseElementsAttr>(constant.getValue()))
      return op.emitOpError() << "has elements in a form that is not compiled "
                                 "yet; write them as dense<...>";
    replaceByCall(kernels.buildConstant(constant), &op);
    op.erase();
    return success();
  }
  if (failed(checkComputable(op)))
    return failure();
  if (kernels.isElementwise(&op)) {
    if (group.size() >= kMaxGroupSize || !kernels.canJoin(group, &op))
      if (failed(closeGroup()))
        return failure();
    group.push_back(&op);
    return success();
  }
  if (failed(closeGroup()))
    return failure();
  // Reshapes make no step: the result is the same bytes.
  if (isa<comm::CollectiveOpInterface, func::ReturnOp, scf::YieldOp,
          tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) ||
      isCondition(op))
    return materializeOperands(op);
  if (isGemm(op))
    return outlineGemm(op);
  if (hasStructuredLoops(&op))
    return outlineLoops(op);
  if (isMove(op))
    return outlineMove(op);
  if (!isa<linalg::LinalgOp>(op))
    return op.emitOpError() << "cannot be compiled to a kernel yet";
  if (failed(materializeInputs(op)))
    return failure();
  FailureOr<Kernel> kernel = kernels.buildStructured(&op);
  if (failed(kernel))
    return failure();
  replaceByCall(*kernel, &op);
  op.erase();
  return success();
}

/// The steps of `block`, with groups of their own.
LogicalResult Outliner::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(visit(op)))
      return failure();
  if (failed(closeGroup()))
    return failure();
  // What kernels took in is left without users; fills before what they fill.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>() &&
        (isMemoryEffectFree(&op) || isa<comm::StartOp, comm::WaitOp>(op)))
      op.erase();
  return success();
}

/// The constant bounds of a loop, of at least one iteration: `handsOn`.
LogicalResult Outliner::checkLoop(scf::ForOp loop) {
  std::optional<int64_t> start = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  int64_t length = 0;
  if (!start || !end || !step)
    return loop.emitOpError() << "has bounds that are no constants; how often "
                                 "a loop runs is part of the schedule";
  if (loop.getUnsignedCmp())
    return loop.emitOpError() << "compares its bounds as unsigned numbers; "
                                 "loops of a schedule count with signed ones";
  if (*step <= 0)
    return loop.emitOpError()
           << "has a step of " << *step << ", and would not end";
  if (__builtin_sub_overflow(*end, *start, &length))
    return loop.emitOpError() << "has bounds " << *start << " and " << *end
                              << ", further apart than 64 bits can say";
  for (Type type : loop.getResultTypes())
    if (!isa<RankedTensorType>(type))
      return loop.emitOpError() << "carries a value of type " << type
                                << "; iterations leave tensors to each other";
  return success();
}

LogicalResult Outliner::visitFor(scf::ForOp loop) {
  if (failed(closeGroup()) || failed(checkLoop(loop)))
    return failure();
  loop->setAttr(
      kLoopNumberAttr,
      IntegerAttr::get(IntegerType::get(loop.getContext(), 64), numLoops++));
  if (failed(materializeOperands(*loop)))
    return failure();
  for (auto [init, argument, result] : llvm::zip_equal(
           loop.getInits(), loop.getRegionIterArgs(), loop.getResults())) {
    extents.replace(init, argument);
    extents.replace(init, result);
  }
  return visitBlock(*loop.getBody());
}

/// A tensor of one element that decides about branches.
bool Outliner::isCondition(Operation &op) {
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  if (!extract)
    return false;
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  return type.hasStaticShape() && type.getNumElements() == 1 &&
         llvm::all_of(op.getUsers(), llvm::IsaPred<scf::IfOp>);
}

LogicalResult Outliner::visitIf(scf::IfOp branch) {
  if (failed(closeGroup()))
    return failure();
  for (Type type : branch.getResultTypes())
    if (!isa<RankedTensorType>(type))
      return branch.emitOpError()
             << "gives a value of type " << type << "; branches give tensors";
  Operation *def = branch.getCondition().getDefiningOp();
  if (!def || !isCondition(*def)) {
    // A scalar that a kernel can write.
    OpBuilder builder(branch);
    auto type = RankedTensorType::get({}, builder.getI1Type());
    auto splat = tensor::SplatOp::create(builder, branch.getLoc(), type,
                                         branch.getCondition(), ValueRange());
    auto extract = tensor::ExtractOp::create(builder, branch.getLoc(), splat,
                                             ValueRange());
    branch.getConditionMutable().assign(extract);
    if (failed(extents.visit(splat)) || failed(materializeOperands(*extract)))
      return failure();
  }
  for (Block *block : {branch.thenBlock(), branch.elseBlock()})
    if (block && failed(visitBlock(*block)))
      return failure();
  for (auto [index, result] : llvm::enumerate(branch.getResults()))
    extents.replace(branch.thenYield().getOperand(index), result);
  return success();
}

/// Erases collectives of groups of one rank, which hand their operand on.
static void eraseAlone(func::FuncOp func) {
  func.walk([](comm::CollectiveOpInterface op) {
    planner::Mesh mesh = lookupMesh(op, op.getMeshAttr()).getPlannerMesh();
    auto axes = getAxisRefs(mesh, op.getAxesAttr());
    // What a start hands over is a step, whoever meets in it.
    if (!axes || planner::totalSize(*axes) != 1 ||
        isa<comm::StartOp>(op->getParentOp()) ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

/// True where the results of `loop` are what it starts from.
static bool handsOn(scf::ForOp loop) {
  if (llvm::equal(loop.getYieldedValues(), loop.getRegionIterArgs()))
    return true;
  std::optional<int64_t> start = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  return start && end && *start >= *end && !loop.getUnsignedCmp();
}

/// Erases what nothing uses, before anything is made for it.
static void eraseUnused(Block &block) {
  for (auto op = block.rbegin(); op != block.rend();) {
    Operation &unused = *op++;
    if (!unused.use_empty() || unused.hasTrait<OpTrait::IsTerminator>() ||
        !(isMemoryEffectFree(&unused) ||
          isa<comm::StartOp, comm::WaitOp, scf::ForOp, scf::IfOp>(unused))) {
      for (Region &region : unused.getRegions())
        for (Block &inner : region)
          eraseUnused(inner);
      if (auto loop = dyn_cast<scf::ForOp>(unused); loop && handsOn(loop)) {
        loop.replaceAllUsesWith(loop.getInits());
        loop.erase();
      }
      continue;
    }
    unused.erase();
  }
}

/// What makes `condition` differ between ranks; null where all ranks that start
/// from the same tensors have the same. Collectives make values alike.
static Operation *findRankNumber(Value condition) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> open{condition};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || isa<comm::CollectiveOpInterface>(op) || !seen.insert(op).second)
      continue;
    if (isa<comm::AxisIndexOp, comm::LocalExtentOp>(op))
      return op;
    open.append(op->operand_begin(), op->operand_end());
  }
  return nullptr;
}

/// Ranks meet in every collective, so all of them go the same way to it.
static LogicalResult checkConditions(func::FuncOp func) {
  WalkResult result = func.walk([&](scf::IfOp branch) {
    Operation *meets = nullptr;
    branch.walk([&](Operation *op) {
      if (isa<comm::CollectiveOpInterface, comm::StartOp>(op))
        meets = op;
    });
    Operation *differs =
        meets ? findRankNumber(branch.getCondition()) : nullptr;
    if (!differs)
      return WalkResult::advance();
    InFlightDiagnostic diagnostic =
        branch.emitOpError()
        << "decides about '" << meets->getName()
        << "', in which all ranks must meet, by what differs between ranks; "
           "communicate outside of the branch";
    diagnostic.attachNote(differs->getLoc()) << "this differs";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Outliner::run() {
  mesh = getMesh(func);
  if (failed(checkConditions(func)))
    return failure();
  eraseAlone(func);
  eraseUnused(func.getBody().front());
  return visitBlock(func.getBody().front());
}

void OutlineKernelsPass::runOnOperation() {
  ModuleOp module = getOperation();
  if (Operation *taken = module.lookupSymbol(kKernelModuleName)) {
    taken->emitOpError() << "is called @" << kKernelModuleName
                         << ", the name of the module of kernels; rename it";
    return signalPassFailure();
  }
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto kernelModule =
      ModuleOp::create(builder, module.getLoc(), kKernelModuleName);
  KernelBuilder kernels(kernelModule);
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isExternal() && failed(Outliner(func, kernels).run()))
      return signalPassFailure();
}
