// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communication between ranks. A collective is prepared once, when a plan is
// loaded: which boxes come from which ranks, or whose contributions are
// combined over which elements. Running it decides nothing any more, so one
// description serves threads, MPI and NCCL.
#ifndef DTRT_COMMUNICATOR_H
#define DTRT_COMMUNICATOR_H

#include "dtensor/Planner/Redistribution.h"
#include "dtrt/PlanFile.h"
#include "dtrt/StridedLoop.h"

#include <array>
#include <memory>
#include <optional>

namespace dtrt {

/// Causes of a failed run.
enum class FailureCode : uint8_t {
  Timeout,    ///< some rank did not arrive before the deadline
  Mismatch,   ///< ranks met in different collectives
  PeerFailed, ///< another rank failed or left the program
  Kernel,     ///< this rank's own work failed (it threw)
  Setup       ///< the run could not be prepared on this rank
};

/// "TIMEOUT", "MISMATCH", "PEER_FAILED", "KERNEL", "SETUP".
const char *failureCodeName(FailureCode code);

/// Why a rank could not finish.
struct Failure {
  FailureCode code = FailureCode::Kernel;
  int64_t rank = -1;
  int64_t step = -1; ///< -1: not in a step
  std::string name;  ///< the step's name, may be empty
  std::string detail;
};

/// "error: TIMEOUT rank=1 step=3 name=all_reduce.2: waited 5 s for rank 0".
std::string failureLine(const Failure &failure);

/// Nothing, or the failure.
using RunStatus = std::optional<Failure>;

/// A change of layout as a plan states it.
struct CollectiveSpec {
  int64_t step = 0; ///< position in the program's one order
  std::string name;
  dtensor::StepKind kind = dtensor::StepKind::Exchange;
  dtensor::ElementType type = dtensor::ElementType::F32;
  dtensor::ReduceOp op = dtensor::ReduceOp::Sum;
  schema::Reduction reduction = schema::Reduction::ordered;
  std::vector<int64_t> shape; ///< of the tensor that the layouts describe
  dtensor::LayoutChange change;
  int64_t root = -1; ///< coordinate on the axes, for kinds with a root
};

/// A box that one rank takes from a member of the group.
struct BoxCopy {
  int member = 0;   ///< index in PreparedCollective::group
  StridedLoop loop; ///< operand 0: that member's source; 1: my target
};

/// A box that is combined from the contributions of several members.
struct BoxCombination {
  std::vector<int> contributors; ///< members, one per contribution
  StridedLoop loop; ///< operands 0..n-1 the contributors, operand n my target
};

/// What one rank does in one collective. Source and target are dense
/// row-major buffers of the rank's boxes.
struct PreparedCollective {
  int64_t step = 0;
  std::string name;
  dtensor::StepKind kind = dtensor::StepKind::Exchange;
  dtensor::ElementType type = dtensor::ElementType::F32;
  dtensor::ReduceOp op = dtensor::ReduceOp::Sum;
  schema::Reduction reduction = schema::Reduction::ordered;
  int64_t rank = 0;
  std::vector<int64_t> group; ///< ranks, ascending; mine among them
  int myIndex = 0;

  int64_t sourceBytes = 0;
  int64_t targetBytes = 0;
  /// Bytes that this rank takes from other ranks.
  int64_t recvBytes = 0;
  /// Equal on all members of a correct program: kind, type, op, shape, layouts.
  uint64_t key = 0;

  /// slice, all_gather, all_to_all, permute, exchange, to_partial, broadcast,
  /// scatter, gather.
  std::vector<BoxCopy> copies;
  /// to_partial, and an exchange that creates contributions: elements to fill
  /// with the identity of `fillOp` before the copies.
  int64_t fillElements = 0;
  dtensor::ReduceOp fillOp = dtensor::ReduceOp::Sum;
  /// An exchange that also combines contributions; threads only.
  std::vector<BoxCombination> combinations;

  /// reduce, gather: true on ranks that are not the root; they end with zeros.
  bool clearsTarget = false;

  /// reduce_scatter, all_reduce, and reduce on the root: members whose
  /// contributions are combined, in the order of their places on the axes.
  std::vector<int> contributors;
  /// reduce_scatter and reduce: operands 0..n-1 the contributors, operand n my
  /// target.
  StridedLoop reductionLoop;
  /// all_reduce: the elements that this rank combines for all members.
  int64_t shareBegin = 0;
  int64_t shareEnd = 0;
  /// avg: what the sum is divided by.
  double divisor = 1;

  /// scale: target = source * multiplier / scaleDivisor.
  double multiplier = 1;
  double scaleDivisor = 1;

  /// True where contributions are combined over reductionLoop, by their
  /// receiver alone.
  bool reducesByLoop() const {
    return kind == dtensor::StepKind::ReduceScatter ||
           kind == dtensor::StepKind::Reduce;
  }

  /// Set by Communicator::attach.
  int handle = -1;
};

/// Works out what `rank` does. Refuses what a single step cannot do (boxes
/// that nobody holds, a reduction that the type does not have, group members
/// with different boxes in an all_reduce).
Expected<PreparedCollective> prepareCollective(const dtensor::Mesh &mesh,
                                               const CollectiveSpec &spec,
                                               int64_t rank);

/// The same for a step of a redistribution plan; `index` is its position.
Expected<PreparedCollective>
prepareStep(const dtensor::RedistributionRequest &request,
            const dtensor::RedistributionStep &step, int64_t rank,
            int64_t index = 0);

/// What one rank has moved so far.
struct CommStats {
  int64_t recvBytes = 0; ///< from other ranks
  /// Steps run, by dtensor::StepKind.
  std::array<int64_t, 13> collectives{};
};

/// One rank's end of the communication. Not thread-safe: each rank has its
/// own. Buffers given to run must stay valid until all ranks have ended,
/// because a peer may be reading them when this rank fails.
class Communicator {
public:
  virtual ~Communicator();

  virtual int64_t rank() const = 0;
  virtual int64_t numRanks() const = 0;

  /// Makes what the group needs (a barrier, an MPI or NCCL communicator).
  /// All members call it, in the plan's order, before the first run.
  virtual Status attach(PreparedCollective &collective) = 0;

  /// True where run may be called from any thread, by one at a time.
  virtual bool runsOnOtherThreads() const { return false; }

  /// Runs an attached collective from `source` to `target`, buffers of
  /// sourceBytes and targetBytes.
  RunStatus run(const PreparedCollective &collective, const std::byte *source,
                std::byte *target);

  /// Another end of the same ranks for this rank, with meeting places of its
  /// own: ends with different numbers may be used by different threads at the
  /// same time. Must not outlive this end. Null where all collectives go
  /// through one thread; `number` 0 is this end's own.
  virtual std::unique_ptr<Communicator> channel(uint64_t number);

  /// The failure that ended the ranks, once one has; the same on all of them
  /// where they are threads.
  virtual RunStatus firstFailure() const { return std::nullopt; }

  /// Waits for all ranks.
  virtual RunStatus barrier(const std::string &name) = 0;

  /// Tells the other ranks that this one has failed; they stop in their next
  /// or present collective. The first failure of all is kept.
  virtual void abort(const Failure &failure) = 0;

  const CommStats &stats() const { return counted; }
  void resetStats() { counted = CommStats(); }

protected:
  /// A collective that moves data between ranks.
  virtual RunStatus runCollective(const PreparedCollective &collective,
                                  const std::byte *source,
                                  std::byte *target) = 0;

private:
  CommStats counted;
};

} // namespace dtrt

#endif // DTRT_COMMUNICATOR_H
