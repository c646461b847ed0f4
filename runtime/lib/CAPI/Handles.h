// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handles of the C interface hold, and how exceptions become statuses.
#ifndef DTENSOR_LIB_CAPI_HANDLES_H
#define DTENSOR_LIB_CAPI_HANDLES_H

#include "dtensor-c/Runtime.h"
#include "dtensor/DTensor.h"

struct dtensorRankHandle {
  std::shared_ptr<dtensor::RankContext> rank;
};
struct dtensorMeshHandle {
  dtensor::DeviceMesh mesh;
};
struct dtensorArrayHandle {
  dtensor::Array array;
};
struct dtensorTensorHandle {
  dtensor::DTensor tensor;
};
struct dtensorProgramHandle {
  dtensor::Program program;
};

namespace dtensor::capi {

/// Keeps the error for dtensorLastMessage.
dtensorStatus keepError(ErrorCode code, const std::string &text, int64_t rank);
/// The error that was kept last on this thread.
DTensorError lastError(int32_t status);
/// Keeps a text for the caller until the next one on this thread.
const char *keepText(std::string text);

/// Runs `body`; what it throws becomes the status.
template <typename Body> dtensorStatus guard(Body body) {
  try {
    body();
    return DTENSOR_OK;
  } catch (const DTensorError &error) {
    return keepError(error.code(), error.what(), error.rank());
  } catch (const std::bad_alloc &) {
    return keepError(ErrorCode::OutOfMemory, "out of memory", -1);
  } catch (const std::exception &error) {
    return keepError(ErrorCode::Internal, error.what(), -1);
  }
}

/// Throws where an argument that is needed is NULL.
template <typename T> T *need(T *pointer, const char *what) {
  if (!pointer)
    throw DTensorError(ErrorCode::InvalidArgument,
                       std::string(what) + " is NULL");
  return pointer;
}

std::vector<int64_t> toList(const int64_t *values, size_t count,
                            const char *what);
ElementType toType(int32_t type);
Placements toPlacements(const dtensorPlacements *placements);
SpmdOptions toOptions(const dtensorSpmdOptions *options);
std::vector<std::string> toNames(const char *const *names, size_t count);

} // namespace dtensor::capi

#endif // DTENSOR_LIB_CAPI_HANDLES_H
