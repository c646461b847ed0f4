// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes kernel functions out of local tensor ops.
#ifndef DTENSOR_LIB_TRANSFORMS_KERNELS_KERNELBUILDER_H
#define DTENSOR_LIB_TRANSFORMS_KERNELS_KERNELBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace mlir::dtensor {

/// Name of the module that holds the kernel functions.
inline constexpr llvm::StringLiteral kKernelModuleName = "kernels";

/// A kernel and what it is called with.
struct Kernel {
  SymbolRefAttr symbol;
  SmallVector<Value> inputs;  ///< tensors read, in argument order
  SmallVector<Value> results; ///< the values it replaces, in argument order
};

/// Builds functions of memrefs: first the inputs, then the outputs, each a
/// whole dense buffer, none of which overlap.
class KernelBuilder {
public:
  explicit KernelBuilder(ModuleOp kernelModule) : module(kernelModule) {}

  /// True for ops that compute each element of their results from elements of
  /// their operands, in one loop nest over the shape of the results.
  bool isElementwise(Operation *op);
  /// True where `op` can be computed in the loop nest of `group`.
  bool canJoin(ArrayRef<Operation *> group, Operation *op);

  /// One loop nest for a group of elementwise ops. Results that only the group
  /// itself uses stay in registers.
  FailureOr<Kernel> buildElementwise(ArrayRef<Operation *> group);
  /// A kernel of one structured op.
  FailureOr<Kernel> buildStructured(Operation *op);
  /// A kernel that copies a part of a tensor, at fixed offsets.
  Kernel buildSlice(tensor::ExtractSliceOp slice);
  /// A kernel that writes a freely laid out value.
  FailureOr<Kernel> buildFill(Value value);

private:
  func::FuncOp startFunction(Location loc, ArrayRef<Value> inputs,
                             ArrayRef<Value> outputs);
  /// Finishes a function and returns its symbol, or that of an equal one.
  SymbolRefAttr finish(func::FuncOp func);

  ModuleOp module;
  /// Text of a function without its name -> symbol.
  std::map<std::string, SymbolRefAttr> known;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_KERNELS_KERNELBUILDER_H
