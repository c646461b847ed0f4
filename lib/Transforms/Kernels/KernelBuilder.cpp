// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes kernel functions out of local tensor ops.

#include "KernelBuilder.h"

#include "ElementwiseLoop.h"
#include "Scalars.h"
#include "StructuredLoops.h"

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

bool KernelBuilder::canJoin(ArrayRef<Operation *> group, Operation *op) {
  if (group.empty())
    return true;
  if (getLoopShape(group.front()) != getLoopShape(op) ||
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

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

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
    if (!isFreeTensor(value)) {
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
    bool isMade = isInit && (isFreeTensor(operand.get()) ||
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

/// True for the structured ops that start from what their destination holds.
static bool readsDestination(Operation *op) {
  return isa<ScatterOp, ReduceWindowOp>(op);
}

FailureOr<Kernel> KernelBuilder::buildLoops(DestinationStyleOpInterface op,
                                            Value scratch) {
  Kernel kernel;
  auto addInput = [&](Value value) {
    if (!llvm::is_contained(kernel.inputs, value))
      kernel.inputs.push_back(value);
  };
  for (Value input : op.getDpsInputs())
    addInput(input);
  for (Value init : op.getDpsInits())
    if (readsDestination(op) && !isFreeTensor(init))
      addInput(init);
  llvm::append_range(kernel.results, op->getResults());
  if (scratch)
    kernel.results.push_back(scratch);
  KernelFunction function =
      startFunction(op->getLoc(), kernel.inputs, kernel.results);
  auto bufferOf = [&](Value input) {
    return function
        .buffers[llvm::find(kernel.inputs, input) - kernel.inputs.begin()];
  };
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  SmallVector<Value> inputs = llvm::map_to_vector(op.getDpsInputs(), bufferOf);
  ArrayRef<Value> results =
      ArrayRef(function.buffers).drop_front(kernel.inputs.size());
  for (auto [init, result] : llvm::zip(op.getDpsInits(), results)) {
    if (!readsDestination(op))
      continue;
    if (!isFreeTensor(init)) {
      linalg::CopyOp::create(builder, op->getLoc(), ValueRange(bufferOf(init)),
                             ValueRange(result));
      continue;
    }
    FailureOr<Value> element = makeElement(builder, function, init, op);
    if (failed(element))
      return failure();
    linalg::FillOp::create(builder, op->getLoc(), ValueRange(*element),
                           ValueRange(result));
  }
  buildStructuredLoops(builder, op, inputs,
                       results.take_front(op->getNumResults()),
                       scratch ? results.back() : Value());
  finish(function, kernel);
  return kernel;
}

Kernel KernelBuilder::buildConstant(arith::ConstantOp op) {
  Kernel kernel{{}, {}, {op.getResult()}, {}};
  KernelFunction function =
      startFunction(op.getLoc(), kernel.inputs, kernel.results);
  auto type = cast<MemRefType>(function.buffers[0].getType());
  std::string name = (function.func.getName() + ".elements").str();
  OpBuilder outer(function.func);
  memref::GlobalOp::create(outer, op.getLoc(), name,
                           outer.getStringAttr("private"), type, op.getValue(),
                           /*constant=*/true, /*alignment=*/IntegerAttr());
  OpBuilder builder = OpBuilder::atBlockEnd(&function.func.getBody().front());
  Value elements =
      memref::GetGlobalOp::create(builder, op.getLoc(), type, name);
  linalg::CopyOp::create(builder, op.getLoc(), ValueRange(elements),
                         ValueRange(function.buffers[0]));
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
