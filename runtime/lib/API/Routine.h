// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks do together in one call: steps that a plan lists, prepared by the
// first run and only walked afterwards.
#ifndef DTENSOR_LIB_API_ROUTINE_H
#define DTENSOR_LIB_API_ROUTINE_H

#include "API/RankContext.h"
#include "dtensor/API/Array.h"

namespace dtensor {

/// A group of ranks on a channel, as one of them sees it: whether they call
/// the same, and small messages to all.
class Agreement {
public:
  /// `ranks`: of the world, ascending; this rank among them.
  Agreement(RankContext &context, Channel &channel, std::vector<int64_t> ranks);

  /// Throws on all ranks where one calls something else.
  void check(const std::shared_ptr<const Call> &call);
  /// Equally many bytes of every rank, in rank order.
  std::vector<std::byte> gather(const std::byte *mine, size_t bytes);
  /// A text of every rank.
  std::vector<std::string> gatherTexts(const std::string &mine);

  /// For `count` collectives that are attached now: what tells the first from
  /// others; the next numbers are those of the rest.
  int64_t takeSteps(int64_t count) {
    nextStep += count;
    return nextStep - count;
  }
  const std::vector<int64_t> &members() const { return ranks; }

private:
  dtrt::PreparedCollective makeGather(size_t bytes);

  RankContext &context;
  Channel &channel;
  std::vector<int64_t> ranks;
  int64_t nextStep = 0;
  uint64_t callNumber = 0;
  Ledger *ledger = nullptr; ///< where ranks are threads
  std::map<size_t, dtrt::PreparedCollective> gathers; ///< by bytes
};

/// Steps of this rank, from one buffer to another.
class Routine {
public:
  using Steps = std::vector<dtrt::PreparedCollective>;

  /// `ranks` take part. `prepare` works out the steps of this rank, none
  /// outside of them, numbered from 0 to `numSteps` as all ranks number them;
  /// it is called once, by the first run. `communicates`: whether any step
  /// moves data between ranks. Both are the same on all ranks.
  Routine(RankContext &context, uint64_t channel, std::vector<int64_t> ranks,
          std::shared_ptr<const Call> call, size_t numSteps, bool communicates,
          std::function<Steps()> prepare);

  /// True where nothing is to be done: the target is the source.
  bool isEmpty() const { return numSteps == 0; }

  /// Runs the steps now, after what is pending on the channel.
  void run(const Array &source, const Array &target);
  /// Hands them to the channel's queue. Null where this rank takes no part.
  std::shared_ptr<Pending> start(const Array &source, const Array &target,
                                 std::function<void()> before);

  bool communicates() const { return moves; }
  const Call &call() const { return *theCall; }

private:
  bool takesPart() const;
  void prepareSteps(Agreement *agreement, dtrt::Communicator &communicator);
  void walk(dtrt::Communicator &communicator, const Array &source,
            const Array &target);
  void runOn(Channel &channel, const Array &source, const Array &target);

  RankContext &context;
  uint64_t channelNumber;
  std::vector<int64_t> ranks;
  std::shared_ptr<const Call> theCall;
  size_t numSteps;
  bool moves;
  std::mutex preparing; ///< for routines that stay on one rank
  std::function<Steps()> prepare;
  bool isPrepared = false;
  Steps steps;
  Agreement *agreement = nullptr;
};

/// Runs `work` on a channel, after what is pending there, with this rank's
/// view of `ranks`.
void runOnChannel(RankContext &context, uint64_t channel,
                  const std::vector<int64_t> &ranks,
                  const std::function<void(Agreement &)> &work);

/// The steps of `collectives` as seen by the world: members of a mesh are
/// ranks[member].
void placeOnWorld(dtrt::PreparedCollective &collective,
                  const std::vector<int64_t> &ranks);

} // namespace dtensor

#endif // DTENSOR_LIB_API_ROUTINE_H
