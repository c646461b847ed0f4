// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dtensor-plan prints.
#include "Report.h"

#include <charconv>
#include <cstdio>
#include <iomanip>

using namespace dtensor;

namespace {

/// The shortest text that reads back as `value`.
std::string number(double value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end.ptr);
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      snprintf(escape, sizeof(escape), "\\u%04x", c);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

void printStep(const Mesh &mesh, const RedistributionStep &step,
               std::ostream &out) {
  out << "{\"op\":" << quoted(std::string(stepKindName(step.kind)))
      << ",\"axes\":[";
  for (size_t i = 0; i < step.axes.size(); ++i)
    out << (i ? "," : "") << quoted(printAxisRef(mesh, step.axes[i]));
  out << "]";
  if (step.kind == StepKind::AllToAll)
    out << ",\"from_dim\":" << step.fromDim << ",\"to_dim\":" << step.toDim;
  else if (step.fromDim >= 0 || step.toDim >= 0)
    out << ",\"dim\":" << std::max(step.fromDim, step.toDim);
  if (!isCollective(step.kind) ? step.kind != StepKind::Slice
                               : step.kind == StepKind::AllReduce ||
                                     step.kind == StepKind::ReduceScatter)
    out << ",\"reduce_op\":" << quoted(std::string(reduceOpName(step.op)));
  out << ",\"layout\":" << quoted(printLayout(mesh, step.to))
      << ",\"recv_bytes_max\":" << step.recvBytesMax
      << ",\"recv_bytes_avg\":" << number(step.recvBytesAvg)
      << ",\"send_bytes_max\":" << step.sendBytesMax << ",\"link_bytes\":{";
  bool first = true;
  for (size_t axis = 0; axis < mesh.axes().size(); ++axis) {
    int64_t bytes = linkBytes(step, static_cast<int>(axis));
    if (bytes == 0)
      continue;
    out << (first ? "" : ",") << quoted(mesh.axes()[axis].name) << ":" << bytes;
    first = false;
  }
  out << "},\"peak_bytes\":" << step.peakBytes
      << ",\"time_us\":" << number(step.timeUs) << "}";
}

/// The mesh and layout that the tensor ends on.
const Mesh &targetMesh(const PlanReport &report) {
  return report.targetMesh ? *report.targetMesh : report.request.mesh;
}
const Layout &targetLayout(const PlanReport &report) {
  return report.targetMesh ? report.targetLayout : report.request.to;
}

void printNumbers(const std::vector<int64_t> &numbers, std::ostream &out) {
  for (size_t i = 0; i < numbers.size(); ++i)
    out << (i ? "," : "[") << numbers[i];
  out << (numbers.empty() ? "[]" : "]");
}

void printBoxes(const Mesh &mesh, const Layout &layout,
                const std::vector<int64_t> &shape, std::ostream &out) {
  out << "[";
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    Box box = localBox(mesh, layout, shape, rank);
    out << (rank ? ",[" : "[");
    for (size_t d = 0; d < box.lo.size(); ++d)
      out << (d ? ",[" : "[") << box.lo[d] << "," << box.hi[d] << "]";
    out << "]";
  }
  out << "]";
}

void printExecution(const Execution &execution, std::ostream &out) {
  out << ",\"executed\":{\"ok\":" << (execution.ok ? "true" : "false")
      << ",\"recv_bytes_per_rank\":";
  printNumbers(execution.recvBytes, out);
  out << ",\"identical_replicas\":"
      << (execution.identicalReplicas ? "true" : "false");
  if (!execution.message.empty())
    out << ",\"message\":" << quoted(execution.message);
  out << "}";
}

} // namespace

