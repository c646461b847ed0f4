// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes kernel functions out of local tensor ops.

#include "KernelBuilder.h"

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// Classification
//===----------------------------------------------------------------------===//

static bool isFree(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isa<RankedTensorType>(value.getType()) && isFreelyLaidOut(op);
}

/// Elementwise in the sense of the trait: arith and math ops on tensors.
static bool hasElementwiseTrait(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1;
}

bool KernelBuilder::isElementwise(Operation *op) {
  if (hasElementwiseTrait(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumReductionLoops() != 0 ||
      linalgOp.hasIndexSemantics())
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
    if (!linalgOp.isDpsInit(&operand)) {
      if (!map.isProjectedPermutation())
        return false;
    } else if (!map.isIdentity() ||
               linalgOp.payloadUsesValueFromOperand(&operand)) {
      return false;
    }
  }
  return true;
}

static ArrayRef<int64_t> getShape(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}

/// The map by which `operand` is read in the loop nest over its op's results.
static AffineMap getReadMap(OpOperand &operand) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner()))
    return linalgOp.getMatchingIndexingMap(&operand);
  return AffineMap::getMultiDimIdentityMap(getShape(operand.getOwner()).size(),
                                           operand.getOwner()->getContext());
}

/// True for operands whose values an elementwise op reads.
static bool isRead(OpOperand &operand) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return !linalgOp || !linalgOp.isDpsInit(&operand);
}

bool KernelBuilder::canJoin(ArrayRef<Operation *> group, Operation *op) {
  if (group.empty())
    return true;
  if (getShape(group.front()) != getShape(op))
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (isRead(operand) &&
        llvm::is_contained(group, operand.get().getDefiningOp()) &&
        !getReadMap(operand).isIdentity())
      return false; // needs elements that another iteration makes
  return true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static MemRefType getBufferType(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

func::FuncOp KernelBuilder::startFunction(Location loc, ArrayRef<Value> inputs,
                                          ArrayRef<Value> outputs) {
  SmallVector<Type> types;
  for (Value value : llvm::concat<const Value>(inputs, outputs))
    types.push_back(getBufferType(value));
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto func =
      func::FuncOp::create(builder, loc, ("kernel" + Twine(known.size())).str(),
                           builder.getFunctionType(types, {}));
  for (unsigned i = 0; i < types.size(); ++i)
    func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                    builder.getUnitAttr());
  func.addEntryBlock();
  return func;
}

SymbolRefAttr KernelBuilder::finish(func::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockEnd(&func.getBody().front());
  func::ReturnOp::create(builder, func.getLoc());
  std::string name = func.getName().str();
  func.setName("kernel");
  std::string text;
  llvm::raw_string_ostream(text) << func;
  func.setName(name);
  auto [it, isNew] = known.try_emplace(text);
  if (isNew)
    it->second =
        SymbolRefAttr::get(builder.getStringAttr(kKernelModuleName),
                           FlatSymbolRefAttr::get(builder.getContext(), name));
  else
    func.erase();
  return it->second;
}

/// Makes the scalar `value`, a constant of the program, anew at `builder`.
/// Fails on scalars that the program computes.
static FailureOr<Value> cloneScalar(OpBuilder &builder, Value value,
                                    Operation *user) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return user->emitOpError()
           << "uses a scalar that is not a constant; this is not compiled yet";
  return builder.clone(*constant)->getResult(0);
}

/// The one element that a freely laid out tensor repeats; zero for an empty
/// tensor, whose contents nobody may rely on.
static FailureOr<Value> makeElement(OpBuilder &builder, Value value,
                                    Operation *user) {
  Operation *op = value.getDefiningOp();
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return cloneScalar(builder, fill.getInputs()[0], user);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return cloneScalar(builder, splat.getInput(), user);
  TypedAttr attr = cast<TypedAttr>(builder.getZeroAttr(type));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    attr = cast<TypedAttr>(cast<SplatElementsAttr>(constant.getValue())
                               .getSplatValue<Attribute>());
  return arith::ConstantOp::create(builder, value.getLoc(), attr).getResult();
}

