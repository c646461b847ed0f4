// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-dtensor-to-comm: from global tensors to what one rank holds.
//
//   %r = dtensor.redistribute %0 to replicated : tensor<64x512xf32>
// becomes, where %0 is partial on "tp" and sharded on "dp" = 2,
//   %r = comm.all_reduce sum %0 over @mesh["tp"] : tensor<32x512xf32>

#include "dtensor/Conversion/Passes.h"

#include "LowerSteps.h"
#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Interfaces/ControlFlow.h"
#include "dtensor/Interfaces/ShardingRule.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_CONVERTDTENSORTOCOMMPASS
#include "dtensor/Conversion/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// A tensor value before it became local.
struct GlobalTensor {
  RankedTensorType type;
  LayoutAttr layout;
};

struct ConvertDTensorToCommPass
    : mlir::dtensor::impl::ConvertDTensorToCommPassBase<
          ConvertDTensorToCommPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp func);
  LogicalResult convertBoundary(func::FuncOp func);
  LogicalResult localize(Operation *op);
  LogicalResult localizeArguments(Operation *op);
  LogicalResult enterView(Operation *op);
  LogicalResult lowerRedistribute(RedistributeOp op);
  LogicalResult remember(Value value, LayoutAttr layout, Operation *at);
  planner::Layout getPlannerLayout(Operation *at, const GlobalTensor &tensor);

  planner::Topology machine;
  /// What the values of the current function were, those made on the way too.
  DenseMap<Value, GlobalTensor> globals;
};

} // namespace

planner::Layout
ConvertDTensorToCommPass::getPlannerLayout(Operation *at,
                                           const GlobalTensor &tensor) {
  // Layouts were verified with their ops.
  planner::Mesh mesh = lookupMesh(at, tensor.layout.getMesh()).getPlannerMesh();
  return *getLayout(mesh, tensor.layout, tensor.type);
}

/// Notes what `value` is, before its type changes. (C1)
LogicalResult ConvertDTensorToCommPass::remember(Value value, LayoutAttr layout,
                                                 Operation *at) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return success();
  if (!layout)
    return at->emitOpError() << "a tensor has no layout; run "
                                "dtensor-insert-redistributions before";
  globals[value] = {type, layout};
  return success();
}

/// Puts what `lower` makes into a comm.start at `op`; `value` is its result.
/// Returns that of a comm.wait before the first user of `op`.
static Value startAndWait(OpBuilder &builder, RedistributeOp op,
                          function_ref<void(OpBuilder &)> lower, Value &value) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    user = op->getBlock()->findAncestorOpInBlock(*user);
    if (!first || user->isBeforeInBlock(first))
      first = user;
  }
  // The type of the token is known once the steps are made.
  Block body;
  OpBuilder inside(builder.getContext());
  inside.setInsertionPointToEnd(&body);
  lower(inside);
  comm::YieldOp::create(inside, op.getLoc(), value);
  auto type = comm::TokenType::get(builder.getContext(),
                                   cast<RankedTensorType>(value.getType()));
  auto start = comm::StartOp::create(builder, op.getLoc(), type);
  Block *own = builder.createBlock(&start.getBody());
  own->getOperations().splice(own->end(), body.getOperations());
  builder.setInsertionPoint(first);
  return comm::WaitOp::create(builder, op.getLoc(), start.getToken());
}

