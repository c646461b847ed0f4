// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marking of local ops: one walk from definitions to uses.

#include "LocalValues.h"

#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

class LocalMarking {
public:
  LogicalResult run(func::FuncOp func);

private:
  /// What a value is made of.
  enum class Origin { Nothing, Global, Local };

  LogicalResult visit(Operation *op);
  LogicalResult visitLocal(Operation *op);
  LogicalResult reportMixed(Operation *op, Value local, Value global);
  Origin getOrigin(Value value) const;
  Value getLocalCopy(Value value);
  SmallVector<Value> getUsed(Operation *op) const;

  /// Values of any other origin than a global one.
  DenseMap<Value, Origin> origins;
  DenseMap<Operation *, Operation *> copies;
};

} // namespace

LocalMarking::Origin LocalMarking::getOrigin(Value value) const {
  auto it = origins.find(value);
  return it == origins.end() ? Origin::Global : it->second;
}

/// Operands, and what the regions use of the function's own values.
SmallVector<Value> LocalMarking::getUsed(Operation *op) const {
  SmallVector<Value> used(op->getOperands());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::append_range(used, captured);
  return used;
}

/// (C7)
LogicalResult LocalMarking::reportMixed(Operation *op, Value local,
                                        Value global) {
  InFlightDiagnostic diag =
      op->emitOpError()
      << "uses a local value, which every rank has its own of, and a global "
         "tensor of type "
      << global.getType()
      << "; take the tensor's parts with dtensor.to_local, or make a tensor of "
         "the local values with dtensor.from_local";
  if (Operation *def = local.getDefiningOp())
    diag.attachNote(def->getLoc()) << "the local value is made here";
  return diag;
}

/// A copy of what makes `value` of nothing, for local use.
Value LocalMarking::getLocalCopy(Value value) {
  // Chains of such ops can be long: their copies wait in a list.
  SmallVector<Operation *> open;
  auto copyOf = [&](Value original) -> Value {
    auto result = cast<OpResult>(original);
    Operation *&copy = copies[result.getOwner()];
    if (!copy) {
      OpBuilder builder(result.getContext());
      builder.setInsertionPointAfter(result.getOwner());
      copy = builder.clone(*result.getOwner());
      copy->setAttr(kLocalAttr, builder.getUnitAttr());
      for (Value other : copy->getResults())
        origins[other] = Origin::Local;
      open.push_back(copy);
    }
    return copy->getResult(result.getResultNumber());
  };
  Value wanted = copyOf(value);
  while (!open.empty()) {
    Operation *made = open.pop_back_val();
    for (OpOperand &operand : made->getOpOperands())
      if (isDistributable(operand.get().getType()))
        operand.set(copyOf(operand.get()));
  }
  return wanted;
}

LogicalResult LocalMarking::visitLocal(Operation *op) {
  SmallVector<Value> used = getUsed(op);
  auto isLocalValue = [&](Value value) {
    return getOrigin(value) == Origin::Local;
  };
  for (Value value : used)
    if (getOrigin(value) == Origin::Global &&
        isDistributable(value.getType())) {
      const auto *local = llvm::find_if(used, isLocalValue);
      if (local != used.end())
        return reportMixed(op, *local, value);
      return op->emitOpError()
             << "works on one rank's part, and is given a global tensor of "
                "type "
             << value.getType()
             << "; take the tensor's parts with dtensor.to_local";
    }
  op->walk([&](Operation *user) {
    for (OpOperand &operand : user->getOpOperands())
      if (getOrigin(operand.get()) == Origin::Nothing &&
          isDistributable(operand.get().getType()))
        operand.set(getLocalCopy(operand.get()));
  });
  if (!isa<FromLocalOp>(op)) {
    op->setAttr(kLocalAttr, UnitAttr::get(op->getContext()));
    for (Value result : op->getResults())
      origins[result] = Origin::Local;
  }
  return success();
}

LogicalResult LocalMarking::visit(Operation *op) {
  if (auto toLocal = dyn_cast<ToLocalOp>(op)) {
    if (getOrigin(toLocal.getInput()) == Origin::Local)
      return op->emitOpError() << "takes a local value; it is what the rank "
                                  "holds already";
    OpBuilder builder(op);
    toLocal.getInputMutable().assign(
        ConstrainOp::create(builder, op->getLoc(), toLocal.getInput().getType(),
                            toLocal.getInput(), toLocal.getLayout()));
    origins[toLocal.getResult()] = Origin::Local;
    return success();
  }
  SmallVector<Value> used = getUsed(op);
  auto isOf = [&](Origin origin) {
    return [&, origin](Value value) { return getOrigin(value) == origin; };
  };
  bool isLocal = isa_and_nonnull<comm::CommDialect>(op->getDialect()) ||
                 isa<FromLocalOp>(op) ||
                 llvm::any_of(used, isOf(Origin::Local));
  if (isLocal && isa<func::ReturnOp>(op)) // (C8)
    return op->emitOpError() << "returns a local value, which every rank has "
                                "its own of; make a tensor of them with "
                                "dtensor.from_local";
  if (isLocal && isa<ConstrainOp, RedistributeOp>(op))
    return op->emitOpError() << "lays out a local value; make a tensor of "
                                "them with dtensor.from_local";
  if (isLocal)
    return visitLocal(op);
  if (llvm::all_of(used, isOf(Origin::Nothing)))
    for (Value result : op->getResults())
      origins[result] = Origin::Nothing;
  return success();
}

LogicalResult LocalMarking::run(func::FuncOp func) {
  // Copies are put after what they copy, and need no visit.
  SmallVector<Operation *> ops;
  for (Operation &op : func.getBody().front())
    ops.push_back(&op);
  // Programs without local values are left alone.
  if (llvm::none_of(ops, [](Operation *op) {
        return isa<ToLocalOp, FromLocalOp>(op) ||
               isa_and_nonnull<comm::CommDialect>(op->getDialect());
      }))
    return success();
  for (Operation *op : ops)
    if (failed(visit(op)))
      return failure();
  return success();
}

LogicalResult mlir::dtensor::markLocalOps(func::FuncOp func) {
  return LocalMarking().run(func);
}
