// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on scalars: what each arith and math op does with its operands.
#ifndef DTENSOR_LIB_INTERPRETER_SCALAROPS_H
#define DTENSOR_LIB_INTERPRETER_SCALAROPS_H

#include "Element.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <utility>

namespace mlir::dtensor::interp {

struct ScalarCode;

/// Computes from `operands`, not rounded yet. May set `code.fault`.
using ScalarFunction = Scalar (*)(const Scalar *operands, ScalarCode &code);

/// One scalar operation, ready to run.
struct ScalarCode {
  ScalarFunction function = nullptr;
  ElementFormat operand; ///< of the first operand
  ElementFormat result;
  int64_t immediate = 0; ///< predicate of a comparison
  /// False for the sum of a reduction, which is rounded at its end.
  bool rounds = true;
  /// Set where the operation has no result, as when it divides by zero.
  const char *fault = nullptr;

  Scalar run(const Scalar *operands) {
    Scalar value = function(operands, *this);
    return rounds ? result.round(value) : value;
  }
};

/// A row of a table of operations.
using ScalarRow = std::pair<llvm::StringLiteral, ScalarFunction>;

/// The arith ops (ArithOps.cpp) and the math ops (MathOps.cpp).
ArrayRef<ScalarRow> getArithRows();
ArrayRef<ScalarRow> getMathRows();

/// The code of `op`, an arith or math op on scalars or elementwise on tensors;
/// none for other ops.
std::optional<ScalarCode> getScalarCode(Operation *op);

} // namespace mlir::dtensor::interp

#endif // DTENSOR_LIB_INTERPRETER_SCALAROPS_H
