// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dtensor-run prints about a run, and its statistics as JSON.
#include "Driver/Driver.h"

#include "dtrt/PlanTypes.h"

#include <algorithm>
#include <cstdio>

using namespace dtrt;
using dtensor::StepKind;

namespace {

std::string number(double value, const char *format = "%.6g") {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string kindName(const schema::CollectiveT &collective) {
  return std::string(dtensor::stepKindName(toStepKind(collective.kind)));
}

std::string axesText(const schema::CollectiveT &collective) {
  std::string text;
  for (const std::string &axis : collective.axes)
    text += (text.empty() ? "\"" : ", \"") + axis + "\"";
  return text;
}

bool movesData(const schema::CollectiveT &collective) {
  return dtensor::isCollective(toStepKind(collective.kind));
}

int64_t largestTotal(const ProgramRun &run) {
  int64_t largest = 0;
  for (const CommStats &comm : run.comm)
    largest = std::max(largest, comm.recvBytes);
  return largest;
}

/// nccl-tests' sizes and factors: S is the whole array for all_gather and
/// reduce_scatter, and busbw is what the links carry.
struct Bandwidth {
  double bytes = 0, factor = 1;
};

Bandwidth bandwidthOf(const ProgramRun &run,
                      const schema::CollectiveT &collective) {
  double members = 1;
  if (Expected<dtensor::Mesh> mesh = meshOf(run.mesh(), collective))
    if (auto change = toLayoutChange(*mesh, collective))
      members = static_cast<double>(dtensor::totalSize(change->axes));
  double source = static_cast<double>(collective.source->bytes());
  double target = static_cast<double>(collective.target->bytes());
  double others = (members - 1) / members;
  switch (toStepKind(collective.kind)) {
  case StepKind::AllReduce:
    return {source, 2 * others};
  case StepKind::AllGather:
    return {target, others};
  case StepKind::ReduceScatter:
  case StepKind::AllToAll:
    return {source, others};
  default:
    return {std::max(source, target), 1};
  }
}

/// How often each step runs where branches lead to it.
std::vector<double> countRuns(const schema::ProgramT &program) {
  std::vector<double> runs(program.steps.size(), 1);
  for (size_t i = 0; i < runs.size(); ++i) {
    if (program.steps[i].kind() != schema::StepKind::loop)
      continue;
    const schema::LoopT &loop = *program.loops[program.steps[i].index()];
    for (size_t inner = i + 1; inner <= i + loop.steps; ++inner)
      runs[inner] *= static_cast<double>(loop.count);
  }
  return runs;
}

/// Times are those of one of the `runs` of the step.
std::string collectiveJson(const ProgramRun &run, size_t step, double runs) {
  const schema::CollectiveT &collective =
      *run.program->collectives[run.program->steps[step].index()];
  // The rank that came last waited for nobody.
  double measured = 0;
  for (size_t rank = 0; rank < run.times.size(); ++rank)
    if (step < run.times[rank].size())
      measured = rank == 0 ? run.times[rank][step]
                           : std::min(measured, run.times[rank][step]);
  measured /= runs;
  Bandwidth bandwidth = bandwidthOf(run, collective);
  double algbw = measured > 0 ? bandwidth.bytes / measured / 1000 : 0;
  std::string axes;
  for (const std::string &axis : collective.axes)
    axes += (axes.empty() ? "" : ", ") + quotedJson(axis);
  return "{\"name\": " + quotedJson(collective.name) +
         ", \"kind\": " + quotedJson(kindName(collective)) + ", \"axes\": [" +
         axes + "], \"bytes\": " +
         std::to_string(run.recvBytes[run.program->steps[step].index()]) +
         ", \"modelled_us\": " + number(collective.modelled_us) +
         ", \"measured_us\": " + number(measured) +
         ", \"algbw\": " + number(algbw) +
         ", \"busbw\": " + number(algbw * bandwidth.factor) + "}";
}

std::string rankJson(const ProgramRun &run, size_t rank) {
  double computeUs = 0, commUs = 0, exposedUs = 0;
  const StepTimes &times = run.times[rank];
  size_t covered = 0; // steps before it run beside the rank's own
  for (size_t i = 0; i < times.size(); ++i) {
    const schema::Step &step = run.program->steps[i];
    if (step.kind() == schema::StepKind::start)
      covered = i + 1 + run.program->starts[step.index()]->count;
    if (step.kind() == schema::StepKind::start ||
        step.kind() == schema::StepKind::wait) {
      // Handing over and waiting; all of it where there is no second queue.
      exposedUs += times[i];
      continue;
    }
    // Loops and branches take no time of their own.
    bool isComm = step.kind() == schema::StepKind::collective &&
                  movesData(*run.program->collectives[step.index()]);
    (isComm || i < covered ? commUs : computeUs) += times[i];
    if (isComm && i >= covered)
      exposedUs += times[i];
  }
  std::string kinds;
  const CommStats &comm = run.comm[rank];
  for (size_t kind = 0; kind < comm.collectives.size(); ++kind)
    if (comm.collectives[kind] > 0)
      kinds += (kinds.empty() ? "" : ", ") +
               quotedJson(std::string(
                   dtensor::stepKindName(static_cast<StepKind>(kind)))) +
               ": " + std::to_string(comm.collectives[kind]);
  return "{\"recv_bytes\": " + std::to_string(comm.recvBytes) +
         ", \"collectives\": {" + kinds +
         "}, \"peak_bytes\": " + std::to_string(run.program->peak_bytes) +
         ", \"compute_ms\": " + number(computeUs / 1000) +
         ", \"comm_ms\": " + number(commUs / 1000) +
         ", \"exposed_comm_ms\": " + number(exposedUs / 1000) + "}";
}

} // namespace

std::string dtrt::quotedJson(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", c);
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string dtrt::resultName(const RankTensor &result, size_t index) {
  return result.name.empty() ? "result" + std::to_string(index) : result.name;
}

void dtrt::printCollectives(const ProgramRun &run, std::ostream &out) {
  for (const schema::Step &step : run.program->steps) {
    if (step.kind() != schema::StepKind::collective)
      continue;
    const schema::CollectiveT &collective =
        *run.program->collectives[step.index()];
    if (movesData(collective))
      out << kindName(collective) << " over " << axesText(collective) << "  "
          << run.recvBytes[step.index()] << " bytes/rank  (" << collective.name
          << ")\n";
  }
  out << "total received: " << largestTotal(run) << " bytes/rank, "
      << run.ranks.size() << " ranks, wall "
      << number(*std::min_element(run.wallMs.begin(), run.wallMs.end()), "%.3f")
      << " ms\n";
}

void dtrt::printComparison(const std::string &name,
                           const Comparison &comparison, std::ostream &out) {
  out << name << ": largest error " << number(comparison.largestError, "%.3g")
      << " (relative to " << number(comparison.magnitude, "%.3g")
      << "), tolerance " << number(comparison.rtol, "%.3g");
  if (comparison.atol > 0)
    out << " + " << number(comparison.atol, "%.3g");
  out << ": " << (comparison.ok ? "ok" : "MISMATCH") << "\n";
}

std::string dtrt::statsJson(const ProgramRun &run) {
  std::string text = "{\n  \"ranks\": " + std::to_string(run.ranks.size()) +
                     ",\n  \"backend\": \"" + (run.world ? "mpi" : "threads") +
                     "\",\n  \"wall_ms\": [";
  for (size_t i = 0; i < run.wallMs.size(); ++i)
    text += (i ? ", " : "") + number(run.wallMs[i]);
  text += "],\n  \"per_rank\": [";
  for (size_t rank = 0; rank < run.ranks.size(); ++rank)
    text += (rank ? ",\n    " : "\n    ") + rankJson(run, rank);
  text += "\n  ],\n  \"collectives\": [";
  bool first = true;
  std::vector<double> runs = countRuns(*run.program);
  for (size_t i = 0; i < run.program->steps.size(); ++i) {
    const schema::Step &step = run.program->steps[i];
    if (step.kind() != schema::StepKind::collective ||
        !movesData(*run.program->collectives[step.index()]))
      continue;
    text += (first ? "\n    " : ",\n    ") + collectiveJson(run, i, runs[i]);
    first = false;
  }
  return text + "\n  ]\n}\n";
}
