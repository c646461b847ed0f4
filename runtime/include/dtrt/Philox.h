// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox 4x32-10: four random words for a key and a counter.
#ifndef DTRT_PHILOX_H
#define DTRT_PHILOX_H

#include <array>
#include <cstdint>

namespace dtrt {

using PhiloxBlock = std::array<uint32_t, 4>;

/// The block for raw counter and key words.
inline PhiloxBlock philoxRounds(PhiloxBlock counter, uint32_t key0,
                                uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53u) * counter[0];
    uint64_t b = uint64_t(0xCD9E8D57u) * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key0,
               static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key1,
               static_cast<uint32_t>(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// The block of element `index` of stream `stream`.
inline PhiloxBlock philox(uint64_t seed, uint64_t index, uint32_t stream) {
  return philoxRounds({static_cast<uint32_t>(index),
                       static_cast<uint32_t>(index >> 32), stream, 0},
                      static_cast<uint32_t>(seed),
                      static_cast<uint32_t>(seed >> 32));
}

} // namespace dtrt

#endif // DTRT_PHILOX_H
