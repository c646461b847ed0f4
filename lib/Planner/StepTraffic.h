// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one step moves between ranks, counted over classes of ranks.
#ifndef DTENSOR_LIB_PLANNER_STEPTRAFFIC_H
#define DTENSOR_LIB_PLANNER_STEPTRAFFIC_H

#include "dtensor/Planner/Redistribution.h"

namespace dtensor {

/// Bytes and messages of one step, gathered over ranks.
struct Traffic {
  int64_t recvMax = 0, sendMax = 0, peersMax = 0;
  double recvTotal = 0;
  int64_t ranks = 0;

  /// `ranks` ranks get `bytes` from `peers` others each.
  void addReceivers(int64_t bytes, int64_t peers, int64_t count = 1) {
    recvMax = recvMax > bytes ? recvMax : bytes;
    peersMax = peersMax > peers ? peersMax : peers;
    recvTotal += static_cast<double>(bytes) * static_cast<double>(count);
    ranks += count;
  }
  double recvAvg() const {
    return ranks ? recvTotal / static_cast<double>(ranks) : 0;
  }
};

/// Counts a collective step. Its kind, axes, layouts and root are set.
Traffic stepTraffic(const RedistributionRequest &request,
                    const RedistributionStep &step);

/// Largest input and output of one rank together.
int64_t maxInputOutput(const RedistributionRequest &request,
                       const RedistributionStep &step);

/// True when in every dimension the list of one side is the beginning of the
/// other's, compared part by part: a slice, gather or all-to-all. Then what a
/// rank keeps depends on the sizes of its chunks alone.
bool areNested(const Layout &from, const Layout &to);

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_STEPTRAFFIC_H
