// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-propagate: gives every tensor value one complete layout. This file
// reads the annotations and writes the result; Propagation/ holds the fixpoint
// (FactorPropagation) and the choice by price (ShardingChoice).

#include "dtensor/Transforms/Passes.h"

#include "Propagation/CanonicalOrder.h"
#include "Propagation/Explain.h"
#include "Propagation/FactorPropagation.h"
#include "Propagation/LocalValues.h"
#include "Propagation/ShardingChoice.h"
#include "dtensor/Interfaces/ControlFlow.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace mlir::dtensor {
#define GEN_PASS_DEF_PROPAGATEPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;
using planner::Layout;

//===----------------------------------------------------------------------===//
// Preparing the function
//===----------------------------------------------------------------------===//

/// (C1) and (C5): types that can be laid out.
static LogicalResult checkTypes(Operation *op, ValueRange values) {
  for (Value value : values) {
    Type type = value.getType();
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped || isLocal(value))
      continue;
    if (!shaped.hasStaticShape())
      return op->emitOpError() << "has a tensor of dynamic shape " << type
                               << "; programs have static global shapes";
    if (!getElementType(shaped))
      return op->emitOpError()
             << "has a tensor of element type " << shaped.getElementType()
             << ", which cannot lie on a mesh";
  }
  return success();
}

/// (C6): a tensor that a region uses is no operand, and no rule speaks of it.
static LogicalResult checkCaptured(Operation *op) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (isDistributable(value.getType()))
      return op->emitOpError()
             << "uses a tensor of type " << value.getType()
             << " inside its region that is no operand of it; pass it as one";
  return success();
}

/// (C1), (C2), (C5) and (C6).
static LogicalResult checkSupported(func::FuncOp func) {
  if (!llvm::hasSingleElement(func.getBody()))
    return func.emitOpError()
           << "has " << func.getBody().getBlocks().size()
           << " blocks; propagation takes functions of one block";
  if (failed(markLocalOps(func)) ||
      failed(checkTypes(func, func.getArguments())))
    return failure();
  for (Operation *op : getProgramOps(func)) {
    if (isa<func::CallOp>(op))
      return op->emitOpError()
             << "is left after inlining: its callee is external or recursive";
    if (failed(checkTypes(op, op->getOperands())) ||
        failed(checkTypes(op, op->getResults())))
      return failure();
    if (op->hasAttr(kLocalAttr) || isControlFlow(op))
      continue; // compiled as it stands; part of the program
    if (op->getNumRegions() != 0 && failed(checkCaptured(op)))
      return failure();
  }
  return success();
}

/// Removes what nobody uses, so that it costs nothing.
static void eraseDeadOps(func::FuncOp func) {
  SmallVector<Operation *> ops = getProgramOps(func);
  for (Operation *op : llvm::reverse(ops)) // what is in a loop comes before it
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Gives each use of a freely laid out value a value of its own, so that one
/// user's layout is no other's concern. Destinations that are never read
/// become empty tensors.
static void splitFreeValues(func::FuncOp func) {
  auto splitUse = [](OpOperand &use, auto &self) -> void {
    Operation *own = use.get().getDefiningOp();
    if (!own || !isFreelyLaidOut(own))
      return;
    if (!own->hasOneUse()) {
      OpBuilder builder(use.getOwner());
      own = builder.clone(*own);
      use.set(own->getResult(0));
    }
    // Two fills may share what they fill.
    for (OpOperand &operand : own->getOpOperands())
      self(operand, self);
  };
  for (Operation *op : getProgramOps(func)) {
    if (op->hasAttr(kLocalAttr))
      continue;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      for (OpOperand &init : linalgOp.getDpsInitsMutable())
        if (!linalgOp.payloadUsesValueFromOperand(&init) &&
            !init.get().getDefiningOp<tensor::EmptyOp>()) {
          OpBuilder builder(op);
          auto type = cast<RankedTensorType>(init.get().getType());
          init.set(tensor::EmptyOp::create(
              builder, op->getLoc(), type.getShape(), type.getElementType()));
        }
    if (!isFreelyLaidOut(op))
      for (OpOperand &operand : op->getOpOperands())
        splitUse(operand, splitUse);
  }
  eraseDeadOps(func);
}

/// The rule of an op that nothing is known of: all of it on every rank.
static ShardingRule getReplicateRule(Operation *op) {
  ShardingRule rule;
  auto addDims = [&](Type type) {
    DimFactors dims;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape()) {
        dims.push_back({static_cast<int>(rule.factors.size())});
        rule.factors.push_back({size, FactorKind::NeedReplication});
      }
    return dims;
  };
  for (Type type : op->getOperandTypes()) {
    rule.roles.push_back(isa<RankedTensorType>(type) ? OperandRole::Read
                                                     : OperandRole::None);
    rule.operands.push_back(addDims(type));
  }
  for (Type type : op->getResultTypes())
    rule.results.push_back(addDims(type));
  return rule;
}

