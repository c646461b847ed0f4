// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives that go on while the rank computes: started here, waited for
// there.
#ifndef COMM_ASYNC_OPS_TD
#define COMM_ASYNC_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Comm/CommDialect.td"

def Comm_TokenType : TypeDef<Comm_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "A tensor that collectives under way will give";
  let description = [{
    Made by `comm.start`, taken by one `comm.wait`.

    Example:
    ```mlir
    !comm.token<tensor<16x8xf32>>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
}

// Neither op is free of effects: two equal starts are two, and a token is
// waited for once.
def Comm_StartOp : Op<Comm_Dialect, "start",
    [SingleBlock, NoRegionArguments]> {
  let summary = "Begins collectives, and lets the rank go on";
  let description = [{
    The collectives of the body run one after the other beside what follows the
    op, up to the `comm.wait` of its token. They keep their place in the one
    order of communication: a collective after the op begins when they are done.
    What they read must not change before the wait, which values on tensors
    guarantee; a backend that cannot run beside the rank runs them at once.

    Example:
    ```mlir
    %t = comm.start : !comm.token<tensor<16x8xf32>> {
      %1 = comm.all_gather %0 over @mesh["tp"] dim 0 : tensor<4x8xf32> -> tensor<16x8xf32>
      comm.yield %1 : tensor<16x8xf32>
    }
    %2 = comm.wait %t : !comm.token<tensor<16x8xf32>>
    ```

    **Constraints:**
    - (C1) the body holds at least one collective, and nothing else;
    - (C2) it yields the result of one of them, of the token's type;
    - (C3) one `comm.wait`, in the same block, waits for the token.
  }];
  let results = (outs Comm_TokenType:$token);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict `:` type($token) $body";
  let hasRegionVerifier = 1;
}

def Comm_WaitOp : Op<Comm_Dialect, "wait", []> {
  let summary = "Waits for collectives, and gives their result";
  let description = [{
    Example:
    ```mlir
    %2 = comm.wait %t : !comm.token<tensor<16x8xf32>>
    ```

    **Constraints:**
    - (C1) the token comes from a `comm.start`;
    - (C2) the result has the type that the token names.
  }];
  let arguments = (ins Comm_TokenType:$token);
  let results = (outs AnyRankedTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$token), [{
    build($_builder, $_state,
          ::llvm::cast<TokenType>(token.getType()).getTensor(), token);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Comm_YieldOp : Op<Comm_Dialect, "yield",
    [Pure, Terminator, HasParent<"StartOp">]> {
  let summary = "Ends the body of comm.start";
  let description = [{
    Example:
    ```mlir
    comm.yield %1 : tensor<16x8xf32>
    ```

    **Constraints:** (C2) of `comm.start`.
  }];
  let arguments = (ins AnyRankedTensor:$value);
  let assemblyFormat = "$value `:` type($value) attr-dict";
}

#endif // COMM_ASYNC_OPS_TD
