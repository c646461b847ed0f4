// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the comm dialect. Constraints common to all collectives, with
// their labels at the checks in lib/Dialect/Comm:
//   (C1) the mesh is a dtensor.mesh of the module, the axes are its own, none
//        is listed twice, at least one is listed;
//   (C2) element types of operand and result are equal and can lie on a mesh,
//        shapes are static.
#ifndef COMM_OPS_TD
#define COMM_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "Comm/CommDialect.td"
include "Comm/CommInterfaces.td"
include "DTensor/DTensorAttrs.td"

def Comm_AxisArrayAttr : TypedArrayAttrBase<DTensor_AxisAttr, "array of axes">;

class Comm_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Op<Comm_Dialect, mnemonic, !listconcat([Pure,
        Comm_CollectiveOpInterface,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)> {
  let results = (outs AnyRankedTensor:$result);
  let extraClassDeclaration = [{
    /// The change of layout that this collective makes (interface).
    ::mlir::comm::CollectiveChange getChange();
  }];
}

def Comm_AllGatherOp : Comm_CollectiveOp<"all_gather"> {
  let summary = "Concatenates the pieces of a group along one dimension";
  let description = [{
    ```
    axis "tp" = 2, dim 0        before          after
    rank 0 of the group         a               a
                                                b
    rank 1 of the group         b               a
                                                b
    ```
    Example:
    ```mlir
    %1 = comm.all_gather %0 over @mesh["tp"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>
    ```

    **Constraints:**
    - (C3) `dim` is in range;
    - (C4) the result is `p` times as long in `dim` and equal elsewhere, p the
      size of the group.
  }];
  let arguments = (ins AnyRankedTensor:$input, FlatSymbolRefAttr:$mesh,
                       Comm_AxisArrayAttr:$axes, I64Attr:$dim);
  let assemblyFormat = [{
    $input `over` custom<Axes>($mesh, $axes) `dim` $dim attr-dict `:`
    type($input) `->` type($result)
  }];
}

def Comm_AllReduceOp : Comm_CollectiveOp<"all_reduce", [SameOperandsAndResultType]> {
  let summary = "Combines the contributions of a group, on every rank";
  let description = [{
    ```
    axis "tp" = 2, sum          before          after
    rank 0 of the group         a               a + b
    rank 1 of the group         b               a + b
    ```
    Example:
    ```mlir
    %1 = comm.all_reduce sum %0 over @mesh["dp", "tp"] : tensor<16x8xf32>
    ```

    **Constraints:**
    - (C5) the element type has the reduce op.
  }];
  let arguments = (ins DTensor_ReduceOpAttr:$op, AnyRankedTensor:$input,
                       FlatSymbolRefAttr:$mesh, Comm_AxisArrayAttr:$axes);
  let assemblyFormat = [{
    custom<ReduceOp>($op) $input `over` custom<Axes>($mesh, $axes) attr-dict `:` type($input)
  }];
}

def Comm_ReduceScatterOp : Comm_CollectiveOp<"reduce_scatter"> {
  let summary = "Combines the contributions of a group, a chunk on each rank";
  let description = [{
    ```
    axis "tp" = 2, sum, dim 0   before          after
    rank 0 of the group         a0              a0 + b0
                                a1
    rank 1 of the group         b0              a1 + b1
                                b1
    ```
    Example:
    ```mlir
    %1 = comm.reduce_scatter sum %0 over @mesh["tp"] dim 1 : tensor<16x8xf32> -> tensor<16x2xf32>
    ```

    **Constraints:**
    - (C3) `dim` is in range;
    - (C4) the operand is `p` times as long in `dim` and equal elsewhere, p the
      size of the group;
    - (C5) the element type has the reduce op.
  }];
  let arguments = (ins DTensor_ReduceOpAttr:$op, AnyRankedTensor:$input,
                       FlatSymbolRefAttr:$mesh, Comm_AxisArrayAttr:$axes,
                       I64Attr:$dim);
  let assemblyFormat = [{
    custom<ReduceOp>($op) $input `over` custom<Axes>($mesh, $axes) `dim` $dim attr-dict `:`
    type($input) `->` type($result)
  }];
}

def Comm_AllToAllOp : Comm_CollectiveOp<"all_to_all"> {
  let summary = "Splits one dimension and concatenates along another";
  let description = [{
    ```
    axis "tp" = 2, split 0 concat 1     before          after
    rank 0 of the group                 a0              a0 b0
                                        a1
    rank 1 of the group                 b0              a1 b1
                                        b1
    ```
    Example:
    ```mlir
    %1 = comm.all_to_all %0 over @mesh["tp"] split 0 concat 1 : tensor<16x2xf32> -> tensor<4x8xf32>
    ```

    **Constraints:**
    - (C3) `split` and `concat` are in range and differ;
    - (C4) the result is `p` times as short in `split`, `p` times as long in
      `concat` and equal elsewhere, p the size of the group.
  }];
  let arguments = (ins AnyRankedTensor:$input, FlatSymbolRefAttr:$mesh,
                       Comm_AxisArrayAttr:$axes, I64Attr:$split,
                       I64Attr:$concat);
  let assemblyFormat = [{
    $input `over` custom<Axes>($mesh, $axes) `split` $split `concat` $concat
    attr-dict `:` type($input) `->` type($result)
  }];
}

def Comm_SliceOp : Comm_CollectiveOp<"slice"> {
  let summary = "Keeps this rank's chunk of a replicated tensor";
  let description = [{
    Moves nothing between ranks.
    ```
    axis "tp" = 2, dim 0        before          after
    rank 0 of the group         a               a
                                b
    rank 1 of the group         a               b
                                b
    ```
    Example:
    ```mlir
    %1 = comm.slice %0 over @mesh["tp"] dim 0 : tensor<16x8xf32> -> tensor<4x8xf32>
    ```

    **Constraints:**
    - (C3) `dim` is in range;
    - (C4) the operand is `p` times as long in `dim` and equal elsewhere, p the
      size of the group.
  }];
  let arguments = (ins AnyRankedTensor:$input, FlatSymbolRefAttr:$mesh,
                       Comm_AxisArrayAttr:$axes, I64Attr:$dim);
  let assemblyFormat = [{
    $input `over` custom<Axes>($mesh, $axes) `dim` $dim attr-dict `:`
    type($input) `->` type($result)
  }];
}

def Comm_ToPartialOp : Comm_CollectiveOp<"to_partial"> {
  let summary = "Makes a contribution out of a replicated or sharded tensor";
  let description = [{
    Moves nothing between ranks. Of a replicated tensor, coordinate 0 keeps the
    value and the others get the identity of the op (for min, max, band, bor
    and avg all keep the value). With `dim` the operand is this rank's chunk,
    and the identity goes around it.
    ```
    axis "tp" = 2, sum          before          after
    rank 0 of the group         a               a
    rank 1 of the group         a               -0.0
    ```
    Example:
    ```mlir
    %1 = comm.to_partial sum %0 over @mesh["tp"] : tensor<16x8xf32> -> tensor<16x8xf32>
    %2 = comm.to_partial sum %0 over @mesh["tp"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>
    ```

    **Constraints:**
    - (C3) `dim` is in range;
    - (C4) without `dim` the types are equal; with it the result is `p` times
      as long in `dim`, p the size of the group;
    - (C5) the element type has the reduce op.
  }];
  let arguments = (ins DTensor_ReduceOpAttr:$op, AnyRankedTensor:$input,
                       FlatSymbolRefAttr:$mesh, Comm_AxisArrayAttr:$axes,
                       OptionalAttr<I64Attr>:$dim);
  let assemblyFormat = [{
    custom<ReduceOp>($op) $input `over` custom<Axes>($mesh, $axes) (`dim` $dim^)? attr-dict `:`
    type($input) `->` type($result)
  }];
}

def Comm_ExchangeOp : Comm_CollectiveOp<"exchange"> {
  let summary = "Exact boxes between any ranks of a group";
  let description = [{
    Brings a tensor from one layout to any other by sending each rank exactly
    the boxes that it needs. `shape` and the layouts are those of the tensor
    that the group holds as a whole. With `permute` every rank's box goes to at
    most one other rank.

    Example:
    ```mlir
    %1 = comm.exchange %0 over @mesh["x", "y"] shape [16, 16]
           : tensor<8x4xf32> -> tensor<4x8xf32>
           from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>
           to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
    ```

    **Constraints:**
    - (C3) both layouts are on the mesh, valid for `shape`, closed, and not
      partial;
    - (C4) operand and result have the local types of `from` and `to`;
    - (C5) axes outside of the group shard the same dimensions on both sides;
    - (C6) with `permute` the local types are equal.
  }];
  let arguments = (ins AnyRankedTensor:$input, FlatSymbolRefAttr:$mesh,
                       Comm_AxisArrayAttr:$axes, DenseI64ArrayAttr:$shape,
                       DTensor_LayoutAttr:$from, DTensor_LayoutAttr:$to,
                       UnitAttr:$permute);
  let assemblyFormat = [{
    $input `over` custom<Axes>($mesh, $axes) `shape` $shape
    (`permute` $permute^)? `:` type($input) `->` type($result)
    `from` qualified($from) `to` qualified($to) attr-dict
  }];
}

#endif // COMM_OPS_TD
