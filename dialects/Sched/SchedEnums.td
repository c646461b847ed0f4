// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of collectives, in the order of dtensor::StepKind (checked by a
// static_assert).
#ifndef SCHED_ENUMS_TD
#define SCHED_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "Sched/SchedDialect.td"

def Sched_CollectiveKind : I32Enum<"CollectiveKind", "kind of a collective step", [
      I32EnumCase<"Slice", 0, "slice">,
      I32EnumCase<"ToPartial", 1, "to_partial">,
      I32EnumCase<"Scale", 2, "scale">,
      I32EnumCase<"AllGather", 3, "all_gather">,
      I32EnumCase<"AllToAll", 4, "all_to_all">,
      I32EnumCase<"Permute", 5, "permute">,
      I32EnumCase<"ReduceScatter", 6, "reduce_scatter">,
      I32EnumCase<"AllReduce", 7, "all_reduce">,
      I32EnumCase<"Exchange", 8, "exchange">,
      I32EnumCase<"Broadcast", 9, "broadcast">,
      I32EnumCase<"Reduce", 10, "reduce">,
      I32EnumCase<"Scatter", 11, "scatter">,
      I32EnumCase<"Gather", 12, "gather">
    ]> {
  let cppNamespace = "::mlir::sched";
}

def Sched_CollectiveKindAttr
    : EnumAttr<Sched_Dialect, Sched_CollectiveKind, "collective_kind"> {
  let assemblyFormat = "$value";
}

#endif // SCHED_ENUMS_TD
