// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long plans take for real, on threads or between MPI processes.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_MEASURE_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_MEASURE_H

#include "dtensor/Planner/Redistribution.h"
#include "dtrt/MpiRanks.h"

namespace dtensor {

/// How long a rank waits for others.
constexpr double measureTimeoutSeconds = 60;

/// Refuses lists that `flag` ("--measure") has no room to run on this machine.
Status
checkMeasurable(const RedistributionRequest &request,
                const std::vector<std::vector<RedistributionStep>> &lists,
                const std::string &flag);

/// The median time of each list of steps, in microseconds: from a barrier of
/// all ranks to the next one, on buffers that were used before. Lists are
/// measured in turns, so that what else the machine does hits all of them and
/// none finds its data in a cache. Each begins at its first step's layout.
/// For what checkMeasurable accepts. With a `world`, whose size is the mesh's,
/// its processes are the ranks, all of them call, and each takes its own times.
Expected<std::vector<double>>
measureSteps(const RedistributionRequest &request,
             const std::vector<std::vector<RedistributionStep>> &lists,
             dtrt::MpiWorld *world = nullptr);

/// One run of a plan and of what it beat.
struct Measurement {
  double timeUs = 0;
  std::vector<double> alternatives; ///< as in the plan
};

Expected<Measurement> measurePlan(const RedistributionRequest &request,
                                  const RedistributionPlan &plan);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_MEASURE_H
