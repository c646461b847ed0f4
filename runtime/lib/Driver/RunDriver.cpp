// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-run from command line to exit code.
#include "Driver/Driver.h"

#include "dtrt/Npy.h"

#include <cctype>
#include <cstdlib>
#include <filesystem>

using namespace dtrt;

namespace {

/// More threads than this are a mistake, or a plan for a cluster.
constexpr int64_t kMaxThreads = 1024;

/// A result's name as a file name: what a path could be made of is replaced.
std::string fileName(const std::string &name) {
  std::string out = name;
  for (char &c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' &&
        c != '.')
      c = '_';
  return (out[0] == '.' ? "_" : "") + out + ".npy";
}

class Driver {
public:
  Driver(RunOptions options, std::ostream &out, std::ostream &err)
      : options(std::move(options)), out(out), err(err) {}

  int run() {
    if (int code = load())
      return code;
    if (int code = execute())
      return code;
    printCollectives(sharded, out);
    int code = reportResults();
    if (!options.statsFile.empty()) {
      std::string text = statsJson(sharded);
      if (Status status =
              writeFileAtomically(options.statsFile, text.data(), text.size());
          !status)
        return fail(kExitRefused, status.message());
    }
    return code;
  }

private:
  int fail(int code, const std::string &message) {
    // The compiler's diagnostics already say what they are.
    bool plain = message.find(": error: ") != std::string::npos;
    err << (plain ? "" : "error: ") << message << "\n";
    return code;
  }

  int load() {
    Expected<PlanFile> loaded = loadProgramFile(options.program, options.entry);
    if (!loaded)
      return fail(kExitRefused, loaded.error().message);
    file = std::move(*loaded);
    Expected<size_t> index = selectProgram(file.plan, options.entry);
    if (!index)
      return fail(kExitRefused, options.program + ": " + index.error().message);
    const schema::ProgramT &program = *file.plan.programs[*index];
    int64_t meshSize = 1;
    for (const auto &axis : program.mesh->axes)
      meshSize *= axis->size;
    if (options.ranks && *options.ranks != meshSize)
      return fail(kExitRefused,
                  "the program's mesh has " + std::to_string(meshSize) +
                      " ranks, --ranks says " + std::to_string(*options.ranks));
    if (meshSize > kMaxThreads)
      return fail(kExitRefused,
                  "the program's mesh has " + std::to_string(meshSize) +
                      " ranks, the threads backend runs at most " +
                      std::to_string(kMaxThreads));
    if (options.interpret && file.programText.empty())
      return fail(kExitUsage, options.program +
                                  ": --check=interp needs the text of the "
                                  "program, which this plan leaves out "
                                  "(compile it without --no-reference, from a "
                                  "stage before scheduled)");
    if (options.check && !options.interpret && program.reference < 0)
      return fail(kExitUsage, options.program +
                                  ": --check needs the unsharded program, "
                                  "which this plan leaves out");
    InputError inputError = collectInputs(options, program, inputs);
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
    if (Status status = loadRanks(file, index, *kernels, sharded); !status)
      return fail(kExitRefused, options.program + ": " + status.message());
    int32_t index1 = sharded.program->reference;
    if (!options.check || options.interpret)
      return kExitSuccess;
    if (Status status =
            loadRanks(file, static_cast<size_t>(index1), *kernels, reference);
        !status)
      return fail(kExitRefused, options.program + ": " + status.message());
    return kExitSuccess;
  }

  int execute() {
    if (int code =
            executeProgram(sharded, options.repeat, !options.statsFile.empty()))
      return code;
    if (options.interpret)
      return interpret();
    return options.check ? executeProgram(reference, 1, false) : kExitSuccess;
  }

  int interpret() {
    Expected<std::vector<GlobalTensor>> results =
        interpretProgram(file, options.program, sharded.program->name, inputs);
    if (!results)
      return fail(kExitRefused, results.error().message);
    interpreted = std::move(*results);
    return kExitSuccess;
  }

  /// What result number `index` is compared with.
  GlobalTensor expectedResult(size_t index) const {
    if (options.interpret)
      return interpreted[index];
    const RankTensor &result = reference.results()[index];
    return assembleTensor(reference.mesh(), result.layout, result.type,
                          result.shape, reference.resultBuffers(index));
  }

  int executeProgram(ProgramRun &run, int64_t repeat, bool timed) {
    RankOptions rankOptions;
    rankOptions.timeoutSeconds = options.timeoutSeconds;
    rankOptions.onStuck = [this](const RunReport &report) {
      err << failureLine(*report.cause) << "\n" << std::flush;
      std::_Exit(kExitRunFailed);
    };
    executeRanks(run, inputs, rankOptions, repeat, timed);
    if (run.report.succeeded())
      return kExitSuccess;
    if (run.report.failures.empty())
      err << failureLine(*run.report.cause) << "\n";
    for (const Failure &failure : run.report.failures)
      err << failureLine(failure) << "\n";
    return kExitRunFailed;
  }

  int reportResults() {
    int code = kExitSuccess;
    if (!options.outputDir.empty()) {
      std::error_code error;
      std::filesystem::create_directories(options.outputDir, error);
      if (error)
        return fail(kExitRefused, options.outputDir + ": " + error.message());
    }
    for (size_t i = 0; i < sharded.results().size(); ++i)
      if (int one = reportResult(i))
        code = one;
    return code;
  }

  int reportResult(size_t index) {
    const RankTensor &result = sharded.results()[index];
    std::string name = resultName(result, index);
    GlobalTensor global =
        assembleTensor(sharded.mesh(), result.layout, result.type, result.shape,
                       sharded.resultBuffers(index));
    if (!options.outputDir.empty()) {
      std::string path = options.outputDir + "/" + fileName(name);
      if (Status status = writeNpy(path, global); !status)
        return fail(kExitRefused, status.message());
    }
    if (!options.check) {
      out << name << ": " << shapeText(result.shape) << " "
          << dtensor::elementTypeName(result.type) << "\n";
      return kExitSuccess;
    }
    Comparison comparison = compareTensors(global, expectedResult(index),
                                           options.rtol, options.atol);
    printComparison(name, comparison, out);
    Status replicas = checkReplicas(sharded.mesh(), result.layout, result.type,
                                    result.shape, sharded.resultBuffers(index));
    if (!replicas)
      out << name << ": replicas differ: " << replicas.message()
          << ": MISMATCH\n";
    return comparison.ok && replicas ? kExitSuccess : kExitMismatch;
  }

  RunOptions options;
  std::ostream &out;
  std::ostream &err;
  PlanFile file;
  std::vector<GlobalTensor> inputs;
  std::unique_ptr<KernelLibrary> kernels; ///< outlives the programs
  ProgramRun sharded, reference;
  std::vector<GlobalTensor> interpreted; ///< results, with --check=interp
};

} // namespace

int dtrt::runDriver(const std::vector<std::string> &arguments,
                    std::ostream &out, std::ostream &err) {
  Expected<RunOptions> options = parseRunOptions(arguments);
  if (!options) {
    err << "dtensor-run: " << options.error().message
        << "\nTry 'dtensor-run --help'.\n";
    return kExitUsage;
  }
  if (options->help) {
    out << runHelpText();
    return kExitSuccess;
  }
  return Driver(std::move(*options), out, err).run();
}
