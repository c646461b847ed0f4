// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One redistribution as it is asked for, on the command line or as a line of
// --batch.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_CASES_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_CASES_H

#include "Options.h"
#include "dtensor/Planner/MeshChange.h"

namespace dtensor {

/// What is asked, before layouts are read.
struct PlanCase {
  std::vector<MeshAxis> mesh;
  std::vector<int64_t> devices;
  std::optional<std::vector<MeshAxis>> toMesh;
  std::optional<std::vector<int64_t>> toDevices;
  std::vector<int64_t> shape;
  ElementType type = ElementType::F32;
  std::string from, to;
  /// What messages put before the names "from", "to": "--" or nothing.
  std::string prefix;
};

/// Reads the flags' values. Errors are refused inputs.
Expected<PlanCase> readCase(const PlanOptions &options);

/// Reads one line of --batch: an object with the keys that --help names, or a
/// case of the reference answers, which has `element_bytes` in place of
/// `dtype`. Other keys are ignored.
Expected<PlanCase> readCase(std::string_view line);

/// One mesh: a request to the planner. Two: a request between meshes, as
/// `change`, with `request` left empty.
struct PlanQuestion {
  RedistributionRequest request;
  std::optional<MeshChangeRequest> change;
};

/// Reads layouts and objective.
Expected<PlanQuestion> makeQuestion(const PlanCase &asked,
                                    const PlanOptions &options,
                                    const Topology &topology);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_CASES_H
