// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-run from command line to exit code.
#include "Driver/Driver.h"

#include "Plan/Xxh64.h"
#include "dtrt/PlanTypes.h"

#include <algorithm>
#include <cstdlib>

using namespace dtrt;

namespace {

/// More threads than this are a mistake, or a plan for a cluster.
constexpr int64_t kMaxThreads = 1024;

class Driver {
public:
  Driver(RunOptions options, std::unique_ptr<MpiWorld> world, std::ostream &out,
         std::ostream &err)
      : options(std::move(options)), world(std::move(world)), out(out),
        err(err) {}

  int run(const std::vector<std::string> &arguments) {
    int code = world ? compareHashes(hashOf(arguments)) : kExitSuccess;
    for (int (Driver::*stage)() :
         {&Driver::loadProgram, &Driver::sendProgram, &Driver::load,
          &Driver::prepareOutputs, &Driver::execute, &Driver::runReference,
          &Driver::report, &Driver::writeRecords})
      if (code == kExitSuccess || code == kExitMismatch) {
        int one = agree((this->*stage)());
        code = one ? one : code;
      }
    if (world)
      world->finish();
    return code;
  }

private:
  bool isRoot() const { return !world || world->rank() == 0; }

  int fail(int code, const std::string &what) {
    // The compiler's diagnostics already say what they are.
    bool plain = what.find(": error: ") != std::string::npos;
    message = (plain ? "" : "error: ") + what + "\n";
    return code;
  }

  /// Ends a stage: a code that is not 0 on one rank is the code of all, and
  /// is explained once.
  int agree(int code) {
    if (!world) {
      err << message;
      message.clear();
      return code;
    }
    std::vector<uint64_t> codes;
    require(world->allGather(static_cast<uint64_t>(code), codes));
    auto first = std::find_if(codes.begin(), codes.end(),
                              [](uint64_t code) { return code != 0; });
    if (first == codes.end())
      return kExitSuccess;
    std::vector<std::vector<std::byte>> messages;
    require(world->gather(reinterpret_cast<const std::byte *>(message.data()),
                          message.size(), messages));
    message.clear();
    size_t rank = static_cast<size_t>(first - codes.begin());
    if (isRoot() && rank > 0 && !messages[rank].empty())
      err << "rank " << rank << ": ";
    if (isRoot())
      err.write(reinterpret_cast<const char *>(messages[rank].data()),
                static_cast<std::streamsize>(messages[rank].size()));
    return static_cast<int>(*first);
  }

  /// Communication around the run works, or the run has failed.
  void require(const RunStatus &failure) {
    if (!failure)
      return;
    err << failureLine(*failure) << "\n" << std::flush;
    world->abort(kExitRunFailed);
  }

  static uint64_t hashOf(const std::vector<std::string> &arguments) {
    std::string text = std::to_string(kPlanVersion);
    for (const std::string &argument : arguments)
      text += '\0' + argument;
    return xxh64(text.data(), text.size());
  }

  /// All ranks must have been given the same.
  int compareHashes(uint64_t mine) {
    std::vector<uint64_t> all;
    require(world->allGather(mine, all));
    std::string others;
    for (size_t rank = 0; rank < all.size(); ++rank)
      if (all[rank] != all[0])
        others += (others.empty() ? "" : ", ") + std::to_string(rank);
    if (others.empty())
      return kExitSuccess;
    Failure failure{FailureCode::Mismatch, world->rank(), -1, "start",
                    "the arguments or programs of ranks " + others +
                        " differ from those of rank 0"};
    err << failureLine(failure) << "\n" << std::flush;
    return kExitRunFailed;
  }

  /// Rank 0 reads or compiles for all.
  int loadProgram() {
    if (!isRoot())
      return kExitSuccess;
    Expected<PlanFile> loaded = loadProgramFile(options.program, options.entry);
    if (!loaded)
      return fail(kExitRefused, loaded.error().message);
    file = std::move(*loaded);
    return kExitSuccess;
  }

  int sendProgram() {
    if (!world)
      return kExitSuccess;
    std::vector<uint8_t> bytes;
    if (isRoot())
      bytes = serializePlan(file);
    require(world->broadcast(bytes));
    if (int code = compareHashes(xxh64(bytes.data(), bytes.size())))
      return code;
    if (isRoot())
      return kExitSuccess;
    Expected<PlanFile> parsed =
        parsePlan(bytes.data(), bytes.size(), options.program);
    if (!parsed)
      return fail(kExitRefused, parsed.error().message);
    file = std::move(*parsed);
    return kExitSuccess;
  }

