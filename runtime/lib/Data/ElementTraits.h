// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DTRT_LIB_DATA_ELEMENTTRAITS_H
#define DTRT_LIB_DATA_ELEMENTTRAITS_H

#include "Data/SmallFloat.h"

#include <cstdint>

namespace dtrt {

/// How elements are stored, and the type that sums and products of them are
/// computed in. `load` is exact; `store` rounds to nearest even.
template <typename StorageT, typename ValueT> struct PlainTraits {
  using Storage = StorageT;
  using Value = ValueT;
  static Value load(Storage bits) { return static_cast<Value>(bits); }
  static Storage store(Value value) { return static_cast<Storage>(value); }
};
struct HalfTraits {
  using Storage = uint16_t;
  using Value = float;
  static float load(uint16_t bits) { return f16ToFloat(bits); }
  static uint16_t store(float value) { return floatToF16(value); }
};
struct BFloatTraits {
  using Storage = uint16_t;
  using Value = float;
  static float load(uint16_t bits) { return bf16ToFloat(bits); }
  static uint16_t store(float value) { return floatToBf16(value); }
};

} // namespace dtrt

#endif // DTRT_LIB_DATA_ELEMENTTRAITS_H
