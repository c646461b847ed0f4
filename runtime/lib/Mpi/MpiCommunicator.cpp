// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running collectives over MPI: boxes packed into messages, contributions
// combined here in rank order, with the same arithmetic as between threads.
#include "Mpi/MpiCommunicator.h"

#include "Plan/Xxh64.h"
#include "dtrt/Arithmetic.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace dtrt;
using dtensor::ElementType;
using dtensor::ReduceOp;
using dtensor::StepKind;

namespace {

constexpr size_t kSignalBytes = 1024;

/// Up to so many ranks all tell each other that they have come, so that a
/// timeout can name those that have not.
constexpr int64_t kMaxDirectBarrier = 32;

/// Above the tags of steps.
constexpr int32_t kBarrierTag = 0x4000;

Failure failureIn(const PreparedCollective &collective, FailureCode code,
                  int64_t rank, std::string detail) {
  return {code, rank, collective.step, collective.name, std::move(detail)};
}

/// A tag per step, so that ranks which are in different steps wait, and are
/// found by their deadline, instead of taking each other's data.
int32_t tagOf(const PreparedCollective &collective) {
  return static_cast<int32_t>((collective.step + 1) & 0x3fff);
}

std::optional<MpiNumber> mpiNumber(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return MpiNumber::F64;
  case ElementType::F32:
    return MpiNumber::F32;
  case ElementType::I8:
    return MpiNumber::I8;
  case ElementType::I16:
    return MpiNumber::I16;
  case ElementType::I32:
    return MpiNumber::I32;
  case ElementType::I64:
    return MpiNumber::I64;
  default:
    return std::nullopt;
  }
}

/// MPI does not say what its min and max make of NaN, and has no avg.
std::optional<MpiOperator> mpiOperator(ReduceOp op, ElementType type) {
  switch (op) {
  case ReduceOp::Sum:
    return MpiOperator::Sum;
  case ReduceOp::Product:
    return MpiOperator::Product;
  case ReduceOp::Min:
    return dtensor::isFloat(type) ? std::nullopt
                                  : std::optional(MpiOperator::Min);
  case ReduceOp::Max:
    return dtensor::isFloat(type) ? std::nullopt
                                  : std::optional(MpiOperator::Max);
  case ReduceOp::BAnd:
    return MpiOperator::BAnd;
  case ReduceOp::BOr:
    return MpiOperator::BOr;
  case ReduceOp::BXor:
    return MpiOperator::BXor;
  default:
    return std::nullopt;
  }
}

template <typename T> void unifyNans(std::byte *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i, data += sizeof(T)) {
    T value;
    std::memcpy(&value, data, sizeof(T));
    if (std::isnan(value)) {
      value = std::numeric_limits<T>::quiet_NaN();
      std::memcpy(data, &value, sizeof(T));
    }
  }
}

} // namespace

MpiCommunicator::MpiCommunicator(const MpiTransport &transport, int64_t rank,
                                 int64_t numRanks, double timeoutSeconds)
    : mpi(transport), myRank(rank), worldSize(numRanks),
      timeout(timeoutSeconds) {
  everyone.step = -1;
  everyone.rank = rank;
  everyone.group.resize(static_cast<size_t>(numRanks));
  std::iota(everyone.group.begin(), everyone.group.end(), int64_t(0));
  everyone.myIndex = static_cast<int>(rank);
  groups[everyone.group] = 0;
}

bool MpiCommunicator::giveUp(void *self) {
  auto &me = *static_cast<MpiCommunicator *>(self);
  char text[kSignalBytes];
  int32_t bytes = me.mpi.takeSignal(text, sizeof(text));
  if (bytes >= 0) {
    me.signalled = true;
    me.signalText.assign(text, static_cast<size_t>(bytes));
  }
  if (me.signalled)
    return true;
  std::chrono::duration<double> waited =
      std::chrono::steady_clock::now() - me.waitStart;
  return me.hasDeadline && waited.count() > me.timeout;
}

