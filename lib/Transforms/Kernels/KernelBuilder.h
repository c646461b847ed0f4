// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes kernel functions out of local tensor ops.
#ifndef DTENSOR_LIB_TRANSFORMS_KERNELS_KERNELBUILDER_H
#define DTENSOR_LIB_TRANSFORMS_KERNELS_KERNELBUILDER_H

#include "Extents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace mlir::dtensor {

/// The number of a loop in its function, while kernels are outlined and placed.
inline constexpr llvm::StringLiteral kLoopNumberAttr = "sched.number";

/// Name of the module that holds the kernel functions.
inline constexpr llvm::StringLiteral kKernelModuleName = "kernels";

/// A kernel and what it is called with.
struct Kernel {
  SymbolRefAttr symbol;
  SmallVector<Value> inputs;      ///< tensors read, in argument order
  SmallVector<Value> results;     ///< the values it replaces, in argument order
  SmallVector<Attribute> extents; ///< arguments after the buffers: extents and
                                  ///< places of the rank
};

/// A kernel function under construction.
struct KernelFunction {
  func::FuncOp func;
  /// The buffers with their shapes: first the inputs, then the outputs.
  SmallVector<Value> buffers;
  /// Numbers that differ by rank, by the argument that brings them.
  SmallVector<std::pair<Attribute, Value>> extents;

  /// The argument that brings `number`, a new one where there is none yet.
  Value bring(Attribute number);
};

/// Builds functions of memrefs: first the inputs, then the outputs, each a
/// whole dense buffer, none of which overlap, then the numbers that differ by
/// rank. A buffer whose shape differs by rank comes as a flat one of the
/// largest size.
class KernelBuilder {
public:
  explicit KernelBuilder(ModuleOp kernelModule) : module(kernelModule) {}

  /// The extents of the function whose ops are outlined next.
  void setExtents(ExtentAnalysis *analysis) { extents = analysis; }

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
  /// A kernel of one of the dtensor dialect's structured ops; `scratch` is a
  /// tensor for the memory that it needs besides, or null.
  FailureOr<Kernel> buildLoops(DestinationStyleOpInterface op, Value scratch);
  /// A kernel that copies a part of a tensor. Offsets are scalars that a kernel
  /// can make.
  FailureOr<Kernel> buildSlice(tensor::ExtractSliceOp slice);
  /// A kernel that copies a tensor and another one into a part of it.
  FailureOr<Kernel> buildInsert(tensor::InsertSliceOp insert);
  /// A kernel that copies tensors one after the other along a dimension.
  FailureOr<Kernel> buildConcat(tensor::ConcatOp concat);
  /// A kernel that writes a constant whose elements differ.
  Kernel buildConstant(arith::ConstantOp op);
  /// A kernel that writes a freely laid out value.
  FailureOr<Kernel> buildFill(Value value);

private:
  KernelFunction startFunction(Location loc, ArrayRef<Value> inputs,
                               ArrayRef<Value> outputs);
  /// The buffer of `value` with its shape, from the argument that brings it.
  Value shapeBuffer(OpBuilder &builder, Value value, Value argument,
                    const KernelFunction &function);
  /// Finishes a function; an equal one that exists takes its place.
  void finish(KernelFunction &function, Kernel &kernel);

  ModuleOp module;
  ExtentAnalysis *extents = nullptr;
  /// Text of a function without its name -> symbol.
  std::map<std::string, SymbolRefAttr> known;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_KERNELS_KERNELBUILDER_H
