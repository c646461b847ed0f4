// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the sched dialect.
#ifndef SCHED_OPS_TD
#define SCHED_OPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "DTensor/DTensorAttrs.td"
include "Sched/SchedAttrs.td"
include "Sched/SchedEnums.td"

class Sched_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sched_Dialect, mnemonic, traits>;

def Sched_TensorOrView
    : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef], "tensor or view of the slab">;

def Sched_ProgramOp : Sched_Op<"program",
    [Symbol, IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock]> {
  let summary = "One rank's schedule, the same on all ranks of a mesh";
  let description = [{
    The body is one block: the slab, views of it, the inputs and results, and
    the steps in their order of execution. `peak_bytes` is the most bytes live
    at once. With `local_values` the program passes ranks' values on as parts of
    other tensors (`dtensor.to_local`, `dtensor.from_local`), so the layouts of
    its inputs say nothing of what its collectives find.

    Example:
    ```mlir
    sched.program @main on @mesh peak 4096 {
      %slab = sched.slab : memref<4096xi8>
      %x = sched.view %slab at 0 : memref<4096xi8> to memref<16x16xf32>
      %y = sched.view %slab at 1024 : memref<4096xi8> to memref<16x16xf32>
      sched.input "x" %x : memref<16x16xf32> global tensor<16x16xf32> layout #dtensor.layout<@mesh, []>
      sched.copy %x to %y : memref<16x16xf32>
      sched.result "result0" %y : memref<16x16xf32> global tensor<16x16xf32> layout #dtensor.layout<@mesh, []>
    }
    ```

    **Constraints:**
    - (C1) the mesh is a `dtensor.mesh` of the module;
    - (C2) the body has exactly one `sched.slab`, its first operation;
    - (C3) the peak is between 0 and the size of the slab.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$mesh,
                       I64Attr:$peak_bytes,
                       OptionalAttr<StrAttr>:$reference_of,
                       UnitAttr:$local_values);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `on` $mesh `peak` $peak_bytes (`reference_of` $reference_of^)?
    (`local_values` $local_values^)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def Sched_SlabOp : Sched_Op<"slab", [HasParent<"ProgramOp">]> {
  let summary = "The one piece of memory of a rank";
  let description = [{
    Example:
    ```mlir
    %slab = sched.slab : memref<4096xi8>
    ```

    **Constraints:**
    - (C1) the size is known.
  }];
  let results = (outs MemRefRankOf<[I8], [1]>:$slab);
  let assemblyFormat = "attr-dict `:` type($slab)";
  let hasVerifier = 1;
}

def Sched_ViewOp : Sched_Op<"view", [Pure, HasParent<"ProgramOp">]> {
  let summary = "A buffer at a fixed offset of the slab";
  let description = [{
    Example:
    ```mlir
    %0 = sched.view %slab at 1024 : memref<4096xi8> to memref<16x16xf32>
    ```

    **Constraints:**
    - (C1) the view is dense and lies inside the slab;
    - (C2) the offset is a multiple of 64.
  }];
  let arguments = (ins MemRefRankOf<[I8], [1]>:$slab, I64Attr:$offset);
  let results = (outs AnyStridedMemRef:$view);
  let assemblyFormat = "$slab `at` $offset attr-dict `:` type($slab) `to` type($view)";
  let hasVerifier = 1;
}

class Sched_BoundaryOp<string mnemonic, string what>
    : Sched_Op<mnemonic, [HasParent<"ProgramOp">]> {
  let summary = "Names the buffer of " # what;
  let description = [{
    The view holds this rank's box of the global tensor. `requires_grad` is a
    frontend's flag, kept for whoever reads the plan.

    Example:
    ```mlir
    sched.}] # mnemonic # [{ "x" %0 : memref<32x16xf32> global tensor<64x16xf32> layout #dtensor.layout<@mesh, ["dp" = shard(0)]>
    ```

    **Constraints:**
    - (C1) the view has the largest local shape of the global type under the
      layout, which is closed and on the program's mesh.
  }];
  let arguments = (ins StrAttr:$tensor_name, AnyStridedMemRef:$view,
                       TypeAttrOf<AnyRankedTensor>:$global_type,
                       DTensor_LayoutAttr:$layout, UnitAttr:$requires_grad);
  let assemblyFormat = [{
    $tensor_name $view `:` type($view) `global` $global_type
    `layout` qualified($layout) (`requires_grad` $requires_grad^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Sched_InputOp : Sched_BoundaryOp<"input", "an input">;
def Sched_ResultOp : Sched_BoundaryOp<"result", "a result">;

def Sched_KernelOp : Sched_Op<"kernel", [AttrSizedOperandSegments]> {
  let summary = "Runs a compiled function";
  let description = [{
    Reads the inputs and writes the outputs, whole buffers each. `extents` are
    further arguments: extents of dimensions that differ by rank
    (`#sched.extent`), places of the rank (`#sched.index`) and induction
    variables (`#sched.counter`). On tensors, `result_bounds` has the largest
    shape of each result where that is not its type's.

    Example:
    ```mlir
    %1 = sched.kernel @kernels::@kernel0(%0) : (tensor<32x512xf32>) -> tensor<32x512xf32>
    sched.kernel @kernels::@kernel0(%a) into(%b) : (memref<32x512xf32>, memref<32x512xf32>) -> ()
    ```

    **Constraints:**
    - (C1) on tensors there are results and no outputs, on views the reverse;
    - (C2) in a program, the axes in `extents` are those of its mesh, and
      counters those of loops around the op.
  }];
  let arguments = (ins SymbolRefAttr:$kernel,
                       Variadic<Sched_TensorOrView>:$inputs,
                       Variadic<AnyStridedMemRef>:$outputs,
                       OptionalAttr<TypedArrayAttrBase<AnyAttrOf<[Sched_ExtentAttr, Sched_IndexAttr, Sched_CounterAttr]>, "array of extents, indices and counters">>:$extents,
                       OptionalAttr<ArrayAttr>:$result_bounds);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` (`into` `(` $outputs^ `)`)? (`extents` $extents^)?
    attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Sched_GemmOp : Sched_Op<"gemm", [AttrSizedOperandSegments]> {
  let summary = "Matrix product";
  let description = [{
    `c = a * b`, or `c = init + a * b`; with three dimensions one product for
    each index of the first. Placed on views, `accumulate` says that the output
    already holds the initial value. `extents` are m, n, k and the number of
    products, where one of them differs by rank: integers and `#sched.extent`.

    Example:
    ```mlir
    %2 = sched.gemm %0, %1 : (tensor<32x512xf32>, tensor<512x64xf32>) -> tensor<32x64xf32>
    sched.gemm %a, %b into %c : (memref<32x512xf32>, memref<512x64xf32>, memref<32x64xf32>) -> ()
    ```

    **Constraints:**
    - (C1) on tensors there is a result and no output, on views the reverse;
    - (C2) operands have two or three dimensions, equal element types, and
      extents that agree; `init` has the type of the result;
    - (C3) `extents` has four entries, each an integer or `#sched.extent`; in a
      program, their axes are those of its mesh.
  }];
  let arguments = (ins Sched_TensorOrView:$a, Sched_TensorOrView:$b,
                       Optional<AnyRankedTensor>:$init,
                       Optional<AnyStridedMemRef>:$output,
                       UnitAttr:$accumulate,
                       OptionalAttr<ArrayAttr>:$extents);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $a `,` $b (`init` $init^)? (`into` $output^)? (`accumulate` $accumulate^)?
    (`extents` $extents^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Sched_CopyOp : Sched_Op<"copy",
    [ParentOneOf<["ProgramOp", "LoopOp", "IfOp"]>, SameTypeOperands]> {
  let summary = "Copies one view to another";
  let description = [{
    Example:
    ```mlir
    sched.copy %0 to %1 : memref<16x16xf32>
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source, AnyStridedMemRef:$target);
  let assemblyFormat = "$source `to` $target attr-dict `:` type($source)";
}

def Sched_CollectiveOp : Sched_Op<"collective",
    [ParentOneOf<["ProgramOp", "StartOp", "LoopOp", "IfOp"]>]> {
  let summary = "A collective on views";
  let description = [{
    A change of layout inside groups of ranks that differ on the axes. `shape`
    and the layouts are those of the tensor that a group holds as a whole. The
    mesh is the program's, or another arrangement of the same ranks.

    Example:
    ```mlir
    sched.collective all_reduce %0 to %1 over ["tp"] op sum shape [32, 512]
      : memref<32x512xf32> -> memref<32x512xf32>
      from #dtensor.layout<@mesh, ["tp" = partial(sum)]> to #dtensor.layout<@mesh, []>
    ```

    **Constraints:**
    - (C1) the views have the largest local shapes of `from` and `to`, which
      are closed and on one mesh with the ranks of the program's;
    - (C2) the axes are those of that mesh;
    - (C3) `from_dim` and `to_dim` are in range;
    - (C4) `op` is there exactly where a side is partial;
    - (C5) `root` is there exactly where the kind has one (broadcast, reduce,
      scatter, gather), at least 0 and below the size of the group.
  }];
  let arguments = (ins Sched_CollectiveKindAttr:$kind,
                       AnyStridedMemRef:$source, AnyStridedMemRef:$target,
                       TypedArrayAttrBase<DTensor_AxisAttr, "array of axes">:$axes,
                       OptionalAttr<DTensor_ReduceOpAttr>:$op,
                       OptionalAttr<I64Attr>:$from_dim,
                       OptionalAttr<I64Attr>:$to_dim,
                       DenseI64ArrayAttr:$shape,
                       DTensor_LayoutAttr:$from, DTensor_LayoutAttr:$to,
                       OptionalAttr<I64Attr>:$root);
  let assemblyFormat = [{
    custom<Kind>($kind) $source `to` $target (`root` $root^)?
    `over` custom<AxisList>($axes) (`op` custom<ReduceOp>($op)^)?
    (`from_dim` $from_dim^)? (`to_dim` $to_dim^)? `shape` $shape
    `:` type($source) `->` type($target)
    `from` qualified($from) `to` qualified($to) attr-dict
  }];
  let hasVerifier = 1;
}

def Sched_StartOp : Sched_Op<"start",
    [ParentOneOf<["ProgramOp", "LoopOp", "IfOp"]>, NoTerminator, NoRegionArguments, SingleBlock]> {
  let summary = "Hands collectives to another queue";
  let description = [{
    The collectives of the body run on `queue`, one after the other, while the
    rank goes on with the steps that follow; queue 0 is the rank's own. `event`
    happens when they are done.

    Example:
    ```mlir
    sched.start 0 on 1 {
      sched.collective all_gather %0 to %1 over ["tp"] from_dim 0 shape [64]
        : memref<16xf32> -> memref<64xf32>
        from #dtensor.layout<@mesh, ["tp" = shard(0)]> to #dtensor.layout<@mesh, []>
    }
    sched.wait 0
    ```

    **Constraints:**
    - (C1) the body holds at least one `sched.collective`, and nothing else;
    - (C2) the queue is 1, the event from 0 to 2147483647;
    - (C3) no other `sched.start` beside it has the event, and one
      `sched.wait` after it waits for it.
  }];
  let arguments = (ins I64Attr:$event, I64Attr:$queue);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$event `on` $queue attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Sched_WaitOp : Sched_Op<"wait",
    [ParentOneOf<["ProgramOp", "LoopOp", "IfOp"]>]> {
  let summary = "Waits for an event";
  let description = [{
    The steps after it may use what the `sched.start` of the event made, and
    overwrite what that read.

    Example:
    ```mlir
    sched.wait 0
    ```

    **Constraints:**
    - (C1) a `sched.start` before it has the event.
  }];
  let arguments = (ins I64Attr:$event);
  let assemblyFormat = "$event attr-dict";
}

def Sched_LoopOp : Sched_Op<"loop",
    [ParentOneOf<["ProgramOp", "LoopOp", "IfOp"]>, NoTerminator,
     NoRegionArguments, SingleBlock]> {
  let summary = "Runs steps a number of times";
  let description = [{
    `carried` are the buffers that one iteration leaves to the next, and the
    last one to what follows: the body ends with the copies into them. Other
    buffers from before the loop are not written in it. Views stand outside.

    Example:
    ```mlir
    sched.loop 0 times 10 carries(%c) {
      sched.kernel @kernels::@k(%c) into(%d) extents [#sched.counter<0 from 0 step 1>] : (memref<4xf32>, memref<4xf32>) -> ()
      sched.copy %d to %c : memref<4xf32>
    } : memref<4xf32>
    ```

    **Constraints:**
    - (C1) the loop has a number of its own in the program, from 0 to
      2147483647, and runs at least once;
    - (C2) the body is not empty and holds steps only.
  }];
  let arguments = (ins I64Attr:$number, I64Attr:$count,
                       Variadic<AnyStridedMemRef>:$carried);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $number `times` $count (`carries` `(` $carried^ `)`)?
    attr-dict-with-keyword $body (`:` type($carried)^)?
  }];
  let hasRegionVerifier = 1;
}

def Sched_IfOp : Sched_Op<"if",
    [ParentOneOf<["ProgramOp", "LoopOp", "IfOp"]>, NoTerminator,
     NoRegionArguments, SingleBlock]> {
  let summary = "Runs one of two lists of steps";
  let description = [{
    The first one where the condition's byte is not 0. `results` are the buffers
    that both leave to what follows. Views stand outside.

    Ranks that meet in collectives of a branch must agree on the condition.

    Example:
    ```mlir
    sched.if %c gives(%r) {
      sched.copy %a to %r : memref<4xf32>
    } else {
      sched.copy %b to %r : memref<4xf32>
    } : memref<i1>, memref<4xf32>
    ```

    **Constraints:**
    - (C1) the condition is one i1;
    - (C2) the branches hold steps only.
  }];
  let arguments = (ins AnyStridedMemRef:$condition,
                       Variadic<AnyStridedMemRef>:$results_of);
  let regions = (region SizedRegion<1>:$then_steps, SizedRegion<1>:$else_steps);
  let assemblyFormat = [{
    $condition (`gives` `(` $results_of^ `)`)? attr-dict-with-keyword
    $then_steps `else` $else_steps `:` type(operands)
  }];
  let hasRegionVerifier = 1;
}

#endif // SCHED_OPS_TD
