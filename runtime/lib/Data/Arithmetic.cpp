// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions element by element. Sources are combined in the order given, a
// block at a time, so that the accumulators stay in the first-level cache.
#include "dtrt/Arithmetic.h"

#include "Data/ElementTraits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace dtrt;
using dtensor::ElementType;
using dtensor::ReduceOp;

namespace {

struct BoolTraits {
  using Storage = uint8_t;
  using Value = int8_t;
  static int8_t load(uint8_t bits) { return bits ? -1 : 0; }
  static uint8_t store(int8_t value) { return value ? 1 : 0; }
};

template <typename T> T unsignedSum(T a, T b) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}
template <typename T> T unsignedProduct(T a, T b) {
  // Widened first: small unsigned types promote to int, which may overflow.
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

/// NaN wins over everything, and -0.0 lies below 0.0: then neither the order
/// of ranks nor who holds the NaN matters.
template <typename T> T floatMin(T a, T b) {
  if (std::isnan(a))
    return a;
  if (std::isnan(b))
    return b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T> T floatMax(T a, T b) {
  if (std::isnan(a))
    return a;
  if (std::isnan(b))
    return b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

template <ReduceOp op, typename T> T combine(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (op == ReduceOp::Sum || op == ReduceOp::Avg)
      return a + b;
    else if constexpr (op == ReduceOp::Product)
      return a * b;
    else if constexpr (op == ReduceOp::Min)
      return floatMin(a, b);
    else
      return floatMax(a, b);
  } else {
    using U = std::make_unsigned_t<T>;
    switch (op) {
    case ReduceOp::Sum:
    case ReduceOp::Avg:
      return unsignedSum(a, b);
    case ReduceOp::Product:
      return unsignedProduct(a, b);
    case ReduceOp::Min:
      return std::min(a, b);
    case ReduceOp::Max:
      return std::max(a, b);
    case ReduceOp::UMin:
      return static_cast<U>(a) < static_cast<U>(b) ? a : b;
    case ReduceOp::UMax:
      return static_cast<U>(a) < static_cast<U>(b) ? b : a;
    case ReduceOp::BAnd:
      return static_cast<T>(a & b);
    case ReduceOp::BOr:
      return static_cast<T>(a | b);
    case ReduceOp::BXor:
      return static_cast<T>(a ^ b);
    }
    return a;
  }
}

template <typename Traits>
typename Traits::Storage loadAt(const std::byte *base, int64_t index) {
  typename Traits::Storage bits;
  std::memcpy(&bits, base + index * sizeof(bits), sizeof(bits));
  return bits;
}

template <typename Traits, ReduceOp op, typename Acc>
void reduceBlocks(const std::byte *const *sources, size_t numSources,
                  int64_t count, double divisor, std::byte *target) {
  using Storage = typename Traits::Storage;
  constexpr int64_t kBlock = 1024;
  Acc accumulator[kBlock];
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    int64_t size = std::min(kBlock, count - begin);
    for (int64_t i = 0; i < size; ++i)
      accumulator[i] = Traits::load(loadAt<Traits>(sources[0], begin + i));
    for (size_t s = 1; s < numSources; ++s)
      for (int64_t i = 0; i < size; ++i)
        accumulator[i] = combine<op, Acc>(
            accumulator[i], static_cast<Acc>(Traits::load(
                                loadAt<Traits>(sources[s], begin + i))));
    if constexpr (std::is_floating_point_v<Acc>)
      if (divisor != 1)
        for (int64_t i = 0; i < size; ++i)
          accumulator[i] = static_cast<Acc>(accumulator[i] / divisor);
    std::byte *out = target + begin * sizeof(Storage);
    if constexpr (std::is_same_v<Acc, Storage>) {
      std::memcpy(out, accumulator, size * sizeof(Storage));
    } else {
      for (int64_t i = 0; i < size; ++i) {
        Storage bits =
            Traits::store(static_cast<typename Traits::Value>(accumulator[i]));
        std::memcpy(out + i * sizeof(bits), &bits, sizeof(bits));
      }
    }
  }
}

/// Calls `function` with the traits of `type` (f8 has none: it is only moved).
template <typename Function>
void withTraits(ElementType type, Function function) {
  switch (type) {
  case ElementType::F64:
    return function(PlainTraits<double, double>());
  case ElementType::F32:
    return function(PlainTraits<float, float>());
  case ElementType::F16:
    return function(HalfTraits());
  case ElementType::BF16:
    return function(BFloatTraits());
  case ElementType::I1:
    return function(BoolTraits());
  case ElementType::I8:
    return function(PlainTraits<int8_t, int8_t>());
  case ElementType::I16:
    return function(PlainTraits<int16_t, int16_t>());
  case ElementType::I32:
    return function(PlainTraits<int32_t, int32_t>());
  case ElementType::I64:
    return function(PlainTraits<int64_t, int64_t>());
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return;
  }
}

template <typename Traits>
void reduceTyped(ReduceOp op, const std::byte *const *sources, size_t number,
                 int64_t count, double divisor, std::byte *target) {
  using Value = typename Traits::Value;
  switch (op) {
#define DTRT_CASE(OP)                                                          \
  case ReduceOp::OP:                                                           \
    return reduceBlocks<Traits, ReduceOp::OP, Value>(sources, number, count,   \
                                                     divisor, target);
    DTRT_CASE(Sum)
    DTRT_CASE(Product)
    DTRT_CASE(Min)
    DTRT_CASE(Max)
  case ReduceOp::Avg:
    // f32 averages in f64; the two-byte types already accumulate wider.
    if constexpr (std::is_same_v<typename Traits::Storage, float>)
      return reduceBlocks<Traits, ReduceOp::Avg, double>(sources, number, count,
                                                         divisor, target);
    else
      return reduceBlocks<Traits, ReduceOp::Avg, Value>(sources, number, count,
                                                        divisor, target);
  default:
    break;
  }
  if constexpr (std::is_integral_v<Value>) {
    switch (op) {
      DTRT_CASE(UMin)
      DTRT_CASE(UMax)
      DTRT_CASE(BAnd)
      DTRT_CASE(BOr)
      DTRT_CASE(BXor)
    default:
      break;
    }
  }
#undef DTRT_CASE
}

template <typename Value> Value identityOf(ReduceOp op) {
  using Limits = std::numeric_limits<Value>;
  constexpr bool isFloat = std::is_floating_point_v<Value>;
  switch (op) {
  case ReduceOp::Sum:
  case ReduceOp::Avg:
    return static_cast<Value>(isFloat ? -0.0 : 0);
  case ReduceOp::Product:
    return static_cast<Value>(1);
  case ReduceOp::Min:
    return isFloat ? Limits::infinity() : Limits::max();
  case ReduceOp::Max:
    return isFloat ? -Limits::infinity() : Limits::lowest();
  case ReduceOp::UMin:
  case ReduceOp::BAnd:
    return static_cast<Value>(-1);
  case ReduceOp::UMax:
  case ReduceOp::BOr:
  case ReduceOp::BXor:
    return static_cast<Value>(0);
  }
  return Value();
}

} // namespace

