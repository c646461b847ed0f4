// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank's communicator over an MPI module.
#ifndef DTRT_LIB_MPI_MPICOMMUNICATOR_H
#define DTRT_LIB_MPI_MPICOMMUNICATOR_H

#include "Mpi/MpiTransport.h"
#include "dtrt/Communicator.h"

#include <chrono>
#include <map>

namespace dtrt {

class MpiCommunicator : public Communicator {
public:
  MpiCommunicator(const MpiTransport &transport, int64_t rank, int64_t numRanks,
                  double timeoutSeconds);

  int64_t rank() const override { return myRank; }
  int64_t numRanks() const override { return worldSize; }
  Status attach(PreparedCollective &collective) override;
  RunStatus barrier(const std::string &name) override;
  void abort(const Failure &failure) override;

  /// Messages are cut into pieces of at most this size.
  void setMaxPiece(uint64_t bytes) { maxPiece = bytes; }

  /// Bytes among all ranks, waiting without a deadline; `name` says what for.
  RunStatus exchangeAll(const std::string &name, std::vector<MpiMessage> &sends,
                        std::vector<MpiMessage> &receives);
  RunStatus broadcast(const std::string &name, void *data, uint64_t bytes);
  RunStatus allGather(const std::string &name, uint64_t mine,
                      std::vector<uint64_t> &all);

protected:
  RunStatus runCollective(const PreparedCollective &collective,
                          const std::byte *source, std::byte *target) override;

private:
  /// A box in a message: where it lies in the buffer, or in the staging.
  struct Piece {
    int member = 0;
    StridedLoop loop;    ///< packs (sends) or unpacks (receives)
    bool direct = false; ///< contiguous in the buffer: sent from there
    int64_t at = 0;      ///< byte in the buffer (direct) or in the staging
    int64_t bytes = 0;
  };
  /// What attach found out.
  struct Attached {
    int32_t group = 0;
    std::vector<Piece> sends, receives;
    int64_t sendStaging = 0, receiveStaging = 0;
  };
  /// Collected per member: the boxes that I take from it.
  using Requests = std::vector<std::vector<int64_t>>;

  Expected<int32_t> groupOf(const std::vector<int64_t> &ranks);
  Requests planReceives(const PreparedCollective &collective, Attached &out);
  Status checkSame(const PreparedCollective &collective, int32_t group,
                   const Requests &mine, std::vector<int64_t> &wordsOfPeers);
  Status planSends(const PreparedCollective &collective, Attached &out,
                   const Requests &mine);
  Status addSends(const std::vector<int64_t> &numbers, int member,
                  int64_t sourceBytes, Attached &out);

  void packSends(const Attached &attached, const std::byte *source);
  RunStatus moveBoxes(const PreparedCollective &collective,
                      const Attached &attached, const std::byte *source,
                      std::byte *target);
  RunStatus reduceScatter(const PreparedCollective &collective,
                          const Attached &attached, const std::byte *source,
                          std::byte *target);
  RunStatus allReduce(const PreparedCollective &collective,
                      const Attached &attached, const std::byte *source,
                      std::byte *target);
  /// MPI's own reduction; false where it has none for this.
  bool allReduceNative(const PreparedCollective &collective,
                       const Attached &attached, const std::byte *source,
                       std::byte *target, RunStatus &result);

  /// Runs sendList and receiveList.
  RunStatus exchange(const PreparedCollective &collective, int32_t group);
  /// Turns how the waiting ended into a failure.
  RunStatus statusOf(MpiOutcome outcome, const PreparedCollective &collective);
  MpiWait startWaiting(bool withDeadline);
  static bool giveUp(void *self);
  std::string missingRanks(const PreparedCollective &collective) const;

  const MpiTransport &mpi;
  int64_t myRank, worldSize;
  double timeout;
  uint64_t maxPiece = 1u << 30;
  std::map<std::vector<int64_t>, int32_t> groups;
  std::vector<Attached> attached; ///< by handle
  PreparedCollective everyone;

  // Why the last wait was given up.
  std::chrono::steady_clock::time_point waitStart;
  bool hasDeadline = true;
  bool signalled = false;
  std::string signalText;

  std::vector<MpiMessage> sendList, receiveList;  ///< scratch
  std::vector<std::byte> sendStage, receiveStage; ///< scratch
  std::vector<const std::byte *> sources;         ///< scratch
};

} // namespace dtrt

#endif // DTRT_LIB_MPI_MPICOMMUNICATOR_H
