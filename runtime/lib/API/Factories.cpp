// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factories: every rank makes its own part. Random numbers are counted by
// global element, so that no layout changes them; the formulas are those of
// dtensor.rand and dtensor.randn.
#include "API/TensorState.h"

#include "Data/SmallFloat.h"
#include "dtensor/Planner/LayoutOps.h"
#include "dtrt/Arithmetic.h"
#include "dtrt/Philox.h"
#include "dtrt/Tensor.h"

#include <cmath>
#include <cstring>

using namespace dtensor;

namespace {

DTensorError refuse(const std::string &text) {
  return DTensorError(ErrorCode::InvalidArgument, text);
}

template <typename T> void store(std::byte *at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

/// Rounded once, and where that is to f16 or bf16, by way of f32.
void storeFloat(ElementType type, std::byte *at, double value) {
  switch (type) {
  case ElementType::F64:
    return store(at, value);
  case ElementType::F32:
    return store(at, static_cast<float>(value));
  case ElementType::F16:
    return store(at, dtrt::floatToF16(static_cast<float>(value)));
  default:
    return store(at, dtrt::floatToBf16(static_cast<float>(value)));
  }
}

/// The upper 53 bits of two words.
uint64_t join(uint32_t upper, uint32_t lower) {
  return (static_cast<uint64_t>(upper) << 32 | lower) >> 11;
}

double uniform(const dtrt::PhiloxBlock &words, ElementType type) {
  int bits = type == ElementType::F32 ? 24 : type == ElementType::F16 ? 11 : 8;
  if (type == ElementType::F64)
    return std::ldexp(static_cast<double>(join(words[0], words[1])), -53);
  return std::ldexp(static_cast<double>(words[0] >> (32 - bits)), -bits);
}

double normal(const dtrt::PhiloxBlock &words, ElementType) {
  double u = std::ldexp(static_cast<double>(join(words[0], words[1]) + 1), -53);
  double v = std::ldexp(static_cast<double>(join(words[2], words[3])), -53);
  return std::sqrt(-2.0 * std::log(u)) *
         std::cos(2.0 * 3.14159265358979323846 * v);
}

/// The bytes of `value` in `type`; throws where the type does not have it.
void encodeScalar(ElementType type, const Scalar &value, std::byte *out) {
  auto refuseValue = [&](const std::string &why) {
    return refuse("full: " +
                  (value.isWhole ? std::to_string(value.whole)
                                 : std::to_string(value.real)) +
                  " is no value of " + std::string(elementTypeName(type)) +
                  ": " + why);
  };
  if (isFloat(type)) {
    if (elementBytes(type) == 1)
      throw DTensorError(ErrorCode::NotSupported,
                         std::string(elementTypeName(type)) +
                             " tensors are only moved: make one with "
                             "from_local or distribute_tensor");
    return storeFloat(type, out, value.real);
  }
  int64_t whole = value.whole;
  if (!value.isWhole) {
    if (std::floor(value.real) != value.real ||
        std::fabs(value.real) > 9007199254740992.0)
      throw refuseValue("it is not whole");
    whole = static_cast<int64_t>(value.real);
  }
  if (type == ElementType::I1) {
    if (whole != 0 && whole != 1)
      throw refuseValue("there are 0 and 1");
    return store(out, static_cast<uint8_t>(whole));
  }
  int64_t bits = elementBytes(type) * 8;
  if (bits < 64) {
    // Signless: both readings of the bits are fine.
    int64_t low = -(int64_t(1) << (bits - 1)), high = (int64_t(1) << bits) - 1;
    if (whole < low || whole > high)
      throw refuseValue("it takes " + std::to_string(low) + " to " +
                        std::to_string(high));
  }
  std::memcpy(out, &whole, static_cast<size_t>(bits / 8));
}

/// A tensor whose parts `fill(shape, box, memory)` makes, on a layout without
/// contributions; those are made from it.
DTensor make(const std::vector<int64_t> &size, const FactoryOptions &options,
             const std::function<void(const TensorSpec &, Array &)> &fill) {
  if (options.layout != "strided")
    throw DTensorError(ErrorCode::NotSupported,
                       "layout '" + options.layout +
                           "' is not there: tensors are 'strided'; how they "
                           "lie on the mesh is said by placements");
  DeviceMesh mesh = resolveMesh(options.deviceMesh);
  MeshState &state = *mesh.impl();
  auto spec =
      state.spec(size, options.dtype, options.requiresGrad, options.placements);
  auto plain = spec;
  if (!spec->layout.partials.empty()) {
    Layout layout = spec->layout;
    layout.partials.clear();
    plain = state.spec(size, options.dtype, options.requiresGrad,
                       Placements::ordered(toOrdered(state.grid, layout)));
  }
  Array local = plain->box ? allocateLocal(*plain) : Array();
  if (plain->box)
    fill(*plain, local);
  DTensor made = makeTensor(mesh, plain, std::move(local));
  return plain == spec ? made : made.redistribute(options.placements);
}

DTensor makeRandom(const std::vector<int64_t> &size,
                   const FactoryOptions &options, const char *name,
                   double (*value)(const dtrt::PhiloxBlock &, ElementType)) {
  ElementType type = options.dtype;
  if (!isFloat(type) || elementBytes(type) < 2)
    throw refuse(std::string(name) + " makes floats of at least 16 bits, not " +
                 std::string(elementTypeName(type)));
  DeviceMesh mesh = resolveMesh(options.deviceMesh);
  uint64_t seed =
      options.seed ? *options.seed : mesh.impl()->context->takeSeed();
  return make(size, options, [&](const TensorSpec &spec, Array &local) {
    int64_t width = elementBytes(type);
    Box whole{std::vector<int64_t>(spec.shape.size(), 0), spec.shape};
    dtrt::StridedLoop rows(*spec.box, {whole, *spec.box}, width);
    rows.forEachRow([&](const int64_t *offsets) {
      uint64_t index = static_cast<uint64_t>(offsets[0] / width);
      std::byte *at = local.data() + offsets[1];
      for (int64_t i = 0; i < rows.rowBytes() / width; ++i, at += width)
        storeFloat(
            type, at,
            value(dtrt::philox(seed, index + static_cast<uint64_t>(i), 0),
                  type));
    });
  });
}

} // namespace

DTensor dtensor::full(const std::vector<int64_t> &size, const Scalar &value,
                      const FactoryOptions &options) {
  std::byte element[8];
  encodeScalar(options.dtype, value, element);
  int64_t width = elementBytes(options.dtype);
  return make(size, options, [&](const TensorSpec &, Array &local) {
    std::byte *at = local.data();
    for (int64_t i = 0; i < local.numel(); ++i, at += width)
      std::memcpy(at, element, static_cast<size_t>(width));
  });
}

DTensor dtensor::ones(const std::vector<int64_t> &size,
                      const FactoryOptions &options) {
  return full(size, 1, options);
}

DTensor dtensor::zeros(const std::vector<int64_t> &size,
                       const FactoryOptions &options) {
  return make(size, options, [](const TensorSpec &, Array &local) {
    std::memset(local.data(), 0, static_cast<size_t>(local.bytes()));
  });
}

DTensor dtensor::empty(const std::vector<int64_t> &size,
                       const FactoryOptions &options) {
  // Ranks with replicas must agree on any values: these are zeros too where
  // the tensor is not fully chunked, as the operating system gives them.
  return make(size, options, [](const TensorSpec &, Array &local) {
    std::memset(local.data(), 0, static_cast<size_t>(local.bytes()));
  });
}

DTensor dtensor::rand(const std::vector<int64_t> &size,
                      const FactoryOptions &options) {
  return makeRandom(size, options, "rand", uniform);
}

DTensor dtensor::randn(const std::vector<int64_t> &size,
                       const FactoryOptions &options) {
  return makeRandom(size, options, "randn", normal);
}
