// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products. Our own loops work on blocks that are widened to the
// accumulator's type first, so that they fit the cache and vectorise.
#include "dtrt/Gemm.h"

#include "Data/ElementTraits.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <type_traits>

#ifdef DTRT_HAVE_CBLAS
#include <cblas.h>
#include <dlfcn.h>
#endif

using namespace dtrt;
using dtensor::ElementType;

namespace {

constexpr int64_t kRows = 64, kColumns = 128, kDepth = 64;

template <typename Traits> class BlockedGemm {
  using Storage = typename Traits::Storage;
  using Acc = typename Traits::Value;

public:
  BlockedGemm(const GemmShape &shape, const Storage *a, const Storage *b,
              Storage *c)
      : shape(shape), a(a), b(b), c(c) {}

  void run() {
    for (int64_t i = 0; i < shape.m; i += kRows)
      for (int64_t j = 0; j < shape.n; j += kColumns)
        block(i, std::min(kRows, shape.m - i), j,
              std::min(kColumns, shape.n - j));
  }

private:
  void block(int64_t i0, int64_t rows, int64_t j0, int64_t columns) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        acc[i][j] = shape.accumulate
                        ? Traits::load(c[(i0 + i) * shape.n + j0 + j])
                        : Acc(0);
    for (int64_t k0 = 0; k0 < shape.k; k0 += kDepth) {
      int64_t depth = std::min(kDepth, shape.k - k0);
      pack(i0, rows, j0, columns, k0, depth);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t k = 0; k < depth; ++k)
          for (int64_t j = 0; j < columns; ++j)
            acc[i][j] += left[i][k] * right[k][j];
    }
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        c[(i0 + i) * shape.n + j0 + j] = Traits::store(acc[i][j]);
  }

  void pack(int64_t i0, int64_t rows, int64_t j0, int64_t columns, int64_t k0,
            int64_t depth) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < depth; ++k)
        left[i][k] =
            Traits::load(shape.transposeA ? a[(k0 + k) * shape.m + i0 + i]
                                          : a[(i0 + i) * shape.k + k0 + k]);
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < columns; ++j)
        right[k][j] =
            Traits::load(shape.transposeB ? b[(j0 + j) * shape.k + k0 + k]
                                          : b[(k0 + k) * shape.n + j0 + j]);
  }

  const GemmShape &shape;
  const Storage *a;
  const Storage *b;
  Storage *c;
  Acc acc[kRows][kColumns];
  Acc left[kRows][kDepth];
  Acc right[kDepth][kColumns];
};

template <typename Traits>
void runBatch(const GemmShape &shape, const std::byte *a, const std::byte *b,
              std::byte *c) {
  using Storage = typename Traits::Storage;
  for (int64_t i = 0; i < shape.batch; ++i)
    BlockedGemm<Traits>(
        shape, reinterpret_cast<const Storage *>(a) + i * shape.strideA,
        reinterpret_cast<const Storage *>(b) + i * shape.strideB,
        reinterpret_cast<Storage *>(c) + i * shape.strideC)
        .run();
}

#ifdef DTRT_HAVE_CBLAS

/// Ranks are threads already; a pool of its own would only be in their way.
/// Looked up by name because only OpenBLAS has it.
void pinBlasToOneThread() {
  static const bool done = [] {
    using SetThreads = void (*)(int);
    auto set = reinterpret_cast<SetThreads>(
        ::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (set)
      set(1);
    return true;
  }();
  (void)done;
}

template <typename T, typename Function>
void runCblas(const GemmShape &shape, const std::byte *a, const std::byte *b,
              std::byte *c, Function function) {
  pinBlasToOneThread();
  if (shape.m == 0 || shape.n == 0)
    return;
  int m = static_cast<int>(shape.m);
  int n = static_cast<int>(shape.n);
  int k = static_cast<int>(shape.k);
  int lda = std::max(1, shape.transposeA ? m : k);
  int ldb = std::max(1, shape.transposeB ? k : n);
  for (int64_t i = 0; i < shape.batch; ++i)
    function(CblasRowMajor, shape.transposeA ? CblasTrans : CblasNoTrans,
             shape.transposeB ? CblasTrans : CblasNoTrans, m, n, k, T(1),
             reinterpret_cast<const T *>(a) + i * shape.strideA, lda,
             reinterpret_cast<const T *>(b) + i * shape.strideB, ldb,
             T(shape.accumulate ? 1 : 0),
             reinterpret_cast<T *>(c) + i * shape.strideC, n);
}

#endif // DTRT_HAVE_CBLAS

} // namespace

void dtrt::gemmByLoops(const GemmShape &shape, const std::byte *a,
                       const std::byte *b, std::byte *c) {
  switch (shape.type) {
  case ElementType::F64:
    return runBatch<PlainTraits<double, double>>(shape, a, b, c);
  case ElementType::F32:
    return runBatch<PlainTraits<float, float>>(shape, a, b, c);
  case ElementType::F16:
    return runBatch<HalfTraits>(shape, a, b, c);
  case ElementType::BF16:
    return runBatch<BFloatTraits>(shape, a, b, c);
  // Unsigned arithmetic wraps, and its low bits are the signed result's.
  case ElementType::I8:
    return runBatch<PlainTraits<uint8_t, uint32_t>>(shape, a, b, c);
  case ElementType::I16:
    return runBatch<PlainTraits<uint16_t, uint32_t>>(shape, a, b, c);
  case ElementType::I32:
    return runBatch<PlainTraits<uint32_t, uint32_t>>(shape, a, b, c);
  case ElementType::I64:
    return runBatch<PlainTraits<uint64_t, uint64_t>>(shape, a, b, c);
  case ElementType::I1:
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return;
  }
}

void dtrt::gemm(const GemmShape &shape, const std::byte *a, const std::byte *b,
                std::byte *c) {
#ifdef DTRT_HAVE_CBLAS
  if (std::max({shape.m, shape.n, shape.k}) <= INT_MAX) {
    if (shape.type == ElementType::F32)
      return runCblas<float>(shape, a, b, c, cblas_sgemm);
    if (shape.type == ElementType::F64)
      return runCblas<double>(shape, a, b, c, cblas_dgemm);
  }
#endif
  gemmByLoops(shape, a, b, c);
}
