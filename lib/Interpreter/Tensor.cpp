// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making and walking dense tensors.

#include "Tensor.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::dtensor::interp;

/// 32 GiB of scalars. More is a mistake in a program to be interpreted, and
/// without a limit the message would be the allocator's.
static constexpr int64_t kMaxElements = int64_t(1) << 32;

static Type getScalarType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

static ArrayRef<int64_t> getShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

std::string mlir::dtensor::interp::checkType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!getElementFormat(getScalarType(type))) {
    os << "has type '" << type
       << "', which the interpreter does not know (it knows f64, f32, f16, "
          "bf16, f8E4M3FN, f8E5M2, index and integers of up to 64 bits, and "
          "ranked tensors of these)";
    return text;
  }
  int64_t count = 1;
  for (int64_t extent : getShape(type)) {
    if (ShapedType::isDynamic(extent))
      continue; // known when the value is made
    if (extent != 0 && count > kMaxElements / extent) {
      os << "has type '" << type << "', the interpreter holds at most "
         << kMaxElements << " elements in a tensor";
      return text;
    }
    count *= extent;
  }
  return text;
}

TensorPtr mlir::dtensor::interp::makeTensor(ElementFormat format,
                                            ArrayRef<int64_t> shape) {
  auto tensor = std::make_shared<Tensor>();
  tensor->format = format;
  tensor->shape.assign(shape.begin(), shape.end());
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  tensor->data.assign(count, fromInt(0)); // all bits zero: 0 and +0.0
  return tensor;
}

TensorPtr mlir::dtensor::interp::makeTensor(Type type) {
  return makeTensor(*getElementFormat(getScalarType(type)), getShape(type));
}

SmallVector<int64_t>
mlir::dtensor::interp::getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t d = static_cast<int64_t>(shape.size()) - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

void mlir::dtensor::interp::forEachIndex(
    ArrayRef<int64_t> shape,
    llvm::function_ref<void(ArrayRef<int64_t>, int64_t)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t position = 0;; ++position) {
    visit(index, position);
    int64_t d = static_cast<int64_t>(shape.size()) - 1;
    while (d >= 0 && ++index[d] == shape[d])
      index[d--] = 0;
    if (d < 0)
      return;
  }
}

void mlir::dtensor::interp::copyStrided(ArrayRef<int64_t> extents,
                                        const Scalar *source,
                                        ArrayRef<int64_t> sourceStrides,
                                        Scalar *target,
                                        ArrayRef<int64_t> targetStrides) {
  if (extents.empty()) {
    *target = *source;
    return;
  }
  int64_t inner = extents.back();
  int64_t sourceStep = sourceStrides.back(), targetStep = targetStrides.back();
  forEachIndex(extents.drop_back(), [&](ArrayRef<int64_t> index, int64_t) {
    const Scalar *from = source;
    Scalar *to = target;
    for (size_t d = 0; d < index.size(); ++d) {
      from += index[d] * sourceStrides[d];
      to += index[d] * targetStrides[d];
    }
    for (int64_t i = 0; i < inner; ++i)
      to[i * targetStep] = from[i * sourceStep];
  });
}
