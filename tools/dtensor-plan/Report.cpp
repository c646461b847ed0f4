// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dtensor-plan prints with --json.
#include "Report.h"

#include <charconv>
#include <cstdio>

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
  bool reduces =
      step.kind == StepKind::AllReduce || step.kind == StepKind::ReduceScatter;
  bool local = step.kind == StepKind::ToPartial || step.kind == StepKind::Scale;
  if (reduces || local || step.from.partials != step.to.partials)
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
    // The last step of an exchange leads to the other mesh.
    bool crosses = report.exchange && i + 1 == plan.steps.size();
    printStep(crosses ? targetMesh(report) : request.mesh, plan.steps[i], out);
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
  if (!plan.alternatives.empty()) {
    out << ",\"alternatives\":[";
    for (size_t i = 0; i < plan.alternatives.size(); ++i) {
      const PlanAlternative &other = plan.alternatives[i];
      out << (i ? ",{" : "{") << "\"steps\":[";
      for (size_t k = 0; k < other.steps.size(); ++k) {
        out << (k ? "," : "");
        printStep(request.mesh, other.steps[k], out);
      }
      out << "],\"recv_bytes_max\":" << other.recvBytesMax
          << ",\"time_us\":" << number(other.timeUs)
          << ",\"peak_bytes\":" << other.peakBytes << "}";
    }
    out << "]";
  }
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
  if (report.measurement) {
    out << ",\"measured\":{\"time_us\":" << number(report.measurement->timeUs)
        << ",\"alternatives_us\":[";
    for (size_t i = 0; i < report.measurement->alternatives.size(); ++i)
      out << (i ? "," : "") << number(report.measurement->alternatives[i]);
    out << "]}";
  }
  if (report.execution)
    printExecution(*report.execution, out);
  out << "}\n";
}

void dtensor::printErrorJson(const std::string &message, std::ostream &out) {
  out << "{\"error\":" << quoted(message) << "}\n";
}
