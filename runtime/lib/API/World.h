// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ranks of one run share: the first error, and the ledgers in which
// threads compare what they call.
#ifndef DTENSOR_LIB_API_WORLD_H
#define DTENSOR_LIB_API_WORLD_H

#include "dtensor/API/Error.h"
#include "dtensor/API/Spmd.h"
#include "dtensor/Planner/Topology.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace dtensor {

/// A call that ranks make together, as they must all make it.
struct Call {
  uint64_t hash = 0;
  std::string text; ///< "redistribute of f32 8x6 from ... to ..."

  static std::shared_ptr<const Call> make(std::string text);
};

/// The calls of one group of ranks in order. Each rank writes down what it
/// calls; the second to do so compares. Nobody waits.
class Ledger {
public:
  explicit Ledger(int64_t members) : members(members) {}

  /// Another rank's call of this number that differs from `call`.
  struct Difference {
    std::shared_ptr<const Call> call;
    int64_t rank = 0;
  };
  std::optional<Difference> record(uint64_t number,
                                   const std::shared_ptr<const Call> &call,
                                   int64_t rank);

private:
  struct Entry {
    std::shared_ptr<const Call> call;
    int64_t rank = 0;
    int64_t arrivals = 0;
  };

  int64_t members;
  std::mutex mutex;
  uint64_t firstNumber = 0; ///< of entries.front()
  std::deque<Entry> entries;
};

class World {
public:
  World(int64_t size, const SpmdOptions &options, Topology topology,
        bool ranksAreThreads)
      : size(size), options(options), topology(std::move(topology)),
        ranksAreThreads(ranksAreThreads) {}

  const int64_t size;
  const SpmdOptions options;
  const Topology topology;
  const bool ranksAreThreads;

  /// Keeps the first error of all and returns it.
  DTensorError keepFirst(const DTensorError &error);
  std::optional<DTensorError> firstError() const;

  /// The ledger of `ranks` on a channel.
  Ledger &ledger(uint64_t channel, const std::vector<int64_t> &ranks);

private:
  mutable std::mutex mutex; ///< guards the members below
  std::optional<DTensorError> first;
  std::map<std::pair<uint64_t, std::vector<int64_t>>, std::unique_ptr<Ledger>>
      ledgers;
};

} // namespace dtensor

#endif // DTENSOR_LIB_API_WORLD_H
