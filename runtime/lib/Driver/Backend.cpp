// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which backend a run takes, from what was asked and who started it.
#include "Driver/Driver.h"

using namespace dtrt;

Expected<bool> dtrt::runsUnderMpi(const RunOptions &options,
                                  const Launcher &launcher) {
  if (options.backend == "threads") {
    if (launcher.size > 1)
      return Error{"--backend threads runs all ranks in one process, but " +
                   launcher.variable + " says that " +
                   std::to_string(launcher.size) +
                   " processes were started; leave out one of the two"};
    return false;
  }
  if (launcher.isMpi())
    return true;
  if (launcher.kind == Launcher::Torchrun)
    return Error{"the environment variable " + launcher.variable +
                 " is set, as by torchrun, whose processes need the nccl "
                 "backend; this build has mpi (mpirun -n N dtensor-run ...) "
                 "and threads (--backend threads, with the variable unset)"};
  if (options.backend == "mpi")
    return Error{"--backend mpi needs a launcher: mpirun -n N dtensor-run " +
                 options.program + " ..."};
  return false;
}
