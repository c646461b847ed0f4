// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of the interpreter. Every float is held as the f64 of equal value,
// every integer sign-extended to 64 bits, so that arithmetic is written once
// and an element type is only a way to round.
#ifndef DTENSOR_LIB_INTERPRETER_ELEMENT_H
#define DTENSOR_LIB_INTERPRETER_ELEMENT_H

#include "mlir/IR/BuiltinTypes.h"

#include <cstddef>
#include <optional>

namespace mlir::dtensor::interp {

/// One element: `f` for floats, `i` for integers (true of i1 is -1).
union Scalar {
  double f;
  int64_t i;
};

inline Scalar fromFloat(double value) {
  Scalar result;
  result.f = value;
  return result;
}
inline Scalar fromInt(int64_t value) {
  Scalar result;
  result.i = value;
  return result;
}

/// How elements of one type are rounded and stored.
struct ElementFormat {
  enum Kind : uint8_t { F64, F32, F16, BF16, F8E4M3FN, F8E5M2, Integer };
  Kind kind = F64;
  /// Bits of an integer type, 64 for index.
  unsigned width = 64;

  bool isFloat() const { return kind != Integer; }
  /// Bytes that an element takes in memory (i1 takes one).
  int64_t byteSize() const;
  /// The nearest value of the type, ties to even; integers wrap around.
  Scalar round(Scalar value) const {
    switch (kind) {
    case F64:
      return value;
    case F32:
      return fromFloat(static_cast<float>(value.f));
    case Integer:
      return fromInt(static_cast<int64_t>(static_cast<uint64_t>(value.i)
                                          << (64 - width)) >>
                     (64 - width));
    default:
      return fromFloat(roundSmall(value.f));
    }
  }
  /// The bits of `value` as an unsigned number.
  uint64_t unsignedValue(Scalar value) const {
    return width == 64 ? static_cast<uint64_t>(value.i)
                       : value.i & ((uint64_t(1) << width) - 1);
  }

  bool operator==(const ElementFormat &other) const {
    return kind == other.kind && width == other.width;
  }

private:
  double roundSmall(double value) const;
};

/// The format of a scalar type; none for types that are not interpreted
/// (complex, more than 64 bits, other float formats).
std::optional<ElementFormat> getElementFormat(Type type);

/// Reads `count` elements from memory; i1 as one byte each.
void decodeElements(ElementFormat format, const char *bytes, int64_t count,
                    Scalar *elements);
/// Writes `count` elements to memory; i1 as one byte of 0 or 1.
void encodeElements(ElementFormat format, const Scalar *elements, int64_t count,
                    char *bytes);

} // namespace mlir::dtensor::interp

#endif // DTENSOR_LIB_INTERPRETER_ELEMENT_H
