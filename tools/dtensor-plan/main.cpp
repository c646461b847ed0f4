// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-plan: plans one redistribution and says what it costs.
#include "PlanTool.h"

#include <iostream>

int main(int argc, char **argv) {
  return dtensor::runPlanTool({argv + 1, argv + argc}, std::cout, std::cerr);
}
