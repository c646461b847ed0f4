// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long plans take for real, on the threads backend.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_MEASURE_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_MEASURE_H

#include "dtensor/Planner/Redistribution.h"

namespace dtensor {

/// Refuses lists that `flag` ("--measure") has no room to run on this machine.
Status
checkMeasurable(const RedistributionRequest &request,
                const std::vector<std::vector<RedistributionStep>> &lists,
                const std::string &flag);

/// The median time of each list of steps, in microseconds: from a barrier of
/// all ranks to the next one, on buffers that were used before. Lists are
/// measured in turns, so that what else the machine does hits all of them and
/// none finds its data in a cache. Each begins at its first step's layout.
/// For what checkMeasurable accepts.
Expected<std::vector<double>>
measureSteps(const RedistributionRequest &request,
             const std::vector<std::vector<RedistributionStep>> &lists);

/// One run of a plan and of what it beat.
struct Measurement {
  double timeUs = 0;
  std::vector<double> alternatives; ///< as in the plan
};

Expected<Measurement> measurePlan(const RedistributionRequest &request,
                                  const RedistributionPlan &plan);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_MEASURE_H