LogicalResult ConvertDTensorToCommPass::lowerRedistribute(RedistributeOp op) {
  GlobalTensor source = globals[op.getInput()];
  GlobalTensor target{source.type, op.getLayout()};
  planner::RedistributionRequest request;
  request.mesh = lookupMesh(op, op.getLayout().getMesh()).getPlannerMesh();
  request.shape = source.type.getShape().vec();
  request.type = *getElementType(source.type);
  request.from = getPlannerLayout(op, source);
  request.to = getPlannerLayout(op, target);
  request.topology = machine;
  auto plan = planner::planRedistribution(request);
  if (!plan)
    return op.emitOpError() << plan.error().message;

  OpBuilder builder(op);
  StepContext context{op.getLayout().getMesh(), request.mesh, source.type};
  Value value = op.getInput();
  auto lower = [&](OpBuilder &at) {
    for (const planner::RedistributionStep &step : plan->steps)
      value = lowerStep(at, op.getLoc(), context, step, value);
  };
  bool moves = llvm::any_of(plan->steps, [](const auto &step) {
    return planner::isCollective(step.kind);
  });
  if (op.getAsync() && moves && !op.getResult().use_empty())
    value = startAndWait(builder, op, lower, value);
  else
    lower(builder);
  if (value != op.getInput())
    globals[value] = target;
  op.getResult().replaceAllUsesWith(value);
  op.erase();
  return success();
}

/// Where the chunk of a dimension of `size` elements begins that `axes` leave
/// this rank; null where they leave it all.
static Value createOffset(OpBuilder &builder, Location loc,
                          FlatSymbolRefAttr meshName, const planner::Mesh &mesh,
                          int64_t size,
                          const std::vector<planner::AxisRef> &axes) {
  if (axes.empty())
    return {};
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto indexOn = [&](ArrayRef<planner::AxisRef> on) -> Value {
    return comm::AxisIndexOp::create(
        builder, loc, builder.getIndexType(), meshName,
        getAxesAttr(builder.getContext(), mesh, on));
  };
  if (int64_t parts = planner::totalSize(axes); size % parts == 0)
    return arith::MulIOp::create(builder, loc, indexOn(axes),
                                 number(size / parts));
  // Axis by axis, as planner::chunk does it.
  Value begin = number(0), end = number(size);
  for (const planner::AxisRef &axis : axes) {
    Value length = arith::SubIOp::create(builder, loc, end, begin);
    Value piece =
        arith::CeilDivUIOp::create(builder, loc, length, number(axis.size));
    Value skipped = arith::MulIOp::create(builder, loc, indexOn(axis), piece);
    begin = arith::MinUIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, begin, skipped), end);
    end = arith::MinUIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, begin, piece), end);
  }
  return begin;
}

/// Gives the results of `op` their local types.
LogicalResult ConvertDTensorToCommPass::localize(Operation *op) {
  SmallVector<RankedTensorType> localTypes;
  for (OpResult result : op->getResults()) {
    localTypes.emplace_back();
    if (failed(remember(result, getValueLayout(result), op)))
      return failure();
    if (auto it = globals.find(result); it != globals.end())
      localTypes.back() =
          getLocalType(getPlannerLayout(op, it->second), it->second.type);
  }
  op->removeAttr(kLayoutsAttr);
  op->removeAttr(kOperandLayoutsAttr);
  op->removeAttr(kRuleAttr); // of the global shapes
  auto own = dyn_cast<LocalizeOpInterface>(op);
  if (!own) {
    for (auto [result, type] : llvm::zip_equal(op->getResults(), localTypes))
      if (type)
        result.setType(type);
    return success();
  }
  OpBuilder builder(op);
  // The mesh and the axes that cut a dimension of `tensor`.
  auto getCut = [&](const GlobalTensor &tensor, unsigned dim) {
    planner::Mesh mesh =
        lookupMesh(op, tensor.layout.getMesh()).getPlannerMesh();
    return std::make_pair(mesh, getPlannerLayout(op, tensor).dims[dim]);
  };
  auto makeExtent = [&](unsigned result, unsigned dim) -> Value {
    const GlobalTensor &tensor = globals[op->getResult(result)];
    auto [mesh, axes] = getCut(tensor, dim);
    return comm::LocalExtentOp::create(
        builder, op->getLoc(), builder.getIndexType(),
        builder.getI64IntegerAttr(tensor.type.getDimSize(dim)),
        tensor.layout.getMesh(), getAxesAttr(builder.getContext(), mesh, axes));
  };
  auto makeOffset = [&](unsigned operand, unsigned dim) -> Value {
    // Operands were brought to the layouts that the op takes them in.
    const GlobalTensor &tensor = globals[op->getOperand(operand)];
    auto [mesh, axes] = getCut(tensor, dim);
    return createOffset(builder, op->getLoc(), tensor.layout.getMesh(), mesh,
                        tensor.type.getDimSize(dim), axes);
  };
  // The op may be replaced; its results are no keys any more then.
  SmallVector<GlobalTensor> before;
  for (Value result : op->getResults())
    before.push_back(globals.lookup(result));
  SmallVector<Value> old(op->getResults());
  SmallVector<Value> made = own.localize(localTypes, {makeExtent, makeOffset});
  for (auto [oldResult, newResult, tensor] :
       llvm::zip_equal(old, made, before)) {
    globals.erase(oldResult);
    if (tensor.type)
      globals[newResult] = tensor;
  }
  return success();
}

