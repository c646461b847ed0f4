// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans: layouts of parameters by their names. dtensor-parallelize applies
// them.
#ifndef DTENSOR_PLAN_OPS_TD
#define DTENSOR_PLAN_OPS_TD

include "DTensor/DTensorOps.td"

def DTensor_StyleAttr : EnumAttr<DTensor_Dialect, DTensor_Style, "style_kind"> {
  let assemblyFormat = "$value";
}

def DTensor_PlacementArrayAttr
    : TypedArrayAttrBase<DTensor_PlacementAttr, "array of placements">;

def DTensor_ParallelizePlanOp : DTensor_Op<"parallelize_plan",
    [Symbol, SingleBlock, NoTerminator, NoRegionArguments,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Layouts of a program's parameters, by name";
  let description = [{
    Says how parameters (arguments with `dtensor.name`) and inputs lie on a
    mesh, apart from the program. `dtensor-parallelize` writes it into the
    arguments' `dtensor.layout`.

    Example:
    ```mlir
    dtensor.parallelize_plan @megatron on @mesh {
      dtensor.style "layers.*.{wq,wk,wv}" colwise "tp"
      dtensor.style "layers.*.wo" rowwise "tp"
      dtensor.prepare_input 0 ["dp" = shard(0)]
    }
    ```

    **Constraints:**
    - (C1) the mesh is a `dtensor.mesh` of the module;
    - (C2) a plan holds `dtensor.style`, `dtensor.place`,
      `dtensor.prepare_input` and `dtensor.prepare_output` only.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$mesh);
  let regions = (region AnyRegion:$entries);
  let assemblyFormat =
      "$sym_name `on` $mesh attr-dict-with-keyword $entries";
  let hasRegionVerifier = 1;
}

def DTensor_StyleOp : DTensor_Op<"style",
    [HasParent<"ParallelizePlanOp">,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "How the parameters of some names lie on an axis";
  let description = [{
    In a pattern `*` stands for any run of characters, dots too, and `{a,b}` for
    either. Every other character stands for itself.

    - `colwise` shards the dimension that the parameter's matrix products keep;
    - `rowwise` shards the one that they sum over;
    - `replicate` gives every rank all of it;
    - `sequence` shards what the parameter is applied to along its sequence,
      and replicates the parameter itself;
    - `fully_sharded` shards the largest dimension that the axis divides, the
      first of equal ones; a parameter without such a dimension is replicated;
    - `expert` shards the first dimension, which counts the experts.

    Example:
    ```mlir
    dtensor.style "layers.*.attn.{wq,wk,wv}" colwise "tp"
    ```

    **Constraints:**
    - (C1) the pattern is not empty, its braces pair up, do not nest, and hold
      no empty name;
    - (C2) the axis is one of the plan's mesh.
  }];
  let arguments = (ins StrAttr:$pattern, DTensor_StyleAttr:$style,
                       StrAttr:$axis);
  let assemblyFormat = "$pattern custom<Style>($style) $axis attr-dict";
  let hasVerifier = 1;
}

def DTensor_PlaceOp : DTensor_Op<"place",
    [HasParent<"ParallelizePlanOp">,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The layout of the parameters of some names";
  let description = [{
    Patterns are those of `dtensor.style`; `...` as the last entry leaves the
    layout open.

    Example:
    ```mlir
    dtensor.place "embedding" ["tp" = shard(0), "dp" = shard(1)]
    ```

    **Constraints:**
    - (C1) the pattern is one of `dtensor.style`;
    - (C2) axes are those of the plan's mesh. (Dimensions are checked where
      the plan is applied.)
  }];
  let arguments = (ins StrAttr:$pattern, DTensor_PlacementArrayAttr:$placements,
                       UnitAttr:$open);
  let assemblyFormat =
      "$pattern custom<Placements>($placements, $open) attr-dict";
  let hasVerifier = 1;
}

def DTensor_PrepareInputOp : DTensor_Op<"prepare_input",
    [HasParent<"ParallelizePlanOp">,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "How an argument lies on the plan's mesh";
  let description = [{
    Gives argument `index` the layout of these placements; `...` as the last
    entry leaves it open.

    Example:
    ```mlir
    dtensor.prepare_input 0 ["dp" = shard(0)]
    ```

    **Constraints:**
    - (C1) the index is not negative;
    - (C2) axes are those of the plan's mesh. (Dimensions are checked where
      the plan is applied.)
  }];
  let arguments = (ins I64Attr:$index, DTensor_PlacementArrayAttr:$placements,
                       UnitAttr:$open);
  let assemblyFormat =
      "$index custom<Placements>($placements, $open) attr-dict";
  let hasVerifier = 1;
}

def DTensor_PrepareOutputOp : DTensor_Op<"prepare_output",
    [HasParent<"ParallelizePlanOp">,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "How a result lies on the plan's mesh";
  let description = [{
    Gives result `index` the layout of these placements; `...` as the last
    entry leaves it open.

    Example:
    ```mlir
    dtensor.prepare_output 0 ["dp" = shard(0)]
    ```

    **Constraints:**
    - (C1) the index is not negative;
    - (C2) axes are those of the plan's mesh. (Dimensions are checked where
      the plan is applied.)
  }];
  let arguments = (ins I64Attr:$index, DTensor_PlacementArrayAttr:$placements,
                       UnitAttr:$open);
  let assemblyFormat =
      "$index custom<Placements>($placements, $open) attr-dict";
  let hasVerifier = 1;
}

#endif // DTENSOR_PLAN_OPS_TD
