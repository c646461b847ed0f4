// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain tensors in memory.
#include "dtensor/API/Array.h"

#include "API/TensorState.h"
#include "dtrt/Tensor.h"

#include <cstdlib>
#include <cstring>

using namespace dtensor;

Array::Array(ElementType type, std::vector<int64_t> shape)
    : type(type), extents(std::move(shape)) {
  requireShape(extents, type);
  count = 1;
  for (int64_t extent : extents)
    count *= extent;
  // Whole cache lines, so that neighbours on other ranks do not share one.
  size_t rounded = (static_cast<size_t>(bytes()) + 64) / 64 * 64;
  start = static_cast<std::byte *>(std::aligned_alloc(64, rounded));
  if (!start)
    throw DTensorError(ErrorCode::OutOfMemory,
                       "cannot allocate " + std::to_string(rounded) +
                           " bytes for " + typeText(type, extents));
  keeper = std::shared_ptr<void>(start, std::free);
}

Array Array::wrap(void *data, ElementType type, std::vector<int64_t> shape,
                  std::shared_ptr<void> owner) {
  requireShape(shape, type);
  Array out;
  out.type = type;
  out.extents = std::move(shape);
  out.count = 1;
  for (int64_t extent : out.extents)
    out.count *= extent;
  out.start = static_cast<std::byte *>(data);
  out.keeper = std::move(owner);
  return out;
}

Array Array::copyOf(const void *data, ElementType type,
                    std::vector<int64_t> shape,
                    const std::vector<int64_t> &strides) {
  if (strides.size() != shape.size())
    throw DTensorError(ErrorCode::InvalidArgument,
                       std::to_string(strides.size()) +
                           " strides do not fit a tensor of rank " +
                           std::to_string(shape.size()));
  Array out(type, std::move(shape));
  int64_t width = elementBytes(type);
  std::vector<int64_t> at(out.extents.size(), 0);
  const auto *source = static_cast<const std::byte *>(data);
  std::byte *target = out.start;
  for (int64_t i = 0; i < out.count; ++i, target += width) {
    std::memcpy(target, source, width);
    for (size_t d = at.size(); d-- > 0;) {
      source += strides[d] * width;
      if (++at[d] < out.extents[d])
        break;
      source -= out.extents[d] * strides[d] * width;
      at[d] = 0;
    }
  }
  return out;
}

Array Array::fromValues(const void *values, size_t count, ElementType type,
                        std::vector<int64_t> shape) {
  Array out(type, std::move(shape));
  if (static_cast<int64_t>(count) != out.count)
    throw DTensorError(ErrorCode::InvalidArgument,
                       std::to_string(count) + " values do not fill " +
                           typeText(type, out.extents) + " of " +
                           std::to_string(out.count) + " elements");
  if (count > 0)
    std::memcpy(out.start, values, static_cast<size_t>(out.bytes()));
  return out;
}

void Array::checkType(ElementType wanted) const {
  if (wanted != type)
    throw DTensorError(ErrorCode::InvalidArgument,
                       "the elements are " +
                           std::string(elementTypeName(type)) + ", not " +
                           std::string(elementTypeName(wanted)));
}
