// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mpi backend: every rank is a process under mpirun. The code that calls
// MPI is a module per implementation (dtrt-mpi-openmpi.so, dtrt-mpi-mpich.so),
// loaded on demand, so that the same program starts where no MPI is.
#ifndef DTRT_MPIRANKS_H
#define DTRT_MPIRANKS_H

#include "dtrt/ThreadRanks.h"

namespace dtrt {

/// The process launcher that this process runs under, from its environment.
struct Launcher {
  enum Kind { None, OpenMpi, Mpich, Torchrun };

  Kind kind = None;
  int64_t rank = 0, size = 1;
  std::string variable; ///< the one that gave it away

  bool isMpi() const { return kind == OpenMpi || kind == Mpich; }
};

/// Refuses variables of a launcher that are half set, that are no numbers, or
/// that come from two launchers.
Expected<Launcher> detectLauncher();

/// All ranks of an mpirun, as one of them sees them. One per process, used by
/// the thread that made it.
class MpiWorld {
public:
  /// Loads the launcher's module and starts MPI. `timeoutSeconds` bounds how
  /// long a rank waits for others in one collective.
  static Expected<std::unique_ptr<MpiWorld>> start(const Launcher &launcher,
                                                   double timeoutSeconds);
  ~MpiWorld();
  MpiWorld(const MpiWorld &) = delete;
  MpiWorld &operator=(const MpiWorld &) = delete;

  int64_t rank() const;
  int64_t numRanks() const;
  /// "Open MPI".
  std::string implementation() const;
  Communicator &communicator();

  // What programs around the collectives need. All ranks call; these wait as
  // long as it takes, because one rank may be compiling.

  /// Rank 0's bytes to all.
  RunStatus broadcast(std::vector<uint8_t> &bytes);
  /// One number of every rank, to every rank.
  RunStatus allGather(uint64_t mine, std::vector<uint64_t> &all);
  /// The bytes of every rank to rank 0, by rank; the others get nothing.
  RunStatus gather(const std::byte *data, size_t bytes,
                   std::vector<std::vector<std::byte>> &all);

  /// Runs this rank's part. A failure (returned or thrown) is signalled to
  /// the others, who then fail in their next or present collective.
  RunReport run(const std::function<RunStatus(Communicator &)> &rankMain);

  /// Leaves MPI in order. All ranks call it.
  void finish();
  /// Ends all ranks with an exit code, after giving them a moment to say what
  /// they saw. Does not return.
  [[noreturn]] void abort(int exitCode);

  /// Messages are cut into pieces of at most this size; for tests.
  void setMaxPiece(uint64_t bytes);

private:
  class Impl;
  explicit MpiWorld(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace dtrt

#endif // DTRT_MPIRANKS_H
