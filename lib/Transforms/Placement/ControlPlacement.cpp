// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of loops and branches. What an iteration leaves to the next one has a
// buffer from before the loop; the results of a branch have one that both lists
// of steps write.

#include "../Kernels/KernelBuilder.h"
#include "Placer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

Value Placer::placeLike(Value tensor, Value like) {
  if (auto it = bounds.find(like); it != bounds.end()) {
    SmallVector<int64_t> shape = it->second;
    bounds[tensor] = shape;
  }
  return place(tensor);
}

void Placer::releaseAll(ValueRange tensors) {
  for (Value tensor : tensors)
    release(tensor);
}

/// Places the steps of the body `from` of a loop into `to`, and at their end
/// the copies of what it yields into the buffers of `carried`.
LogicalResult Placer::placeBody(Block &from, Block &to, ValueRange carried) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&to);
  for (Operation &op : from.without_terminator())
    if (failed(placeStep(op)))
      return failure();
  ValueRange yielded = from.getTerminator()->getOperands();
  // Buffers that this iteration still reads are read before any is overwritten.
  SmallVector<std::pair<Value, int64_t>> kept;
  SmallVector<Value> sources;
  for (auto [index, value] : llvm::enumerate(yielded)) {
    Value owner = getOwner(value);
    sources.push_back(views[value]);
    if (!llvm::is_contained(carried, owner) || owner == carried[index])
      continue;
    Type type = getBufferType(value);
    int64_t offset = slab.allocate(sched::getByteSize(cast<MemRefType>(type)));
    Value copy = viewAt(value.getLoc(), type, offset);
    sched::CopyOp::create(builder, value.getLoc(), sources.back(), copy);
    sources.back() = copy;
    kept.emplace_back(copy, offset);
  }
  for (auto [value, source, target] :
       llvm::zip_equal(yielded, sources, carried))
    if (getOwner(value) != target)
      sched::CopyOp::create(builder, value.getLoc(), source, views[target]);
  for (auto [copy, offset] : kept)
    slab.free(offset);
  releaseAll(yielded);
  return success();
}

LogicalResult Placer::placeFor(scf::ForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<Value> carried(loop.getRegionIterArgs()), buffers, unused;
  for (auto [init, argument] : llvm::zip_equal(loop.getInits(), carried)) {
    buffers.push_back(placeLike(argument, init));
    if (!pendingUses.lookup(argument))
      unused.push_back(argument);
    sched::CopyOp::create(builder, loc, views[init], buffers.back());
    release(init);
  }
  int64_t start = *getConstantIntValue(loop.getLowerBound());
  int64_t end = *getConstantIntValue(loop.getUpperBound());
  int64_t step = *getConstantIntValue(loop.getStep());
  auto made = sched::LoopOp::create(
      builder, loc, loop->getAttrOfType<IntegerAttr>(kLoopNumberAttr).getInt(),
      llvm::divideCeil(end - start, step), buffers);
  Block &body = made.getBody().emplaceBlock();
  bool isOutermost = !outermost;
  if (isOutermost)
    outermost = made;
  loops.emplace_back();
  if (failed(placeBody(*loop.getBody(), body, carried)))
    return failure();
  SmallVector<Value> used = loops.pop_back_val();
  if (isOutermost)
    outermost = nullptr;
  releaseAll(used);
  for (auto [argument, result] : llvm::zip_equal(carried, loop.getResults())) {
    views[result] = views[argument];
    if (auto it = bounds.find(argument); it != bounds.end()) {
      SmallVector<int64_t> shape = it->second;
      bounds[result] = shape;
    }
  }
  for (Value argument : unused)
    slab.free(offsets[argument]);
  if (body.empty())
    made.erase();
  return success();
}

LogicalResult Placer::placeIf(scf::IfOp branch) {
  Location loc = branch.getLoc();
  Value condition = branch.getCondition().getDefiningOp()->getOperand(0);
  auto made = sched::IfOp::create(builder, loc, views[condition], ValueRange());
  release(condition); // read by now
  Block &thenSteps = made.getThenSteps().emplaceBlock();
  Block &elseSteps = made.getElseSteps().emplaceBlock();
  bool isOutermost = !outermost;
  if (isOutermost)
    outermost = made;
  SmallVector<Value> results(branch.getResults()), buffers;
  auto place = [&](Block &from, Block &to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&to);
    for (Operation &op : from.without_terminator())
      if (failed(placeStep(op)))
        return failure();
    ValueRange yielded = from.getTerminator()->getOperands();
    for (auto [index, value] : llvm::enumerate(yielded)) {
      // Made by the first branch, written again by the second one.
      if (buffers.size() == index)
        buffers.push_back(placeLike(results[index], value));
      sched::CopyOp::create(builder, loc, views[value], buffers[index]);
      release(value);
    }
    return success();
  };
  if (failed(place(*branch.thenBlock(), thenSteps)) ||
      (branch.elseBlock() && failed(place(*branch.elseBlock(), elseSteps))))
    return failure();
  made.getResultsOfMutable().assign(buffers);
  if (isOutermost)
    outermost = nullptr;
  for (Value result : results)
    if (!pendingUses.lookup(result))
      slab.free(offsets[result]);
  if (thenSteps.empty() && elseSteps.empty())
    made.erase();
  return success();
}
