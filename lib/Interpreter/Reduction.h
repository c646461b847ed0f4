// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reduce ops do with scalars, for collectives and structured ops.
#ifndef DTENSOR_LIB_INTERPRETER_REDUCTION_H
#define DTENSOR_LIB_INTERPRETER_REDUCTION_H

#include "Element.h"

#include "dtensor/Planner/Layout.h"

namespace mlir::dtensor::interp {

/// The value that does not change others.
Scalar getIdentity(::dtensor::ReduceOp op, ElementFormat format);

/// a op b, sums and products unrounded.
Scalar combine(::dtensor::ReduceOp op, ElementFormat format, Scalar a,
               Scalar b);

/// Contributing the same value any number of times gives the value back.
bool isIdempotent(::dtensor::ReduceOp op);

/// The format in which the ordered reduction adds: f32 for the small floats,
/// and f64 for averages of f32.
ElementFormat getAccumulator(::dtensor::ReduceOp op, ElementFormat format);

} // namespace mlir::dtensor::interp

#endif // DTENSOR_LIB_INTERPRETER_REDUCTION_H
