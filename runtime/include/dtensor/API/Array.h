// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain tensors in one rank's memory: what goes into distributed tensors and
// comes out of them.
#ifndef DTENSOR_API_ARRAY_H
#define DTENSOR_API_ARRAY_H

#include "dtensor/Planner/ElementType.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace dtensor {

/// The element type of a C++ type; bool is i1, and takes one byte.
template <typename T> constexpr ElementType elementTypeOf();
template <> constexpr ElementType elementTypeOf<double>() {
  return ElementType::F64;
}
template <> constexpr ElementType elementTypeOf<float>() {
  return ElementType::F32;
}
template <> constexpr ElementType elementTypeOf<bool>() {
  return ElementType::I1;
}
template <> constexpr ElementType elementTypeOf<int8_t>() {
  return ElementType::I8;
}
template <> constexpr ElementType elementTypeOf<int16_t>() {
  return ElementType::I16;
}
template <> constexpr ElementType elementTypeOf<int32_t>() {
  return ElementType::I32;
}
template <> constexpr ElementType elementTypeOf<int64_t>() {
  return ElementType::I64;
}

/// A dense row-major tensor; a handle that shares its memory with its copies.
class Array {
public:
  /// No elements, f32.
  Array() = default;
  /// New memory, uninitialised. Throws DTensorError for negative extents and
  /// where there is not enough memory.
  Array(ElementType type, std::vector<int64_t> shape);

  /// Memory of the caller's, which must outlive the array; or which `owner`
  /// keeps alive.
  static Array wrap(void *data, ElementType type, std::vector<int64_t> shape,
                    std::shared_ptr<void> owner = nullptr);
  /// A dense copy of memory with strides, in elements.
  static Array copyOf(const void *data, ElementType type,
                      std::vector<int64_t> shape,
                      const std::vector<int64_t> &strides);
  /// A copy of `values`, which must be as many as the shape has.
  template <typename T>
  static Array of(const std::vector<T> &values, std::vector<int64_t> shape) {
    return fromValues(values.data(), values.size(), elementTypeOf<T>(),
                      std::move(shape));
  }
  /// A vector of `values`.
  template <typename T> static Array of(const std::vector<T> &values) {
    return of(values, {static_cast<int64_t>(values.size())});
  }

  ElementType dtype() const { return type; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t ndim() const { return static_cast<int64_t>(extents.size()); }
  int64_t numel() const { return count; }
  int64_t bytes() const { return count * elementBytes(type); }
  bool requiresGrad() const { return needsGrad; }
  void setRequiresGrad(bool value) { needsGrad = value; }

  std::byte *data() const { return start; }
  /// The elements; throws where T is not the element type.
  template <typename T> T *as() const {
    checkType(elementTypeOf<T>());
    return reinterpret_cast<T *>(start);
  }
  template <typename T> std::vector<T> values() const {
    const T *first = as<T>();
    return std::vector<T>(first, first + count);
  }
  /// What keeps the memory alive.
  const std::shared_ptr<void> &owner() const { return keeper; }

private:
  static Array fromValues(const void *values, size_t count, ElementType type,
                          std::vector<int64_t> shape);
  void checkType(ElementType wanted) const;

  ElementType type = ElementType::F32;
  std::vector<int64_t> extents = {0};
  int64_t count = 0;
  bool needsGrad = false;
  std::byte *start = nullptr;
  std::shared_ptr<void> keeper;
};

} // namespace dtensor

#endif // DTENSOR_API_ARRAY_H
