// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole of dtensor-plan as a function.
#include "PlanTool.h"

#include "Options.h"
#include "Report.h"

using namespace dtensor;

static int complain(std::ostream &err, const Error &error, int code) {
  err << "dtensor-plan: error: " << error.message << "\n";
  return code;
}

int dtensor::runPlanTool(const std::vector<std::string> &args,
                         std::ostream &out, std::ostream &err) {
  auto options = parsePlanOptions(args);
  if (!options)
    return complain(err, options.error(), 2);
  if (options->help) {
    out << planToolHelp;
    return 0;
  }
  auto request = makeRequest(*options);
  if (!request)
    return complain(err, request.error(), 1);
  auto plan = planRedistribution(*request);
  if (!plan)
    return complain(err, plan.error(), 1);

  PlanReport report;
  report.request = std::move(*request);
  report.plan = std::move(*plan);
  report.withBoxes = options->boxes;
  report.checkMessage =
      checkRedistribution(report.request, report.plan).message();
  if (options->execute) {
    auto execution = executePlan(report.request, report.plan);
    if (!execution)
      return complain(err, execution.error(), 1);
    report.execution = std::move(*execution);
  }
  if (options->json)
    printJson(report, out);
  else
    printText(report, out);
  if (!report.execution || report.execution->ok)
    return 0;
  return report.execution->completed ? 3 : 4;
}
