// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C interface: errors, ranks and counters.
#include "CAPI/Handles.h"

#include "API/RankContext.h"
#include "dtrt/MpiRanks.h"

using namespace dtensor;
using namespace dtensor::capi;

namespace {

struct KeptError {
  std::string text;
  int64_t rank = -1;
};

thread_local KeptError keptError;
thread_local std::string keptText;

/// A status by its number; numbers that are none are internal errors.
ErrorCode toCode(int32_t status) {
  return status >= DTENSOR_INVALID_ARGUMENT && status <= DTENSOR_INTERNAL
             ? static_cast<ErrorCode>(status)
             : ErrorCode::Internal;
}

} // namespace

dtensorStatus capi::keepError(ErrorCode code, const std::string &text,
                              int64_t rank) {
  keptError = {text, rank};
  return static_cast<dtensorStatus>(code);
}

DTensorError capi::lastError(int32_t status) {
  return DTensorError(toCode(status), keptError.text, keptError.rank);
}

const char *capi::keepText(std::string text) {
  keptText = std::move(text);
  return keptText.c_str();
}

std::vector<int64_t> capi::toList(const int64_t *values, size_t count,
                                  const char *what) {
  if (count > 0)
    need(values, what);
  return std::vector<int64_t>(values, values + count);
}

ElementType capi::toType(int32_t type) {
  if (type < DTENSOR_F64 || type > DTENSOR_I64)
    throw DTensorError(ErrorCode::InvalidArgument,
                       std::to_string(type) +
                           " is no element type; they are 0 to " +
                           std::to_string(DTENSOR_I64));
  return static_cast<ElementType>(type);
}

std::vector<std::string> capi::toNames(const char *const *names, size_t count) {
  std::vector<std::string> out;
  for (size_t i = 0; names && i < count; ++i)
    out.emplace_back(need(names[i], "a name"));
  return out;
}

SpmdOptions capi::toOptions(const dtensorSpmdOptions *options) {
  SpmdOptions out;
  if (!options)
    return out;
  out.timeoutSeconds = options->timeoutSeconds;
  if (options->topology)
    out.topology = options->topology;
  out.checkCalls = options->checkCalls != 0;
  return out;
}

int32_t dtensorVersion(void) {
  return DTENSOR_C_VERSION_MAJOR * 1000 + DTENSOR_C_VERSION_MINOR;
}

const char *dtensorLastMessage(void) { return keptError.text.c_str(); }
int64_t dtensorLastRank(void) { return keptError.rank; }

const char *dtensorStatusName(int32_t status) {
  if (status == DTENSOR_OK)
    return "Ok";
  return status >= DTENSOR_INVALID_ARGUMENT && status <= DTENSOR_INTERNAL
             ? errorCodeName(static_cast<ErrorCode>(status))
             : "";
}

void dtensorSetError(int32_t status, const char *message, int64_t rank) {
  keepError(toCode(status), message ? message : "", rank);
}

dtensorStatus dtensorSpmd(int64_t numRanks, dtensorRankMain rankMain,
                          void *user, const dtensorSpmdOptions *options) {
  return guard([&] {
    need(reinterpret_cast<const void *>(rankMain), "rankMain");
    spmd(
        numRanks,
        [&] {
          keptError = {};
          if (int32_t status = rankMain(user))
            throw lastError(status);
        },
        toOptions(options));
  });
}

dtensorStatus dtensorInitialize(const dtensorSpmdOptions *options) {
  return guard([&] { initialize(toOptions(options)); });
}

dtensorStatus dtensorFinalize(void) {
  return guard([] { finalize(); });
}

int32_t dtensorIsInitialized(void) { return isInitialized(); }

int32_t dtensorIsLaunched(void) {
  auto launcher = dtrt::detectLauncher();
  return launcher && launcher->isMpi();
}

dtensorStatus dtensorAbort(int32_t status, const char *message) {
  return guard([&] {
    RankContext::require()->fail(DTensorError(
        toCode(status), message ? message : "", RankContext::require()->rank));
  });
}

dtensorStatus dtensorWorldRank(int64_t *rank) {
  return guard([&] { *need(rank, "rank") = worldRank(); });
}

dtensorStatus dtensorWorldSize(int64_t *size) {
  return guard([&] { *need(size, "size") = worldSize(); });
}

dtensorStatus dtensorBarrier(void) {
  return guard([] { barrier(); });
}

dtensorStatus dtensorManualSeed(uint64_t seed) {
  return guard([&] { manualSeed(seed); });
}

uint64_t dtensorRankIdentity(void) {
  return RankContext::current() ? RankContext::current()->identity : 0;
}

dtensorStatus dtensorCurrentRank(dtensorRank *rank) {
  return guard(
      [&] { *need(rank, "rank") = new dtensorRankHandle{currentRank()}; });
}

dtensorStatus dtensorSetCurrentRank(dtensorRank rank) {
  return guard([&] { RankContext::current() = rank ? rank->rank : nullptr; });
}

void dtensorRankRelease(dtensorRank rank) { delete rank; }

dtensorStatus dtensorGetCommCounts(dtensorCommCounts *counts) {
  return guard([&] {
    CommCounts mine = commCounts();
    need(counts, "counts")->receivedBytes = mine.receivedBytes;
    for (size_t i = 0; i < DTENSOR_STEP_KINDS; ++i)
      counts->steps[i] = mine.steps[i];
  });
}

const char *dtensorStepKindName(int32_t kind) {
  if (kind < 0 || kind >= DTENSOR_STEP_KINDS)
    return "";
  return keepText(std::string(stepKindName(static_cast<StepKind>(kind))));
}
