// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the interpreter: dense row-major tensors. A scalar is a tensor
// without dimensions.
#ifndef DTENSOR_LIB_INTERPRETER_TENSOR_H
#define DTENSOR_LIB_INTERPRETER_TENSOR_H

#include "Element.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <vector>

namespace mlir::dtensor::interp {

struct Tensor {
  ElementFormat format;
  SmallVector<int64_t, 4> shape;
  std::vector<Scalar> data;

  int64_t size() const { return static_cast<int64_t>(data.size()); }
};

/// Values are shared and never written once made.
using TensorRef = std::shared_ptr<const Tensor>;
using TensorPtr = std::shared_ptr<Tensor>;

/// A tensor of zeros of a checked type (checkType) of static shape.
TensorPtr makeTensor(Type type);
/// The same with a shape and format of its own.
TensorPtr makeTensor(ElementFormat format, ArrayRef<int64_t> shape);

/// Why values of `type` cannot be interpreted; empty where they can: known
/// element type, a size that fits in memory.
std::string checkType(Type type);

/// Row-major strides.
SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape);

/// Calls `visit` for every index below `shape`, last dimension fastest, with
/// its position in that order.
void forEachIndex(
    ArrayRef<int64_t> shape,
    llvm::function_ref<void(ArrayRef<int64_t> index, int64_t position)> visit);

/// target[sum i_d * targetStrides_d] = source[sum i_d * sourceStrides_d] for
/// all indices below `extents`.
void copyStrided(ArrayRef<int64_t> extents, const Scalar *source,
                 ArrayRef<int64_t> sourceStrides, Scalar *target,
                 ArrayRef<int64_t> targetStrides);

} // namespace mlir::dtensor::interp

#endif // DTENSOR_LIB_INTERPRETER_TENSOR_H
