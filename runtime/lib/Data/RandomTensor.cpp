// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counter-based random tensors: Philox 4x32 with ten rounds (Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3").
#include "Data/SmallFloat.h"
#include "dtrt/Philox.h"
#include "dtrt/StridedLoop.h"
#include "dtrt/Tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace dtrt;
using dtensor::ElementType;

namespace {

/// A uniform value in [-1, 1) with 53 random bits.
double uniform(const PhiloxBlock &block) {
  uint64_t bits = (static_cast<uint64_t>(block[0]) << 32 | block[1]) >> 11;
  return static_cast<double>(bits) * 0x1p-52 - 1.0;
}

double scaleFor(const std::vector<int64_t> &shape) {
  size_t rank = shape.size();
  if (rank < 2)
    return 1;
  int64_t larger = std::max(shape[rank - 1], shape[rank - 2]);
  return std::sqrt(3.0 / static_cast<double>(std::max<int64_t>(larger, 1)));
}

template <typename T> void store(std::byte *at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

/// Rounding to fewer bits may reach 1, which [-1, 1) leaves out.
void storeFloat(ElementType type, std::byte *at, double unit, double scale) {
  double value = unit * scale;
  switch (type) {
  case ElementType::F64:
    return store(at, value);
  case ElementType::F32: {
    float rounded = static_cast<float>(value);
    return store(at, rounded < 1.0f ? rounded : 1.0f - 0x1p-24f);
  }
  case ElementType::F16: {
    uint16_t rounded = floatToF16(static_cast<float>(value));
    return store<uint16_t>(at, rounded == 0x3c00 ? 0x3bff : rounded);
  }
  default: {
    uint16_t rounded = floatToBf16(static_cast<float>(value));
    return store<uint16_t>(at, rounded == 0x3f80 ? 0x3f7f : rounded);
  }
  }
}

/// Types that are only moved: a random sign and one of the codes below 1.0's.
void storeEightBits(ElementType type, std::byte *at, const PhiloxBlock &block) {
  uint32_t one = type == ElementType::F8E4M3FN ? 0x38 : 0x3c;
  store(at, static_cast<uint8_t>((block[0] & 0x80u) | block[1] % one));
}

/// A Fisher-Yates shuffle of 0..n-1.
void storeShuffle(GlobalTensor &tensor, int64_t count, uint64_t seed,
                  uint32_t stream) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    order[i] = i;
  for (int64_t i = count - 1; i > 0; --i) {
    PhiloxBlock block = philox(seed, static_cast<uint64_t>(i), stream);
    uint64_t bits = static_cast<uint64_t>(block[0]) << 32 | block[1];
    std::swap(order[i], order[bits % static_cast<uint64_t>(i + 1)]);
  }
  int64_t width = dtensor::elementBytes(tensor.type);
  for (int64_t i = 0; i < count; ++i) // the low bytes: wraps to the type
    std::memcpy(tensor.data.data() + i * width, &order[i], width);
}

void storeElement(ElementType type, std::byte *at, const PhiloxBlock &block,
                  double scale) {
  if (type == ElementType::I1)
    return store(at, static_cast<uint8_t>(block[0] & 1u));
  if (dtensor::elementBytes(type) == 1)
    return storeEightBits(type, at, block);
  storeFloat(type, at, uniform(block), scale);
}

bool isShuffled(ElementType type) {
  return !dtensor::isFloat(type) && type != ElementType::I1;
}

} // namespace

GlobalTensor dtrt::randomTensor(ElementType type,
                                const std::vector<int64_t> &shape,
                                uint64_t seed, uint32_t stream) {
  GlobalTensor tensor{type, shape, {}};
  dtensor::Box whole{std::vector<int64_t>(shape.size(), 0), shape};
  int64_t count = whole.numElements();
  tensor.data.resize(static_cast<size_t>(count * dtensor::elementBytes(type)));
  if (isShuffled(type))
    storeShuffle(tensor, count, seed, stream);
  else
    randomBox(type, shape, whole, seed, stream, tensor.data.data());
  return tensor;
}

void dtrt::randomBox(ElementType type, const std::vector<int64_t> &shape,
                     const dtensor::Box &box, uint64_t seed, uint32_t stream,
                     std::byte *out) {
  int64_t width = dtensor::elementBytes(type);
  dtensor::Box whole{std::vector<int64_t>(shape.size(), 0), shape};
  if (isShuffled(type)) { // any element may depend on all others
    GlobalTensor tensor = randomTensor(type, shape, seed, stream);
    return copyBox(StridedLoop(box, {whole, box}, width), tensor.data.data(),
                   out);
  }
  double scale = scaleFor(shape);
  StridedLoop rows(box, {whole, box}, width);
  rows.forEachRow([&](const int64_t *offsets) {
    uint64_t index = static_cast<uint64_t>(offsets[0] / width);
    std::byte *at = out + offsets[1];
    for (int64_t i = 0; i < rows.rowBytes() / width; ++i, at += width)
      storeElement(type, at,
                   philox(seed, index + static_cast<uint64_t>(i), stream),
                   scale);
  });
}
