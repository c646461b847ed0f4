// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-run as a function, so that tests can call it.
#ifndef DTRT_RUNDRIVER_H
#define DTRT_RUNDRIVER_H

#include <ostream>
#include <string>
#include <vector>

namespace dtrt {

/// Exit codes of our tools.
enum ExitCode : int {
  kExitSuccess = 0,
  kExitRefused = 1,  ///< the input was refused
  kExitUsage = 2,    ///< the command line was
  kExitMismatch = 3, ///< --check found a difference
  kExitRunFailed = 4 ///< a rank failed
};

/// Runs dtensor-run with the arguments after the program's name. Results go
/// to `out`, messages to `err`; returns the exit code. Ends the process with
/// kExitRunFailed where ranks are stuck and cannot be joined.
int runDriver(const std::vector<std::string> &arguments, std::ostream &out,
              std::ostream &err);

} // namespace dtrt

#endif // DTRT_RUNDRIVER_H
