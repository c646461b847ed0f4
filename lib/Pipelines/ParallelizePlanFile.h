// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DTENSOR_LIB_PIPELINES_PARALLELIZEPLANFILE_H
#define DTENSOR_LIB_PIPELINES_PARALLELIZEPLANFILE_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::dtensor {

/// Adds the plan in the JSON file `path` to `module` as a
/// dtensor.parallelize_plan, for dtensor-parallelize to apply. Reports a file
/// that cannot be read, is not such a plan, or does not fit the module's
/// meshes, and a module that has a plan already.
LogicalResult addParallelizePlan(ModuleOp module, llvm::StringRef path);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_PIPELINES_PARALLELIZEPLANFILE_H
