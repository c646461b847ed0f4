// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which backend a run takes, from what was asked and who started it.
#include "Driver/Driver.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include <unistd.h>

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
                 options.program + " ..., or --ranks N to start one"};
  return false;
}

bool dtrt::startsLauncher(const RunOptions &options, const Launcher &launcher) {
  return options.backend == "mpi" && options.ranks &&
         launcher.kind == Launcher::None;
}

Error dtrt::startLauncher(int64_t ranks,
                          const std::vector<std::string> &arguments,
                          std::ostream &err) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
  if (length <= 0)
    return Error{"cannot tell which program this is, to start it with mpirun"};
  self[length] = 0;
  std::string count = std::to_string(ranks);
  err << "dtensor-run: no launcher: starting mpirun -n " << count << std::endl;
  // More ranks than cores are fine: they wait without spinning.
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", /*replace=*/0);
  std::vector<std::string> words = {"mpirun", "-n", count, self};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  return Error{std::string("cannot start mpirun: ") + strerror(errno) +
               "; install Open MPI or MPICH, or use --backend threads"};
}