void dtensor::printJson(const PlanReport &report, std::ostream &out) {
  const RedistributionRequest &request = report.request;
  const RedistributionPlan &plan = report.plan;
  out << "{\"steps\":[";
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    out << (i ? "," : "");
    printStep(report.exchange ? targetMesh(report) : request.mesh,
              plan.steps[i], out);
  }
  out << "],\"topology\":{\"name\":" << quoted(request.topology.name)
      << ",\"hash\":" << quoted(topologyHash(request.topology)) << "}"
      << ",\"recv_bytes_max\":" << plan.recvBytesMax
      << ",\"recv_bytes_avg\":" << number(plan.recvBytesAvg)
      << ",\"lower_bound_bytes_max\":";
  if (plan.lowerBoundBytesMax < 0)
    out << "null";
  else
    out << plan.lowerBoundBytesMax;
  out << ",\"time_us\":" << number(plan.timeUs)
      << ",\"peak_bytes\":" << plan.peakBytes
      << ",\"checked\":" << (report.checkMessage.empty() ? "true" : "false");
  if (!report.checkMessage.empty())
    out << ",\"check_message\":" << quoted(report.checkMessage);
  if (report.withBoxes) {
    out << ",\"from_boxes\":";
    printBoxes(request.mesh, request.from, request.shape, out);
    out << ",\"to_boxes\":";
    printBoxes(targetMesh(report), targetLayout(report), request.shape, out);
  }
  // A rank of either mesh is not a device's number any more.
  if (report.targetMesh) {
    out << ",\"from_devices\":";
    printNumbers(report.sourceDevices, out);
    out << ",\"to_devices\":";
    printNumbers(report.targetDevices, out);
  }
  if (report.execution)
    printExecution(*report.execution, out);
  out << "}\n";
}

void dtensor::printErrorJson(const std::string &message, std::ostream &out) {
  out << "{\"error\":" << quoted(message) << "}\n";
}

static std::string layoutText(const Mesh &mesh, const Layout &layout) {
  std::string text = printLayout(mesh, layout);
  return text.empty() ? "replicated" : text;
}

static void printStepsText(const PlanReport &report, std::ostream &out) {
  const Mesh &mesh = report.exchange ? targetMesh(report) : report.request.mesh;
  for (const RedistributionStep &step : report.plan.steps) {
    out << "  " << stepKindName(step.kind) << " "
        << (report.exchange ? "between the meshes"
                            : "over " + printAxisRefs(mesh, step.axes));
    if (step.fromDim >= 0 && step.toDim >= 0)
      out << " dim " << step.fromDim << " -> " << step.toDim;
    else if (step.fromDim >= 0 || step.toDim >= 0)
      out << " dim " << std::max(step.fromDim, step.toDim);
    out << ": receives " << step.recvBytesMax << " bytes, " << step.timeUs
        << " us -> " << layoutText(mesh, step.to) << "\n";
  }
  if (report.plan.steps.empty())
    out << "  nothing to do\n";
}

static void printBoxesText(const PlanReport &report, std::ostream &out) {
  auto boxText = [&](const Mesh &mesh, const Layout &layout, int64_t rank) {
    Box box = localBox(mesh, layout, report.request.shape, rank);
    std::string text;
    for (size_t d = 0; d < box.lo.size(); ++d)
      text += "[" + std::to_string(box.lo[d]) + ", " +
              std::to_string(box.hi[d]) + ")";
    return text;
  };
  const Mesh &mesh = report.request.mesh;
  if (!report.targetMesh) {
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
      out << "rank " << rank << ": " << boxText(mesh, report.request.from, rank)
          << " -> " << boxText(mesh, report.request.to, rank) << "\n";
    return;
  }
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
    out << "from device " << report.sourceDevices[rank] << ": "
        << boxText(mesh, report.request.from, rank) << "\n";
  for (int64_t rank = 0; rank < report.targetMesh->numRanks(); ++rank)
    out << "to device " << report.targetDevices[rank] << ": "
        << boxText(*report.targetMesh, report.targetLayout, rank) << "\n";
}

void dtensor::printText(const PlanReport &report, std::ostream &out) {
  const RedistributionPlan &plan = report.plan;
  out << layoutText(report.request.mesh, report.request.from) << "\n";
  out << std::fixed << std::setprecision(2);
  printStepsText(report, out);
  out << "total: receives " << plan.recvBytesMax << " bytes at most ("
      << plan.recvBytesAvg << " on average), " << plan.timeUs << " us, peak "
      << plan.peakBytes << " bytes per rank\n";
  if (plan.lowerBoundBytesMax >= 0)
    out << "lower bound: " << plan.lowerBoundBytesMax << " bytes\n";
  if (report.checkMessage.empty())
    out << "proved: every rank ends with its box, every contribution counted "
           "once\n";
  else
    out << "not proved: " << report.checkMessage << "\n";
  if (report.withBoxes)
    printBoxesText(report, out);
  if (report.execution)
    out << (report.execution->ok
                ? "executed: every element is right\n"
                : "executed: " + report.execution->message + "\n");
}
