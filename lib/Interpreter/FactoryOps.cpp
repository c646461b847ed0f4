// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factories of the dtensor dialect, by what they are defined to be. Random
// numbers come from the runtime's generator, not from the code that compiled
// programs have for it.

#include "LocalOps.h"

#include "dtensor/Dialect/DTensor/DTensor.h"
#include "dtrt/Philox.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::dtensor;
using namespace mlir::dtensor::interp;

/// The upper 53 bits of two words.
static uint64_t join(uint32_t upper, uint32_t lower) {
  return (static_cast<uint64_t>(upper) << 32 | lower) >> 11;
}

static double makeUniform(const dtrt::PhiloxBlock &words,
                          ElementFormat::Kind kind) {
  auto fraction = [&](int bits) {
    return std::ldexp(static_cast<double>(words[0] >> (32 - bits)), -bits);
  };
  switch (kind) {
  case ElementFormat::F32:
    return fraction(24);
  case ElementFormat::F16:
    return fraction(11);
  case ElementFormat::BF16:
    return fraction(8);
  default:
    return std::ldexp(static_cast<double>(join(words[0], words[1])), -53);
  }
}

static double makeNormal(const dtrt::PhiloxBlock &words,
                         ElementFormat::Kind kind) {
  double u = std::ldexp(static_cast<double>(join(words[0], words[1]) + 1), -53);
  double v = std::ldexp(static_cast<double>(join(words[2], words[3])), -53);
  double value =
      std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * llvm::numbers::pi * v);
  // Small types are rounded by way of f32.
  return kind == ElementFormat::F64 ? value : static_cast<float>(value);
}

/// The value that all elements of a factory's result have.
static Scalar makeSplat(ElementFormat format, double value) {
  return format.isFloat() ? fromFloat(value)
                          : format.round(fromInt(static_cast<int64_t>(value)));
}

std::optional<LogicalResult>
mlir::dtensor::interp::evaluateFactory(const LocalOp &local) {
  using Result = std::optional<LogicalResult>;
  Operation *op = local.op;
  auto fill = [&](auto element) -> Result {
    TensorPtr result = makeTensor(op->getResult(0).getType());
    for (int64_t at = 0; at < result->size(); ++at)
      result->data[at] = element(at, result->format);
    local.results.push_back(std::move(result));
    return success();
  };
  auto fillRandom = [&](uint64_t key, auto make) {
    return fill([&](int64_t at, ElementFormat format) {
      dtrt::PhiloxBlock words = dtrt::philox(key, static_cast<uint64_t>(at), 0);
      return format.round(fromFloat(make(words, format.kind)));
    });
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](OnesOp) {
        return fill(
            [](int64_t, ElementFormat format) { return makeSplat(format, 1); });
      })
      .Case<ZerosOp, EmptyOp>([&](auto) {
        return fill(
            [](int64_t, ElementFormat format) { return makeSplat(format, 0); });
      })
      .Case([&](FullOp full) {
        Scalar value;
        if (auto attr = dyn_cast<FloatAttr>(full.getValue()))
          value = fromFloat(attr.getValueAsDouble());
        else
          value = fromInt(
              cast<IntegerAttr>(full.getValue()).getValue().getSExtValue());
        return fill([&](int64_t, ElementFormat) { return value; });
      })
      .Case([&](RandOp rand) { return fillRandom(rand.getKey(), makeUniform); })
      .Case(
          [&](RandnOp randn) { return fillRandom(randn.getKey(), makeNormal); })
      .Case([&](RngBitsOp bits) {
        return fill([&](int64_t at, ElementFormat format) {
          dtrt::PhiloxBlock words =
              dtrt::philox(bits.getKey(), static_cast<uint64_t>(at), 0);
          return format.round(fromInt(static_cast<int64_t>(
              static_cast<uint64_t>(words[1]) << 32 | words[0])));
        });
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}