//===----------------------------------------------------------------------===//
// Elementwise groups
//===----------------------------------------------------------------------===//

namespace {

/// The loop nest of a group: what it reads, and the body that computes it.
class ElementwiseLoop {
public:
  explicit ElementwiseLoop(ArrayRef<Operation *> group) : group(group) {
    collectReads();
    collectResults();
  }
  LogicalResult build(func::FuncOp func);

  SmallVector<Value> inputs, results;

private:
  void collectReads();
  void collectResults();
  LogicalResult buildBody(OpBuilder &outer, OpBuilder &body, Block *block);
  FailureOr<Value> getScalar(OpBuilder &outer, OpOperand &operand,
                             Block *block);
  LogicalResult emit(OpBuilder &outer, OpBuilder &body, Operation *op,
                     Block *block);

  ArrayRef<Operation *> group;
  /// Each way in which an input is read: its position and map.
  SmallVector<std::pair<unsigned, AffineMap>> reads;
  /// Tensors that the group computes -> their current element.
  DenseMap<Value, Value> elements;
};

} // namespace

void ElementwiseLoop::collectReads() {
  DenseMap<Value, unsigned> positions;
  llvm::SmallDenseSet<std::pair<unsigned, AffineMap>> seen;
  for (Operation *op : group)
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!isRead(operand) || isFree(value) ||
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
    return cloneScalar(outer, value, operand.getOwner());
  if (isFree(value))
    return makeElement(outer, value, operand.getOwner());
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
    Block *payload = linalgOp.getBlock();
    for (auto [argument, operand] :
         llvm::zip_equal(payload->getArguments(), operands))
      if (operand)
        mapping.map(argument, operand);
    for (Operation &inner : payload->without_terminator()) {
      for (Value used : inner.getOperands())
        if (used.getParentBlock() != payload && !mapping.contains(used)) {
          FailureOr<Value> scalar = cloneScalar(outer, used, op);
          if (failed(scalar))
            return failure();
          mapping.map(used, *scalar);
        }
      body.clone(inner, mapping);
    }
    for (auto [result, yielded] : llvm::zip_equal(
             op->getResults(), payload->getTerminator()->getOperands())) {
      Value element = mapping.lookupOrDefault(yielded);
      if (element.getParentBlock() != block &&
          element.getParentRegion() != outer.getInsertionBlock()->getParent()) {
        FailureOr<Value> scalar = cloneScalar(outer, element, op);
        if (failed(scalar))
          return failure();
        element = *scalar;
      }
      elements[result] = element;
    }
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

LogicalResult ElementwiseLoop::build(func::FuncOp func) {
  Location loc = func.getLoc();
  MLIRContext *context = func.getContext();
  unsigned rank = getShape(group.front()).size();
  SmallVector<Value> sources, targets;
  SmallVector<AffineMap> maps;
  for (auto [position, map] : reads) {
    sources.push_back(func.getArgument(position));
    maps.push_back(map);
  }
  for (unsigned i = 0; i < results.size(); ++i) {
    targets.push_back(func.getArgument(inputs.size() + i));
    maps.push_back(AffineMap::getMultiDimIdentityMap(rank, context));
  }
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  OpBuilder builder = OpBuilder::atBlockEnd(&func.getBody().front());
  LogicalResult built = success();
  auto generic = linalg::GenericOp::create(builder, loc, TypeRange(), sources,
                                           targets, maps, iterators);
  // Constants go before the loop nest, the rest into its body.
  OpBuilder outer(generic);
  Block *block = new Block();
  generic.getRegion().push_back(block);
  for (Value operand : llvm::concat<Value>(sources, targets))
    block->addArgument(cast<MemRefType>(operand.getType()).getElementType(),
                       loc);
  OpBuilder body = OpBuilder::atBlockEnd(block);
  built = buildBody(outer, body, block);
  return built;
}

FailureOr<Kernel> KernelBuilder::buildElementwise(ArrayRef<Operation *> group) {
  ElementwiseLoop loop(group);
  Kernel kernel{{}, loop.inputs, loop.results};
  if (loop.results.empty())
    return kernel; // nobody uses what the group computes
  func::FuncOp func =
      startFunction(group.front()->getLoc(), loop.inputs, loop.results);
  if (failed(loop.build(func)))
    return failure();
  kernel.symbol = finish(func);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Single ops
//===----------------------------------------------------------------------===//

FailureOr<Kernel> KernelBuilder::buildStructured(Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  Kernel kernel;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) &&
        !isFree(operand.get()) &&
        (!linalgOp.isDpsInit(&operand) ||
         linalgOp.payloadUsesValueFromOperand(&operand)) &&
        !llvm::is_contained(kernel.inputs, operand.get()))
      kernel.inputs.push_back(operand.get());
  llvm::append_range(kernel.results, op->getResults());
  func::FuncOp func =
      startFunction(op->getLoc(), kernel.inputs, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&func.getBody().front());

  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    unsigned position =
        llvm::find(kernel.inputs, value) - kernel.inputs.begin();
    if (!isa<RankedTensorType>(value.getType())) {
      FailureOr<Value> scalar = cloneScalar(builder, value, op);
      if (failed(scalar))
        return failure();
      operands.push_back(*scalar);
    } else if (!linalgOp.isDpsInit(&operand)) {
      if (isFree(value))
        return op->emitOpError() << "reads a constant tensor in a reduction; "
                                    "this is not compiled yet";
      operands.push_back(func.getArgument(position));
    } else {
      unsigned index = operand.getOperandNumber() - linalgOp.getNumDpsInputs() +
                       kernel.inputs.size();
      Value target = func.getArgument(index);
      operands.push_back(target);
      if (!linalgOp.payloadUsesValueFromOperand(&operand))
        continue;
      if (!isFree(value)) {
        linalg::CopyOp::create(builder, op->getLoc(),
                               ValueRange(func.getArgument(position)),
                               ValueRange(target));
        continue;
      }
      FailureOr<Value> element = makeElement(builder, value, op);
      if (failed(element))
        return failure();
      linalg::FillOp::create(builder, op->getLoc(), ValueRange(*element),
                             ValueRange(target));
    }
  }
  clone(builder, op, TypeRange(), operands);
  kernel.symbol = finish(func);
  return kernel;
}

