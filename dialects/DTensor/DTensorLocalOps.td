// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between the global view and what one rank holds. Values between
// `to_local` and `from_local`, and in the body of `manual`, are local: each
// rank has its own. dtensor-inline-manual writes `manual` with the other two;
// dtensor-propagate marks the ops between these with `dtensor.local`.
#ifndef DTENSOR_LOCAL_OPS_TD
#define DTENSOR_LOCAL_OPS_TD

include "DTensor/DTensorOps.td"

def DTensor_LayoutArrayAttr
    : TypedArrayAttrBase<DTensor_LayoutAttr, "array of layouts">;

def DTensor_ToLocalOp : DTensor_Op<"to_local",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "What this rank holds of a tensor";
  let description = [{
    The result is this rank's part of the operand in `layout`; where the operand
    lies otherwise, it is redistributed first. A dimension that does not divide
    is `?`.

    What is computed of the result is local too: every rank computes its own,
    and `comm` ops move it. Local and global tensors do not meet in one op;
    `dtensor.from_local` leads back.

    Example:
    ```mlir
    %l = dtensor.to_local %x : tensor<8x8xf32> in #dtensor.layout<@mesh, ["tp" = shard(0)]> -> tensor<2x8xf32>
    ```

    **Constraints:**
    - (C1) the layout is one of the operand's type (see `#dtensor.layout`);
    - (C2) the layout is closed: it says what each rank holds;
    - (C3) the result has the local type of the operand's type in the layout.
  }];
  let arguments = (ins AnyRankedTensor:$input, DTensor_LayoutAttr:$layout);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `:` type($input) `in` qualified($layout) `->` type($result) attr-dict
  }];
}

def DTensor_FromLocalOp : DTensor_Op<"from_local",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A tensor of what the ranks hold";
  let description = [{
    The ranks' operands are the parts of the result in `layout`. That ranks
    which hold the same part hold the same values is the program's promise; in a
    partial layout the operands are contributions.

    Example:
    ```mlir
    %x = dtensor.from_local %l : tensor<2x8xf32> in #dtensor.layout<@mesh, ["tp" = shard(0)]> -> tensor<8x8xf32>
    %s = dtensor.from_local %p : tensor<8x8xf32> in #dtensor.layout<@mesh, ["tp" = partial(sum)]> -> tensor<8x8xf32>
    ```

    **Constraints:**
    - (C1) the layout is one of the result's type (see `#dtensor.layout`);
    - (C2) the layout is closed: it says what each rank holds;
    - (C3) the operand has the local type of the result's type in the layout.
  }];
  let arguments = (ins AnyRankedTensor:$input, DTensor_LayoutAttr:$layout);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `:` type($input) `in` qualified($layout) `->` type($result) attr-dict
  }];
}

def DTensor_ManualOp : DTensor_Op<"manual",
    [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A part of the program written for one rank";
  let description = [{
    Every rank runs the body on its parts of the operands; the results are made
    of the ranks' parts. An axis that no layout names replicates: its ranks run
    the body on the same values. The counterpart of `shard_map` and
    `sdy.manual_computation`.

    Example:
    ```mlir
    %r = dtensor.manual(%x) in [#row] out [#row] : (tensor<8x8xf32>) -> tensor<8x8xf32> {
    ^bb0(%l: tensor<2x8xf32>):
      %s = comm.all_reduce sum %l over @mesh["tp"] : tensor<2x8xf32>
      dtensor.yield %s : tensor<2x8xf32>
    }
    ```

    **Constraints:**
    - (C1) there is a closed layout on one mesh for each operand and each
      result (see `#dtensor.layout`);
    - (C2) the arguments of the body have the local types of the operands;
    - (C3) the body yields the local types of the results.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       DTensor_LayoutArrayAttr:$in_layouts,
                       DTensor_LayoutArrayAttr:$out_layouts);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `in` $in_layouts `out` $out_layouts attr-dict
    `:` functional-type($inputs, $results) $body
  }];
}

def DTensor_YieldOp : DTensor_Op<"yield",
    [Pure, Terminator, HasParent<"ManualOp">]> {
  let summary = "Ends the body of a manual region";
  let description = [{
    Example:
    ```mlir
    dtensor.yield %s : tensor<2x8xf32>
    ```

    **Constraints:** (C3) of `dtensor.manual`.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // DTENSOR_LOCAL_OPS_TD
