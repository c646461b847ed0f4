// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XXH64, the hash of plan files' sections. Written from the algorithm's
// public specification (xxHash, version 0.1.1).
#ifndef DTRT_LIB_PLAN_XXH64_H
#define DTRT_LIB_PLAN_XXH64_H

#include <cstddef>
#include <cstdint>

namespace dtrt {

/// The XXH64 of `size` bytes with seed `seed`.
uint64_t xxh64(const void *data, size_t size, uint64_t seed = 0);

} // namespace dtrt

#endif // DTRT_LIB_PLAN_XXH64_H
