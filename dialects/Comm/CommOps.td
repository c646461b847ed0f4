// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the comm dialect. Constraints common to all collectives, with
// their labels at the checks in lib/Dialect/Comm:
//   (C1) the mesh is a dtensor.mesh of the module, the axes are its own, none
//        is listed twice, at least one is listed; or, with `groups` in the place
//        of axes, these have one size and hold every rank of the mesh once;
//   (C2) element types of operand and result are equal and can lie on a mesh;
//        shapes are static, or there is a frame;
//   (F1) a frame `of [SHAPE] from FROM to TO` has layouts on the mesh, valid for
//        the shape, and closed;
//   (F2) operand and result have the local types of FROM and TO;
//   (F3) TO is what the collective makes of FROM (`exchange` may make anything);
// and to those with a root:
//   (R1) the root is a coordinate in the group: at least 0, below its size.
//
// `groups` lists the ranks of each group in the order of its pieces. Explicit
// groups have no frame.
//
// Without a frame a group is looked at on its own, and the op says all: pieces
// are equal. Pieces that are not, because a dimension does not divide, need the
// frame: the global shape and the whole layouts before and after. A dimension
// that does not divide is `?` in the local type.
#ifndef COMM_OPS_TD
#define COMM_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "Comm/CommDialect.td"
include "Comm/CommInterfaces.td"
include "DTensor/DTensorAttrs.td"

def Comm_AxisArrayAttr : TypedArrayAttrBase<DTensor_AxisAttr, "array of axes">;
def Comm_GroupArrayAttr
    : TypedArrayAttrBase<DenseI64ArrayAttr, "array of groups of ranks">;

