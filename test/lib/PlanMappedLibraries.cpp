// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a plan as dtensor-run does, in this process, and then lists the shared
// libraries that the process has mapped: a test reads that none of them is
// LLVM's.

#include "dtrt/RunDriver.h"

#include <fstream>
#include <iostream>
#include <set>

int main(int argc, char **argv) {
  int code = dtrt::runDriver(std::vector<std::string>(argv + 1, argv + argc),
                             std::cout, std::cerr);
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> libraries;
  for (std::string line; std::getline(maps, line);)
    if (size_t path = line.find('/'); path != std::string::npos)
      libraries.insert(line.substr(path));
  for (const std::string &library : libraries)
    std::cout << "mapped: " << library << '\n';
  return code;
}
