// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comm dialect: one rank's view, explicit collectives on local tensors.
#ifndef COMM_DIALECT_TD
#define COMM_DIALECT_TD

include "mlir/IR/OpBase.td"

def Comm_Dialect : Dialect {
  let name = "comm";
  let cppNamespace = "::mlir::comm";
  let summary = "Collectives over named axes of a mesh, on local tensors";
  let description = [{
    Every rank runs the same program. A collective over axes A connects the
    ranks that differ on A only: its group. Ranks of a group are ordered by
    their coordinate on A, the first listed axis major.

    The operations are exactly what the runtime must be able to run.
  }];
  let dependentDialects = ["::mlir::dtensor::DTensorDialect"];
  let useDefaultTypePrinterParser = 1;
}

#endif // COMM_DIALECT_TD