MpiWait MpiCommunicator::startWaiting(bool withDeadline) {
  waitStart = std::chrono::steady_clock::now();
  hasDeadline = withDeadline;
  return {&MpiCommunicator::giveUp, this};
}

std::string
MpiCommunicator::missingRanks(const PreparedCollective &collective) const {
  std::vector<int64_t> ranks;
  for (const auto *list : {&receiveList, &sendList})
    for (const MpiMessage &message : *list)
      if (!message.done)
        ranks.push_back(collective.group[static_cast<size_t>(message.peer)]);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (ranks.empty())
    return "other ranks";
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i)
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  return text;
}

RunStatus MpiCommunicator::statusOf(MpiOutcome outcome,
                                    const PreparedCollective &collective) {
  switch (outcome) {
  case MpiOutcome::Done:
    return std::nullopt;
  case MpiOutcome::WrongSize:
    return failureIn(collective, FailureCode::Mismatch, myRank,
                     "a message has another size than this rank expects: the "
                     "ranks run different programs");
  case MpiOutcome::Failed:
    return failureIn(collective, FailureCode::PeerFailed, myRank,
                     mpi.lastError());
  case MpiOutcome::GaveUp:
    break;
  }
  if (signalled)
    return failureIn(collective, FailureCode::PeerFailed, myRank, signalText);
  std::chrono::duration<double> waited =
      std::chrono::steady_clock::now() - waitStart;
  return failureIn(collective, FailureCode::Timeout, myRank,
                   "waited " + std::to_string(waited.count()).substr(0, 5) +
                       " s for " + missingRanks(collective));
}

void MpiCommunicator::abort(const Failure &failure) {
  std::string text = "rank " + std::to_string(failure.rank) +
                     " failed: " + failureCodeName(failure.code) + ": " +
                     failure.detail;
  text.resize(std::min(text.size(), kSignalBytes));
  mpi.signal(text.data(), static_cast<int32_t>(text.size()));
}

RunStatus MpiCommunicator::barrier(const std::string &name) {
  everyone.name = name;
  uint64_t mine = xxh64(name.data(), name.size());
  std::vector<uint64_t> all(everyone.group.size());
  sendList.clear();
  receiveList.clear();
  MpiWait wait = startWaiting(true);
  MpiOutcome outcome = MpiOutcome::Done;
  if (worldSize > kMaxDirectBarrier) {
    outcome = mpi.allGather(0, &mine, all.data(), sizeof(mine), &wait);
  } else {
    all[static_cast<size_t>(myRank)] = mine;
    for (int32_t peer = 0; peer < worldSize; ++peer)
      if (peer != myRank) {
        sendList.push_back({peer, 0, &mine, sizeof(mine)});
        receiveList.push_back({peer, 0, &all[peer], sizeof(mine)});
      }
    outcome =
        mpi.exchange(0, kBarrierTag, sendList.data(), sendList.size(),
                     receiveList.data(), receiveList.size(), maxPiece, &wait);
  }
  if (RunStatus failure = statusOf(outcome, everyone))
    return failure;
  for (size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank] != mine)
      return failureIn(everyone, FailureCode::Mismatch, myRank,
                       "rank " + std::to_string(myRank) + " is at barrier '" +
                           name + "', rank " + std::to_string(rank) +
                           " at another");
  return std::nullopt;
}

RunStatus MpiCommunicator::exchangeAll(const std::string &name,
                                       std::vector<MpiMessage> &sends,
                                       std::vector<MpiMessage> &receives) {
  everyone.name = name;
  MpiWait wait = startWaiting(false);
  return statusOf(mpi.exchange(0, 0, sends.data(), sends.size(),
                               receives.data(), receives.size(), maxPiece,
                               &wait),
                  everyone);
}