/// The same for what a loop hands into its regions.
LogicalResult ConvertDTensorToCommPass::localizeArguments(Operation *op) {
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments()) {
      if (failed(remember(argument, getValueLayout(argument), op)))
        return failure();
      if (auto it = globals.find(argument); it != globals.end())
        argument.setType(
            getLocalType(getPlannerLayout(op, it->second), it->second.type));
    }
  return success();
}

/// Notes the global tensor that dtensor.from_local makes. Its result stays a
/// value of its own until the function is converted: one local value can be
/// part of several tensors.
LogicalResult ConvertDTensorToCommPass::enterView(Operation *op) {
  auto fromLocal = dyn_cast<FromLocalOp>(op);
  if (!fromLocal)
    return success();
  if (failed(remember(fromLocal.getResult(), fromLocal.getLayout(), op)))
    return failure();
  fromLocal.getResult().setType(fromLocal.getInput().getType());
  return success();
}

/// Local types of the arguments, global ones in attributes.
LogicalResult ConvertDTensorToCommPass::convertBoundary(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    if (failed(remember(argument, getValueLayout(argument), func)))
      return failure();
    auto it = globals.find(argument);
    if (it == globals.end())
      continue;
    func.setArgAttr(argument.getArgNumber(), kGlobalTypeAttr,
                    TypeAttr::get(it->second.type));
    argument.setType(
        getLocalType(getPlannerLayout(func, it->second), it->second.type));
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (isDistributable(type))
      func.setResultAttr(index, kGlobalTypeAttr, TypeAttr::get(type));
  return success();
}

LogicalResult ConvertDTensorToCommPass::convert(func::FuncOp func) {
  globals.clear();
  if (failed(convertBoundary(func)))
    return failure();
  Block &body = func.getBody().front();
  SmallVector<Operation *> views;
  for (Operation *op : getProgramOps(func)) {
    if (op->removeAttr(kLocalAttr))
      continue;
    if (isa<ToLocalOp, FromLocalOp>(op)) {
      if (failed(enterView(op)))
        return failure();
      views.push_back(op);
      continue;
    }
    // While the op still says how they lie.
    if (isControlFlow(op) && failed(localizeArguments(op)))
      return failure();
    auto redistribute = dyn_cast<RedistributeOp>(op);
    if (failed(redistribute ? lowerRedistribute(redistribute) : localize(op)))
      return failure();
  }
  if (!views.empty())
    func->setAttr(kLocalValuesAttr, UnitAttr::get(func.getContext()));
  for (Operation *view : views) {
    view->getResult(0).replaceAllUsesWith(view->getOperand(0));
    view->erase();
  }
  func.setType(FunctionType::get(func.getContext(), body.getArgumentTypes(),
                                 body.getTerminator()->getOperandTypes()));
  return success();
}

void ConvertDTensorToCommPass::runOnOperation() {
  auto topologyOrError = planner::parseTopology(topology);
  if (!topologyOrError) {
    getOperation().emitError()
        << "convert-dtensor-to-comm: " << topologyOrError.error().message;
    return signalPassFailure();
  }
  machine = *topologyOrError;
  for (auto func : getOperation().getOps<func::FuncOp>())
    if (!func.isExternal() && failed(convert(func)))
      return signalPassFailure();
}
