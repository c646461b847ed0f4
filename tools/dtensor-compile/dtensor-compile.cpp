// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-compile: from a program to a plan file, or to any stage between.
// Exit codes: 0 written, 1 the input was refused, 2 usage.

#include "CommandLine.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::optional<CommandLine> line = parseCommandLine(argc, argv);
  if (!line)
    return 2;
  auto output =
      mlir::dtensor::compileFile(line->input, line->options, llvm::errs());
  if (failed(output))
    return 1;
  if (line->output == "-") {
    llvm::outs() << *output;
    return 0;
  }
  dtrt::Status status =
      dtrt::writeFileAtomically(line->output, output->data(), output->size());
  if (!status) {
    llvm::errs() << "dtensor-compile: error: " << status.message() << '\n';
    return 1;
  }
  return 0;
}
