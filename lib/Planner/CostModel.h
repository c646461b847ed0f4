// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner's inner view of the cost model: the price of a step on even
// sizes from four numbers, and what the planner asks of boxes.
#ifndef DTENSOR_LIB_PLANNER_COSTMODEL_H
#define DTENSOR_LIB_PLANNER_COSTMODEL_H

#include "dtensor/Planner/Redistribution.h"

namespace dtensor {

/// What one step costs a rank: rounds of messages, bytes through its link and
/// bytes through its memory.
struct StepWork {
  double rounds = 0;
  double linkBytes = 0;
  double memoryBytes = 0;

  double timeUs(const Link &link, double memoryBytesPerUs) const {
    return rounds * link.latencyUs + linkBytes / link.bytesPerUs +
           memoryBytes / memoryBytesPerUs;
  }
};

/// Rounds of messages until `groupSize` ranks have heard of each other: the
/// latency of a collective grows with the logarithm of its group (8, 17 and 30
/// us for 2, 4 and 8 GPUs), so splitting one into smaller ones gains nothing.
double messageRounds(int64_t groupSize);

/// Work of a step in a group of `groupSize` ranks that each hold `inBytes`
/// before it and `outBytes` after it. Exchange is not among the kinds: its
/// work depends on boxes.
StepWork evenWork(StepKind kind, double inBytes, double outBytes,
                  int64_t groupSize);

/// The axes that a direct exchange between the two layouts spans. Where the
/// layouts are even, the common major part of a dimension takes no part.
std::vector<AxisRef> exchangeAxes(const Layout &from, const Layout &to,
                                  bool even);

/// Time of one collective step that does `work`. What an all-to-all sends
/// inside nodes does not cross the link between them; the rings of the other
/// collectives do with all they carry. A table of the topology goes first.
double collectiveTimeUs(const Topology &topology, StepKind kind,
                        const GroupShape &group, const Link &slowest,
                        const Link &insideNode, const StepWork &work);

/// Refuses negative sizes and tensors whose bytes cannot be counted.
Status checkShape(const std::vector<int64_t> &shape, ElementType type);

/// Why no plan keeps a memory limit, from the smallest peak that there is.
Error memoryLimitError(int64_t limit, int64_t least);

/// Largest number of bytes that a rank needs under `to` and does not hold
/// under `from`.
int64_t lowerBoundBytes(const RedistributionRequest &request);

/// Bytes of the largest local box under `layout`.
int64_t maxLocalBytes(const RedistributionRequest &request,
                      const Layout &layout);

/// True when the step's result can be built from what its group holds, on
/// every rank. Decided by boxes, so also for sizes that do not divide.
bool isExactStep(const RedistributionRequest &request,
                 const RedistributionStep &step);

/// isExactStep from the lists of axes alone: true on any number of ranks, false
/// where boxes have to be looked at.
bool isCleanStep(const RedistributionRequest &request,
                 const RedistributionStep &step);

/// Fills in axes and op of an exchange whose partial axes change: the op that
/// combines, or else the one that is created. False where there are several.
bool setCombination(const RedistributionRequest &request,
                    RedistributionStep &step);

/// What the backend holds beside input and output while it runs the step, of
/// which the bytes moved are set: packed messages and contributions. Threads
/// read their peers' buffers in place and stage nothing.
int64_t stagingBytes(const RedistributionRequest &request,
                     const RedistributionStep &step);

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_COSTMODEL_H
