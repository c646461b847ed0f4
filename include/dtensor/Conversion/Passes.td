// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from one dialect to another.
#ifndef DTENSOR_CONVERSION_PASSES_TD
#define DTENSOR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertDTensorToCommPass
    : Pass<"convert-dtensor-to-comm", "::mlir::ModuleOp"> {
  let summary = "From global tensors to what one rank holds";
  let description = [{
    Every tensor takes its local shape; each `dtensor.redistribute` becomes the
    collectives that the planner chooses. Arguments and results keep their
    global type in `dtensor.global_type`.

    **Constraints:**
    - (C1) layouts are complete (`dtensor-insert-redistributions` ran).

    A dimension that does not divide by its axes becomes `?` in the local type;
    where an op needs its extent, `comm.local_extent` gives it.
  }];
  let options = [
    Option<"topology", "topology", "std::string", "\"builtin:threads\"",
           "machine to plan for: builtin:threads | builtin:h100x8 | ... | FILE">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::comm::CommDialect"];
}

#endif // DTENSOR_CONVERSION_PASSES_TD
