// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dtensor-plan prints for people: the steps, what they beat and by how
// much, the bound, and who holds what before and after.
#include "Drawing.h"
#include "Report.h"

#include <cmath>
#include <iomanip>

using namespace dtensor;

namespace {

std::string layoutText(const Mesh &mesh, const Layout &layout) {
  std::string text = printLayout(mesh, layout);
  return text.empty() ? "replicated" : text;
}

void printSteps(const PlanReport &report, std::ostream &out) {
  for (const RedistributionStep &step : report.plan.steps) {
    // The last step of an exchange leads to the other mesh.
    bool crosses = report.exchange && &step == &report.plan.steps.back();
    const Mesh &mesh = crosses ? *report.targetMesh : report.request.mesh;
    out << "  " << stepKindName(step.kind) << " "
        << (crosses ? "between the meshes"
                    : "over " + printAxisRefs(mesh, step.axes));
    if (step.fromDim >= 0 && step.toDim >= 0)
      out << " dim " << step.fromDim << " -> " << step.toDim;
    else if (step.fromDim >= 0 || step.toDim >= 0)
      out << " dim " << std::max(step.fromDim, step.toDim);
    out << ": receives " << step.recvBytesMax << " bytes, " << step.timeUs
        << " us, peak " << step.peakBytes << " -> " << layoutText(mesh, step.to)
        << "\n";
  }
  if (report.plan.steps.empty())
    out << "  nothing to do\n";
}

/// "slice tp, all_reduce dp".
std::string stepsText(const Mesh &mesh,
                      const std::vector<RedistributionStep> &steps) {
  std::string text;
  for (const RedistributionStep &step : steps)
    text += (text.empty() ? "" : ", ") + std::string(stepKindName(step.kind)) +
            " " + printAxisRefs(mesh, step.axes);
  return text;
}

void printAlternatives(const PlanReport &report, std::ostream &out) {
  const RedistributionPlan &plan = report.plan;
  if (plan.alternatives.empty())
    return;
  auto byTime = [&](const PlanAlternative &other) {
    double more = other.timeUs - plan.timeUs;
    out << other.timeUs << " us (" << (more < 0 ? "-" : "+") << std::abs(more)
        << ")";
  };
  auto byBytes = [&](const PlanAlternative &other) {
    int64_t more = other.recvBytesMax - plan.recvBytesMax;
    out << other.recvBytesMax << " bytes (" << (more < 0 ? "" : "+") << more
        << ")";
  };
  bool bytesFirst = report.request.objective == Objective::Bytes;
  out << "better than:\n";
  for (size_t i = 0; i < plan.alternatives.size(); ++i) {
    const PlanAlternative &other = plan.alternatives[i];
    out << "  " << stepsText(report.request.mesh, other.steps) << ": ";
    bytesFirst ? byBytes(other) : byTime(other);
    out << ", ";
    bytesFirst ? byTime(other) : byBytes(other);
    if (report.measurement)
      out << ", measured " << report.measurement->alternatives[i] << " us";
    out << "\n";
  }
}

void printBound(const RedistributionPlan &plan, std::ostream &out) {
  if (plan.lowerBoundBytesMax < 0)
    return;
  out << "lower bound: " << plan.lowerBoundBytesMax << " bytes, ";
  int64_t gap = plan.recvBytesMax - plan.lowerBoundBytesMax;
  if (gap == 0) {
    out << "which the plan meets\n";
    return;
  }
  out << "the plan receives " << gap << " more";
  if (plan.lowerBoundBytesMax > 0)
    out << " ("
        << 100.0 * static_cast<double>(gap) /
               static_cast<double>(plan.lowerBoundBytesMax)
        << " %)";
  out << "\n";
}

void printDrawing(const char *title, const Mesh &mesh, const Layout &layout,
                  const std::vector<int64_t> &shape,
                  const std::vector<int64_t> &devices, std::ostream &out) {
  std::string drawing = drawLayout(mesh, layout, shape, devices);
  if (drawing.empty())
    return;
  out << title;
  for (size_t i = 0; i < layout.partials.size(); ++i)
    out << (i ? ", " : " (contributions along ")
        << printAxisRef(mesh, layout.partials[i].axis);
  out << (layout.partials.empty() ? ":\n" : "):\n") << drawing;
}

void printDrawings(const PlanReport &report, std::ostream &out) {
  const RedistributionRequest &request = report.request;
  const char *what = report.targetMesh ? "devices" : "ranks";
  printDrawing((std::string(what) + " that hold each piece before").c_str(),
               request.mesh, request.from, request.shape, report.sourceDevices,
               out);
  printDrawing("and after",
               report.targetMesh ? *report.targetMesh : request.mesh,
               report.targetMesh ? report.targetLayout : request.to,
               request.shape, report.targetDevices, out);
}

void printBoxes(const PlanReport &report, std::ostream &out) {
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

} // namespace

void dtensor::printText(const PlanReport &report, std::ostream &out) {
  const RedistributionPlan &plan = report.plan;
  out << layoutText(report.request.mesh, report.request.from) << "\n";
  out << std::fixed << std::setprecision(2);
  printSteps(report, out);
  out << "total: receives " << plan.recvBytesMax << " bytes at most ("
      << plan.recvBytesAvg << " on average), " << plan.timeUs << " us, peak "
      << plan.peakBytes << " bytes per rank\n";
  if (report.measurement)
    out << "measured: " << report.measurement->timeUs << " us, modelled / "
        << "measured " << plan.timeUs / report.measurement->timeUs << "\n";
  printAlternatives(report, out);
  printBound(plan, out);
  if (report.checkMessage.empty())
    out << "proved: every rank ends with its box, every contribution counted "
           "once\n";
  else
    out << "not proved: " << report.checkMessage << "\n";
  printDrawings(report, out);
  if (report.withBoxes)
    printBoxes(report, out);
  if (report.execution)
    out << (report.execution->ok
                ? "executed: every element is right\n"
                : "executed: " + report.execution->message + "\n");
}
