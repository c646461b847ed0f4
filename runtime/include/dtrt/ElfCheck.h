// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernels section may be: an x86-64 shared object that runs no code
// when it is loaded and imports a few known functions only.
#ifndef DTRT_ELFCHECK_H
#define DTRT_ELFCHECK_H

#include "dtensor/Planner/Expected.h"

#include <cstddef>
#include <cstdint>

namespace dtrt {

/// Refuses anything else; the message says what.
dtensor::Status checkKernelObject(const uint8_t *data, size_t size);

} // namespace dtrt

#endif // DTRT_ELFCHECK_H
