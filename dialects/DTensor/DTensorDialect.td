// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dtensor dialect: the global view of distributed tensors.
#ifndef DTENSOR_DIALECT_TD
#define DTENSOR_DIALECT_TD

include "mlir/IR/OpBase.td"

def DTensor_Dialect : Dialect {
  let name = "dtensor";
  let cppNamespace = "::mlir::dtensor";
  let summary = "Tensors with global shapes that lie on device meshes";
  let description = [{
    Types are plain builtin tensors with global shapes. How a tensor lies on a
    mesh is a layout, carried as a discardable attribute:

    - `dtensor.layout` on arguments and results of functions,
    - `dtensor.layouts` (one per result) and `dtensor.operand_layouts` (one per
      operand) on operations, from `dtensor-propagate` to
      `convert-dtensor-to-comm` only,
    - `dtensor.global_type` on arguments and results of functions whose types
      are local (after `convert-dtensor-to-comm`),
    - `dtensor.rule` on operations: the sharding rule, of an op that has none
      or another one (until `convert-dtensor-to-comm`),
    - `dtensor.local` on operations between `dtensor.to_local` and
      `dtensor.from_local`, from `dtensor-propagate` on as well: every rank
      computes its own,
    - `dtensor.name` on arguments: the parameter's name,
    - `dtensor.requires_grad` on arguments and results that are floats,
    - `dtensor.reference_of` on a function: the one-rank form of another,
    - `dtensor.local_values` on functions after `convert-dtensor-to-comm`: in
      it ranks' values go on as parts of other tensors.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Adds the attributes, where their storage is known.
    void registerAttributes();
  }];
}

#endif // DTENSOR_DIALECT_TD
