// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a scheduled module (S4) to a plan file (S5).
#ifndef DTENSOR_TARGET_PLAN_H
#define DTENSOR_TARGET_PLAN_H

#include "dtrt/PlanFile.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::dtensor {

struct EmitPlanOptions {
  /// Machine that the plan was made for, "builtin:threads".
  std::string topology = "builtin:threads";
  /// Name of the source file, for messages at run time.
  std::string source;
};

/// Makes the plan of the sched.programs of `module` and compiles its kernels
/// for this host's CPU. Reports at the op that cannot be expressed.
FailureOr<dtrt::PlanFile> emitPlan(ModuleOp module,
                                   const EmitPlanOptions &options);

} // namespace mlir::dtensor

#endif // DTENSOR_TARGET_PLAN_H
