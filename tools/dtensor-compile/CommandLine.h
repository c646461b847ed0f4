// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of dtensor-compile.
#ifndef DTENSOR_TOOLS_DTENSOR_COMPILE_COMMANDLINE_H
#define DTENSOR_TOOLS_DTENSOR_COMPILE_COMMANDLINE_H

#include "dtensor/Pipelines/Compile.h"

/// What the command line asks for.
struct CommandLine {
  std::string input;
  std::string output;
  mlir::dtensor::CompileOptions options;
};

/// Parses the command line; on misuse prints why and returns nothing.
std::optional<CommandLine> parseCommandLine(int argc, char **argv);

#endif // DTENSOR_TOOLS_DTENSOR_COMPILE_COMMANDLINE_H