  int checkRanks(const schema::ProgramT &program) {
    int64_t meshSize = 1;
    for (const auto &axis : program.mesh->axes)
      meshSize *= axis->size;
    std::string has =
        "the program's mesh has " + std::to_string(meshSize) + " ranks, ";
    if (options.ranks && *options.ranks != meshSize)
      return fail(kExitRefused,
                  has + "--ranks says " + std::to_string(*options.ranks));
    if (world && world->numRanks() != meshSize)
      return fail(kExitRefused, has + "the launcher started " +
                                    std::to_string(world->numRanks()));
    if (!world && meshSize > kMaxThreads)
      return fail(kExitRefused, has + "the threads backend runs at most " +
                                    std::to_string(kMaxThreads));
    return kExitSuccess;
  }

  int load() {
    Expected<size_t> index = selectProgram(file.plan, options.entry);
    if (!index)
      return fail(kExitRefused, options.program + ": " + index.error().message);
    const schema::ProgramT &program = *file.plan.programs[*index];
    if (int code = checkRanks(program))
      return code;
    if (options.interpret && file.programText.empty())
      return fail(kExitUsage, options.program +
                                  ": --check=interp needs the text of the "
                                  "program, which this plan leaves out "
                                  "(compile it without --no-reference, from a "
                                  "stage before scheduled)");
    if (options.check && !options.interpret && program.reference < 0)
      return fail(
          kExitUsage,
          options.program +
              ": --check needs the unsharded program, "
              "which this plan leaves out (compiled with "
              "--no-reference, or its ranks compute values of their own)");
    Expected<dtensor::Mesh> mesh = toMesh(*program.mesh);
    if (!mesh)
      return fail(kExitRefused, options.program + ": " + mesh.error().message);
    std::vector<int64_t> ranks;
    if (world && !(options.check && isRoot()))
      ranks = {world->rank()};
    else // all run here, or the unsharded program does
      for (int64_t rank = 0; rank < mesh->numRanks(); ++rank)
        ranks.push_back(rank);
    InputError inputError =
        collectInputs(options, program, *mesh, ranks, inputs);
    if (inputError.exitCode)
      return fail(inputError.exitCode, inputError.message);
    return loadPrograms(*index);
  }

  int loadPrograms(size_t index) {
    Expected<std::unique_ptr<KernelLibrary>> library =
        KernelLibrary::load(file);
    if (!library)
      return fail(kExitRefused,
                  options.program + ": " + library.error().message);
    kernels = std::move(*library);
    sharded.world = world.get();
    Status status = loadRanks(file, index, *kernels, sharded);
    if (status && options.check && !options.interpret && isRoot())
      status = loadRanks(file, static_cast<size_t>(sharded.program->reference),
                         *kernels, reference);
    return status
               ? kExitSuccess
               : fail(kExitRefused, options.program + ": " + status.message());
  }

  /// A run is not begun whose results have no place to go.
  int prepareOutputs() {
    Status status = prepareOutputFiles(options, isRoot());
    return status ? kExitSuccess : fail(kExitRefused, status.message());
  }

  int execute() {
    return executeProgram(
        sharded, options.repeat,
        {!options.statsFile.empty(), !options.traceFile.empty()});
  }

  /// Where ranks are processes, rank 0 runs it and the others wait.
  int runReference() {
    if (!options.check || !isRoot())
      return kExitSuccess;
    return options.interpret ? interpret() : executeProgram(reference, 1, {});
  }

  int interpret() {
    std::vector<GlobalTensor> whole;
    for (size_t i = 0; i < inputs.size(); ++i)
      whole.push_back(wholeInput(*sharded.program->inputs[i], *inputs[i]));
    Expected<std::vector<GlobalTensor>> results =
        interpretProgram(file, options.program, sharded.program->name, whole);
    if (!results)
      return fail(kExitRefused, results.error().message);
    interpreted = std::move(*results);
    return kExitSuccess;
  }

