// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of dtensor-plan.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_OPTIONS_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_OPTIONS_H

#include "dtensor/Planner/Expected.h"

#include <cstdint>
#include <map>
#include <vector>

namespace dtensor {

/// The flags as written; values are read by readCase.
struct PlanOptions {
  std::map<std::string, std::string> values; ///< by flag, without "--"
  bool json = false, boxes = false, execute = false, help = false;
  bool calibrate = false, measure = false;
  int64_t ranks = 2;        ///< threads of --calibrate
  int alternatives = 0;     ///< how many plans that lost are printed
  int64_t memoryLimit = -1; ///< bytes per rank; negative for none

  std::string value(const std::string &flag, std::string otherwise) const {
    auto it = values.find(flag);
    return it == values.end() ? otherwise : it->second;
  }
};

/// Reads the flags; errors are usage errors.
Expected<PlanOptions> parsePlanOptions(const std::vector<std::string> &args);

/// What --help prints.
extern const char *const planToolHelp;

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_OPTIONS_H
