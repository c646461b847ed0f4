// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole of dtensor-plan as a function.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_PLANTOOL_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_PLANTOOL_H

#include <ostream>
#include <string>
#include <vector>

namespace dtensor {

/// Runs the tool on `args` (without the program's name). Returns its exit
/// code: 0 success, 1 refused input, 2 usage, 3 executed with a wrong result,
/// 4 the execution failed.
int runPlanTool(const std::vector<std::string> &args, std::ostream &out,
                std::ostream &err);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_PLANTOOL_H