RunStatus MpiCommunicator::broadcast(const std::string &name, void *data,
                                     uint64_t bytes) {
  everyone.name = name;
  MpiWait wait = startWaiting(false);
  return statusOf(mpi.broadcast(0, data, bytes, maxPiece, &wait), everyone);
}

RunStatus MpiCommunicator::allGather(const std::string &name, uint64_t mine,
                                     std::vector<uint64_t> &all) {
  everyone.name = name;
  all.resize(static_cast<size_t>(worldSize));
  MpiWait wait = startWaiting(false);
  return statusOf(mpi.allGather(0, &mine, all.data(), sizeof(mine), &wait),
                  everyone);
}

RunStatus MpiCommunicator::exchange(const PreparedCollective &collective,
                                    int32_t group) {
  MpiWait wait = startWaiting(true);
  return statusOf(mpi.exchange(group, tagOf(collective), sendList.data(),
                               sendList.size(), receiveList.data(),
                               receiveList.size(), maxPiece, &wait),
                  collective);
}

RunStatus MpiCommunicator::runCollective(const PreparedCollective &collective,
                                         const std::byte *source,
                                         std::byte *target) {
  if (collective.handle < 0)
    return failureIn(collective, FailureCode::Setup, myRank,
                     "the collective was never attached");
  const Attached &own = attached[static_cast<size_t>(collective.handle)];
  switch (collective.kind) {
  case StepKind::AllReduce:
    return allReduce(collective, own, source, target);
  case StepKind::ReduceScatter:
  case StepKind::Reduce:
    return reduceScatter(collective, own, source, target);
  default:
    return moveBoxes(collective, own, source, target);
  }
}

void MpiCommunicator::packSends(const Attached &own, const std::byte *source) {
  sendList.clear();
  if (sendStage.size() < static_cast<size_t>(own.sendStaging))
    sendStage.resize(static_cast<size_t>(own.sendStaging));
  for (const Piece &piece : own.sends) {
    const std::byte *data = source + piece.at;
    if (!piece.direct) {
      std::byte *staged = sendStage.data() + piece.at;
      copyBox(piece.loop, source, staged);
      data = staged;
    }
    // MPI's interface to sends is not const, but does not write.
    sendList.push_back({piece.member, 0, const_cast<std::byte *>(data),
                        static_cast<uint64_t>(piece.bytes)});
  }
  if (receiveStage.size() < static_cast<size_t>(own.receiveStaging))
    receiveStage.resize(static_cast<size_t>(own.receiveStaging));
}

RunStatus MpiCommunicator::moveBoxes(const PreparedCollective &collective,
                                     const Attached &own,
                                     const std::byte *source,
                                     std::byte *target) {
  packSends(own, source);
  receiveList.clear();
  for (const Piece &piece : own.receives)
    receiveList.push_back(
        {piece.member, 0,
         (piece.direct ? target : receiveStage.data()) + piece.at,
         static_cast<uint64_t>(piece.bytes)});
  for (const BoxCopy &copy : collective.copies)
    if (copy.member == collective.myIndex)
      copyBox(copy.loop, source, target);
  if (RunStatus failure = exchange(collective, own.group))
    return failure;
  for (const Piece &piece : own.receives)
    if (!piece.direct)
      copyBox(piece.loop, receiveStage.data() + piece.at, target);
  return std::nullopt;
}

RunStatus MpiCommunicator::reduceScatter(const PreparedCollective &collective,
                                         const Attached &own,
                                         const std::byte *source,
                                         std::byte *target) {
  packSends(own, source);
  receiveList.clear();
  for (const Piece &piece : own.receives)
    receiveList.push_back({piece.member, 0, receiveStage.data() + piece.at,
                           static_cast<uint64_t>(piece.bytes)});
  // My own contribution goes to the end of the staging.
  std::byte *mine =
      receiveStage.data() + own.receiveStaging - collective.targetBytes;
  for (size_t k = 0; k < collective.contributors.size(); ++k)
    if (collective.contributors[k] == collective.myIndex)
      copyBox(collective.reductionLoop.packing(k), source, mine);
  if (RunStatus failure = exchange(collective, own.group))
    return failure;
  if (collective.targetBytes == 0 || collective.contributors.empty())
    return std::nullopt;
  sources.clear();
  size_t next = 0;
  for (int member : collective.contributors)
    sources.push_back(member == collective.myIndex
                          ? mine
                          : receiveStage.data() + own.receives[next++].at);
  reduceElements(collective.type, collective.op, sources.data(), sources.size(),
                 collective.targetBytes /
                     dtensor::elementBytes(collective.type),
                 collective.divisor, target);
  return std::nullopt;
}

