// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One loop nest for a group of elementwise ops.
#ifndef DTENSOR_LIB_TRANSFORMS_KERNELS_ELEMENTWISELOOP_H
#define DTENSOR_LIB_TRANSFORMS_KERNELS_ELEMENTWISELOOP_H

#include "KernelBuilder.h"

namespace mlir::dtensor {

/// The shape of the loop nest of an elementwise op: that of its results.
inline ArrayRef<int64_t> getLoopShape(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}
/// The map by which `operand` is read in the loop nest over its op's results.
AffineMap getReadMap(OpOperand &operand);
/// True for operands whose values an elementwise op reads.
bool isRead(OpOperand &operand);

/// The loop nest of a group: what it reads, and the body that computes it.
class ElementwiseLoop {
public:
  explicit ElementwiseLoop(ArrayRef<Operation *> group) : group(group) {
    collectReads();
    collectResults();
  }
  LogicalResult build(KernelFunction &function);

  SmallVector<Value> inputs, results;

private:
  void collectReads();
  void collectResults();
  LogicalResult buildBody(OpBuilder &outer, OpBuilder &body, Block *block);
  FailureOr<Value> getScalar(OpBuilder &outer, OpOperand &operand,
                             Block *block);
  LogicalResult emit(OpBuilder &outer, OpBuilder &body, Operation *op,
                     Block *block);

  ArrayRef<Operation *> group;
  KernelFunction *function = nullptr; ///< while it is built
  /// Each way in which an input is read: its position and map.
  SmallVector<std::pair<unsigned, AffineMap>> reads;
  /// Tensors that the group computes -> their current element.
  DenseMap<Value, Value> elements;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_KERNELS_ELEMENTWISELOOP_H
