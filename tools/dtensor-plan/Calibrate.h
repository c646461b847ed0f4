// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures this machine and makes a topology of it.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_CALIBRATE_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_CALIBRATE_H

#include "dtensor/Planner/Topology.h"

namespace dtensor {

/// What to measure: `ranks` threads; tensors of up to `maxBytes`, or less where
/// so many ranks would not have room for what is measured in turns.
struct CalibrateOptions {
  int64_t ranks = 2;
  int64_t maxBytes = int64_t(64) << 20;
};

/// Refuses what this process has no room for.
Status checkCalibration(const CalibrateOptions &options);

/// Times the collectives over groups of every size that divides the ranks,
/// local copies and direct exchanges, on threads of this process.
Expected<Topology> calibrateThreads(const CalibrateOptions &options);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_CALIBRATE_H
