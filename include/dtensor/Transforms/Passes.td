// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes within the dtensor and sched dialects.
#ifndef DTENSOR_TRANSFORMS_PASSES_TD
#define DTENSOR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandFactoriesPass : Pass<"dtensor-expand-factories", "::mlir::ModuleOp"> {
  let summary = "Writes factories and moves of whole tensors with plain ops";
  let description = [{
    `dtensor.ones`, `zeros` and `full` become splat constants, `empty` becomes
    `tensor.empty`; `rand` and `randn` a `linalg.generic` that computes the
    generator from the global index. Their layouts become `dtensor.constrain`.
    `dtensor.distribute` is a redistribution from replicated,
    `dtensor.full_tensor` one to replicated. Results of functions that are a
    factory's tensor with `requires_grad`, or such an argument, on whatever
    layout, get `dtensor.requires_grad`.

    Example: `dtensor.ones : tensor<8xf32> to #row` becomes
    ```mlir
    %1 = arith.constant dense<1.0> : tensor<8xf32>
    %0 = dtensor.constrain %1 : tensor<8xf32> to #row
    ```

    **Constraints:**
    - (C1) a `dtensor.full_tensor` without mesh stands where the function's
      layouts or the module say which mesh it is.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::dtensor::DTensorDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def InlineManualPass : Pass<"dtensor-inline-manual", "::mlir::ModuleOp"> {
  let summary = "Writes manual regions as local values";
  let description = [{
    The body of a `dtensor.manual` takes the place of the op: its arguments
    become `dtensor.to_local` of the operands, and `dtensor.from_local` makes
    the results of what it yields.

    Example: `%r = dtensor.manual(%x) in [#row] out [#row] ... { ^bb0(%l):
    dtensor.yield %l }` becomes
    ```mlir
    %l = dtensor.to_local %x : tensor<8x8xf32> in #row -> tensor<2x8xf32>
    %r = dtensor.from_local %l : tensor<2x8xf32> in #row -> tensor<8x8xf32>
    ```

    **Constraints:**
    - (C1) a `dtensor.manual` stands in a function's body, in no other region.
  }];
  let dependentDialects = ["::mlir::dtensor::DTensorDialect"];
}

def ExpandAttentionPass : Pass<"dtensor-expand-attention", "::mlir::ModuleOp"> {
  let summary = "Writes attention with linalg";
  let description = [{
    `dtensor.attention` becomes two `linalg.batch_matmul` and the softmax between
    them, the largest score subtracted. Batches are one dimension there, and
    floats of 16 bits are f32. A causal mask compares `linalg.index`, which is
    right on every part of the queries and keys.

    Example: of `%o = dtensor.attention ins(%q, %k, %v : ...)` remain
    `linalg.transpose`, `linalg.batch_matmul`, `linalg.generic` and
    `linalg.reduce`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def NormalizePass : Pass<"dtensor-normalize", "::mlir::ModuleOp"> {
  let summary = "Writes ops that have no sharding rule with such that have one";
  let description = [{
    `tensor.pad` of one value becomes a `tensor.insert_slice` into it,
    `tensor.generate` a `linalg.generic` over `linalg.index`, `tensor.reshape`
    between static shapes a collapse and an expansion, `tensor.gather` and
    `tensor.scatter` the dtensor dialect's, `linalg.softmax` the structured ops
    that it stands for; elementwise ops of two results become a
    `linalg.generic`; `tensor.dim` and `tensor.cast` that say what is known go. Ops with a `dtensor.rule` stay as they are, and so do dynamic shapes.

    Example: `tensor.pad %x low[1, 0] high[1, 0] { ... tensor.yield %zero }`
    becomes
    ```mlir
    %e = linalg.fill ins(%zero : f32) outs(%empty : tensor<10x4xf32>) -> tensor<10x4xf32>
    %0 = tensor.insert_slice %x into %e[1, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<10x4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::dtensor::DTensorDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def ParallelizePass : Pass<"dtensor-parallelize", "::mlir::ModuleOp"> {
  let summary = "Writes the layouts that a plan gives to parameters";
  let description = [{
    Matches the styles of the module's `dtensor.parallelize_plan` with
    `dtensor.name` of the arguments of public functions, writes layouts, and
    removes the plan. Which dimension a style shards follows from the matrix
    products that use the parameter, directly or through transpositions,
    reshapes and conversions: `colwise` the one that they keep, `rowwise` the
    one that they sum over. Layouts are closed: axes that are not named are
    replicated. `sequence` replicates the parameter, and puts open
    `dtensor.constrain` ops on the tensors that it is applied to and on the
    results: sharded along the last dimension that the parameter has not (of
    [batch, sequence, hidden], say). `fully_sharded` and `expert` go by the
    parameter's shape. Runs on inlined programs.

    **Constraints:**
    - (C1) the module has at most one plan, or `plan` names one of them;
    - (C2) every pattern matches a parameter;
    - (C3) a parameter is matched by one style;
    - (C4) an argument that the plan lays out has no layout of its own;
    - (C5) a parameter of style `colwise` or `rowwise` is used by a matrix
      product, and all of these agree on its one dimension to shard;
    - (C6) `prepare_input` names an argument of every public function,
      `prepare_output` a result, and the layout is one of its type;
    - (C7) a parameter of style `sequence` is applied, element by element, to
      a tensor with a dimension that the parameter has not;
    - (C8) a parameter of style `expert` has a dimension.
  }];
  let options = [
    Option<"plan", "plan", "std::string", "\"\"",
           "the plan to apply; without it the only one of the module">
  ];
  let dependentDialects = ["::mlir::dtensor::DTensorDialect"];
}

def PinAnnotationsPass : Pass<"dtensor-pin-annotations", "::mlir::ModuleOp"> {
  let summary = "Keeps the annotations of functions that are inlined";
  let description = [{
    Inlining drops the attributes of arguments and results. Layouts of a
    function that is called become `dtensor.constrain` ops in its body; those of
    a private function leave its signature.

    Example: in a called `func.func private @f(%x: tensor<4xf32>
    {dtensor.layout = #row})`, the uses of `%x` become uses of
    `dtensor.constrain %x : tensor<4xf32> to #row`.
  }];
  let dependentDialects = ["::mlir::dtensor::DTensorDialect"];
}

def CloneReferencePass : Pass<"dtensor-clone-reference", "::mlir::ModuleOp"> {
  let summary = "Keeps the unsharded form of each program beside it";
  let description = [{
    Copies every public function `@f` to a private `@f.reference` without
    layouts, for a run on one rank that results are compared with. A function
    in which ranks compute something of their own (`dtensor.to_local`, `comm`
    ops) has no such form, and gets no copy.

    Example: `func.func @f(%x: tensor<4xf32> {dtensor.layout = ...})` gains
    `func.func private @f.reference(%x: tensor<4xf32>) attributes
    {dtensor.reference_of = "f"}`.
  }];
}

def PrintRulesPass : Pass<"dtensor-print-rules", "::mlir::ModuleOp"> {
  let summary = "Says how each op may be sharded";
  let description = [{
    A remark on each op of a function's body that takes or makes tensors: its
    sharding rule, or that it has none. Changes nothing. `-` is a dimension that
    no factor belongs to, `ij` one that joins two.

    Example: `linalg.matmul` gets
    "rule ([i, k], [j, k], [i, j]) -> ([i, j]), reduction = [k]".
  }];
}

def ReportPass : Pass<"dtensor-report", "::mlir::ModuleOp"> {
  let summary = "Says what a program costs one rank";
  let description = [{
    A remark on each public function of global or local tensors: bytes received,
    modelled time of collectives and of local work, and the most that is held at
    once. Before the SPMD pipeline that is the cost of the whole program on one
    rank, after it that of a rank's part. Changes nothing.

    What is modelled: every op on tensors as one kernel at the machine's rates
    (neighbouring elementwise ops are one kernel in the end), what is made of
    one scalar and reshapes for free; arguments and results live throughout,
    other values from their op to their last use. Bodies of loops count as often
    as they run, of branches the dearer one.

    Example: `dtensor-opt x.mlir --dtensor-report --dtensor-spmd-pipeline
    --dtensor-report`
  }];
  let options = [
    Option<"topology", "topology", "std::string", "\"builtin:threads\"",
           "machine to price for: builtin:threads | builtin:h100x8 | ... | FILE">
  ];
  // For extents that differ by rank.
  let dependentDialects = ["::mlir::sched::SchedDialect"];
}

def PropagatePass : Pass<"dtensor-propagate", "::mlir::ModuleOp"> {
  let summary = "Gives every tensor value one complete layout";
  let description = [{
    From the annotations, through the factor rules of the ops, to a fixpoint:
    operands to results first, then both ways. Then each op, in program order,
    takes the sharding of its factors with the lowest modelled price:
    redistribution of its operands, of its results to what their users were
    found to want, and its own work. What loops and branches hand on has one
    layout in all its places: operand, argument, what is yielded, result. Layouts
    are kept in `dtensor.layouts` and
    `dtensor.operand_layouts`, and complete on arguments and results.

    **Constraints:**
    - (C1) shapes are static;
    - (C2) a function has one block, and no calls (the pipeline inlines them);
    - (C3) all layouts of a function are on one mesh;
    - (C4) every op on tensors has a sharding rule, or `unknown-ops=replicate`
      is given;
    - (C5) element types can lie on a mesh;
    - (C6) regions use no tensors of their surroundings, those of `scf.for`,
      `scf.if` and `scf.while` excepted;
    - (C7) an op takes local values or global tensors, not both: between
      `dtensor.to_local` and `dtensor.from_local` every rank computes its own,
      and ops are marked `dtensor.local` and left as they are;
    - (C8) what a function returns is global.
  }];
  let options = [
    Option<"unknownOps", "unknown-ops", "std::string", "\"error\"",
           "what to do with an op without sharding rule: error | replicate">,
    Option<"topology", "topology", "std::string", "\"builtin:threads\"",
           "machine to price for: builtin:threads | builtin:h100x8 | ... | FILE">,
    Option<"explain", "explain", "std::string", "\"\"",
           "say in remarks why values lie as they do: text | json">
  ];
}

def InsertRedistributionsPass
    : Pass<"dtensor-insert-redistributions", "::mlir::ModuleOp"> {
  let summary = "Makes every change of layout an operation";
  let description = [{
    Inserts `dtensor.redistribute` where an operand has another layout than its
    op takes. Users of one value that want the same layout share one.
    Needs `dtensor-propagate` directly before it.
  }];
  let options = [
    Option<"implicit", "implicit", "std::string", "\"allow\"",
           "redistributions that the program does not write: allow | warn | forbid">,
    Option<"topology", "topology", "std::string", "\"builtin:threads\"",
           "machine to price for: builtin:threads | builtin:h100x8 | ... | FILE">
  ];
  let dependentDialects = ["::mlir::dtensor::DTensorDialect"];
}

def VerifyStagePass : Pass<"dtensor-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Checks the invariant of a stage";
  let description = [{
    - `laid-out`: every tensor value has one complete layout.
    - `explicit`: and the layouts of every op's operands are those it takes,
      which agree with its sharding rule.
    - `local`: no dtensor ops and no layouts on values; arguments and results
      keep their global types and layouts.
    - `scheduled`: the program is a list of placed steps.
  }];
  let options = [
    Option<"stage", "stage", "std::string", "\"laid-out\"",
           "laid-out | explicit | local | scheduled">
  ];
}

def NameGroupsPass : Pass<"dtensor-name-groups", "::mlir::ModuleOp"> {
  let summary = "Gives explicit groups of ranks a mesh of their own";
  let description = [{
    A collective that lists groups becomes one over the axis "member" of a
    `dtensor.mesh` that has the ranks in that order; equal lists share one. What
    follows knows of axes only.

    Example: `comm.all_reduce sum %0 over @mesh groups [[0, 3], [1, 2]]` becomes
    ```mlir
    dtensor.mesh @groups ["group" = 2, "member" = 2] devices = [0, 3, 1, 2]
    %1 = comm.all_reduce sum %0 over @groups["member"] : tensor<16x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::dtensor::DTensorDialect"];
}

def WidenReductionsPass : Pass<"dtensor-widen-reductions", "::mlir::ModuleOp"> {
  let summary = "Keeps running sums and products of 16-bit floats in f32";
  let description = [{
    A structured op that adds up or multiplies f16 or bf16 gets a destination of
    f32, and its result is rounded once: rounding every step would lose what
    is small. (Sums between ranks are kept so by the runtime, and those of
    matrix products by `sched.gemm`.)

    Example: a `linalg.reduce` of tensor<8x512xbf16> by `arith.addf` becomes a
    `linalg.generic` with a destination of tensor<8xf32>, and an `arith.truncf`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OutlineKernelsPass : Pass<"dtensor-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Turns local compute into kernels and matrix products";
  let description = [{
    `linalg.matmul` and `linalg.batch_matmul` become `sched.gemm`. Neighbouring
    elementwise ops of one shape become one kernel, every other structured op a
    kernel of its own: functions on memrefs in the module `@kernels`, equal ones
    once, called by `sched.kernel`.
  }];
  let dependentDialects = [
    "::mlir::sched::SchedDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
    "::mlir::arith::ArithDialect"];
}

def PlaceBuffersPass : Pass<"dtensor-place-buffers", "::mlir::ModuleOp"> {
  let summary = "Gives every value a place in the slab";
  let description = [{
    Turns each function of steps on tensors into a `sched.program` of steps on
    views. Intervals are known, so one walk over the steps places best-fit:
    inputs and results live throughout, everything else from its step to its
    last use.
  }];
  let dependentDialects = ["::mlir::sched::SchedDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // DTENSOR_TRANSFORMS_PASSES_TD
