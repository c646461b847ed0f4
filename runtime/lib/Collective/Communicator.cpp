// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all communicators share: kinds that stay on one rank, and counting.
#include "dtrt/Communicator.h"

#include "dtrt/Arithmetic.h"

#include <cstring>

using namespace dtrt;
using dtensor::StepKind;

const char *dtrt::failureCodeName(FailureCode code) {
  switch (code) {
  case FailureCode::Timeout:
    return "TIMEOUT";
  case FailureCode::Mismatch:
    return "MISMATCH";
  case FailureCode::PeerFailed:
    return "PEER_FAILED";
  case FailureCode::Kernel:
    return "KERNEL";
  case FailureCode::Setup:
    return "SETUP";
  }
  return "UNKNOWN";
}

std::string dtrt::failureLine(const Failure &failure) {
  return std::string("error: ") + failureCodeName(failure.code) +
         " rank=" + std::to_string(failure.rank) +
         " step=" + std::to_string(failure.step) + " name=" + failure.name +
         ": " + failure.detail;
}

Communicator::~Communicator() = default;

std::unique_ptr<Communicator> Communicator::channel(uint64_t) {
  return nullptr;
}

RunStatus Communicator::run(const PreparedCollective &collective,
                            const std::byte *source, std::byte *target) {
  switch (collective.kind) {
  case StepKind::ToPartial:
    fillIdentity(collective.type, collective.fillOp, collective.fillElements,
                 target);
    [[fallthrough]];
  case StepKind::Slice:
    for (const BoxCopy &copy : collective.copies)
      copyBox(copy.loop, source, target);
    break;
  case StepKind::Scale:
    scaleElements(
        collective.type, collective.multiplier, collective.scaleDivisor, source,
        collective.sourceBytes / dtensor::elementBytes(collective.type),
        target);
    break;
  default:
    if (collective.clearsTarget && collective.targetBytes > 0)
      std::memset(target, 0, static_cast<size_t>(collective.targetBytes));
    if (collective.fillElements > 0)
      fillIdentity(collective.type, collective.fillOp, collective.fillElements,
                   target);
    if (RunStatus failure = runCollective(collective, source, target))
      return failure;
    counted.recvBytes += collective.recvBytes;
    break;
  }
  ++counted.collectives[static_cast<size_t>(collective.kind)];
  return std::nullopt;
}
