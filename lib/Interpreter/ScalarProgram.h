// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The region of a structured op as a list of scalar instructions over
// numbered registers, so that an iteration does not look at the IR.
#ifndef DTENSOR_LIB_INTERPRETER_SCALARPROGRAM_H
#define DTENSOR_LIB_INTERPRETER_SCALARPROGRAM_H

#include "ScalarOps.h"
#include "Tensor.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::dtensor::interp {

/// Gives the value of an SSA value that is known; null for others.
using Lookup = llvm::function_ref<TensorRef(Value)>;

class ScalarProgram {
public:
  /// Translates `block`. Values from outside are taken from `lookup` now.
  /// Fails with a diagnostic on ops that are not scalar.
  static FailureOr<ScalarProgram> compile(Block &block, Lookup lookup);

  /// Leaves the result number `index` unrounded: it is the running value of a
  /// reduction, rounded once at its end. Only where the body does nothing
  /// with argument number `argument` but combine it into that result.
  void keepWideIfReduction(unsigned index, unsigned argument);

  void setArgument(unsigned index, Scalar value) { registers[index] = value; }
  Scalar result(unsigned index) const { return registers[results[index]]; }
  /// True where the body reads the argument.
  bool readsArgument(unsigned index) const;

  /// Runs the body at a point of the iteration space. Fails with a diagnostic
  /// where an op has no result there.
  LogicalResult run(ArrayRef<int64_t> indices) {
    for (Instruction &instruction : instructions)
      if (!step(instruction, indices))
        return report(instruction, indices);
    return success();
  }

private:
  enum class Kind : uint8_t { Compute, Index, Extract };
  struct Instruction {
    Operation *op = nullptr;
    Kind kind = Kind::Compute;
    ScalarCode code;
    int64_t dim = 0;  ///< Index
    TensorRef tensor; ///< Extract
    SmallVector<unsigned, 3> operands;
    unsigned result = 0;
  };

  LogicalResult add(Operation &op, Lookup lookup);
  FailureOr<unsigned> getRegister(Value value, Operation *user, Lookup lookup);
  bool step(Instruction &instruction, ArrayRef<int64_t> indices);
  LogicalResult report(Instruction &instruction, ArrayRef<int64_t> indices);

  llvm::DenseMap<Value, unsigned> numbers;
  std::vector<Scalar> registers; ///< the block's arguments first
  std::vector<Instruction> instructions;
  SmallVector<unsigned, 2> results;
};

} // namespace mlir::dtensor::interp

#endif // DTENSOR_LIB_INTERPRETER_SCALARPROGRAM_H
