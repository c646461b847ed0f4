// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the dtensor dialect: axes, placements, layouts.
#ifndef DTENSOR_ATTRS_TD
#define DTENSOR_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "DTensor/DTensorDialect.td"
include "DTensor/DTensorEnums.td"

class DTensor_Attr<string name, string attrMnemonic>
    : AttrDef<DTensor_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def DTensor_AxisAttr : DTensor_Attr<"Axis", "axis"> {
  let summary = "An axis of a mesh, or a part of one";
  let description = [{
    `"x"` is the whole axis. `"x":(P)S` is the part of size S that comes after
    a part of size P: the axis of size n read as [P, S, n / (P * S)], of which
    this is the middle.

    Example:
    ```mlir
    #dtensor.axis<"x">
    #dtensor.axis<"x":(1)2>   // of x = 4: the major half
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the axis">:$name,
    DefaultValuedParameter<"int64_t", "1", "product of the sizes before the part">:$preSize,
    DefaultValuedParameter<"int64_t", "0", "size of the part; 0 for the whole axis">:$size
  );
  let builders = [AttrBuilder<(ins "::llvm::StringRef":$name), [{
    return $_get($_ctxt, name, 1, 0);
  }]>];
  let hasCustomAssemblyFormat = 1;
}

def DTensor_MeshAxisAttr : DTensor_Attr<"MeshAxis", "mesh_axis"> {
  let summary = "A named axis of a mesh with its size";
  let parameters = (ins StringRefParameter<"name">:$name, "int64_t":$size);
  let assemblyFormat = "`<` $name `=` $size `>`";
}

def DTensor_PlacementAttr : DTensor_Attr<"Placement", "placement"> {
  let summary = "How one axis takes part in storing a tensor";
  let description = [{
    One entry of a layout: `axis = shard(dim)`, `axis = replicate` or
    `axis = partial(op)`.

    Example:
    ```mlir
    #dtensor.placement<"tp" = shard(1)>
    #dtensor.placement<"tp" = partial(sum)>
    ```
  }];
  let parameters = (ins
    "::mlir::dtensor::AxisAttr":$axis,
    "::dtensor::PlacementEntry::Kind":$kind,
    DefaultValuedParameter<"int64_t", "0", "dimension, for shard">:$dim,
    DefaultValuedParameter<"::dtensor::ReduceOp", "::dtensor::ReduceOp::Sum", "for partial">:$op
  );
  let hasCustomAssemblyFormat = 1;
}

def DTensor_LayoutAttr : DTensor_Attr<"Layout", "layout"> {
  let summary = "How a tensor lies on a mesh";
  let description = [{
    A list of `axis = placement`. Several axes on one dimension apply in list
    order, major to minor. An axis not named is replicated. `...` as the last
    entry leaves the layout open: propagation may use the remaining axes, minor
    to what is there; `...(0, 2)` opens those dimensions only. `"tp" =
    replicate` keeps propagation from using the axis. `priority = N` orders
    annotations, 0 strongest.

    Example:
    ```mlir
    #dtensor.layout<@mesh, ["dp" = shard(0), "tp" = partial(sum)]>
    #dtensor.layout<@mesh, ["x":(1)2 = shard(0), ...]>
    #dtensor.layout<@mesh, [...(0, 2)], priority = 1>
    ```

    **Constraints:**
    - (C1) the mesh is a `dtensor.mesh` of the module;
    - (C2) every axis is one of the mesh, and parts of axes divide them;
    - (C3) no axis, or part of one, is used twice;
    - (C4) dimensions are in range of the tensor's rank;
    - (C5) one reduce op in a layout, except sum with avg;
    - (C6) the element type has the reduce op.
  }];
  let parameters = (ins
    "::mlir::FlatSymbolRefAttr":$mesh,
    OptionalArrayRefParameter<"::mlir::dtensor::PlacementAttr">:$placements,
    DefaultValuedParameter<"bool", "false">:$open,
    OptionalArrayRefParameter<"int64_t">:$openDims,
    DefaultValuedParameter<"int64_t", "0", "0 is strongest">:$priority
  );
  let hasCustomAssemblyFormat = 1;
}

def DTensor_RuleAttr : DTensor_Attr<"Rule", "rule"> {
  let summary = "The sharding rule of an op that has none of its own";
  let description = [{
    On an operation as `dtensor.rule`: which dimensions of its tensors are
    sharded alike. One list per operand and per result, one entry per
    dimension: a factor is a letter with an optional number, `-` a dimension
    that is never sharded, `ij` one that a reshape made of i (major) and j.
    Values that are no tensors have an empty list. Factors of `reduction`
    leave results partial where they are sharded, combined by `reduce_op`
    (default sum); those of `need_replication` are brought whole.

    The op is cloned with local types; that it then computes what the rule says
    is the author's word.

    Example:
    ```mlir
    %0 = "my.matmul"(%a, %b) {
      dtensor.rule = #dtensor.rule<"([i,k],[k,j])->([i,j])", reduction = [k]>
    } : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    ```

    **Constraints:**
    - (C1) there is one list per operand and per result, with one entry per
      dimension;
    - (C2) dimensions with the same single factor have the same size, and the
      factors of a joined dimension multiply to its size;
    - (C3) each factor of `reduction` and `need_replication` is in the rule, in
      one of the two lists, and a reduction in no result;
    - (C4) every factor of a joined dimension is a dimension of its own
      elsewhere;
    - (C5) the element types of results have the reduce op.
  }];
  let parameters = (ins
    StringRefParameter<"([i,k],[k,j])->([i,j])">:$text,
    OptionalArrayRefParameter<"::mlir::StringAttr">:$reduction,
    OptionalArrayRefParameter<"::mlir::StringAttr">:$needReplication,
    DefaultValuedParameter<"::dtensor::ReduceOp", "::dtensor::ReduceOp::Sum">:$reduceOp
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // DTENSOR_ATTRS_TD
