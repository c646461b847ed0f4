// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes kernel functions out of local tensor ops.

#include "KernelBuilder.h"

#include "dtensor/Interfaces/ShardingRule.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

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
  if (getShape(group.front()) != getShape(op) ||
      extents->get(group.front()->getResult(0)) !=
          extents->get(op->getResult(0)))
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

/// The flat form of a buffer whose shape differs by rank.
static MemRefType getFlatType(Type element, ArrayRef<int64_t> bounds) {
  int64_t elements = 1;
  for (int64_t bound : bounds)
    elements *= bound;
  return MemRefType::get({elements}, element);
}

KernelFunction KernelBuilder::startFunction(Location loc,
                                            ArrayRef<Value> inputs,
                                            ArrayRef<Value> outputs) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Value> values(inputs);
  llvm::append_range(values, outputs);
  SmallVector<Type> types;
  llvm::SetVector<Attribute> varying;
  for (Value value : values) {
    auto type = cast<RankedTensorType>(value.getType());
    types.push_back(
        type.hasStaticShape()
            ? MemRefType::get(type.getShape(), type.getElementType())
            : getFlatType(type.getElementType(), extents->getBounds(value)));
    if (!type.hasStaticShape())
      for (Attribute extent : extents->get(value))
        if (isa<sched::ExtentAttr>(extent))
          varying.insert(extent);
  }
  types.append(varying.size(), builder.getIndexType());
  KernelFunction result;
  result.func =
      func::FuncOp::create(builder, loc, ("kernel" + Twine(known.size())).str(),
                           builder.getFunctionType(types, {}));
  for (unsigned i = 0; i < values.size(); ++i)
    result.func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                           builder.getUnitAttr());
  Block *body = result.func.addEntryBlock();
  for (auto [index, extent] : llvm::enumerate(varying))
    result.extents.emplace_back(extent,
                                body->getArgument(values.size() + index));
  builder.setInsertionPointToStart(body);
  for (auto [value, argument] : llvm::zip(values, body->getArguments()))
    result.buffers.push_back(shapeBuffer(builder, value, argument, result));
  return result;
}

Value KernelBuilder::shapeBuffer(OpBuilder &builder, Value value,
                                 Value argument,
                                 const KernelFunction &function) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.hasStaticShape())
    return argument;
  Location loc = value.getLoc();
  SmallVector<OpFoldResult> sizes;
  for (Attribute extent : extents->get(value)) {
    auto known = llvm::find_if(function.extents, [&](const auto &entry) {
      return entry.first == extent;
    });
    if (known != function.extents.end())
      sizes.push_back(known->second);
    else
      sizes.push_back(builder.getIndexAttr(cast<IntegerAttr>(extent).getInt()));
  }
  // Dense, row-major.
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = builder.getIndexAttr(1);
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    std::optional<int64_t> step = getConstantIntValue(stride);
    if (size && step)
      stride = builder.getIndexAttr(*size * *step);
    else
      stride = OpFoldResult(arith::MulIOp::create(
          builder, loc, getValueOrCreateConstantIndexOp(builder, loc, stride),
          getValueOrCreateConstantIndexOp(builder, loc, sizes[dim])));
  }
  return memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      argument, builder.getIndexAttr(0), sizes, strides);
}

void KernelBuilder::finish(KernelFunction &function, Kernel &kernel) {
  func::FuncOp func = function.func;
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
  kernel.symbol = it->second;
  for (const auto &[extent, argument] : function.extents)
    kernel.extents.push_back(extent);
}

Value KernelFunction::bring(Attribute number) {
  for (const auto &[known, argument] : extents)
    if (known == number)
      return argument;
  unsigned position = func.getNumArguments();
  // Refused only where the function's type has no room for it; func.func's has.
  (void)func.insertArgument(position, IndexType::get(func.getContext()),
                            DictionaryAttr(), func.getLoc());
  Value argument = func.getArgument(position);
  extents.emplace_back(number, argument);
  return argument;
}

