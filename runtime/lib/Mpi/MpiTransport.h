// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an MPI module does for the runtime. Each implementation of MPI has its
// own binary interface, so the code that includes mpi.h is built once per
// implementation as a module of its own, and is loaded only under a launcher
// of that implementation. This table is all that it exports: messages of
// bytes, groups and waiting; boxes, arithmetic and order stay outside, and
// are so the same code on every implementation.
#ifndef DTRT_LIB_MPI_MPITRANSPORT_H
#define DTRT_LIB_MPI_MPITRANSPORT_H

#include <cstddef>
#include <cstdint>

namespace dtrt {

/// Raised whenever the table below changes.
constexpr uint32_t kMpiTransportVersion = 1;

/// One message to or from a member of a group.
struct MpiMessage {
  int32_t peer = 0; ///< index in the group
  /// Set by exchange: whether it had arrived (been sent) when that returned.
  int32_t done = 0;
  void *data = nullptr;
  uint64_t bytes = 0;
};

/// Asked now and then while something waits; true ends the waiting.
struct MpiWait {
  bool (*giveUp)(void *user) = nullptr;
  void *user = nullptr;
};

enum class MpiOutcome : int32_t {
  Done,
  GaveUp,    ///< `giveUp` said so; the buffers may still be written
  WrongSize, ///< a peer sent another number of bytes than expected
  Failed     ///< MPI says so; lastError has its words
};

/// Element types and operators for `allReduce`, which takes what all
/// implementations have.
enum class MpiNumber : int32_t { F64, F32, I8, I16, I32, I64 };
enum class MpiOperator : int32_t { Sum, Product, Min, Max, BAnd, BOr, BXor };

/// Groups are numbered from 0, which is all ranks. One thread calls.
struct MpiTransport {
  uint32_t version;
  const char *implementation; ///< "Open MPI"

  MpiOutcome (*start)(int32_t *rank, int32_t *size);
  MpiOutcome (*finish)();
  /// Ends all ranks with an exit code. Does not return.
  void (*abort)(int32_t code);
  /// The words of the last MpiOutcome::Failed.
  const char *(*lastError)();

  /// A communicator of some ranks, ascending; all of them call it.
  MpiOutcome (*makeGroup)(const int32_t *ranks, int32_t count, int32_t *group);
  /// Sends and receives. Messages between two members match in their order;
  /// sizes must be equal, none is 0; longer ones than `maxPiece` bytes go in
  /// pieces.
  MpiOutcome (*exchange)(int32_t group, int32_t tag, MpiMessage *sends,
                         size_t numSends, MpiMessage *receives,
                         size_t numReceives, uint64_t maxPiece,
                         const MpiWait *wait);
  /// `bytes` of every member, in order, to every member.
  MpiOutcome (*allGather)(int32_t group, const void *mine, void *all,
                          int32_t bytes, const MpiWait *wait);
  /// From member 0 to all.
  MpiOutcome (*broadcast)(int32_t group, void *data, uint64_t bytes,
                          uint64_t maxPiece, const MpiWait *wait);
  /// MPI's own reduction, in its own order.
  MpiOutcome (*allReduce)(int32_t group, MpiNumber type, MpiOperator op,
                          const void *source, void *target, uint64_t count,
                          const MpiWait *wait);

  /// Sends a few bytes to all other ranks without waiting for anyone.
  void (*signal)(const void *data, int32_t bytes);
  /// A signal that has arrived: its size, or -1.
  int32_t (*takeSignal)(void *data, int32_t capacity);
};

/// The one symbol of a module; null for a version that it does not have.
using MpiTransportFunction = const MpiTransport *(*)(uint32_t version);
constexpr const char *kMpiTransportSymbol = "dtrtMpiTransport";

} // namespace dtrt

#endif // DTRT_LIB_MPI_MPITRANSPORT_H
