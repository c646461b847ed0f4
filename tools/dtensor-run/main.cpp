// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-run: executes a plan, or compiles a program and executes it.
#include "dtrt/RunDriver.h"

#include <iostream>

int main(int argc, char **argv) {
  return dtrt::runDriver({argv + 1, argv + argc}, std::cout, std::cerr);
}
