// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole of dtensor-plan as a function.
#include "PlanTool.h"

#include "Calibrate.h"
#include "Cases.h"
#include "Measure.h"
#include "Report.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace dtensor;

namespace {

int complain(std::ostream &err, const Error &error, int code) {
  err << "dtensor-plan: error: " << error.message << "\n";
  return code;
}

/// Plans between meshes: on one of them where both can be said on it.
Status planChange(MeshChangeRequest change, PlanReport &report) {
  report.targetMesh = change.target.mesh;
  report.sourceDevices = change.source.devices;
  report.targetDevices = change.target.devices;
  if (auto one = asOneMesh(change)) {
    report.request = std::move(*one);
    report.targetLayout = std::move(change.to);
    return Status::success();
  }
  auto exchange = planMeshExchange(change);
  if (!exchange)
    return exchange.error();
  report.request.mesh = std::move(change.source.mesh);
  report.request.shape = std::move(change.shape);
  report.request.type = change.type;
  report.request.from = std::move(change.from);
  report.request.to = change.to;
  report.request.topology = std::move(change.topology);
  report.targetLayout = std::move(change.to);
  report.plan = exchange->plan;
  report.exchange = std::move(*exchange);
  return Status::success();
}

Expected<Topology> readMachine(const PlanOptions &options) {
  return parseTopology(options.value("topology", "builtin:threads"));
}

/// Plans, checks and, where asked, runs one case.
Expected<PlanReport> answer(const PlanCase &asked, const PlanOptions &options,
                            const Topology &topology) {
  auto question = makeQuestion(asked, options, topology);
  if (!question)
    return question.error();
  PlanReport report;
  report.withBoxes = options.boxes;
  if (question->change) {
    if (Status status = planChange(std::move(*question->change), report);
        !status)
      return status.error();
  } else {
    report.request = std::move(question->request);
  }
  if (report.exchange) {
    report.checkMessage = checkMeshExchange(*report.exchange).message();
  } else {
    report.request.maxAlternatives = options.alternatives;
    auto plan = planRedistribution(report.request);
    if (!plan)
      return plan.error();
    report.plan = std::move(*plan);
    report.checkMessage =
        checkRedistribution(report.request, report.plan).message();
  }
  if (options.execute) {
    auto execution = report.exchange ? executeExchange(report.request.type,
                                                       report.request.shape,
                                                       *report.exchange)
                                     : executePlan(report.request, report.plan);
    if (!execution)
      return execution.error();
    report.execution = std::move(*execution);
  }
  if (options.measure) {
    if (report.exchange)
      return Error{"--measure runs plans on one mesh only"};
    auto measurement = measurePlan(report.request, report.plan);
    if (!measurement)
      return measurement.error();
    report.measurement = std::move(*measurement);
  }
  return report;
}

/// The processes that --calibrate --backend mpi measures.
Expected<std::unique_ptr<dtrt::MpiWorld>>
joinWorld(const PlanOptions &options, const dtrt::Launcher &launcher) {
  if (!launcher.isMpi())
    return Error{"--calibrate --backend mpi needs a launcher: mpirun -n N "
                 "dtensor-plan --calibrate --backend mpi -o FILE"};
  if (launcher.size < 2 || launcher.size > 64)
    return Error{"--calibrate measures 2 to 64 ranks, but the launcher "
                 "started " +
                 std::to_string(launcher.size)};
  if (options.values.count("ranks") && options.ranks != launcher.size)
    return Error{"--ranks is " + std::to_string(options.ranks) +
                 ", but the launcher started " + std::to_string(launcher.size) +
                 "; leave --ranks away"};
  return dtrt::MpiWorld::start(launcher, measureTimeoutSeconds);
}

/// Writes what `measure` gives to the file that -o names.
int writeCalibration(const std::string &path,
                     const std::function<Expected<Topology>()> &measure,
                     std::ostream &out, std::ostream &err) {
  // Better to fail before the work than after it, but a file that is there
  // stays as it is until there is something to write.
  std::error_code ignored;
  bool isNew = !std::filesystem::exists(path, ignored) && !ignored;
  if (!std::ofstream(path, std::ios::app))
    return complain(err, Error{path + ": cannot write: " + strerror(errno)}, 1);
  auto topology = measure();
  if (!topology) {
    if (isNew)
      std::remove(path.c_str());
    return complain(err, topology.error(), 4);
  }
  std::ofstream file(path);
  file << printTopology(*topology);
  file.close();
  if (!file)
    return complain(err, Error{path + ": cannot write: " + strerror(errno)}, 1);
  out << "wrote " << path << ": " << topology->tables.size()
      << " tables, memory " << topology->memoryBytesPerUs / 1000 << " GB/s\n";
  return 0;
}

/// Measures processes under mpirun; rank 0 writes and speaks for all.
int runCalibrateMpi(const PlanOptions &options, std::ostream &out,
                    std::ostream &err) {
  auto launcher = dtrt::detectLauncher();
  if (!launcher)
    return complain(err, launcher.error(), 1);
  std::ostream silence(nullptr);
  bool isRoot = launcher->rank == 0;
  auto world = joinWorld(options, *launcher);
  if (!world)
    return complain(isRoot ? err : silence, world.error(), 1);
  CalibrateOptions asked;
  asked.ranks = launcher->size;
  asked.world = world->get();
  auto measure = [&] { return calibrateMachine(asked); };
  int code = 0;
  if (isRoot)
    code = writeCalibration(options.value("output", ""), measure, out, err);
  else if (!measure())
    code = 4;
  if (code != 0)
    (*world)->abort(code);
  (*world)->finish();
  return code;
}

/// Measures the machine and writes the file.
int runCalibrate(const PlanOptions &options, std::ostream &out,
                 std::ostream &err) {
  std::string backend = options.value("backend", "threads");
  if (backend == "mpi")
    return runCalibrateMpi(options, out, err);
  if (backend != "threads")
    return complain(err,
                    Error{"--calibrate measures --backend threads and mpi, "
                          "not " +
                          backend},
                    1);
  CalibrateOptions asked;
  asked.ranks = options.ranks;
  return writeCalibration(
      options.value("output", ""), [&] { return calibrateMachine(asked); }, out,
      err);
}

int exitCode(const PlanReport &report) {
  if (!report.execution || report.execution->ok)
    return 0;
  return report.execution->completed ? 3 : 4;
}

/// Answers every line; the worst outcome of a run is the exit code. Blank
/// lines get no answer.
int runBatch(const PlanOptions &options, std::ostream &out, std::ostream &err) {
  std::string path = options.value("batch", "");
  std::ifstream file(path);
  if (!file)
    return complain(err, Error{path + ": cannot open: " + strerror(errno)}, 1);
  auto topology = readMachine(options);
  if (!topology)
    return complain(err, topology.error(), 1);
  int code = 0;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    auto asked = readCase(std::string_view(line));
    if (!asked) {
      printErrorJson(
          "line " + std::to_string(number) + ": " + asked.error().message, out);
      continue;
    }
    auto report = answer(*asked, options, *topology);
    if (!report) {
      printErrorJson(report.error().message, out);
      continue;
    }
    printJson(*report, out);
    code = std::max(code, exitCode(*report));
  }
  if (file.bad())
    return complain(err, Error{path + ": cannot read: " + strerror(errno)}, 1);
  return code;
}

} // namespace

int dtensor::runPlanTool(const std::vector<std::string> &args,
                         std::ostream &out, std::ostream &err) {
  auto options = parsePlanOptions(args);
  if (!options)
    return complain(err, options.error(), 2);
  if (options->help) {
    out << planToolHelp;
    return 0;
  }
  if (options->calibrate)
    return runCalibrate(*options, out, err);
  if (options->values.count("batch"))
    return runBatch(*options, out, err);
  auto asked = readCase(*options);
  if (!asked)
    return complain(err, asked.error(), 1);
  auto topology = readMachine(*options);
  if (!topology)
    return complain(err, topology.error(), 1);
  auto report = answer(*asked, *options, *topology);
  if (!report)
    return complain(err, report.error(), 1);
  if (options->json)
    printJson(*report, out);
  else
    printText(*report, out);
  return exitCode(*report);
}
