// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole of dtensor-verify as a function.
#ifndef DTENSOR_TOOLS_DTENSOR_VERIFY_VERIFYTOOL_H
#define DTENSOR_TOOLS_DTENSOR_VERIFY_VERIFYTOOL_H

#include <ostream>
#include <string>
#include <vector>

namespace dtrt {

/// Runs the tool on `args` (without the program's name). Returns its exit
/// code: 0 all rules hold, 1 the plan was refused, 2 usage.
int runVerifyTool(const std::vector<std::string> &args, std::ostream &out,
                  std::ostream &err);

} // namespace dtrt

#endif // DTENSOR_TOOLS_DTENSOR_VERIFY_VERIFYTOOL_H
