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

def DTensor_Style : I32Enum<"Style", "how a plan lays out a parameter", [
      I32EnumCase<"Colwise", 0, "colwise">,
      I32EnumCase<"Rowwise", 1, "rowwise">,
      I32EnumCase<"Sequence", 2, "sequence">,
      I32EnumCase<"Replicate", 3, "replicate">,
      I32EnumCase<"FullySharded", 4, "fully_sharded">,
      I32EnumCase<"Expert", 5, "expert">
    ]> {
  let cppNamespace = "::mlir::dtensor";
}

#endif // DTENSOR_ENUMS_TD
