// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a run's results: files, whole or one per rank, and the
// comparison with the unsharded program.
#include "Driver/Driver.h"

#include "dtrt/Npy.h"

#include <cctype>
#include <filesystem>

using namespace dtrt;

namespace {

/// A result's name as a file name: what a path could be made of is replaced.
std::string fileName(const std::string &name) {
  std::string out = name;
  for (char &c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' &&
        c != '.')
      c = '_';
  return (out[0] == '.' ? "_" : "") + out + ".npy";
}

class Reporter {
public:
  Reporter(const RunOptions &options, ProgramRun &sharded,
           const std::function<GlobalTensor(size_t)> &expected,
           std::ostream &out)
      : options(options), sharded(sharded), expected(expected), out(out) {}

  ResultReport run() {
    for (size_t i = 0; i < sharded.results().size() && !report.failure; ++i)
      result(i);
    return std::move(report);
  }

private:
  bool isRoot() const { return !sharded.world || sharded.world->rank() == 0; }

  /// Goes on, because the other ranks wait for this one's results.
  void fail(const std::string &message) {
    if (report.message.empty())
      report.message = message;
    report.exitCode = kExitRefused;
  }

  void write(const std::string &path, const GlobalTensor &tensor) {
    if (Status status = writeNpy(path, tensor); !status)
      fail(status.message());
  }

  void result(size_t index) {
    const RankTensor &tensor = sharded.results()[index];
    std::string name = resultName(tensor, index);
    std::string path = options.outputDir + "/" + fileName(name);
    bool isWhole = !options.localIo && !options.outputDir.empty();
    if (options.localIo && !options.outputDir.empty())
      writeLocal(path, index);
    // Results of other processes are brought here only where they are used.
    if (isWhole || options.check)
      report.failure = fetchResult(sharded, index);
    if (!isRoot() || report.failure)
      return;
    if (!options.check)
      out << name << ": " << shapeText(tensor.shape) << " "
          << dtensor::elementTypeName(tensor.type) << "\n";
    if (!isWhole && !options.check)
      return;
    GlobalTensor global =
        assembleTensor(sharded.mesh(), tensor.layout, tensor.type, tensor.shape,
                       sharded.resultBuffers(index));
    if (isWhole)
      write(path, global);
    if (options.check)
      check(global, index, name);
  }

  /// One file per rank of this process.
  void writeLocal(const std::string &path, size_t index) {
    for (size_t rank = 0; rank < sharded.ranks.size(); ++rank) {
      if (!sharded.ranks[rank])
        continue;
      const RankTensor &tensor = sharded.ranks[rank]->results()[index];
      int64_t number = static_cast<int64_t>(rank);
      dtensor::Box box = dtensor::localBox(sharded.mesh(), tensor.layout,
                                           tensor.shape, number);
      GlobalTensor local{tensor.type, {}, {}};
      for (size_t d = 0; d < box.lo.size(); ++d)
        local.shape.push_back(box.hi[d] - box.lo[d]);
      local.data.assign(tensor.data,
                        tensor.data + box.numElements() *
                                          dtensor::elementBytes(tensor.type));
      write(localFileName(path, number), local);
    }
  }

  void check(const GlobalTensor &global, size_t index,
             const std::string &name) {
    const RankTensor &tensor = sharded.results()[index];
    Comparison comparison =
        compareTensors(global, expected(index), options.rtol, options.atol);
    printComparison(name, comparison, out);
    Status replicas = checkReplicas(sharded.mesh(), tensor.layout, tensor.type,
                                    tensor.shape, sharded.resultBuffers(index));
    if (!replicas)
      out << name << ": replicas differ: " << replicas.message()
          << ": MISMATCH\n";
    if ((!comparison.ok || !replicas) && report.exitCode == kExitSuccess)
      report.exitCode = kExitMismatch;
  }

  const RunOptions &options;
  ProgramRun &sharded;
  const std::function<GlobalTensor(size_t)> &expected;
  std::ostream &out;
  ResultReport report;
};

} // namespace

Status dtrt::prepareOutputFiles(const RunOptions &options, bool isRoot) {
  if (!options.outputDir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.outputDir, error);
    if (error)
      return Error{options.outputDir +
                   ": cannot make the directory: " + error.message()};
  }
  for (const std::string *path : {&options.statsFile, &options.traceFile}) {
    if (path->empty() || !isRoot)
      continue;
    std::error_code error;
    std::filesystem::path file(*path), parent = file.parent_path();
    if (std::filesystem::is_directory(file, error))
      return Error{*path + ": cannot write: is a directory"};
    if (!parent.empty() && !std::filesystem::is_directory(parent, error))
      return Error{*path + ": cannot write: there is no directory " +
                   parent.string()};
  }
  return Status::success();
}

ResultReport
dtrt::reportResults(const RunOptions &options, ProgramRun &sharded,
                    const std::function<GlobalTensor(size_t)> &expected,
                    std::ostream &out) {
  return Reporter(options, sharded, expected, out).run();
}
