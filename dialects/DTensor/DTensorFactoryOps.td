// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that make tensors, and that put whole ones onto a mesh or take
// them off it. dtensor-expand-factories writes them with plain ops.
#ifndef DTENSOR_FACTORY_OPS_TD
#define DTENSOR_FACTORY_OPS_TD

include "DTensor/DTensorOps.td"

//===----------------------------------------------------------------------===//
// Factories
//===----------------------------------------------------------------------===//

/// A factory has no tensor operands; `value` and `seed` are what some have.
class DTensor_FactoryOp<string mnemonic, dag own = (ins), string head = "">
    : DTensor_Op<mnemonic, [Pure,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = !con(own, (ins UnitAttr:$requiresGrad,
                                 OptionalAttr<DTensor_LayoutAttr>:$layout));
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = head # [{
    (`requires_grad` $requiresGrad^)? `:` type($result)
    (`to` qualified($layout)^)? attr-dict
  }];
}

def DTensor_OnesOp : DTensor_FactoryOp<"ones"> {
  let summary = "A tensor of ones";
  let description = [{
    All elements are one (true of i1). `requires_grad` says that a frontend
    differentiates with respect to the tensor; gradients themselves are part of
    the program, so that nothing here depends on it.

    Example:
    ```mlir
    %0 = dtensor.ones : tensor<8x8xf32>
    %1 = dtensor.ones requires_grad : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
    ```

    **Constraints:**
    - (C1) the layout is one of the type (see `#dtensor.layout`);
    - (C2) the shape is static;
    - (C3) the element type can lie on a mesh;
    - (C4) only tensors of floats require gradients.
  }];
}

def DTensor_ZerosOp : DTensor_FactoryOp<"zeros"> {
  let summary = "A tensor of zeros";
  let description = [{
    All elements are zero.

    Example:
    ```mlir
    %0 = dtensor.zeros : tensor<8x8xi32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
    ```

    **Constraints:** (C1) to (C4) of `dtensor.ones`.
  }];
}

def DTensor_EmptyOp : DTensor_FactoryOp<"empty"> {
  let summary = "A tensor of any values";
  let description = [{
    What the elements are is nobody's business: to be written before it is
    read.

    Example:
    ```mlir
    %0 = dtensor.empty : tensor<8x8xf32>
    ```

    **Constraints:** (C1) to (C4) of `dtensor.ones`.
  }];
}

def DTensor_FullOp : DTensor_FactoryOp<"full",
    (ins TypedAttrInterface:$value), "`(` $value `)` "> {
  let summary = "A tensor that repeats one value";
  let description = [{
    All elements are `value`.

    Example:
    ```mlir
    %0 = dtensor.full(0.5 : f32) : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
    %1 = dtensor.full(7 : i32) : tensor<8xi32>
    ```

    **Constraints:** (C1) to (C4) of `dtensor.ones`, and
    - (C5) the value is a number of the element type.
  }];
}

/// What rand and randn say about their numbers.
class DTensor_RandomOp<string mnemonic>
    : DTensor_FactoryOp<mnemonic, (ins I64Attr:$seed), "`seed` $seed "> {
  let extraClassDeclaration = [{
    /// The seed as the key of the generator.
    uint64_t getKey() { return static_cast<uint64_t>(getSeed()); }
  }];
}

def DTensor_RandOp : DTensor_RandomOp<"rand"> {
  let summary = "A tensor of uniform random numbers in [0, 1)";
  let description = [{
    Counter-based: element p (row-major, of the whole tensor) follows from the
    seed and p alone, so that the values are the same on every layout and every
    number of ranks. Two tensors of one seed begin alike; give each its own.

    With the four words w of Philox 4x32-10 for the key `seed` and the counter
    p, an f64 is the upper 53 bits of w0, w1 read as a fraction; an f32 the
    upper 24 bits of w0, an f16 the upper 11, a bf16 the upper 8. All of these
    are exact. (The random inputs of `dtensor-run` come from the same words.)

    Example:
    ```mlir
    %0 = dtensor.rand seed 42 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
    ```

    **Constraints:** (C1) to (C4) of `dtensor.ones`, and
    - (C5) the element type is a float of at least 16 bits.
  }];
}

def DTensor_RandnOp : DTensor_RandomOp<"randn"> {
  let summary = "A tensor of normal random numbers";
  let description = [{
    Mean 0, variance 1, counter-based as `dtensor.rand`: with
    u = (the upper 53 bits of w0, w1, plus 1) / 2^53 and
    v = (the upper 53 bits of w2, w3) / 2^53, the value is
    sqrt(-2 ln u) cos(2 pi v), computed in f64 and rounded to the element type
    (f16 and bf16 by way of f32).

    Example:
    ```mlir
    %0 = dtensor.randn seed 7 requires_grad : tensor<512x2048xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
    ```

    **Constraints:** (C1) to (C4) of `dtensor.ones`, and
    - (C5) the element type is a float of at least 16 bits.
  }];
}

def DTensor_RngBitsOp : DTensor_RandomOp<"rng_bits"> {
  let summary = "A tensor of random bits";
  let description = [{
    Counter-based as `dtensor.rand`: the lower bits of the word w0, and for i64
    w1 above it.

    Example:
    ```mlir
    %0 = dtensor.rng_bits seed 42 : tensor<8x8xi32> to #dtensor.layout<@mesh, ["dp" = shard(0)]>
    ```

    **Constraints:** (C1) to (C4) of `dtensor.ones`, and
    - (C5) the element type is an integer of 8, 16, 32 or 64 bits.
  }];
}

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

def DTensor_DistributeOp : DTensor_Op<"distribute",
    [Pure, SameOperandsAndResultType,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Puts a whole tensor onto a mesh";
  let description = [{
    The operand is whole on every rank, and each keeps what `layout` gives it:
    a redistribution from replicated. `src_rank` names the rank whose value
    counts. The ranks of one program have the same inputs and hold replicas of
    identical bits, so that it changes no value and nothing has to be sent.

    Example:
    ```mlir
    %1 = dtensor.distribute %0 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
    %2 = dtensor.distribute %0 src_rank 0 : tensor<8x8xf32> to #dtensor.layout<@mesh, ["tp" = shard(1)]>
    ```

    **Constraints:**
    - (C1) the layout is one of the type (see `#dtensor.layout`);
    - (C2) the layout is closed: it says what each rank keeps;
    - (C3) `src_rank` is a rank of the mesh.
  }];
  let arguments = (ins AnyRankedTensor:$input,
                       OptionalAttr<I64Attr>:$srcRank,
                       DTensor_LayoutAttr:$layout);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input (`src_rank` $srcRank^)? `:` type($input) `to` qualified($layout)
    attr-dict
  }];
}

def DTensor_FullTensorOp : DTensor_Op<"full_tensor",
    [Pure, SameOperandsAndResultType,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Gives every rank the whole tensor";
  let description = [{
    A redistribution to replicated, on the mesh named or on the one that the
    function's layouts (or the module) have.

    Example:
    ```mlir
    %1 = dtensor.full_tensor %0 : tensor<8x8xf32>
    %2 = dtensor.full_tensor %0 on @mesh : tensor<8x8xf32>
    ```

    **Constraints:**
    - (C1) the mesh, where named, is a `dtensor.mesh` of the module.
  }];
  let arguments = (ins AnyRankedTensor:$input,
                       OptionalAttr<FlatSymbolRefAttr>:$mesh);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input (`on` $mesh^)? `:` type($input) attr-dict";
}

#endif // DTENSOR_FACTORY_OPS_TD
