// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XXH64: four lanes over 32-byte stripes, then the tail in pieces of 8, 4 and
// 1 bytes, then a final mix.
#include "Plan/Xxh64.h"

#include <cstring>

namespace dtrt {
namespace {

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87ull;
constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Full;
constexpr uint64_t kPrime3 = 0x165667B19E3779F9ull;
constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63ull;
constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5ull;

uint64_t rotate(uint64_t value, int bits) {
  return (value << bits) | (value >> (64 - bits));
}

// Bytes are assembled by hand so that the hash is the same on any byte order.
uint64_t read(const unsigned char *at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= static_cast<uint64_t>(at[i]) << (8 * i);
  return value;
}

uint64_t mixLane(uint64_t lane, uint64_t input) {
  return rotate(lane + input * kPrime2, 31) * kPrime1;
}

uint64_t mergeLane(uint64_t hash, uint64_t lane) {
  return (hash ^ mixLane(0, lane)) * kPrime1 + kPrime4;
}

} // namespace

uint64_t xxh64(const void *data, size_t size, uint64_t seed) {
  const auto *at = static_cast<const unsigned char *>(data);
  size_t left = size;
  uint64_t hash = seed + kPrime5;
  if (left >= 32) {
    uint64_t lanes[4] = {seed + kPrime1 + kPrime2, seed + kPrime2, seed,
                         seed - kPrime1};
    for (; left >= 32; left -= 32, at += 32)
      for (int i = 0; i < 4; ++i)
        lanes[i] = mixLane(lanes[i], read(at + 8 * i, 8));
    hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) +
           rotate(lanes[3], 18);
    for (uint64_t lane : lanes)
      hash = mergeLane(hash, lane);
  }
  hash += size;
  for (; left >= 8; left -= 8, at += 8)
    hash = rotate(hash ^ mixLane(0, read(at, 8)), 27) * kPrime1 + kPrime4;
  for (; left >= 4; left -= 4, at += 4)
    hash = rotate(hash ^ (read(at, 4) * kPrime1), 23) * kPrime2 + kPrime3;
  for (; left > 0; --left, ++at)
    hash = rotate(hash ^ (read(at, 1) * kPrime5), 11) * kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

} // namespace dtrt
