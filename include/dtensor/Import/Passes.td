// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that take in programs of other dialects.
#ifndef DTENSOR_IMPORT_PASSES_TD
#define DTENSOR_IMPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportStableHLOPass : Pass<"dtensor-import-stablehlo", "::mlir::ModuleOp"> {
  let summary = "From StableHLO with Shardy annotations to linalg with layouts";
  let description = [{
    Public functions become programs on linalg, tensor, arith and math;
    `sdy.mesh` becomes `dtensor.mesh`, `sdy.sharding` and
    `sdy.sharding_constraint` become `dtensor.layout` and `dtensor.constrain`
    (also where they stand in `mhlo.frontend_attributes`). Calls are inlined.
    Arguments take `dtensor.name` from their locations. Unsigned types become
    signless, with unsigned operations. Other discardable attributes go.
    A module without mesh gets one of a single rank.

    What StableHLO leaves to the implementation: integers divided by zero give
    -1 (remainder: the dividend); the smallest integer divided by -1 gives
    itself; matrix products with f16 and bf16 accumulate in f32.

    Example:
    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {} ]>})
        -> tensor<4x4xf32> {
      %0 = stablehlo.tanh %a : tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }
    // becomes
    dtensor.mesh @mesh ["x" = 2]
    func.func @main(%a: tensor<4x4xf32> {dtensor.layout = #dtensor.layout<@mesh, ["x" = shard(0)]>})
        -> tensor<4x4xf32> {
      %0 = math.tanh %a : tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    }
    ```

    **Constraints:**
    - (C1) tensors have static shapes and element types that can lie on a mesh;
    - (C2) every operation of a foreign dialect is one that the importer knows;
    - (C3) types of operands and results of an operation agree;
    - (C4) calls are not recursive.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::comm::CommDialect",
    "::mlir::dtensor::DTensorDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // DTENSOR_IMPORT_PASSES_TD
