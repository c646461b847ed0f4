// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the dtensor dialect.
#ifndef DTENSOR_OPS_TD
#define DTENSOR_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "DTensor/DTensorAttrs.td"

class DTensor_Op<string mnemonic, list<Trait> traits = []>
    : Op<DTensor_Dialect, mnemonic, traits>;

def DTensor_MeshAxisArrayAttr
    : TypedArrayAttrBase<DTensor_MeshAxisAttr, "array of mesh axes">;

def DTensor_MeshOp : DTensor_Op<"mesh", [Symbol]> {
  let summary = "A device mesh: named axes and their sizes";
  let description = [{
    Declares a grid of ranks. Rank r sits at the row-major position r of the
    grid, or, with `devices`, position p belongs to rank `devices[p]`.

    Example:
    ```mlir
    dtensor.mesh @mesh ["dp" = 2, "tp" = 4]
    dtensor.mesh @ring ["x" = 4] devices = [3, 1, 2, 0]
    ```

    **Constraints:**
    - (C1) axis names match `[A-Za-z_][A-Za-z0-9_]*` and differ;
    - (C2) sizes are at least 1, and all ranks at most 2^31;
    - (C3) `devices` is a permutation of the ranks.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DTensor_MeshAxisArrayAttr:$axes,
                       OptionalAttr<DenseI64ArrayAttr>:$devices);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The planner's form of this mesh, once the op is verified.
    ::dtensor::Mesh getPlannerMesh();
    /// The same, or why the op does not verify; for verifiers of other ops,
    /// which may run first.
    ::dtensor::Expected<::dtensor::Mesh> checkPlannerMesh();
  }];
}

def DTensor_ConstrainOp : DTensor_Op<"constrain",
    [Pure, SameOperandsAndResultType,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Fixes or opens the layout of a value";
  let description = [{
    The result is the operand; its layout is the given one, completed by
    propagation where it is open.

    Example:
    ```mlir
    %1 = dtensor.constrain %0 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
    ```

    **Constraints:** those of `#dtensor.layout` on the type of the operand.
  }];
  let arguments = (ins AnyRankedTensor:$input, DTensor_LayoutAttr:$layout);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input `:` type($input) `to` qualified($layout) attr-dict";
}

def DTensor_RedistributeOp : DTensor_Op<"redistribute",
    [Pure, SameOperandsAndResultType,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Moves a value to another layout";
  let description = [{
    Same global value, other layout. Written by the user, or inserted where an
    operation needs a layout that its operand does not have; the planner turns
    it into collectives. With `async` they are started here and waited for at
    the first use of the result (`comm.start`, `comm.wait`).

    Example:
    ```mlir
    %1 = dtensor.redistribute %0 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
    %2 = dtensor.redistribute async %0 : tensor<8x8xf32> to #dtensor.layout<@mesh, []>
    ```

    **Constraints:** those of `#dtensor.layout` on the type of the operand.
  }];
  let arguments = (ins AnyRankedTensor:$input, DTensor_LayoutAttr:$layout,
                       UnitAttr:$async);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    (`async` $async^)? $input `:` type($input) `to` qualified($layout) attr-dict
  }];
}

// By topic; they need what stands above.
include "DTensor/DTensorFactoryOps.td"
include "DTensor/DTensorLocalOps.td"
include "DTensor/DTensorPlanOps.td"
include "DTensor/DTensorStructuredOps.td"

#endif // DTENSOR_OPS_TD
