// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the sched dialect.
#ifndef SCHED_ATTRS_TD
#define SCHED_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "Sched/SchedDialect.td"

def Sched_ExtentAttr : AttrDef<Sched_Dialect, "Extent"> {
  let mnemonic = "extent";
  let summary = "The extent of a dimension that differs by rank";
  let description = [{
    A dimension of `size` elements that the axes chunk, major to minor, and the
    largest extent that a rank holds of it.

    Example:
    ```mlir
    #sched.extent<7 over ["x"] max 2>   // x = 4: 2, 2, 2, 1
    ```
  }];
  let parameters = (ins "int64_t":$size, "::mlir::ArrayAttr":$axes,
                        "int64_t":$max);
  let assemblyFormat = "`<` $size `over` custom<AxisList>($axes) `max` $max `>`";
}

def Sched_IndexAttr : AttrDef<Sched_Dialect, "AxisIndex"> {
  let mnemonic = "index";
  let summary = "Where a rank stands on axes of the mesh";
  let description = [{
    The coordinate of the rank on the axes read as one, the first listed major.

    Example:
    ```mlir
    #sched.index<["x"]>
    ```
  }];
  let parameters = (ins "::mlir::ArrayAttr":$axes);
  let assemblyFormat = "`<` custom<AxisList>($axes) `>`";
}

def Sched_CounterAttr : AttrDef<Sched_Dialect, "Counter"> {
  let mnemonic = "counter";
  let summary = "The induction variable of a loop";
  let description = [{
    `start` plus `step` times the iterations done of the `sched.loop` of this
    number.

    Example:
    ```mlir
    #sched.counter<0 from 0 step 2>
    ```
  }];
  let parameters = (ins "int64_t":$loop, "int64_t":$start, "int64_t":$step);
  let assemblyFormat = "`<` $loop `from` $start `step` $step `>`";
}

#endif // SCHED_ATTRS_TD