RunStatus MpiCommunicator::allReduce(const PreparedCollective &collective,
                                     const Attached &own,
                                     const std::byte *source,
                                     std::byte *target) {
  RunStatus native;
  if (collective.reduction == schema::Reduction::native &&
      allReduceNative(collective, own, source, target, native))
    return native;
  int64_t width = dtensor::elementBytes(collective.type);
  int64_t parts = static_cast<int64_t>(collective.group.size());
  int64_t mine = (collective.shareEnd - collective.shareBegin) * width;
  std::byte *myShare = target + collective.shareBegin * width;
  size_t staging = static_cast<size_t>(mine * (parts - 1));
  if (receiveStage.size() < staging)
    receiveStage.resize(staging);
  // First everyone's contribution to my share, and mine to theirs; then the
  // combined shares.
  std::vector<MpiMessage> shares;
  sendList.clear();
  receiveList.clear();
  sources.clear();
  for (int64_t member = 0; member < parts; ++member) {
    if (member == collective.myIndex) {
      sources.push_back(source + collective.shareBegin * width);
      continue;
    }
    std::byte *staged =
        receiveStage.data() + static_cast<int64_t>(receiveList.size()) * mine;
    sources.push_back(staged);
    int32_t peer = static_cast<int32_t>(member);
    if (mine > 0)
      receiveList.push_back({peer, 0, staged, static_cast<uint64_t>(mine)});
    int64_t begin = 0, end = collective.targetBytes / width;
    dtensor::chunk(begin, end, parts, member);
    uint64_t bytes = static_cast<uint64_t>((end - begin) * width);
    if (bytes == 0)
      continue;
    sendList.push_back(
        {peer, 0, const_cast<std::byte *>(source + begin * width), bytes});
    shares.push_back({peer, 0, target + begin * width, bytes});
  }
  if (RunStatus failure = exchange(collective, own.group))
    return failure;
  if (mine > 0)
    reduceElements(collective.type, collective.op, sources.data(),
                   sources.size(), mine / width, collective.divisor, myShare);
  sendList.swap(receiveList);
  for (MpiMessage &message : sendList)
    message.data = myShare;
  receiveList.swap(shares);
  return exchange(collective, own.group);
}

bool MpiCommunicator::allReduceNative(const PreparedCollective &collective,
                                      const Attached &own,
                                      const std::byte *source,
                                      std::byte *target, RunStatus &result) {
  std::optional<MpiNumber> type = mpiNumber(collective.type);
  std::optional<MpiOperator> op = mpiOperator(collective.op, collective.type);
  if (!type || !op || collective.group.size() == 1)
    return false;
  int64_t count =
      collective.targetBytes / dtensor::elementBytes(collective.type);
  sendList.clear();
  receiveList.clear();
  MpiWait wait = startWaiting(true);
  result = statusOf(mpi.allReduce(own.group, *type, *op, source, target,
                                  static_cast<uint64_t>(count), &wait),
                    collective);
  // a + b and b + a are the same bits unless both are NaN: ranks that added
  // in mirrored order agree once all NaNs are the same one.
  if (collective.type == ElementType::F32)
    unifyNans<float>(target, count);
  if (collective.type == ElementType::F64)
    unifyNans<double>(target, count);
  return true;
}
