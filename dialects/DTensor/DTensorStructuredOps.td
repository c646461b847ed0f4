// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What linalg lacks: ops whose elements depend on whole lines of their
// operands, or on positions that the data says. As ops they can be sharded,
// where loops would hide what they do. All are in destination style: `outs`
// gives the types of the results, and is read by `scatter` and `reduce_window`
// only. Rules are in lib/Interfaces/StructuredModels.cpp.
//
// Constraints common to all, with their labels at the checks in
// lib/Dialect/DTensor/StructuredOps.cpp:
//   (S1) every result has the type of its destination;
//   (S2) dimensions that the op names are in range, and none twice.
#ifndef DTENSOR_STRUCTURED_OPS_TD
#define DTENSOR_STRUCTURED_OPS_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "DTensor/DTensorOps.td"

class DTensor_StructuredOp<string mnemonic, list<Trait> traits = []>
    : DTensor_Op<mnemonic, !listconcat([Pure, AttrSizedOperandSegments,
        DestinationStyleOpInterface], traits)> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
  }];
  /// How operands and results are written, at the end of each op.
  string form = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $inits `:` type($inits) `)` `->` type($results) attr-dict
  }];
}

def DTensor_ScanOp : DTensor_StructuredOp<"scan"> {
  let summary = "Running reduction along a dimension";
  let description = [{
    Element i of a line is the combination of elements 0 to i of the operand's
    line, from left to right; with `exclusive` without element i itself (the
    identity at the start), with `reverse` from the end of the line. Floats of
    16 bits are combined in f32 and rounded for each element.

    Example:
    ```mlir
    %1 = dtensor.scan sum dim 1 ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    **Constraints:** (S1), (S2), and
    - (C1) there is one operand, of the type of the destination;
    - (C2) the element type has the reduce op, which is not avg.
  }];
  let arguments = (ins DTensor_ReduceOpAttr:$op, I64Attr:$dim,
                       UnitAttr:$exclusive, UnitAttr:$reverse,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$inits);
  let assemblyFormat = [{
    custom<ReduceOp>($op) (`exclusive` $exclusive^)? (`reverse` $reverse^)?
    `dim` $dim
  }] # form;
}

def DTensor_SortOp : DTensor_StructuredOp<"sort"> {
  let summary = "Sorts lines of tensors by the first one";
  let description = [{
    Lines of all operands are brought into the order of the first one's
    elements: ascending, or with `descending` the other way. Equal elements stay
    in their order. NaN counts as larger than every number, and zeros of both
    signs are equal. Integers are signed, i1 is unsigned.

    Example:
    ```mlir
    %1:2 = dtensor.sort dim 0 ins(%k, %v : tensor<8xf32>, tensor<8xi32>) outs(%e, %f : tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>, tensor<8xi32>
    ```

    **Constraints:** (S1), (S2), and
    - (C1) there is at least one operand, a destination of its type for each,
      and all have one shape;
    - (C2) the sorted dimension has a static size;
    - (C3) the first operand has elements that are compared: floats of 16 bits
      and more, or integers.
  }];
  let arguments = (ins I64Attr:$dim, UnitAttr:$descending,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$inits);
  let assemblyFormat = [{
    `dim` $dim (`descending` $descending^)?
  }] # form;
}

def DTensor_TopKOp : DTensor_StructuredOp<"top_k"> {
  let summary = "The largest elements of lines, and where they are";
  let description = [{
    As many as the destinations have, largest first; of equal elements the one
    that comes first. The second result holds their positions in the line. The
    order is that of `dtensor.sort descending`.

    Example:
    ```mlir
    %v, %i = dtensor.top_k dim 1 ins(%0 : tensor<4x100xf32>) outs(%e, %f : tensor<4x5xf32>, tensor<4x5xi32>) -> tensor<4x5xf32>, tensor<4x5xi32>
    ```

    **Constraints:** (S1), (S2), and
    - (C1) there is one operand, and two destinations of one shape: of the
      operand's element type, and of i32 or i64;
    - (C2) the shapes differ in `dim` only, where the destinations are at most
      as long and both sizes are static;
    - (C3) as (C3) of `dtensor.sort`.
  }];
  let arguments = (ins I64Attr:$dim,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$inits);
  let assemblyFormat = "`dim` $dim " # form;
}

def DTensor_GatherOp : DTensor_StructuredOp<"gather"> {
  let summary = "Parts of a tensor, at positions that another one says";
  let description = [{
    The operands are a source and indices. The last dimension of the indices
    holds a position in the dimensions `dims` of the source, the others are the
    first dimensions of the result; the dimensions of the source that are not
    listed come after them:
    result[b.., r..] = source[indices[b.., 0] in dims[0], ..., r..]. A position
    outside of the source counts as the nearest one inside.

    Example:
    ```mlir
    // Rows of a table: result[b, :] = table[ids[b, 0], :]
    %1 = dtensor.gather dims [0] ins(%table, %ids : tensor<100x8xf32>, tensor<4x1xi32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    **Constraints:** (S1), (S2), and
    - (C1) there are a source and indices, i32 or i64, whose last dimension has
      as many elements as `dims`; one destination of the source's element type;
    - (C2) the destination has the shape above, and dimensions that are gathered
      from are not empty unless the destination is.
  }];
  let arguments = (ins DenseI64ArrayAttr:$dims,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$inits);
  let assemblyFormat = "`dims` $dims " # form;
}

def DTensor_ScatterOp : DTensor_StructuredOp<"scatter"> {
  let summary = "Puts parts into a tensor, at positions that another one says";
  let description = [{
    The reverse of `dtensor.gather`: the operands are updates and indices, the
    destination's values are what the result starts from. Each update is
    combined with what is there, or without a reduce op takes its place, in the
    order of the updates. Updates outside of the destination are dropped.

    Example:
    ```mlir
    // table[ids[b, 0], :] += updates[b, :]
    %1 = dtensor.scatter sum dims [0] ins(%updates, %ids : tensor<4x8xf32>, tensor<4x1xi32>) outs(%table : tensor<100x8xf32>) -> tensor<100x8xf32>
    ```

    **Constraints:** (S1), (S2), and
    - (C1) there are updates and indices, i32 or i64, whose last dimension has
      as many elements as `dims`; one destination of the updates' element type;
    - (C2) the updates have the shape that `dtensor.gather` would give;
    - (C3) the element type has the reduce op, where there is one, which is not
      avg.
  }];
  let arguments = (ins OptionalAttr<DTensor_ReduceOpAttr>:$op,
                       DenseI64ArrayAttr:$dims,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$inits);
  let assemblyFormat = "custom<OptionalReduceOp>($op) `dims` $dims " # form;
}

def DTensor_ReduceWindowOp : DTensor_StructuredOp<"reduce_window"> {
  let summary = "Reduces windows that slide over a tensor";
  let description = [{
    Element o of the result combines what the destination holds there with the
    operand's elements at o * stride + w * dilation - low for all w below
    `window`, as far as there are any.

    Example:
    ```mlir
    %1 = dtensor.reduce_window max window [1, 3] strides [1, 2] dilations [1, 1] low [0, 1] high [0, 1]
           ins(%0 : tensor<4x9xf32>) outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
    ```

    **Constraints:** (S1), and
    - (C1) there is one operand, and one destination of its rank and element
      type; every list has an entry for each dimension;
    - (C2) windows, strides and dilations are at least 1, low and high (elements
      before and after the operand) at least 0;
    - (C3) the destination has
      (size + low + high - (window - 1) * dilation - 1) / stride + 1 elements
      in each dimension, rounded down, or none where that is negative;
    - (C4) the element type has the reduce op, which is not avg.
  }];
  let arguments = (ins DTensor_ReduceOpAttr:$op,
                       DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$inits);
  let assemblyFormat = [{
    custom<ReduceOp>($op) `window` $window `strides` $strides
    `dilations` $dilations `low` $low `high` $high
  }] # form;
}

def DTensor_AttentionOp : DTensor_StructuredOp<"attention"> {
  let summary = "Softmax of scaled products, times values";
  let description = [{
    softmax(q kT * scale) v over the last two dimensions; those before are
    batches. The scale is 1 / sqrt(d) unless it is given. With `causal`, query i
    of m sees keys up to i + n - m of n. Products and sums are those of f32 for
    types of 16 bits. Written with linalg by dtensor-expand-attention, so that
    heads, queries and keys are all sharded like those of other ops.

    Example:
    ```mlir
    %1 = dtensor.attention causal ins(%q, %k, %v : tensor<8x16x64xf32>, tensor<8x16x64xf32>, tensor<8x16x64xf32>) outs(%e : tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    ```

    **Constraints:** (S1), and
    - (C1) there are three operands and a destination of one rank, at least 2,
      with equal batches and one element type, a float of 16 bits and more;
    - (C2) for queries of [m, d], keys are of [n, d], values of [n, e], the
      destination is of [m, e], and d and n are not 0;
    - (C3) with `causal`, n is at least m.
  }];
  let arguments = (ins UnitAttr:$causal, OptionalAttr<F64Attr>:$scale,
                       Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$inits);
  let assemblyFormat = [{
    (`causal` $causal^)? (`scale` $scale^)?
  }] # form;
}

#endif // DTENSOR_STRUCTURED_OPS_TD
