// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dtensor-plan prints.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_REPORT_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_REPORT_H

#include "Execute.h"
#include "Measure.h"

#include <optional>
#include <ostream>

namespace dtensor {

/// Everything that is known about one planned redistribution.
struct PlanReport {
  RedistributionRequest request;
  RedistributionPlan plan;
  /// Set where the target lies on another mesh, with its layout there and the
  /// device of every rank of either mesh.
  std::optional<Mesh> targetMesh;
  Layout targetLayout;
  std::vector<int64_t> sourceDevices, targetDevices;
  /// Set where the plan is an exchange between meshes: `plan` is its price.
  std::optional<MeshExchange> exchange;
  bool withBoxes = false;
  /// Empty where the plan was proved, else why not.
  std::string checkMessage;
  std::optional<Execution> execution;
  std::optional<Measurement> measurement;
};

/// One JSON object on one line.
void printJson(const PlanReport &report, std::ostream &out);
/// The answer to a refused case.
void printErrorJson(const std::string &message, std::ostream &out);
/// One line per step, totals and the lower bound.
void printText(const PlanReport &report, std::ostream &out);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_REPORT_H
