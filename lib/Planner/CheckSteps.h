// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the checker asks of single steps.
#ifndef DTENSOR_LIB_PLANNER_CHECKSTEPS_H
#define DTENSOR_LIB_PLANNER_CHECKSTEPS_H

#include "dtensor/Planner/Redistribution.h"

namespace dtensor {

/// Refuses a step that does not mean what its layouts say: the message goes on
/// after the step's name.
Status checkStepShape(const RedistributionRequest &request,
                      const RedistributionStep &step);

/// The axes along which `layout` holds contributions.
std::vector<AxisRef> partialAxes(const Layout &layout);

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_CHECKSTEPS_H
