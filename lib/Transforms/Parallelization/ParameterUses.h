// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program does with a parameter: which of its dimensions a matrix
// product keeps and sums over, and which activations it is applied to.
#ifndef DTENSOR_LIB_TRANSFORMS_PARALLELIZATION_PARAMETERUSES_H
#define DTENSOR_LIB_TRANSFORMS_PARALLELIZATION_PARAMETERUSES_H

#include "dtensor/Interfaces/ShardingRule.h"

namespace mlir::dtensor {

/// Dimensions of a parameter by what its first product does with them.
struct ProductDims {
  Operation *product = nullptr;
  SmallVector<int64_t> kept, summed;
};

/// Finds the first product, in program order, that `parameter` is an operand
/// of, directly or through ops that only move or convert it. (A backward pass
/// uses it the other way round, after the forward pass.)
ProductDims findProduct(BlockArgument parameter);

/// An op that applies a parameter to an activation, element by element.
struct Application {
  Operation *op = nullptr;
  /// Operand and result that have the dimensions below.
  unsigned activation = 0, result = 0;
  /// The last dimension, of the activation and of the result, that the
  /// parameter has no part in: the sequence of [batch, sequence, hidden].
  int64_t activationDim = 0, resultDim = 0;
};

/// Finds the applications of `parameter`, in program order, directly or through
/// ops that only move, convert or broadcast it.
SmallVector<Application> findApplications(BlockArgument parameter);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PARALLELIZATION_PARAMETERUSES_H
