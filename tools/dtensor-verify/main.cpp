// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-verify: checks the rules of a correct schedule on a plan file.
#include "VerifyTool.h"

#include <iostream>

int main(int argc, char **argv) {
  return dtrt::runVerifyTool({argv + 1, argv + argc}, std::cout, std::cerr);
}
