// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of dtensor-run and what they hand to each other.
#ifndef DTRT_LIB_DRIVER_DRIVER_H
#define DTRT_LIB_DRIVER_DRIVER_H

#include "dtrt/Executor.h"
#include "dtrt/RunDriver.h"
#include "dtrt/Tensor.h"
#include "dtrt/ThreadRanks.h"

namespace dtrt {

/// The command line.
struct RunOptions {
  bool help = false;
  std::string program;
  std::optional<int64_t> ranks;
  std::string entry; ///< empty: `main`, else the only program
  /// (name or index, file), as given.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::optional<uint64_t> seed;
  std::string outputDir;
  bool check = false;
  bool interpret = false; ///< --check=interp: `check` holds too
  std::optional<double> rtol, atol;
  std::string statsFile;
  double timeoutSeconds = 300;
  int64_t repeat = 1;
};

/// Options.cpp. Errors are usage errors.
Expected<RunOptions> parseRunOptions(const std::vector<std::string> &arguments);
const char *runHelpText();

/// ProgramSource.cpp: a plan file, or what the compiler library makes of a
/// program's text.
Expected<PlanFile> loadProgramFile(const std::string &path,
                                   const std::string &entry);
/// The index of the program to run.
Expected<size_t> selectProgram(const schema::PlanT &plan,
                               const std::string &entry);

/// InterpretProgram.cpp: the compiler library, loaded once and for good; the
/// message says `why` it is needed. And what its interpreter makes of the
/// program that the plan was compiled from.
Expected<void *> loadCompilerLibrary(const std::string &why);
Expected<std::vector<GlobalTensor>>
interpretProgram(const PlanFile &file, const std::string &path,
                 const std::string &entry,
                 const std::vector<GlobalTensor> &inputs);

/// ProgramInputs.cpp: global inputs in the program's order.
struct InputError {
  int exitCode = kExitSuccess;
  std::string message;
};
InputError collectInputs(const RunOptions &options,
                         const schema::ProgramT &program,
                         std::vector<GlobalTensor> &inputs);

/// RunProgram.cpp: all ranks of one program, and what running them gave.
struct ProgramRun {
  const schema::ProgramT *program = nullptr;
  std::vector<std::unique_ptr<RankProgram>> ranks;
  RunReport report;
  std::vector<double> wallMs;   ///< per repetition
  std::vector<CommStats> comm;  ///< per rank, one repetition
  std::vector<StepTimes> times; ///< per rank, mean of the repetitions
  /// The largest over ranks, by position in Program.collectives.
  std::vector<int64_t> recvBytes;

  const dtensor::Mesh &mesh() const { return ranks.front()->mesh(); }
  const std::vector<RankTensor> &results() const {
    return ranks.front()->results();
  }
  std::function<const std::byte *(int64_t)> resultBuffers(size_t index) const {
    return [this, index](int64_t rank) {
      return ranks[rank]->results()[index].data;
    };
  }
};
Status loadRanks(const PlanFile &file, size_t program,
                 const KernelLibrary &kernels, ProgramRun &run);
void executeRanks(ProgramRun &run, const std::vector<GlobalTensor> &inputs,
                  const RankOptions &options, int64_t repeat, bool timed);

/// CheckResults.cpp: one tensor against its reference.
struct Comparison {
  double largestError = 0;
  double magnitude = 0; ///< largest finite value of the reference
  double rtol = 0, atol = 0;
  bool ok = true;
};
Comparison compareTensors(const GlobalTensor &actual,
                          const GlobalTensor &expected,
                          std::optional<double> rtol,
                          std::optional<double> atol);

/// RunReport.cpp.
std::string resultName(const RankTensor &result, size_t index);
void printCollectives(const ProgramRun &run, std::ostream &out);
void printComparison(const std::string &name, const Comparison &comparison,
                     std::ostream &out);
std::string statsJson(const ProgramRun &run);

} // namespace dtrt

#endif // DTRT_LIB_DRIVER_DRIVER_H
