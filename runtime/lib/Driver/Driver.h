// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of dtensor-run and what they hand to each other.
#ifndef DTRT_LIB_DRIVER_DRIVER_H
#define DTRT_LIB_DRIVER_DRIVER_H

#include "dtrt/Executor.h"
#include "dtrt/MpiRanks.h"
#include "dtrt/RunDriver.h"
#include "dtrt/Safetensors.h"
#include "dtrt/Tensor.h"

namespace dtrt {

/// The command line.
struct RunOptions {
  bool help = false;
  std::string program;
  std::optional<int64_t> ranks;
  std::string backend; ///< empty: the launcher's, else threads
  std::string entry;   ///< empty: `main`, else the only program
  /// (name or index, file), as given.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::string weights; ///< a safetensors file
  std::optional<uint64_t> seed;
  bool localIo = false; ///< inputs and outputs are one file per rank
  std::string outputDir;
  bool check = false;
  bool interpret = false; ///< --check=interp: `check` holds too
  std::optional<double> rtol, atol;
  std::string statsFile, traceFile;
  double timeoutSeconds = 300;
  int64_t repeat = 1;
};

/// Options.cpp. Errors are usage errors.
Expected<RunOptions> parseRunOptions(const std::vector<std::string> &arguments);
const char *runHelpText();

/// Backend.cpp: whether the ranks are processes of `launcher`. Errors are usage
/// errors.
Expected<bool> runsUnderMpi(const RunOptions &options,
                            const Launcher &launcher);

/// Backend.cpp: whether this process shall start its ranks through mpirun: a
/// number of them was asked for with --backend mpi, and no launcher is around.
bool startsLauncher(const RunOptions &options, const Launcher &launcher);
/// Becomes `mpirun -n N` of this program with `arguments`, after saying so to
/// `err`. Returns only where that cannot be started.
Error startLauncher(int64_t ranks, const std::vector<std::string> &arguments,
                    std::ostream &err);

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

/// InputSource.cpp: where an input's values come from. Shared by the ranks.
class InputSource {
public:
  virtual ~InputSource();
  /// Writes what a rank holds under a layout.
  virtual void fill(const dtensor::Mesh &mesh, const dtensor::Layout &layout,
                    int64_t rank, std::byte *local) const = 0;
};
using InputSources = std::vector<std::unique_ptr<InputSource>>;

/// `inMemory`: several ranks of this process will ask.
std::unique_ptr<InputSource> randomSource(dtensor::ElementType type,
                                          const std::vector<int64_t> &shape,
                                          uint64_t seed, uint32_t stream,
                                          bool inMemory);
/// Messages of these do not name the file.
Expected<std::unique_ptr<InputSource>>
npySource(const std::string &path, dtensor::ElementType type,
          const std::vector<int64_t> &shape);
/// One file per rank, of its box under the program's own layout: reads those
/// of `ranks`.
Expected<std::unique_ptr<InputSource>>
localNpySource(const std::string &path, const dtensor::Mesh &mesh,
               const dtensor::Layout &layout, dtensor::ElementType type,
               const std::vector<int64_t> &shape,
               const std::vector<int64_t> &ranks);
/// "dir/a.npy" of rank 3: "dir/a.rank3.npy".
std::string localFileName(const std::string &path, int64_t rank);

/// A safetensors file: its entries, and the file.
class WeightsFile {
public:
  static Expected<WeightsFile> open(const std::string &path);
  bool has(const std::string &name) const { return entries.count(name) > 0; }
  Expected<std::unique_ptr<InputSource>>
  source(const std::string &name, dtensor::ElementType type,
         const std::vector<int64_t> &shape) const;

private:
  std::shared_ptr<const MappedFile> file;
  std::map<std::string, SafetensorsEntry> entries;
};

/// ProgramInputs.cpp: inputs in the program's order. `ranks`: those of this
/// process, of `mesh`; all of them where the whole input is needed.
struct InputError {
  int exitCode = kExitSuccess;
  std::string message;
};
InputError collectInputs(const RunOptions &options,
                         const schema::ProgramT &program,
                         const dtensor::Mesh &mesh,
                         const std::vector<int64_t> &ranks,
                         InputSources &inputs);

/// RunProgram.cpp: all ranks of one program, and what running them gave. As
/// processes, each has its own rank only; rank 0 gets what the others have.
struct ProgramRun {
  const schema::ProgramT *program = nullptr;
  MpiWorld *world = nullptr; ///< null: ranks are threads
  /// By rank; null where the rank is another process.
  std::vector<std::unique_ptr<RankProgram>> ranks;
  RunReport report;
  std::vector<double> wallMs;   ///< per repetition
  std::vector<CommStats> comm;  ///< per rank, one repetition
  std::vector<StepTimes> times; ///< per rank, mean of the repetitions
  /// Per rank, all repetitions, from when the rank started.
  std::vector<std::vector<StepEvent>> events;
  /// The largest over ranks, by position in Program.collectives.
  std::vector<int64_t> recvBytes;
  /// One result of the ranks of other processes.
  std::vector<std::vector<std::byte>> fetched;

  const RankProgram &anyRank() const {
    return *ranks[world ? static_cast<size_t>(world->rank()) : 0];
  }
  const dtensor::Mesh &mesh() const { return anyRank().mesh(); }
  const std::vector<RankTensor> &results() const { return anyRank().results(); }
  /// Of a result that has been fetched.
  std::function<const std::byte *(int64_t)> resultBuffers(size_t index) const {
    return [this, index](int64_t rank) {
      return ranks[rank] ? ranks[rank]->results()[index].data
                         : fetched[rank].data();
    };
  }
};

/// What to record besides the results.
struct RunRecord {
  bool times = false, events = false;
};

Status loadRanks(const PlanFile &file, size_t program,
                 const KernelLibrary &kernels, ProgramRun &run);
void executeRanks(ProgramRun &run, const InputSources &inputs,
                  const RankOptions &options, int64_t repeat,
                  const RunRecord &record);
/// Gets result `index` of all ranks to rank 0.
RunStatus fetchResult(ProgramRun &run, size_t index);

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

/// RunResults.cpp: makes --output-dir and looks whether --stats and --trace,
/// which rank 0 (`isRoot`) writes, have a directory.
Status prepareOutputFiles(const RunOptions &options, bool isRoot);

/// RunResults.cpp: writes and checks all results. Ranks that are processes all
/// call it; rank 0 prints.
struct ResultReport {
  int exitCode = kExitSuccess;
  std::string message;
  RunStatus failure; ///< the results could not be brought to rank 0
};
/// `expected`: what a result is compared with.
ResultReport reportResults(const RunOptions &options, ProgramRun &sharded,
                           const std::function<GlobalTensor(size_t)> &expected,
                           std::ostream &out);

/// RunReport.cpp.
std::string resultName(const RankTensor &result, size_t index);
void printCollectives(const ProgramRun &run, std::ostream &out);
void printComparison(const std::string &name, const Comparison &comparison,
                     std::ostream &out);
std::string statsJson(const ProgramRun &run);
/// `text` as a JSON string.
std::string quotedJson(const std::string &text);

/// RunTrace.cpp: Chrome's trace event format.
std::string traceJson(const ProgramRun &run, const PlanFile &file);

} // namespace dtrt

#endif // DTRT_LIB_DRIVER_DRIVER_H