/// What a rank knows of itself: an integer where all ranks know the same. Null
/// for other ops.
static Attribute getRankNumber(Operation *op) {
  if (auto extent = dyn_cast<comm::LocalExtentOp>(op))
    return getLocalExtent(extent);
  if (auto index = dyn_cast<comm::AxisIndexOp>(op))
    return sched::AxisIndexAttr::get(op->getContext(), index.getAxesAttr());
  return {};
}

/// True for arithmetic on scalars that a kernel can do again.
static bool isScalarArithmetic(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         hasNoTensors(op) && op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

/// Makes the scalar `value` anew at `builder`: a constant of the program, what
/// a rank knows of itself, and what arithmetic makes of these. Fails on other
/// scalars.
static FailureOr<Value> cloneScalar(OpBuilder &builder,
                                    KernelFunction &function, Value value,
                                    Operation *user) {
  llvm::SetVector<Operation *> needed;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || (!getRankNumber(op) && !isScalarArithmetic(op)))
      return user->emitOpError() << "uses a scalar that is not a constant; "
                                    "this is not compiled yet";
    if (needed.insert(op))
      llvm::append_range(pending, op->getOperands());
  }
  SmallVector<Operation *> order = needed.takeVector();
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  IRMapping mapping;
  for (Operation *op : order) {
    Attribute number = getRankNumber(op);
    if (!number)
      builder.clone(*op, mapping);
    else if (auto fixed = dyn_cast<IntegerAttr>(number))
      mapping.map(op->getResult(0), arith::ConstantIndexOp::create(
                                        builder, op->getLoc(), fixed.getInt())
                                        .getResult());
    else
      mapping.map(op->getResult(0), function.bring(number));
  }
  return mapping.lookup(value);
}

/// The one element that a freely laid out tensor repeats; zero for an empty
/// tensor, whose contents nobody may rely on.
static FailureOr<Value> makeElement(OpBuilder &builder,
                                    KernelFunction &function, Value value,
                                    Operation *user) {
  Operation *op = value.getDefiningOp();
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return cloneScalar(builder, function, fill.getInputs()[0], user);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return cloneScalar(builder, function, splat.getInput(), user);
  TypedAttr attr = cast<TypedAttr>(builder.getZeroAttr(type));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    attr = cast<TypedAttr>(cast<SplatElementsAttr>(constant.getValue())
                               .getSplatValue<Attribute>());
  return arith::ConstantOp::create(builder, value.getLoc(), attr).getResult();
}

/// Clones what the region of `op` uses of its surroundings, scalars only, to
/// `builder`.
static LogicalResult cloneCaptured(OpBuilder &builder, KernelFunction &function,
                                   Operation *op, IRMapping &mapping) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured) {
    FailureOr<Value> scalar = cloneScalar(builder, function, value, op);
    if (failed(scalar))
      return failure();
    mapping.map(value, *scalar);
  }
  return success();
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
  LogicalResult build(KernelFunction &function);

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
  KernelFunction *function = nullptr; ///< while it is built
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
    return cloneScalar(outer, *function, value, operand.getOwner());
  if (isFree(value))
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
  unsigned rank = getShape(group.front()).size();
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

