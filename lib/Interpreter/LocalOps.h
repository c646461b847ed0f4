// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that one rank evaluates on its own, by dialect.
#ifndef DTENSOR_LIB_INTERPRETER_LOCALOPS_H
#define DTENSOR_LIB_INTERPRETER_LOCALOPS_H

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::dtensor::interp {

/// One op on one rank: operands in, results out. The types of the results are
/// checked (checkType) before.
struct LocalOp {
  Operation *op;
  ArrayRef<TensorRef> operands;
  Lookup lookup; ///< for values that regions capture
  SmallVectorImpl<TensorRef> &results;
};

/// Evaluates any op that needs no other rank, but calls. Fails with a
/// diagnostic at the op.
LogicalResult evaluateLocalOp(const LocalOp &local);

/// linalg ops: StructuredOps.cpp walks the iteration space; Contraction.cpp
/// answers true where `op` is a sum of products and it has added that to
/// `result`, not rounded yet.
LogicalResult evaluateStructuredOp(linalg::LinalgOp op, const LocalOp &local);
/// Lines of exp(x - largest) over their sum, in f64.
LogicalResult evaluateSoftmax(linalg::SoftmaxOp op, const LocalOp &local);
bool evaluateContraction(linalg::LinalgOp op, ArrayRef<int64_t> ranges,
                         ArrayRef<TensorRef> operands, Tensor &result);

/// tensor ops (TensorOps.cpp); none where it is not one that is known.
std::optional<LogicalResult> evaluateTensorOp(const LocalOp &local);

/// Structured ops of the dtensor dialect (DTensorOps.cpp); false where it is
/// none.
bool evaluateDTensorOp(const LocalOp &local);

/// Factories of the dtensor dialect (FactoryOps.cpp); none where it is none.
std::optional<LogicalResult> evaluateFactory(const LocalOp &local);

/// Constants: dense, splat, resources and scalars.
FailureOr<TensorRef> evaluateConstant(arith::ConstantOp op);

/// The diagnostic of ops without an implementation.
LogicalResult emitNotImplemented(Operation *op);

} // namespace mlir::dtensor::interp

#endif // DTENSOR_LIB_INTERPRETER_LOCALOPS_H
