// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The redistribution planner: a tensor's layout on a mesh, the layout wanted,
// and the cheapest sequence of collectives between the two.
#ifndef DTENSOR_PLANNER_REDISTRIBUTION_H
#define DTENSOR_PLANNER_REDISTRIBUTION_H

#include "dtensor/Planner/Topology.h"
#include "dtensor/Planner/Transfers.h"

namespace dtensor {

/// Kinds of steps. The first three move nothing between ranks. The last four
/// have a root: programs ask for them, they are named and priced here, but no
/// plan contains them, because no layout says "on one rank only".
enum class StepKind : uint8_t {
  Slice,         ///< keep the chunk of a replicated tensor
  ToPartial,     ///< contribution on coordinate 0, the identity elsewhere
  Scale,         ///< sum <-> avg
  AllGather,     ///< drop the minor-most axes of one dimension
  AllToAll,      ///< move the minor-most axes of one dimension to another
  Permute,       ///< every rank's box to at most one other rank
  ReduceScatter, ///< combine contributions, keep a chunk; under a memory limit
                 ///< one of several dimensions, cut by replicated axes as well
  AllReduce,     ///< combine contributions on every rank
  Exchange,      ///< exact boxes, point to point; under a memory limit it may
                 ///< also combine contributions and create them
  Broadcast,     ///< the root's box to every rank
  Reduce,        ///< combine contributions on the root
  Scatter,       ///< to every rank its chunk of the root's box
  Gather         ///< the chunks of all ranks to the root
};

/// "all_gather", "reduce_scatter", ...: the name in JSON and of the comm op.
std::string_view stepKindName(StepKind kind);
/// True for kinds that move data between ranks.
bool isCollective(StepKind kind);
/// True for the kinds that have a root.
bool isRooted(StepKind kind);

/// One step of a plan. Bytes are per rank; times are microseconds.
struct RedistributionStep {
  StepKind kind = StepKind::Exchange;
  std::vector<AxisRef> axes; ///< the group: ranks that differ on these
  int fromDim = -1; ///< AllGather, AllToAll, ToPartial of a shard: dimension
                    ///< that loses axes
  int toDim = -1; ///< Slice, AllToAll, ReduceScatter: dimension that gains them
  ReduceOp op = ReduceOp::Sum; ///< ToPartial, Scale (source op), reductions,
                               ///< an Exchange whose partial axes change
  int64_t root = -1;           ///< kinds with a root: its coordinate on `axes`
  Layout from, to;
  int64_t recvBytesMax = 0;
  double recvBytesAvg = 0;
  int64_t sendBytesMax = 0;
  int64_t peakBytes = 0; ///< input + output + staging, largest over ranks
  double timeUs = 0;
};

/// What a plan minimises: modelled time, bytes received, or its largest step's
/// peakBytes.
enum class Objective : uint8_t { Time, Bytes, Memory };

/// What runs the plan: it decides how much a step stages.
enum class Backend : uint8_t { Threads, Mpi, Nccl };

/// What is asked of the planner. `from` and `to` are canonical layouts of a
/// tensor of shape `shape` on `mesh`.
struct RedistributionRequest {
  Mesh mesh;
  std::vector<int64_t> shape;
  ElementType type = ElementType::F32;
  Layout from, to;
  Topology topology;
  Objective objective = Objective::Time;
  /// Bytes per rank that no step's peakBytes may exceed; negative for none.
  int64_t memoryLimit = -1;
  Backend backend = Backend::Threads;
  /// How many of the plans that lost are kept, best first.
  int maxAlternatives = 0;
};

/// A plan that was found and not taken, with its totals.
struct PlanAlternative {
  std::vector<RedistributionStep> steps;
  int64_t recvBytesMax = 0;
  double timeUs = 0;
  int64_t peakBytes = 0;
};

/// A plan with its price. lowerBoundBytesMax is the most bytes that any one
/// rank needs and does not hold; -1 where a side is partial.
struct RedistributionPlan {
  std::vector<RedistributionStep> steps;
  int64_t recvBytesMax = 0;
  double recvBytesAvg = 0;
  int64_t lowerBoundBytesMax = -1;
  double timeUs = 0;
  int64_t peakBytes = 0;
  /// Up to request.maxAlternatives; the plan does not depend on them.
  std::vector<PlanAlternative> alternatives;
};

/// The cheapest plan that this planner knows, deterministic. Refuses a partial
/// op that the type does not have, a tensor whose bytes cannot be counted, and
/// a memory limit that no plan keeps, naming the smallest that one does. What
/// both layouts take together, with the staging of a direct exchange, always
/// suffices: on threads for all layouts, elsewhere for those without partials.
Expected<RedistributionPlan>
planRedistribution(const RedistributionRequest &request);

/// Bytes that a rank receives in `step` from ranks with another coordinate on
/// mesh axis `axis`. Of an exchange or permute, at most this many.
int64_t linkBytes(const RedistributionStep &step, int axis);

/// Fills in bytes, peak and time of one step whose kind, axes and layouts (and
/// root, below the size of the group) are set.
void priceStep(const RedistributionRequest &request, RedistributionStep &step);

/// Executes the plan on index sets and proves that every rank ends with
/// exactly its box and every contribution is counted once. The message names
/// the first step and rank where that fails. Where there are too many ranks and
/// pieces for that, checkByClass decides.
Status checkRedistribution(const RedistributionRequest &request,
                           const RedistributionPlan &plan);

/// Proves the same from the steps' layouts, for all ranks of a class at once:
/// each kind of step keeps the meaning of a layout wherever its group holds
/// what it makes. Does not grow with the mesh; refuses some plans on sizes that
/// do not divide which are right, accepts none that is wrong.
Status checkByClass(const RedistributionRequest &request,
                    const RedistributionPlan &plan);

} // namespace dtensor

#endif // DTENSOR_PLANNER_REDISTRIBUTION_H
