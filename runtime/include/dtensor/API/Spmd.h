// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running one program on many ranks: threads of this process, or the processes
// of an mpirun.
#ifndef DTENSOR_API_SPMD_H
#define DTENSOR_API_SPMD_H

#include "dtensor/Planner/Redistribution.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace dtensor {

struct SpmdOptions {
  /// Seconds that a rank waits for others in one collective before all fail
  /// with ErrorCode::Timeout.
  double timeoutSeconds = 300;
  /// What plans are priced with: "builtin:threads", or a topology file.
  std::string topology = "builtin:threads";
  /// Where ranks are processes: whether they compare what they call before
  /// every collective, at the price of one small message. Threads always do,
  /// without waiting. Without it a wrong program ends at its timeout.
  bool checkCalls = true;
};

/// Runs `rankMain` on `numRanks` ranks and returns when all have returned.
/// Ranks are threads of this process; under mpirun, this process is one of
/// them, and `numRanks` must be the number of its processes (0 always fits: as
/// many as the launcher started, else one). The first exception of a rank ends
/// the others in their present or next collective; it is thrown again here as a
/// DTensorError, its own text where it was one.
void spmd(int64_t numRanks, const std::function<void()> &rankMain,
          const SpmdOptions &options = {});

/// Makes this thread a rank where it is none yet: of the launcher's processes,
/// else the only one. initDeviceMesh does it by itself. Throws where the
/// launcher's environment is half set, and for torchrun's (no backend here).
void initialize(const SpmdOptions &options = {});
/// Leaves what `initialize` has joined. All ranks call it; no tensor of theirs
/// may be redistributed afterwards.
void finalize();
bool isInitialized();

/// This thread's rank and the number of ranks; throw where it is no rank.
int64_t worldRank();
int64_t worldSize();

/// Waits for all ranks. All ranks call it.
void barrier();

/// Seeds the random factories that are given no seed. All ranks call it with
/// the same number. The first such factory after it uses `seed` itself, later
/// ones numbers that follow from it. A rank starts with seed 0.
void manualSeed(uint64_t seed);

/// A rank, as its own threads share it.
class RankContext;

/// This thread's rank, to hand to a thread that the rank starts.
std::shared_ptr<RankContext> currentRank();

/// Makes this thread act for a rank while it lives. Threads of one rank may
/// call the API at the same time on different meshes; on one mesh, all ranks
/// must still call in one order.
class RankScope {
public:
  explicit RankScope(std::shared_ptr<RankContext> rank);
  ~RankScope();
  RankScope(const RankScope &) = delete;
  RankScope &operator=(const RankScope &) = delete;

private:
  std::shared_ptr<RankContext> previous;
};

/// What this rank has moved so far, on all meshes.
struct CommCounts {
  int64_t receivedBytes = 0; ///< from other ranks
  /// Steps run by kind, as plans name them: index by dtensor::StepKind.
  int64_t steps[13] = {};

  /// Steps that moved data between ranks.
  int64_t totalCollectives() const;
};
CommCounts commCounts();

} // namespace dtensor

#endif // DTENSOR_API_SPMD_H