void dtrt::reduceElements(ElementType type, ReduceOp op,
                          const std::byte *const *sources, size_t numSources,
                          int64_t count, double divisor, std::byte *target) {
  withTraits(type, [&](auto traits) {
    reduceTyped<decltype(traits)>(op, sources, numSources, count, divisor,
                                  target);
  });
}

void dtrt::fillIdentity(ElementType type, ReduceOp op, int64_t count,
                        std::byte *target) {
  withTraits(type, [&](auto traits) {
    using Traits = decltype(traits);
    using Value = typename Traits::Value;
    Value identity = identityOf<Value>(op);
    // A one-bit integer has no 127: its largest signed value is false.
    if (type == ElementType::I1 && op == ReduceOp::Min)
      identity = 0;
    typename Traits::Storage bits = Traits::store(identity);
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(target + i * sizeof(bits), &bits, sizeof(bits));
  });
}

void dtrt::scaleElements(ElementType type, double multiplier, double divisor,
                         const std::byte *source, int64_t count,
                         std::byte *target) {
  withTraits(type, [&](auto traits) {
    using Traits = decltype(traits);
    for (int64_t i = 0; i < count; ++i) {
      double value = Traits::load(loadAt<Traits>(source, i));
      typename Traits::Storage bits = Traits::store(
          static_cast<typename Traits::Value>(value * multiplier / divisor));
      std::memcpy(target + i * sizeof(bits), &bits, sizeof(bits));
    }
  });
}

bool dtrt::isIdempotent(ReduceOp op) {
  return op != ReduceOp::Sum && op != ReduceOp::Product && op != ReduceOp::BXor;
}
