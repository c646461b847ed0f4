// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global tensors in memory, and their ways onto ranks and back.
#ifndef DTRT_TENSOR_H
#define DTRT_TENSOR_H

#include "dtensor/Planner/Layout.h"

#include <cstddef>
#include <functional>
#include <string>

namespace dtrt {

using dtensor::Error;
using dtensor::Expected;
using dtensor::Status;

/// A dense row-major tensor.
struct GlobalTensor {
  dtensor::ElementType type = dtensor::ElementType::F32;
  std::vector<int64_t> shape;
  std::vector<std::byte> data;
};

/// Number of elements of a shape; an error where it does not fit in memory.
Expected<int64_t> countElements(const std::vector<int64_t> &shape,
                                dtensor::ElementType type);
/// "64x512", "scalar" for rank 0.
std::string shapeText(const std::vector<int64_t> &shape);

/// Writes what `rank` holds of `global` under `layout` to `local`, a buffer of
/// its local box. Partial axes: the value on coordinate 0, the identity
/// elsewhere (for operators that a repeated value does not harm, the value
/// everywhere).
void distributeTensor(const dtensor::Mesh &mesh, const dtensor::Layout &layout,
                      const GlobalTensor &global, int64_t rank,
                      std::byte *local);

/// The same where the global tensor is not in memory: `read(box, out)` writes
/// one of its boxes, dense.
void distributeBox(
    const dtensor::Mesh &mesh, const dtensor::Layout &layout,
    dtensor::ElementType type, const std::vector<int64_t> &shape, int64_t rank,
    std::byte *local,
    const std::function<void(const dtensor::Box &, std::byte *)> &read);

/// The global tensor from the ranks' local buffers, contributions combined in
/// rank order. `local(rank)` gives the buffer of the rank's box.
GlobalTensor
assembleTensor(const dtensor::Mesh &mesh, const dtensor::Layout &layout,
               dtensor::ElementType type, const std::vector<int64_t> &shape,
               const std::function<const std::byte *(int64_t)> &local);

/// Checks that ranks which hold the same box (of the same contribution) hold
/// the same bits; the message names the first two ranks that do not.
Status checkReplicas(const dtensor::Mesh &mesh, const dtensor::Layout &layout,
                     dtensor::ElementType type,
                     const std::vector<int64_t> &shape,
                     const std::function<const std::byte *(int64_t)> &local);

/// Seeded values that do not depend on layout or number of ranks (Philox
/// 4x32-10 keyed by seed and counted by global element; `stream` tells the
/// inputs of a program apart). Floats: uniform in [-1, 1), scaled by
/// sqrt(3 / larger of the last two extents) from rank two on. Integers: a
/// shuffle of 0..n-1, wrapped to the type. i1: fair.
GlobalTensor randomTensor(dtensor::ElementType type,
                          const std::vector<int64_t> &shape, uint64_t seed,
                          uint32_t stream);

/// The same values, those of one box only, dense: what a rank needs of a
/// tensor that is too large for it.
void randomBox(dtensor::ElementType type, const std::vector<int64_t> &shape,
               const dtensor::Box &box, uint64_t seed, uint32_t stream,
               std::byte *out);

} // namespace dtrt

#endif // DTRT_TENSOR_H