Kernel KernelBuilder::buildSlice(tensor::ExtractSliceOp slice) {
  Kernel kernel{{}, {slice.getSource()}, {slice.getResult()}};
  func::FuncOp func =
      startFunction(slice.getLoc(), kernel.inputs, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&func.getBody().front());
  auto source = cast<MemRefType>(func.getArgument(0).getType());
  MemRefType part = memref::SubViewOp::inferRankReducedResultType(
      slice.getType().getShape(), source, slice.getStaticOffsets(),
      slice.getStaticSizes(), slice.getStaticStrides());
  auto toAttrs = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  Value view = memref::SubViewOp::create(
      builder, slice.getLoc(), part, func.getArgument(0),
      toAttrs(slice.getStaticOffsets()), toAttrs(slice.getStaticSizes()),
      toAttrs(slice.getStaticStrides()));
  linalg::CopyOp::create(builder, slice.getLoc(), ValueRange(view),
                         ValueRange(func.getArgument(1)));
  kernel.symbol = finish(func);
  return kernel;
}

FailureOr<Kernel> KernelBuilder::buildFill(Value value) {
  Kernel kernel;
  kernel.results.push_back(value);
  func::FuncOp func = startFunction(value.getLoc(), {}, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&func.getBody().front());
  FailureOr<Value> element = makeElement(builder, value, value.getDefiningOp());
  if (failed(element))
    return failure();
  linalg::FillOp::create(builder, value.getLoc(), ValueRange(*element),
                         ValueRange(func.getArgument(0)));
  kernel.symbol = finish(func);
  return kernel;
}
