// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sched dialect: steps in one total order on buffers at fixed offsets.
#ifndef SCHED_DIALECT_TD
#define SCHED_DIALECT_TD

include "mlir/IR/OpBase.td"

def Sched_Dialect : Dialect {
  let name = "sched";
  let cppNamespace = "::mlir::sched";
  let summary = "A static schedule: steps in one order, buffers at offsets";
  let description = [{
    What a plan file holds, as IR. Steps appear in two forms: on tensors (after
    `dtensor-outline-kernels`, when order and kernels are decided but buffers
    are not) and on views of the slab (after `dtensor-place-buffers`).
  }];
  let dependentDialects = ["::mlir::dtensor::DTensorDialect",
                           "::mlir::memref::MemRefDialect"];
  let useDefaultAttributePrinterParser = 1;
}

#endif // SCHED_DIALECT_TD