namespace {

struct PropagatePass : mlir::dtensor::impl::PropagatePassBase<PropagatePass> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult propagate(func::FuncOp func, const planner::Topology &topology);
  LogicalResult findMesh(PropagationState &state);
  LogicalResult readAnnotations(PropagationState &state);
  LogicalResult readRules(PropagationState &state);
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading annotations and rules
//===----------------------------------------------------------------------===//

/// (C3): the mesh of the function's layouts, or the only one of the module.
LogicalResult PropagatePass::findMesh(PropagationState &state) {
  FlatSymbolRefAttr found;
  Operation *foundAt = nullptr;
  auto add = [&](LayoutAttr layout, Operation *op) -> LogicalResult {
    if (!layout)
      return success();
    if (found && found != layout.getMesh()) {
      InFlightDiagnostic diag = op->emitOpError()
                                << "has a layout on " << layout.getMesh()
                                << ", another is on " << found
                                << "; a function uses one mesh";
      diag.attachNote(foundAt->getLoc()) << "the other layout is here";
      return diag;
    }
    found = layout.getMesh();
    foundAt = op;
    return success();
  };
  func::FuncOp func = state.func;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (failed(add(func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr), func)))
      return failure();
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (failed(add(func.getResultAttrOfType<LayoutAttr>(i, kLayoutAttr), func)))
      return failure();
  for (Operation *op : getProgramOps(func)) {
    LayoutAttr layout;
    if (auto constrain = dyn_cast<ConstrainOp>(op))
      layout = constrain.getLayout();
    if (auto redistribute = dyn_cast<RedistributeOp>(op))
      layout = redistribute.getLayout();
    if (auto toLocal = dyn_cast<ToLocalOp>(op))
      layout = toLocal.getLayout();
    if (auto fromLocal = dyn_cast<FromLocalOp>(op))
      layout = fromLocal.getLayout();
    if (failed(add(layout, op)))
      return failure();
  }
  if (!found) {
    auto meshes = getOperation().getOps<MeshOp>();
    if (!llvm::hasSingleElement(meshes))
      return func.emitOpError()
             << "has no layouts, and the module "
             << (meshes.empty() ? "has no" : "has more than one")
             << " dtensor.mesh to lay it out on";
    found = FlatSymbolRefAttr::get((*meshes.begin()).getSymNameAttr());
  }
  state.meshName = found;
  state.mesh = lookupMesh(func, found).getPlannerMesh();
  return success();
}

