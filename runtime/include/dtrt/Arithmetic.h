// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element-wise arithmetic of reductions: the same bits on every backend. Each
// function wants `isReductionSupported(op, type)`, and i1 holds 0 or 1 (as a
// signed integer: true is -1, so that min is "or", as in arith.minsi).
#ifndef DTRT_ARITHMETIC_H
#define DTRT_ARITHMETIC_H

#include "dtensor/Planner/ElementType.h"

#include <cstddef>
#include <cstdint>

namespace dtrt {

/// target[i] = ((sources[0][i] op sources[1][i]) op ...) / divisor for `count`
/// elements. f16 and bf16 accumulate in f32 and are rounded once at the end;
/// avg of f32 accumulates in f64. Avg sums; the caller gives the divisor.
/// `target` may be one of the sources, but overlap none otherwise.
void reduceElements(dtensor::ElementType type, dtensor::ReduceOp op,
                    const std::byte *const *sources, size_t numSources,
                    int64_t count, double divisor, std::byte *target);

/// Writes the value that does not change the others under `op` (-0.0 for sums
/// of floats, infinities for min and max).
void fillIdentity(dtensor::ElementType type, dtensor::ReduceOp op,
                  int64_t count, std::byte *target);

/// target[i] = source[i] * multiplier / divisor, rounded once; floats only.
/// May work in place.
void scaleElements(dtensor::ElementType type, double multiplier, double divisor,
                   const std::byte *source, int64_t count, std::byte *target);

/// True where contributing the same value any number of times gives the value
/// back: min, max, umin, umax, band, bor and avg.
bool isIdempotent(dtensor::ReduceOp op);

} // namespace dtrt

#endif // DTRT_ARITHMETIC_H
