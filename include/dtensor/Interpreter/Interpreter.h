// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plain interpreter of programs: the meaning of a program, computed without
// the compiler. It shares no kernel and no code generation with what runs.
#ifndef DTENSOR_INTERPRETER_INTERPRETER_H
#define DTENSOR_INTERPRETER_INTERPRETER_H

#include "dtensor/Planner/ElementType.h"
#include "dtrt/Tensor.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::dtensor {

/// An argument or result of a program, as its caller sees it: the global
/// tensor. A scalar has the shape [].
struct ProgramTensor {
  std::string name; ///< `dtensor.name`, may be empty
  ::dtensor::ElementType type = ::dtensor::ElementType::F32;
  std::vector<int64_t> shape;
};

struct ProgramSignature {
  std::vector<ProgramTensor> inputs, results;
};

/// The inputs and results of the function `entry` of `module`; empty stands
/// for `main`, else the only public function. Reports at the module or
/// function where there is none, or a type that no input can have.
FailureOr<ProgramSignature> getProgramSignature(ModuleOp module,
                                                llvm::StringRef entry);

/// Runs `entry` on global tensors and returns its global results.
///
/// Programs of the stages S0 to S2 are run as written, layouts change nothing.
/// Programs of S3 (local types, comm ops) are run on all ranks of their mesh in
/// lockstep, inputs are cut and results put together as their
/// `dtensor.layout` says; replicas that differ are a failure.
///
/// Every op's result is rounded once to its type. The running sum (product) of
/// a float reduction is f64, in loop order, rounded once when the op ends.
/// Integers wrap around. comm reductions add in rank order, as the runtime
/// documents (f16 and bf16 in f32, rounded once).
///
/// Fails with a diagnostic at the op that has no implementation or no result.
FailureOr<std::vector<dtrt::GlobalTensor>>
interpretProgram(ModuleOp module, llvm::StringRef entry,
                 llvm::ArrayRef<dtrt::GlobalTensor> inputs);

} // namespace mlir::dtensor

#endif // DTENSOR_INTERPRETER_INTERPRETER_H