LogicalResult PropagatePass::readAnnotations(PropagationState &state) {
  func::FuncOp func = state.func;
  auto read = [&](LayoutAttr attr, RankedTensorType type) {
    Layout open = Layout::replicated(type.getRank());
    open.openness.open = true;
    // Attributes were verified with the function.
    return attr ? *getLayout(state.mesh, attr, type) : open;
  };
  auto setLayout = [&](Value value, LayoutAttr attr) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return;
    state.layouts[value] = read(attr, type);
    if (attr && attr.getPriority() > 0)
      state.priorities[value] = attr.getPriority();
  };
  for (BlockArgument argument : func.getArguments())
    setLayout(argument, func.getArgAttrOfType<LayoutAttr>(
                            argument.getArgNumber(), kLayoutAttr));
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    auto attr = func.getResultAttrOfType<LayoutAttr>(index, kLayoutAttr);
    auto tensor = dyn_cast<RankedTensorType>(type);
    state.resultLayouts.emplace_back();
    state.openResultLayouts.emplace_back();
    state.resultPriorities.push_back(attr ? attr.getPriority() : 0);
    if (attr && tensor)
      (attr.getOpen() ? state.openResultLayouts : state.resultLayouts).back() =
          read(attr, tensor);
  }
  for (Operation *op : getProgramOps(func)) {
    if (op->hasAttr(kLocalAttr))
      continue;
    if (auto toLocal = dyn_cast<ToLocalOp>(op)) {
      auto type = cast<RankedTensorType>(toLocal.getInput().getType());
      state.operandLayouts[op] = {read(toLocal.getLayout(), type)};
      continue;
    }
    if (isFreelyLaidOut(op))
      continue;
    for (const ControlTie &tie : getControlTies(op))
      for (Value value : tie.values)
        setLayout(value, {});
    LayoutAttr attr;
    if (auto fromLocal = dyn_cast<FromLocalOp>(op))
      attr = fromLocal.getLayout();
    if (auto constrain = dyn_cast<ConstrainOp>(op))
      attr = constrain.getLayout();
    if (auto redistribute = dyn_cast<RedistributeOp>(op))
      attr = redistribute.getLayout();
    for (Value result : op->getResults())
      setLayout(result, attr);
  }
  return success();
}

/// What the rules of elementwise ops differ in: the type of the result, which
/// operands are tensors, and what becomes of sums.
static std::pair<Type, uint64_t> getElementwiseKey(Operation *op) {
  uint64_t tensors = 8 + static_cast<uint64_t>(getLinearForm(op));
  for (Type type : op->getOperandTypes())
    tensors = tensors << 1 | isa<RankedTensorType>(type);
  return {op->getResult(0).getType(), tensors};
}