/// `args`, and the frame that a collective on uneven pieces is looked at in.
class Comm_CollectiveOp<string mnemonic, dag args, list<Trait> traits = []>
    : Op<Comm_Dialect, mnemonic, !listconcat([Pure,
        Comm_CollectiveOpInterface,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)> {
  let arguments = !con(args, (ins OptionalAttr<DenseI64ArrayAttr>:$shape,
                                  OptionalAttr<DTensor_LayoutAttr>:$from,
                                  OptionalAttr<DTensor_LayoutAttr>:$to,
                                  OptionalAttr<Comm_GroupArrayAttr>:$groups));
  let results = (outs AnyRankedTensor:$result);
  let extraClassDeclaration = [{
    /// The change of layout that this collective makes (interface).
    ::mlir::comm::CollectiveChange getChange();
  }];
  /// How the frame is written, at the end of each op.
  string frame = "(`of` $shape^ `from` qualified($from) `to` qualified($to))? attr-dict";
}

def Comm_AllGatherOp : Comm_CollectiveOp<"all_gather",
    (ins AnyRankedTensor:$input,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes,
         I64Attr:$dim)> {
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
  let assemblyFormat = [{
    $input `over` custom<Group>($mesh, $axes, $groups) `dim` $dim `:`
    type($input) `->` type($result)
  }] # frame;
}

def Comm_AllReduceOp : Comm_CollectiveOp<"all_reduce",
    (ins DTensor_ReduceOpAttr:$op,
         AnyRankedTensor:$input,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes), [SameOperandsAndResultType]> {
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
    %2 = comm.all_reduce sum %0 over @mesh groups [[0, 3], [1, 2]] : tensor<16x8xf32>
    ```

    **Constraints:**
    - (C5) the element type has the reduce op.
  }];
  let assemblyFormat = [{
    custom<ReduceOp>($op) $input `over` custom<Group>($mesh, $axes, $groups) `:` type($input)
  }] # frame;
}

def Comm_ReduceScatterOp : Comm_CollectiveOp<"reduce_scatter",
    (ins DTensor_ReduceOpAttr:$op,
         AnyRankedTensor:$input,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes,
         I64Attr:$dim)> {
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
  let assemblyFormat = [{
    custom<ReduceOp>($op) $input `over` custom<Group>($mesh, $axes, $groups) `dim` $dim `:`
    type($input) `->` type($result)
  }] # frame;
}

def Comm_AllToAllOp : Comm_CollectiveOp<"all_to_all",
    (ins AnyRankedTensor:$input,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes,
         I64Attr:$split,
         I64Attr:$concat)> {
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
  let assemblyFormat = [{
    $input `over` custom<Group>($mesh, $axes, $groups) `split` $split `concat` $concat
    `:` type($input) `->` type($result)
  }] # frame;
}

def Comm_SliceOp : Comm_CollectiveOp<"slice",
    (ins AnyRankedTensor:$input,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes,
         I64Attr:$dim)> {
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
  let assemblyFormat = [{
    $input `over` custom<Group>($mesh, $axes, $groups) `dim` $dim `:`
    type($input) `->` type($result)
  }] # frame;
}

def Comm_ToPartialOp : Comm_CollectiveOp<"to_partial",
    (ins DTensor_ReduceOpAttr:$op,
         AnyRankedTensor:$input,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes,
         OptionalAttr<I64Attr>:$dim)> {
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
  let assemblyFormat = [{
    custom<ReduceOp>($op) $input `over` custom<Group>($mesh, $axes, $groups) (`dim` $dim^)? `:`
    type($input) `->` type($result)
  }] # frame;
}

def Comm_ScaleOp : Comm_CollectiveOp<"scale",
    (ins DTensor_ReduceOpAttr:$op,
         AnyRankedTensor:$input,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes), [SameOperandsAndResultType]> {
  let summary = "Contributions to a sum from those to an average, or back";
  let description = [{
    Moves nothing between ranks. `op` is what the operand is partial in: from
    `sum` each contribution is multiplied by the size of the group, from `avg`
    divided by it.

    Example:
    ```mlir
    %1 = comm.scale sum %0 over @mesh["tp"] : tensor<16x8xf32>
    ```

    **Constraints:**
    - (C5) `op` is sum or avg, and the element type has avg.
  }];
  let assemblyFormat = [{
    custom<ReduceOp>($op) $input `over` custom<Group>($mesh, $axes, $groups) `:` type($input)
  }] # frame;
}

def Comm_ExchangeOp : Comm_CollectiveOp<"exchange",
    (ins AnyRankedTensor:$input,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes,
         UnitAttr:$permute)> {
  let summary = "Exact boxes between any ranks of a group";
  let description = [{
    Brings a tensor from one layout to any other by sending each rank exactly
    the boxes that it needs. With `permute` every rank's box goes to at
    most one other rank.

    Example:
    ```mlir
    %1 = comm.exchange %0 over @mesh["x", "y"] : tensor<8x4xf32> -> tensor<4x8xf32>
           of [16, 16] from #dtensor.layout<@mesh, ["x" = shard(0), "y" = shard(1)]>
           to #dtensor.layout<@mesh, ["y" = shard(0), "x" = shard(1)]>
    ```

    **Constraints:**
    - (C3) the frame is given, and not partial;
    - (C4) axes outside of the group shard the same dimensions on both sides;
    - (C5) with `permute` the local types are equal.
  }];
  let assemblyFormat = [{
    $input `over` custom<Group>($mesh, $axes, $groups) (`permute` $permute^)? `:`
    type($input) `->` type($result)
  }] # frame;
}

//===----------------------------------------------------------------------===//
// Collectives with a root: the rank at coordinate `root` of each group. The
// planner plans none of them, since a layout does not say "on one rank only";
// what their other side holds is defined all the same.
//===----------------------------------------------------------------------===//

def Comm_BroadcastOp : Comm_CollectiveOp<"broadcast",
    (ins AnyRankedTensor:$input,
         I64Attr:$root,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes), [SameOperandsAndResultType]> {
  let summary = "Gives every rank of a group the root's tensor";
  let description = [{
    ```
    axis "tp" = 2, root 0       before          after
    rank 0 of the group         a               a
    rank 1 of the group         b               a
    ```
    Example:
    ```mlir
    %1 = comm.broadcast %0 root 0 over @mesh["tp"] : tensor<16x8xf32>
    ```

    **Constraints:**
    - (C3) with a frame, the axes shard no dimension: the ranks of a group hold
      tensors of one shape.
  }];
  let assemblyFormat = [{
    $input `root` $root `over` custom<Group>($mesh, $axes, $groups) `:` type($input)
  }] # frame;
}

def Comm_ReduceOp : Comm_CollectiveOp<"reduce",
    (ins DTensor_ReduceOpAttr:$op,
         AnyRankedTensor:$input,
         I64Attr:$root,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes), [SameOperandsAndResultType]> {
  let summary = "Combines the contributions of a group, on the root";
  let description = [{
    The contributions are combined in the order of `all_reduce`, so the root
    gets its bits. The other ranks get zeros.
    ```
    axis "tp" = 2, sum, root 0  before          after
    rank 0 of the group         a               a + b
    rank 1 of the group         b               0
    ```
    Example:
    ```mlir
    %1 = comm.reduce sum %0 root 0 over @mesh["tp"] : tensor<16x8xf32>
    ```

    **Constraints:**
    - (C5) the element type has the reduce op.
  }];
  let assemblyFormat = [{
    custom<ReduceOp>($op) $input `root` $root `over` custom<Group>($mesh, $axes, $groups)
    `:` type($input)
  }] # frame;
}

def Comm_ScatterOp : Comm_CollectiveOp<"scatter",
    (ins AnyRankedTensor:$input,
         I64Attr:$root,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes,
         I64Attr:$dim)> {
  let summary = "Gives each rank of a group its chunk of the root's tensor";
  let description = [{
    ```
    axis "tp" = 2, dim 0, root 0    before          after
    rank 0 of the group             a0              a0
                                    a1
    rank 1 of the group             b0              a1
                                    b1
    ```
    Example:
    ```mlir
    %1 = comm.scatter %0 root 0 over @mesh["tp"] dim 0 : tensor<16x8xf32> -> tensor<4x8xf32>
    ```

    **Constraints:**
    - (C3) `dim` is in range;
    - (C4) the operand is `p` times as long in `dim` and equal elsewhere, p the
      size of the group.
  }];
  let assemblyFormat = [{
    $input `root` $root `over` custom<Group>($mesh, $axes, $groups) `dim` $dim `:`
    type($input) `->` type($result)
  }] # frame;
}

def Comm_GatherOp : Comm_CollectiveOp<"gather",
    (ins AnyRankedTensor:$input,
         I64Attr:$root,
         FlatSymbolRefAttr:$mesh,
         Comm_AxisArrayAttr:$axes,
         I64Attr:$dim)> {
  let summary = "Concatenates the pieces of a group along one dimension, on the root";
  let description = [{
    The other ranks get zeros.
    ```
    axis "tp" = 2, dim 0, root 0    before          after
    rank 0 of the group             a               a
                                                    b
    rank 1 of the group             b               0
                                                    0
    ```
    Example:
    ```mlir
    %1 = comm.gather %0 root 0 over @mesh["tp"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>
    ```

    **Constraints:**
    - (C3) `dim` is in range;
    - (C4) the result is `p` times as long in `dim` and equal elsewhere, p the
      size of the group.
  }];
  let assemblyFormat = [{
    $input `root` $root `over` custom<Group>($mesh, $axes, $groups) `dim` $dim `:`
    type($input) `->` type($result)
  }] # frame;
}

//===----------------------------------------------------------------------===//
// What a rank knows of itself
//===----------------------------------------------------------------------===//

def Comm_AxisIndexOp : Op<Comm_Dialect, "axis_index", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Where this rank stands on axes of the mesh";
  let description = [{
    The coordinate of this rank on the axes read as one, the first listed major:
    its place in the group of a collective over them.

    Example:
    ```mlir
    %i = comm.axis_index over @mesh["x", "y"] : index
    ```

    **Constraints:**
    - (C1) the mesh is a dtensor.mesh of the module, the axes are its own, none
      is listed twice, at least one is listed.
  }];
  let arguments = (ins FlatSymbolRefAttr:$mesh, Comm_AxisArrayAttr:$axes);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    `over` custom<Axes>($mesh, $axes) attr-dict `:` type($result)
  }];
}

def Comm_LocalExtentOp : Op<Comm_Dialect, "local_extent", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "How much of a dimension this rank holds";
  let description = [{
    The extent on this rank of a dimension of `size` elements that the axes
    chunk, major to minor: what `?` stands for in a local type. Chunks follow
    torch.chunk.

    Example:
    ```mlir
    %n = comm.local_extent 7 over @mesh["x"] : index
    ```

    **Constraints:**
    - (C1) the mesh is a dtensor.mesh of the module, the axes are its own, none
      is listed twice, at least one is listed;
    - (C2) `size` is at least 0.
  }];
  let arguments = (ins I64Attr:$size, FlatSymbolRefAttr:$mesh,
                       Comm_AxisArrayAttr:$axes);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    $size `over` custom<Axes>($mesh, $axes) attr-dict `:` type($result)
  }];
}

// By topic.
include "Comm/CommAsyncOps.td"

#endif // COMM_OPS_TD