  GlobalTensor wholeInput(const schema::TensorT &input,
                          const InputSource &source) const {
    GlobalTensor tensor{toElementType(input.type), input.shape, {}};
    int64_t bytes = dtensor::elementBytes(tensor.type);
    for (int64_t extent : tensor.shape)
      bytes *= extent;
    tensor.data.resize(static_cast<size_t>(bytes));
    auto layout =
        dtensor::Layout::replicated(static_cast<int>(tensor.shape.size()));
    source.fill(sharded.mesh(), layout, 0, tensor.data.data());
    return tensor;
  }

  /// What result number `index` is compared with.
  GlobalTensor expectedResult(size_t index) const {
    if (options.interpret)
      return interpreted[index];
    const RankTensor &result = reference.results()[index];
    return assembleTensor(reference.mesh(), result.layout, result.type,
                          result.shape, reference.resultBuffers(index));
  }

  int executeProgram(ProgramRun &run, int64_t repeat, const RunRecord &record) {
    RankOptions rankOptions;
    rankOptions.timeoutSeconds = options.timeoutSeconds;
    rankOptions.onStuck = [this](const RunReport &report) {
      err << failureLine(*report.cause) << "\n" << std::flush;
      std::_Exit(kExitRunFailed);
    };
    executeRanks(run, inputs, rankOptions, repeat, record);
    if (run.report.succeeded())
      return kExitSuccess;
    if (run.report.failures.empty())
      err << failureLine(*run.report.cause) << "\n";
    for (const Failure &failure : run.report.failures)
      err << failureLine(failure) << "\n";
    err << std::flush;
    if (run.world)
      world->abort(kExitRunFailed);
    return kExitRunFailed;
  }

  int report() {
    if (isRoot())
      printCollectives(sharded, out);
    ResultReport report = reportResults(
        options, sharded,
        [this](size_t index) { return expectedResult(index); }, out);
    if (report.failure)
      require(report.failure);
    return report.message.empty() ? report.exitCode
                                  : fail(report.exitCode, report.message);
  }

  int writeRecords() {
    if (!isRoot())
      return kExitSuccess;
    auto write = [&](const std::string &path, const std::string &text) {
      Status status = writeFileAtomically(path, text.data(), text.size());
      return status ? kExitSuccess : fail(kExitRefused, status.message());
    };
    int code = kExitSuccess;
    if (!options.statsFile.empty())
      code = write(options.statsFile, statsJson(sharded));
    if (code == kExitSuccess && !options.traceFile.empty())
      code = write(options.traceFile, traceJson(sharded, file));
    return code;
  }

  RunOptions options;
  std::unique_ptr<MpiWorld> world; ///< null: ranks are threads
  std::ostream &out;
  std::ostream &err;
  std::string message; ///< of the stage that failed
  PlanFile file;
  InputSources inputs;
  std::unique_ptr<KernelLibrary> kernels; ///< outlives the programs
  ProgramRun sharded, reference;
  std::vector<GlobalTensor> interpreted; ///< results, with --check=interp
};

} // namespace

int dtrt::runDriver(const std::vector<std::string> &arguments,
                    std::ostream &out, std::ostream &err) {
  // Only rank 0 of a launcher speaks, as long as all have the same to say.
  Expected<Launcher> launcher = detectLauncher();
  std::ostream silence(nullptr);
  bool isRoot = !launcher || launcher->rank == 0;
  auto usage = [&](const Error &error) {
    (isRoot ? err : silence)
        << "dtensor-run: " << error.message << "\nTry 'dtensor-run --help'.\n";
    return kExitUsage;
  };
  if (!launcher)
    return usage(launcher.error());
  Expected<RunOptions> options = parseRunOptions(arguments);
  if (!options)
    return usage(options.error());
  if (options->help) {
    (isRoot ? out : silence) << runHelpText();
    return kExitSuccess;
  }
  if (startsLauncher(*options, *launcher)) {
    Error failed = startLauncher(*options->ranks, arguments, err);
    err << "error: " << failed.message << "\n";
    return kExitRefused;
  }
  Expected<bool> mpi = runsUnderMpi(*options, *launcher);
  if (!mpi)
    return usage(mpi.error());
  std::unique_ptr<MpiWorld> world;
  if (*mpi) {
    Expected<std::unique_ptr<MpiWorld>> started =
        MpiWorld::start(*launcher, options->timeoutSeconds);
    if (!started) {
      (isRoot ? err : silence) << "error: " << started.error().message << "\n";
      return kExitRefused;
    }
    world = std::move(*started);
  }
  return Driver(std::move(*options), std::move(world), out, err).run(arguments);
}
