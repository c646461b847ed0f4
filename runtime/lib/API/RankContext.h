// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank of a run: its communicators, its pending work and what it counts.
#ifndef DTENSOR_LIB_API_RANKCONTEXT_H
#define DTENSOR_LIB_API_RANKCONTEXT_H

#include "API/TaskQueue.h"
#include "API/World.h"
#include "dtrt/Communicator.h"

#include <atomic>

namespace dtensor {

class Agreement;
class MeshState;
class Routine;

/// One communicator of a rank. Calls on it come one after another: a call
/// holds the lock, and waits for what is pending.
class Channel {
public:
  Channel(uint64_t number, dtrt::Communicator &communicator,
          std::unique_ptr<dtrt::Communicator> owned,
          std::shared_ptr<TaskQueue> queue);

  ~Channel();

  const uint64_t number;
  dtrt::Communicator &communicator;
  std::mutex mutex;

  /// This rank's view of a group of ranks, kept from its first use on.
  Agreement &agreement(RankContext &context, const std::vector<int64_t> &ranks);

private:
  std::unique_ptr<dtrt::Communicator> owned;
  std::map<std::vector<int64_t>, std::unique_ptr<Agreement>> agreements;

public:
  /// Gone before the communicator that its tasks use.
  std::shared_ptr<TaskQueue> queue;
};

class RankContext : public std::enable_shared_from_this<RankContext> {
public:
  RankContext(std::shared_ptr<World> world, dtrt::Communicator &communicator);
  ~RankContext();

  const std::shared_ptr<World> world;
  const int64_t rank;
  const uint64_t identity; ///< unique in the process, never 0

  /// The channel of that number, made by its first use. Throws once the rank
  /// has ended.
  Channel &channel(uint64_t number);

  /// Throws the first error of all ranks, once there is one.
  void throwIfFailed() const;
  /// Ends all ranks with this error, or with an earlier one, and throws it.
  [[noreturn]] void fail(const DTensorError &error);
  /// The same for a collective that did not succeed.
  [[noreturn]] void fail(const dtrt::Failure &failure);
  /// Tells the other ranks of an exception that ends this one.
  dtrt::Failure endWith(const DTensorError &error);

  /// Waits for what is pending; later use of the channels throws.
  void close();
  bool isClosed() const { return closed.load(); }

  /// Keeps memory that a failed collective may still write.
  void keepForever(std::shared_ptr<void> memory);

  uint64_t takeSeed();
  void setSeed(uint64_t value);

  /// The mesh of all ranks, made once.
  std::shared_ptr<MeshState>
  worldMesh(const std::function<std::shared_ptr<MeshState>()> &make);

  /// How many meshes of these ranks have been made before.
  int64_t countMesh(const std::vector<int64_t> &ranks);

  void count(StepKind kind, int64_t times, int64_t receivedBytes) {
    steps[static_cast<size_t>(kind)].fetch_add(times,
                                               std::memory_order_relaxed);
    received.fetch_add(receivedBytes, std::memory_order_relaxed);
  }
  CommCounts counts() const;

  /// Routines between two meshes, by what they do.
  std::mutex routinesMutex;
  std::map<std::string, std::shared_ptr<Routine>> routines;

  /// The ranks of the world as a group: what agrees about meshes.
  std::vector<int64_t> everyone() const;

  static std::shared_ptr<RankContext> &current();
  /// The current rank; joins the launcher's where there is none.
  static std::shared_ptr<RankContext> currentOrInitialize();
  /// The current rank; throws where there is none.
  static const std::shared_ptr<RankContext> &require();

private:
  dtrt::Communicator *root;
  std::atomic<bool> closed{false};
  std::atomic<bool> told{false}; ///< the other ranks know that this one failed
  std::mutex mutex;              ///< guards the members below
  std::map<uint64_t, std::unique_ptr<Channel>> channels;
  std::shared_ptr<TaskQueue> sharedQueue; ///< where one thread communicates
  std::map<std::vector<int64_t>, int64_t> meshes;
  std::shared_ptr<MeshState> everyoneMesh;
  uint64_t seed = 0, seedsTaken = 0;
  std::array<std::atomic<int64_t>, 13> steps{};
  std::atomic<int64_t> received{0};
};

/// The error that a failure of a collective means, the same on all ranks.
DTensorError toError(const dtrt::Failure &failure);
/// A failure that carries an error to other processes; toError gives it back.
dtrt::Failure toFailure(const DTensorError &error, int64_t rank);

} // namespace dtensor

#endif // DTENSOR_LIB_API_RANKCONTEXT_H
