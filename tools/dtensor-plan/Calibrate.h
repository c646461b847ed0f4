// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures this machine and makes a topology of it.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_CALIBRATE_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_CALIBRATE_H

#include "dtensor/Planner/Topology.h"
#include "dtrt/MpiRanks.h"

namespace dtensor {

/// What to measure: `ranks` threads, or the processes of `world`; tensors of up
/// to `maxBytes`, or less where so many ranks would not have room for what is
/// measured in turns.
struct CalibrateOptions {
  int64_t ranks = 2;               ///< with a world its size
  dtrt::MpiWorld *world = nullptr; ///< null: threads of this process
  int64_t maxBytes = int64_t(64) << 20;
};

/// Refuses what this process has no room for.
Status checkCalibration(const CalibrateOptions &options);

/// Times the collectives over groups of every size that divides the ranks,
/// local copies and direct exchanges. All processes of a world call; each gets
/// what it measured itself.
Expected<Topology> calibrateMachine(const CalibrateOptions &options);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_CALIBRATE_H
