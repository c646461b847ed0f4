// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First errors and ledgers.
#include "API/World.h"

#include "Plan/Xxh64.h"

using namespace dtensor;

const char *dtensor::errorCodeName(ErrorCode code) {
  switch (code) {
  case ErrorCode::InvalidArgument:
    return "InvalidArgument";
  case ErrorCode::NotSupported:
    return "NotSupported";
  case ErrorCode::Mismatch:
    return "Mismatch";
  case ErrorCode::RankFailed:
    return "RankFailed";
  case ErrorCode::Timeout:
    return "Timeout";
  case ErrorCode::OutOfMemory:
    return "OutOfMemory";
  case ErrorCode::Io:
    return "Io";
  case ErrorCode::Internal:
    return "Internal";
  }
  return "Unknown";
}

std::shared_ptr<const Call> Call::make(std::string text) {
  auto call = std::make_shared<Call>();
  call->hash = dtrt::xxh64(text.data(), text.size());
  call->text = std::move(text);
  return call;
}

std::optional<Ledger::Difference>
Ledger::record(uint64_t number, const std::shared_ptr<const Call> &call,
               int64_t rank) {
  std::lock_guard<std::mutex> lock(mutex);
  while (firstNumber + entries.size() <= number)
    entries.push_back({});
  Entry &entry = entries[number - firstNumber];
  if (!entry.call) {
    entry.call = call;
    entry.rank = rank;
  } else if (entry.call->hash != call->hash) {
    return Difference{entry.call, entry.rank};
  }
  ++entry.arrivals;
  while (!entries.empty() && entries.front().arrivals == members) {
    entries.pop_front();
    ++firstNumber;
  }
  return std::nullopt;
}

DTensorError World::keepFirst(const DTensorError &error) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!first)
    first = error;
  return *first;
}

std::optional<DTensorError> World::firstError() const {
  std::lock_guard<std::mutex> lock(mutex);
  return first;
}

Ledger &World::ledger(uint64_t channel, const std::vector<int64_t> &ranks) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Ledger> &entry = ledgers[{channel, ranks}];
  if (!entry)
    entry = std::make_unique<Ledger>(static_cast<int64_t>(ranks.size()));
  return *entry;
}