/// (C4).
LogicalResult PropagatePass::readRules(PropagationState &state) {
  DenseMap<std::pair<Type, uint64_t>, const ShardingRule *> elementwise;
  for (Operation *op : getProgramOps(state.func)) {
    if (isa<func::ReturnOp, ToLocalOp, FromLocalOp>(op))
      continue;
    if ((isControlFlow(op) && !op->hasAttr(kLocalAttr)) ||
        endsControlFlow(op)) {
      state.ops.push_back(op); // has ties instead of a rule
      continue;
    }
    if (hasNoTensors(op) || isFreelyLaidOut(op))
      continue;
    state.ops.push_back(op);
    // Most ops of most programs; one rule for all of a kind.
    if (isa<ConstrainOp, RedistributeOp>(op) ||
        (OpTrait::hasElementwiseMappableTraits(op) &&
         isa<ShardingRuleOpInterface>(op) && !op->hasAttr(kRuleAttr) &&
         op->getNumResults() == 1 && op->getNumOperands() < 60)) {
      const ShardingRule *&known = elementwise[getElementwiseKey(op)];
      if (!known)
        known = &state.ruleStorage.emplace_back(getElementwiseRule(op));
      state.rules[op] = known;
      continue;
    }
    std::optional<ShardingRule> rule = getShardingRule(op);
    if (!rule && unknownOps == "replicate")
      rule = getReplicateRule(op);
    if (!rule)
      return op->emitOpError()
             << "has no sharding rule; compute it on every rank with "
                "unknown-ops=replicate, or give it one with dtensor.rule";
    state.rules[op] = &state.ruleStorage.emplace_back(std::move(*rule));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Writing the result
//===----------------------------------------------------------------------===//

static void writeLayouts(PropagationState &state) {
  MLIRContext *context = state.func.getContext();
  auto unit = UnitAttr::get(context);
  // Few layouts, of many values.
  std::map<Layout, Attribute> made;
  auto toAttr = [&](const Layout &layout) -> Attribute {
    Attribute &attr = made[layout];
    if (attr)
      return attr;
    Layout closed = layout;
    closed.openness = {};
    closed.pinned.clear();
    return attr = getLayoutAttr(state.meshName, state.mesh, closed);
  };
  func::FuncOp func = state.func;
  auto withLayout = [&](DictionaryAttr old, Attribute layout) {
    NamedAttrList attrs(old);
    attrs.set(kLayoutAttr, layout);
    return attrs.getDictionary(context);
  };
  SmallVector<DictionaryAttr> argAttrs, resultAttrs;
  func.getAllArgAttrs(argAttrs);
  func.getAllResultAttrs(resultAttrs);
  for (BlockArgument argument : func.getArguments())
    if (isDistributable(argument.getType())) {
      DictionaryAttr &attrs = argAttrs[argument.getArgNumber()];
      attrs = withLayout(attrs, toAttr(state.layouts[argument]));
    }
  for (auto [attrs, layout] : llvm::zip_equal(resultAttrs, state.resultLayouts))
    if (layout)
      attrs = withLayout(attrs, toAttr(*layout));
  func.setAllArgAttrs(argAttrs);
  func.setAllResultAttrs(resultAttrs);
  for (Operation *op : getProgramOps(func)) {
    // Ops between the two views say themselves how their tensor lies.
    if (isa<func::ReturnOp, ToLocalOp, FromLocalOp>(op) || hasNoTensors(op))
      continue;
    SmallVector<Attribute> results, operands;
    for (Value result : op->getResults())
      results.push_back(isDistributable(result.getType())
                            ? toAttr(state.layouts[result])
                            : unit);
    if (auto redistribute = dyn_cast<RedistributeOp>(op)) {
      // Carries its layout itself, and takes its operand as it is.
      redistribute.setLayoutAttr(cast<LayoutAttr>(results[0]));
      continue;
    }
    if (!endsControlFlow(op))
      op->setAttr(kLayoutsAttr, ArrayAttr::get(context, results));
    if (op->getNumOperands() == 0)
      continue;
    const SmallVector<Layout> &needed = state.operandLayouts[op];
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      operands.push_back(
          isDistributable(operand.getType()) ? toAttr(needed[index]) : unit);
    op->setAttr(kOperandLayoutsAttr, ArrayAttr::get(context, operands));
  }
}

LogicalResult PropagatePass::propagate(func::FuncOp func,
                                       const planner::Topology &topology) {
  PropagationState state;
  state.func = func;
  // The unsharded form has nothing to explain.
  state.explains = !explain.empty() && !func->hasAttr(kReferenceOfAttr);
  if (failed(checkSupported(func)) || failed(findMesh(state)))
    return failure();
  eraseDeadOps(func);
  splitFreeValues(func);
  size_t size = func.getBody().front().getOperations().size();
  state.layouts.reserve(size);
  state.rules.reserve(size);
  state.operandLayouts.reserve(size);
  if (failed(readRules(state)) || failed(readAnnotations(state)))
    return failure();
  sortCanonically(state);
  propagateFactors(state);
  LayoutPricing pricing(state.mesh, topology);
  chooseShardings(state, pricing);
  if (state.explains)
    explainLayouts(state, explain == "json");
  writeLayouts(state);
  return success();
}

void PropagatePass::runOnOperation() {
  if (unknownOps != "error" && unknownOps != "replicate") {
    getOperation().emitError() << "dtensor-propagate: unknown-ops must be "
                                  "'error' or 'replicate', got '"
                               << unknownOps << "'";
    return signalPassFailure();
  }
  if (explain != "" && explain != "text" && explain != "json") {
    getOperation().emitError() << "dtensor-propagate: explain must be 'text' "
                                  "or 'json', got '"
                               << explain << "'";
    return signalPassFailure();
  }
  auto topologyOrError = planner::parseTopology(topology);
  if (!topologyOrError) {
    getOperation().emitError()
        << "dtensor-propagate: " << topologyOrError.error().message;
    return signalPassFailure();
  }
  for (auto func : getOperation().getOps<func::FuncOp>())
    if (!func.isExternal() && failed(propagate(func, *topologyOrError)))
      return signalPassFailure();
}
