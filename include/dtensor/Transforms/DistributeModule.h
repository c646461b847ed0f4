// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of a program's parameters, inputs and outputs by callbacks: what
// dtensor.parallelize_plan says with patterns, for embedders who decide in C++.
#ifndef DTENSOR_TRANSFORMS_DISTRIBUTEMODULE_H
#define DTENSOR_TRANSFORMS_DISTRIBUTEMODULE_H

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace mlir::dtensor {

/// What decides. Each is called once per argument or result of the module's
/// public functions, in their order, and may be null.
struct DistributeCallbacks {
  /// The layout of the parameter (an argument with `dtensor.name`) called
  /// `name`; none replicates it.
  std::function<std::optional<planner::Layout>(
      StringRef name, RankedTensorType type, const planner::Mesh &mesh)>
      partition;
  /// The layout of argument `index`, which has no name; none leaves it to
  /// propagation.
  std::function<std::optional<planner::Layout>(
      unsigned index, RankedTensorType type, const planner::Mesh &mesh)>
      input;
  /// The same of result `index`.
  std::function<std::optional<planner::Layout>(
      unsigned index, RankedTensorType type, const planner::Mesh &mesh)>
      output;
};

/// Writes `dtensor.layout` on arguments and results of the public functions of
/// `module`. Arguments and results that have one keep it, and are not asked
/// for. Fails, with a diagnostic at the function, where `mesh` is no
/// `dtensor.mesh` of the module, and where a layout does not fit its type.
LogicalResult distributeModule(ModuleOp module, StringRef mesh,
                               const DistributeCallbacks &callbacks);

} // namespace mlir::dtensor

#endif // DTENSOR_TRANSFORMS_DISTRIBUTEMODULE_H