FailureOr<Kernel> KernelBuilder::buildElementwise(ArrayRef<Operation *> group) {
  ElementwiseLoop loop(group);
  Kernel kernel{{}, loop.inputs, loop.results, {}};
  if (loop.results.empty())
    return kernel; // nobody uses what the group computes
  KernelFunction function =
      startFunction(group.front()->getLoc(), loop.inputs, loop.results);
  if (failed(loop.build(function)))
    return failure();
  finish(function, kernel);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Single ops
//===----------------------------------------------------------------------===//

/// The operands of `op` as buffers and scalars of its kernel; destinations that
/// are read hold their start value.
static LogicalResult makeOperands(OpBuilder &builder, linalg::LinalgOp op,
                                  const Kernel &kernel,
                                  KernelFunction &function,
                                  SmallVectorImpl<Value> &operands) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    unsigned position =
        llvm::find(kernel.inputs, value) - kernel.inputs.begin();
    if (!isa<RankedTensorType>(value.getType())) {
      FailureOr<Value> scalar = cloneScalar(builder, function, value, op);
      if (failed(scalar))
        return failure();
      operands.push_back(*scalar);
      continue;
    }
    if (!op.isDpsInit(&operand)) {
      operands.push_back(function.buffers[position]);
      continue;
    }
    Value target =
        function.buffers[operand.getOperandNumber() - op.getNumDpsInputs() +
                         kernel.inputs.size()];
    operands.push_back(target);
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    if (!isFree(value)) {
      linalg::CopyOp::create(builder, op->getLoc(),
                             ValueRange(function.buffers[position]),
                             ValueRange(target));
      continue;
    }
    FailureOr<Value> element = makeElement(builder, function, value, op);
    if (failed(element))
      return failure();
    linalg::FillOp::create(builder, op->getLoc(), ValueRange(*element),
                           ValueRange(target));
  }
  return success();
}

FailureOr<Kernel> KernelBuilder::buildStructured(Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  Kernel kernel;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = linalgOp.isDpsInit(&operand);
    // A start value that any layout suits is made in the kernel.
    bool isMade = isInit && (isFree(operand.get()) ||
                             !linalgOp.payloadUsesValueFromOperand(&operand));
    if (isa<RankedTensorType>(operand.get().getType()) && !isMade &&
        !llvm::is_contained(kernel.inputs, operand.get()))
      kernel.inputs.push_back(operand.get());
  }
  llvm::append_range(kernel.results, op->getResults());
  KernelFunction function =
      startFunction(op->getLoc(), kernel.inputs, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  SmallVector<Value> operands;
  IRMapping mapping;
  if (failed(makeOperands(builder, linalgOp, kernel, function, operands)) ||
      failed(cloneCaptured(builder, function, op, mapping)))
    return failure();
  Operation *made = clone(builder, op, TypeRange(), operands);
  for (auto [captured, scalar] : mapping.getValueMap())
    replaceAllUsesInRegionWith(captured, scalar, made->getRegion(0));
  finish(function, kernel);
  return kernel;
}

FailureOr<Kernel> KernelBuilder::buildSlice(tensor::ExtractSliceOp slice) {
  Kernel kernel{{}, {slice.getSource()}, {slice.getResult()}, {}};
  KernelFunction function =
      startFunction(slice.getLoc(), kernel.inputs, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  // Only sizes vary, and those are extents that the kernel gets.
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(slice.getStaticSizes())) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(builder.getIndexAttr(size));
      continue;
    }
    Attribute extent = extents->get(slice.getSource())[dim];
    sizes.push_back(llvm::find_if(function.extents, [&](const auto &entry) {
                      return entry.first == extent;
                    })->second);
  }
  auto toAttrs = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  SmallVector<OpFoldResult> offsets = toAttrs(slice.getStaticOffsets());
  SmallVector<OpFoldResult> strides = toAttrs(slice.getStaticStrides());
  MemRefType part = memref::SubViewOp::inferRankReducedResultType(
      slice.getType().getShape(),
      cast<MemRefType>(function.buffers[0].getType()), offsets, sizes, strides);
  Value view =
      memref::SubViewOp::create(builder, slice.getLoc(), part,
                                function.buffers[0], offsets, sizes, strides);
  linalg::CopyOp::create(builder, slice.getLoc(), ValueRange(view),
                         ValueRange(function.buffers[1]));
  finish(function, kernel);
  return kernel;
}

FailureOr<Kernel> KernelBuilder::buildFill(Value value) {
  Kernel kernel;
  kernel.results.push_back(value);
  KernelFunction function = startFunction(value.getLoc(), {}, kernel.results);
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  FailureOr<Value> element =
      makeElement(builder, function, value, value.getDefiningOp());
  if (failed(element))
    return failure();
  linalg::FillOp::create(builder, value.getLoc(), ValueRange(*element),
                         ValueRange(function.buffers[0]));
  finish(function, kernel);
  return kernel;
}
