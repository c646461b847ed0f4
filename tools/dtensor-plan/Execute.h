// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a plan for real, on the threads backend.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_EXECUTE_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_EXECUTE_H

#include "dtensor/Planner/MeshChange.h"

namespace dtensor {

/// What came of a run.
struct Execution {
  bool completed = false; ///< no rank failed
  bool ok = false;        ///< completed, and every element is right
  bool identicalReplicas = false;
  std::vector<int64_t> recvBytes; ///< per rank, counted by the communicator
  std::string message;            ///< why not ok
};

/// Executes the plan on index-valued data and compares every element on every
/// rank with what the layouts mean. Refuses what does not fit this machine.
Expected<Execution> executePlan(const RedistributionRequest &request,
                                const RedistributionPlan &plan);

struct PlannedRequest {
  RedistributionRequest request;
  RedistributionPlan plan;
};

/// executePlan for several plans on equal numbers of ranks, one after another
/// on the same threads. A failure of one is reported as the outcome of all.
Expected<std::vector<Execution>>
executePlans(const std::vector<PlannedRequest> &cases);

/// executePlan for an exchange between meshes: one thread per device.
/// Execution::recvBytes is by participant.
Expected<Execution> executeExchange(ElementType type,
                                    const std::vector<int64_t> &shape,
                                    const MeshExchange &exchange);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_EXECUTE_H
