// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of the executor: CBLAS for f32 and f64 where it was found,
// our own loops for everything else.
#ifndef DTRT_GEMM_H
#define DTRT_GEMM_H

#include "dtensor/Planner/ElementType.h"

#include <cstddef>

namespace dtrt {

/// c[i] = op(a[i]) * op(b[i]) + (accumulate ? c[i] : 0), dense row-major
/// matrices; batch strides in elements.
struct GemmShape {
  dtensor::ElementType type = dtensor::ElementType::F32;
  int64_t m = 0, n = 0, k = 0;
  bool transposeA = false, transposeB = false;
  bool accumulate = false;
  int64_t batch = 1;
  int64_t strideA = 0, strideB = 0, strideC = 0;
};

/// Runs the product on the calling thread. f16 and bf16 accumulate in f32 and
/// are rounded once; integers wrap. f8 and i1 have no products.
void gemm(const GemmShape &shape, const std::byte *a, const std::byte *b,
          std::byte *c);

/// The loops that need no CBLAS, for all types; for tests and comparison.
void gemmByLoops(const GemmShape &shape, const std::byte *a, const std::byte *b,
                 std::byte *c);

} // namespace dtrt

#endif // DTRT_GEMM_H
