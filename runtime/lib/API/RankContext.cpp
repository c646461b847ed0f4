// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's channels, and how its failures become one error on all ranks.
#include "API/RankContext.h"

#include "API/Routine.h"

#include <numeric>

using namespace dtensor;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {

constexpr ErrorCode kCodes[] = {ErrorCode::InvalidArgument,
                                ErrorCode::NotSupported,
                                ErrorCode::Mismatch,
                                ErrorCode::RankFailed,
                                ErrorCode::Timeout,
                                ErrorCode::OutOfMemory,
                                ErrorCode::Io,
                                ErrorCode::Internal};

ErrorCode toCode(dtrt::FailureCode code) {
  switch (code) {
  case dtrt::FailureCode::Timeout:
    return ErrorCode::Timeout;
  case dtrt::FailureCode::Mismatch:
    return ErrorCode::Mismatch;
  case dtrt::FailureCode::PeerFailed:
  case dtrt::FailureCode::Kernel:
    return ErrorCode::RankFailed;
  case dtrt::FailureCode::Setup:
    return ErrorCode::Mismatch;
  }
  return ErrorCode::Internal;
}

/// Processes tell each other of failures in words. An error among them looks
/// like "{Timeout@2}text".
std::string encode(const DTensorError &error) {
  return std::string("{") + errorCodeName(error.code()) + "@" +
         std::to_string(error.rank()) + "}" + error.what();
}

std::optional<DTensorError> decode(const std::string &text) {
  size_t open = text.find('{'), at = text.find('@', open),
         close = text.find('}', at);
  if (open == std::string::npos || at == std::string::npos ||
      close == std::string::npos)
    return std::nullopt;
  std::string name = text.substr(open + 1, at - open - 1);
  for (ErrorCode code : kCodes)
    if (name == errorCodeName(code))
      return DTensorError(code, text.substr(close + 1),
                          std::atoll(text.c_str() + at + 1));
  return std::nullopt;
}

} // namespace

DTensorError dtensor::toError(const dtrt::Failure &failure) {
  if (std::optional<DTensorError> error = decode(failure.detail))
    return *error;
  std::string text = "rank " + std::to_string(failure.rank);
  if (!failure.name.empty())
    text += " in " + failure.name;
  return DTensorError(toCode(failure.code), text + ": " + failure.detail,
                      failure.rank);
}

dtrt::Failure dtensor::toFailure(const DTensorError &error, int64_t rank) {
  return {dtrt::FailureCode::Kernel, rank, -1, "", encode(error)};
}

//===----------------------------------------------------------------------===//
// The rank
//===----------------------------------------------------------------------===//

RankContext::RankContext(std::shared_ptr<World> world,
                         dtrt::Communicator &communicator)
    : world(std::move(world)), rank(communicator.rank()), identity([] {
        static std::atomic<uint64_t> next{0};
        return ++next;
      }()),
      root(&communicator) {
  if (!communicator.runsOnOtherThreads())
    sharedQueue = std::make_shared<TaskQueue>(false);
}

RankContext::~RankContext() = default;

std::shared_ptr<RankContext> &RankContext::current() {
  static thread_local std::shared_ptr<RankContext> context;
  return context;
}

const std::shared_ptr<RankContext> &RankContext::require() {
  if (!current())
    throw DTensorError(ErrorCode::InvalidArgument,
                       "this thread is no rank; run it with dtensor::spmd, or "
                       "call dtensor::initialize first");
  return current();
}

Channel &RankContext::channel(uint64_t number) {
  std::lock_guard<std::mutex> lock(mutex);
  if (closed.load())
    throw DTensorError(ErrorCode::InvalidArgument,
                       "the ranks of this mesh have ended: only toLocal and "
                       "metadata are left of its tensors");
  std::unique_ptr<Channel> &entry = channels[number];
  if (entry)
    return *entry;
  std::unique_ptr<dtrt::Communicator> own =
      number == 0 ? nullptr : root->channel(number);
  dtrt::Communicator &communicator = own ? *own : *root;
  entry = std::make_unique<Channel>(
      number, communicator, std::move(own),
      sharedQueue ? sharedQueue : std::make_shared<TaskQueue>(true));
  return *entry;
}

