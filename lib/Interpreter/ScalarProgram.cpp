// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translating and running the regions of structured ops.

#include "ScalarProgram.h"

#include "LocalOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor::interp;

/// The op with the most operands is a select or an fma; an extract has as many
/// as its tensor has dimensions.
static constexpr unsigned kMaxOperands = 16;

FailureOr<ScalarProgram> ScalarProgram::compile(Block &block, Lookup lookup) {
  ScalarProgram program;
  for (BlockArgument argument : block.getArguments()) {
    program.numbers[argument] = program.registers.size();
    program.registers.push_back(fromInt(0));
  }
  for (Operation &op : block.without_terminator())
    if (failed(program.add(op, lookup)))
      return failure();
  Operation *terminator = block.getTerminator();
  for (Value value : terminator->getOperands()) {
    FailureOr<unsigned> number = program.getRegister(value, terminator, lookup);
    if (failed(number))
      return failure();
    program.results.push_back(*number);
  }
  return program;
}

FailureOr<unsigned> ScalarProgram::getRegister(Value value, Operation *user,
                                               Lookup lookup) {
  auto known = numbers.find(value);
  if (known != numbers.end())
    return known->second;
  TensorRef outer = lookup(value);
  if (!outer || !outer->shape.empty())
    return user->emitOpError()
           << "uses a value of type " << value.getType()
           << " that is no scalar of the program; the interpreter needs one";
  numbers[value] = registers.size();
  registers.push_back(outer->data[0]);
  return numbers[value];
}

LogicalResult ScalarProgram::add(Operation &op, Lookup lookup) {
  Instruction instruction;
  instruction.op = &op;
  ValueRange operands = op.getOperands();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    FailureOr<TensorRef> value = evaluateConstant(constant);
    if (failed(value))
      return failure();
    numbers[constant.getResult()] = registers.size();
    registers.push_back((*value)->data[0]);
    return success();
  }
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    instruction.kind = Kind::Index;
    instruction.dim = index.getDim();
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    instruction.kind = Kind::Extract;
    instruction.tensor = lookup(extract.getTensor());
    operands = extract.getIndices();
    if (!instruction.tensor)
      return op.emitOpError() << "reads a tensor that its own region makes, "
                                 "which the interpreter cannot do";
  } else if (std::optional<ScalarCode> code = getScalarCode(&op)) {
    std::string problem = checkType(op.getResult(0).getType());
    if (!problem.empty())
      return op.emitOpError() << problem;
    instruction.code = *code;
  } else {
    return emitNotImplemented(&op);
  }
  if (operands.size() > kMaxOperands)
    return op.emitOpError()
           << "has " << operands.size()
           << " operands, the interpreter takes at most " << kMaxOperands;
  for (Value operand : operands) {
    FailureOr<unsigned> number = getRegister(operand, &op, lookup);
    if (failed(number))
      return failure();
    instruction.operands.push_back(*number);
  }
  instruction.result = registers.size();
  numbers[op.getResult(0)] = instruction.result;
  registers.push_back(fromInt(0));
  instructions.push_back(std::move(instruction));
  return success();
}

/// True for ops that make one running value out of many.
static bool isAccumulation(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name == "arith.addf" || name == "arith.mulf" || name == "arith.subf" ||
         name == "math.fma";
}

void ScalarProgram::keepWideIfReduction(unsigned index, unsigned argument) {
  Instruction *last = nullptr;
  unsigned uses = 0;
  for (Instruction &instruction : instructions) {
    if (instruction.result == results[index])
      last = &instruction;
    uses += llvm::count(instruction.operands, argument);
  }
  unsigned resultUses = llvm::count(results, results[index]);
  if (!last || uses != 1 || resultUses != 1 || !isAccumulation(last->op) ||
      !llvm::is_contained(last->operands, argument))
    return;
  for (const Instruction &instruction : instructions)
    if (llvm::is_contained(instruction.operands, last->result))
      return;
  last->code.rounds = false;
}

bool ScalarProgram::readsArgument(unsigned index) const {
  if (llvm::is_contained(results, index))
    return true;
  return llvm::any_of(instructions, [&](const Instruction &instruction) {
    return llvm::is_contained(instruction.operands, index);
  });
}

bool ScalarProgram::step(Instruction &instruction, ArrayRef<int64_t> indices) {
  if (instruction.kind == Kind::Index) {
    registers[instruction.result] = fromInt(indices[instruction.dim]);
    return true;
  }
  Scalar operands[kMaxOperands];
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    operands[i] = registers[instruction.operands[i]];
  if (instruction.kind == Kind::Compute) {
    registers[instruction.result] = instruction.code.run(operands);
    return !instruction.code.fault;
  }
  const Tensor &tensor = *instruction.tensor;
  int64_t position = 0;
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    if (operands[d].i < 0 || operands[d].i >= tensor.shape[d])
      return false;
    position = position * tensor.shape[d] + operands[d].i;
  }
  registers[instruction.result] = tensor.data[position];
  return true;
}

LogicalResult ScalarProgram::report(Instruction &instruction,
                                    ArrayRef<int64_t> indices) {
  InFlightDiagnostic diagnostic = instruction.op->emitOpError();
  if (instruction.kind == Kind::Extract) {
    diagnostic << "reads element [";
    llvm::interleaveComma(
        instruction.operands, diagnostic,
        [&](unsigned number) { diagnostic << registers[number].i; });
    diagnostic << "] of a tensor of shape [";
    llvm::interleaveComma(instruction.tensor->shape, diagnostic);
    diagnostic << ']';
  } else {
    diagnostic << instruction.code.fault;
  }
  diagnostic << " at iteration [";
  llvm::interleaveComma(indices, diagnostic);
  return diagnostic << ']';
}
