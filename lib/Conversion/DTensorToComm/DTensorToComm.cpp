// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// convert-dtensor-to-comm: from global tensors to what one rank holds.
//
//   %r = dtensor.redistribute %0 to replicated : tensor<64x512xf32>
// becomes, where %0 is partial on "tp" and sharded on "dp" = 2,
//   %r = comm.all_reduce sum %0 over @mesh["tp"] : tensor<32x512xf32>

#include "dtensor/Conversion/Passes.h"

#include "LowerSteps.h"
#include "dtensor/Interfaces/ShardingRule.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_CONVERTDTENSORTOCOMMPASS
#include "dtensor/Conversion/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

namespace {

struct ConvertDTensorToCommPass
    : mlir::dtensor::impl::ConvertDTensorToCommPassBase<
          ConvertDTensorToCommPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp func);
  FailureOr<RankedTensorType> getLocal(Value value, Operation *at);
  LogicalResult lowerRedistribute(RedistributeOp op);
  LogicalResult convertBoundary(func::FuncOp func);

  planner::Topology machine;
  /// Global types and layouts of the values of the current function, read
  /// before anything changes.
  DenseMap<Value, RankedTensorType> globalTypes;
  DenseMap<Value, LayoutAttr> layouts;
};

} // namespace

/// (C1) and (C2): the type of `value` on one rank.
FailureOr<RankedTensorType> ConvertDTensorToCommPass::getLocal(Value value,
                                                               Operation *at) {
  RankedTensorType type = globalTypes[value];
  LayoutAttr attr = layouts[value];
  if (!attr)
    return at->emitOpError() << "a tensor has no layout; run "
                                "dtensor-insert-redistributions before";
  planner::Mesh mesh = lookupMesh(at, attr.getMesh()).getPlannerMesh();
  planner::Layout layout = *getLayout(mesh, attr, type);
  RankedTensorType local = getLocalType(mesh, layout, type);
  if (local)
    return local;
  for (auto [dim, axes] : llvm::enumerate(layout.dims))
    if (type.getDimSize(dim) % planner::totalSize(axes) != 0)
      return at->emitOpError()
             << "dimension " << dim << " of " << type << " has "
             << type.getDimSize(dim) << " elements, which do not divide over "
             << planner::totalSize(axes) << " ranks ("
             << planner::printAxisRefs(mesh, axes)
             << "); uneven shards are not compiled yet, choose a size that "
                "divides or leave the dimension whole";
  return failure();
}

LogicalResult ConvertDTensorToCommPass::lowerRedistribute(RedistributeOp op) {
  RankedTensorType type = globalTypes[op.getResult()];
  planner::RedistributionRequest request;
  request.mesh = lookupMesh(op, op.getLayout().getMesh()).getPlannerMesh();
  request.shape = type.getShape().vec();
  request.type = *getElementType(type);
  request.from = *getLayout(request.mesh, layouts[op.getInput()], type);
  request.to = *getLayout(request.mesh, op.getLayout(), type);
  request.topology = machine;
  auto plan = planner::planRedistribution(request);
  if (!plan)
    return op.emitOpError() << plan.error().message;

  OpBuilder builder(op);
  StepContext context{op.getLayout().getMesh(), request.mesh, type};
  Value value = op.getInput();
  for (const planner::RedistributionStep &step : plan->steps) {
    Value next = lowerStep(builder, op.getLoc(), context, step, value);
    if (!next)
      return op.emitOpError()
             << "from " << layouts[op.getInput()] << " to " << op.getLayout()
             << " needs the step " << planner::stepKindName(step.kind)
             << ", which is not compiled yet";
    value = next;
  }
  // A redistribute of this result asks for both.
  globalTypes[value] = type;
  layouts[value] = op.getLayout();
  op.getResult().replaceAllUsesWith(value);
  op.erase();
  return success();
}

/// Arguments, results and the function's type.
LogicalResult ConvertDTensorToCommPass::convertBoundary(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    if (!globalTypes.count(argument))
      continue;
    FailureOr<RankedTensorType> local = getLocal(argument, func);
    if (failed(local))
      return failure();
    func.setArgAttr(argument.getArgNumber(), kGlobalTypeAttr,
                    TypeAttr::get(globalTypes[argument]));
    argument.setType(*local);
  }
  return success();
}

LogicalResult ConvertDTensorToCommPass::convert(func::FuncOp func) {
  globalTypes.clear();
  layouts.clear();
  auto remember = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      globalTypes[value] = type;
      layouts[value] = getValueLayout(value);
    }
  };
  Block &body = func.getBody().front();
  for (BlockArgument argument : func.getArguments())
    remember(argument);
  for (Operation &op : body)
    for (Value result : op.getResults())
      remember(result);
  auto ret = cast<func::ReturnOp>(body.getTerminator());
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (isDistributable(type))
      func.setResultAttr(index, kGlobalTypeAttr, TypeAttr::get(type));

  if (failed(convertBoundary(func)))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(body)) {
    SmallVector<RankedTensorType> localTypes;
    for (Value result : op.getResults()) {
      localTypes.emplace_back();
      if (!globalTypes.count(result))
        continue;
      FailureOr<RankedTensorType> local = getLocal(result, &op);
      if (failed(local))
        return failure();
      localTypes.back() = *local;
    }
    if (auto redistribute = dyn_cast<RedistributeOp>(op)) {
      if (failed(lowerRedistribute(redistribute)))
        return failure();
      continue;
    }
    op.removeAttr(kLayoutsAttr);
    op.removeAttr(kOperandLayoutsAttr);
    if (auto localize = dyn_cast<LocalizeOpInterface>(op)) {
      localize.localize(localTypes);
      continue;
    }
    for (auto [result, type] : llvm::zip_equal(op.getResults(), localTypes))
      if (type)
        result.setType(type);
  }
  func.setType(FunctionType::get(func.getContext(), body.getArgumentTypes(),
                                 ret.getOperandTypes()));
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
