// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop nest for a group of elementwise ops.

#include "ElementwiseLoop.h"

#include "Scalars.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::dtensor;

AffineMap mlir::dtensor::getReadMap(OpOperand &operand) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner()))
    return linalgOp.getMatchingIndexingMap(&operand);
  return AffineMap::getMultiDimIdentityMap(
      getLoopShape(operand.getOwner()).size(),
      operand.getOwner()->getContext());
}

bool mlir::dtensor::isRead(OpOperand &operand) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return !linalgOp || !linalgOp.isDpsInit(&operand);
}

void ElementwiseLoop::collectReads() {
  DenseMap<Value, unsigned> positions;
  llvm::SmallDenseSet<std::pair<unsigned, AffineMap>> seen;
  for (Operation *op : group)
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!isRead(operand) || isFreeTensor(value) ||
          !isa<RankedTensorType>(value.getType()) ||
          llvm::is_contained(group, value.getDefiningOp()))
        continue;
      auto [it, isNew] = positions.try_emplace(value, inputs.size());
      if (isNew)
        inputs.push_back(value);
      std::pair<unsigned, AffineMap> read(it->second, getReadMap(operand));
      if (seen.insert(read).second)
        reads.push_back(read);
    }
}

void ElementwiseLoop::collectResults() {
  for (Operation *op : group)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::is_contained(group, user);
          }))
        results.push_back(result);
}

/// The element of `operand` in the current iteration.
FailureOr<Value> ElementwiseLoop::getScalar(OpBuilder &outer,
                                            OpOperand &operand, Block *block) {
  Value value = operand.get();
  if (!isa<RankedTensorType>(value.getType()))
    return cloneScalar(outer, *function, value, operand.getOwner());
  if (isFreeTensor(value))
    return makeElement(outer, *function, value, operand.getOwner());
  if (Value element = elements.lookup(value))
    return element;
  unsigned position = llvm::find(inputs, value) - inputs.begin();
  auto read = llvm::find(reads, std::make_pair(position, getReadMap(operand)));
  return Value(block->getArgument(read - reads.begin()));
}

LogicalResult ElementwiseLoop::emit(OpBuilder &outer, OpBuilder &body,
                                    Operation *op, Block *block) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isRead(operand)) {
      operands.push_back({}); // a destination that is never read
      continue;
    }
    FailureOr<Value> scalar = getScalar(outer, operand, block);
    if (failed(scalar))
      return failure();
    operands.push_back(*scalar);
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    IRMapping mapping;
    if (failed(cloneCaptured(outer, *function, op, mapping)))
      return failure();
    Block *payload = linalgOp.getBlock();
    for (auto [argument, operand] :
         llvm::zip_equal(payload->getArguments(), operands))
      if (operand)
        mapping.map(argument, operand);
    for (Operation &inner : payload->without_terminator())
      body.clone(inner, mapping);
    for (auto [result, yielded] : llvm::zip_equal(
             op->getResults(), payload->getTerminator()->getOperands()))
      elements[result] = mapping.lookup(yielded);
    return success();
  }
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  elements[op->getResult(0)] =
      body.create(op->getLoc(), op->getName().getIdentifier(), operands, type,
                  op->getAttrs())
          ->getResult(0);
  return success();
}

LogicalResult ElementwiseLoop::buildBody(OpBuilder &outer, OpBuilder &body,
                                         Block *block) {
  for (Operation *op : group)
    if (failed(emit(outer, body, op, block)))
      return failure();
  SmallVector<Value> yielded;
  for (Value result : results)
    yielded.push_back(elements.lookup(result));
  linalg::YieldOp::create(body, group.back()->getLoc(), yielded);
  return success();
}

LogicalResult ElementwiseLoop::build(KernelFunction &function) {
  this->function = &function;
  Location loc = function.func.getLoc();
  MLIRContext *context = function.func.getContext();
  unsigned rank = getLoopShape(group.front()).size();
  SmallVector<Value> sources;
  SmallVector<AffineMap> maps;
  for (auto [position, map] : reads) {
    sources.push_back(function.buffers[position]);
    maps.push_back(map);
  }
  ArrayRef<Value> targets =
      ArrayRef<Value>(function.buffers).drop_front(inputs.size());
  maps.append(targets.size(), AffineMap::getMultiDimIdentityMap(rank, context));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  auto generic = linalg::GenericOp::create(builder, loc, TypeRange(), sources,
                                           targets, maps, iterators);
  // Constants go before the loop nest, the rest into its body.
  OpBuilder outer(generic);
  Block *block = new Block();
  generic.getRegion().push_back(block);
  for (Value operand : generic->getOperands())
    block->addArgument(cast<MemRefType>(operand.getType()).getElementType(),
                       loc);
  OpBuilder body = OpBuilder::atBlockEnd(block);
  return buildBody(outer, body, block);
}
