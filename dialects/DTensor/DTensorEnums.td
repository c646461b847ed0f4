// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations shared by the dtensor, comm and sched dialects. The order of
// cases is that of dtensor::ReduceOp in the planner (checked by a
// static_assert).
#ifndef DTENSOR_ENUMS_TD
#define DTENSOR_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "DTensor/DTensorDialect.td"

def DTensor_ReduceOp : I32Enum<"ReduceOp",
    "combines the contributions of a partial tensor", [
      I32EnumCase<"Sum", 0, "sum">,
      I32EnumCase<"Product", 1, "product">,
      I32EnumCase<"Min", 2, "min">,
      I32EnumCase<"Max", 3, "max">,
      I32EnumCase<"UMin", 4, "umin">,
      I32EnumCase<"UMax", 5, "umax">,
      I32EnumCase<"Avg", 6, "avg">,
      I32EnumCase<"BAnd", 7, "band">,
      I32EnumCase<"BOr", 8, "bor">,
      I32EnumCase<"BXor", 9, "bxor">
    ]> {
  let cppNamespace = "::mlir::dtensor";
}

def DTensor_ReduceOpAttr : EnumAttr<DTensor_Dialect, DTensor_ReduceOp, "reduce_op"> {
  let assemblyFormat = "$value";
}

#endif // DTENSOR_ENUMS_TD