void RankContext::throwIfFailed() const {
  if (std::optional<DTensorError> error = world->firstError())
    throw *error;
}

void RankContext::fail(const DTensorError &error) {
  DTensorError first = world->keepFirst(error);
  if (!told.exchange(true) && !closed.load())
    root->abort(toFailure(first, rank));
  throw first;
}

void RankContext::fail(const dtrt::Failure &failure) {
  // What one rank saw first is what all of them say.
  dtrt::RunStatus shared = root->firstFailure();
  DTensorError error = toError(shared ? *shared : failure);
  if (failure.code == dtrt::FailureCode::PeerFailed)
    told.store(true);
  fail(error);
}

dtrt::Failure RankContext::endWith(const DTensorError &error) {
  bool wasFirst = !world->firstError();
  DTensorError first = world->keepFirst(DTensorError(
      error.code(), error.what(), error.rank() < 0 ? rank : error.rank()));
  dtrt::Failure failure = toFailure(first, rank);
  if (!wasFirst || told.exchange(true))
    failure.code = dtrt::FailureCode::PeerFailed;
  else
    root->abort(failure);
  return failure;
}

void RankContext::close() {
  std::map<uint64_t, std::unique_ptr<Channel>> ended;
  std::shared_ptr<MeshState> endedMesh;
  {
    std::lock_guard<std::mutex> lock(mutex);
    closed.store(true);
    ended.swap(channels);
    endedMesh.swap(everyoneMesh); // it holds this rank
  }
  if (sharedQueue)
    sharedQueue->drain();
  ended.clear(); // their queues run what is pending
  std::map<std::string, std::shared_ptr<Routine>> left;
  {
    std::lock_guard<std::mutex> lock(routinesMutex);
    left.swap(routines);
  }
}

void RankContext::keepForever(std::shared_ptr<void> memory) {
  static std::mutex keepMutex;
  static auto *kept = new std::vector<std::shared_ptr<void>>;
  std::lock_guard<std::mutex> lock(keepMutex);
  kept->push_back(std::move(memory));
}

uint64_t RankContext::takeSeed() {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t taken = seedsTaken++;
  if (taken == 0)
    return seed;
  // splitmix64: seeds that are neighbours give no common keys.
  uint64_t z = seed + taken * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void RankContext::setSeed(uint64_t value) {
  std::lock_guard<std::mutex> lock(mutex);
  seed = value;
  seedsTaken = 0;
}

std::shared_ptr<MeshState> RankContext::worldMesh(
    const std::function<std::shared_ptr<MeshState>()> &make) {
  std::lock_guard<std::mutex> lock(mutex);
  if (closed.load())
    return make(); // whose first use says that the ranks have ended
  if (!everyoneMesh)
    everyoneMesh = make();
  return everyoneMesh;
}

int64_t RankContext::countMesh(const std::vector<int64_t> &ranks) {
  std::lock_guard<std::mutex> lock(mutex);
  return meshes[ranks]++;
}

CommCounts RankContext::counts() const {
  CommCounts out;
  out.receivedBytes = received.load();
  for (size_t i = 0; i < steps.size(); ++i)
    out.steps[i] = steps[i].load();
  return out;
}

int64_t CommCounts::totalCollectives() const {
  int64_t total = 0;
  for (size_t i = 0; i < std::size(steps); ++i)
    if (isCollective(static_cast<StepKind>(i)))
      total += steps[i];
  return total;
}

std::vector<int64_t> RankContext::everyone() const {
  std::vector<int64_t> ranks(static_cast<size_t>(world->size));
  std::iota(ranks.begin(), ranks.end(), int64_t(0));
  return ranks;
}
