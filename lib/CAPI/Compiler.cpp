// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C interface of the compiler library.

#include "dtensor-c/Compiler.h"

#include "dtensor/Pipelines/Compile.h"

int dtensorCompileToPlan(const char *path, const char *entry, dtensorSink plan,
                         dtensorSink diagnostics, void *user) {
  mlir::dtensor::CompileOptions options;
  if (entry)
    options.entry = entry;
  std::string messages;
  llvm::raw_string_ostream os(messages);
  auto output = mlir::dtensor::compileFile(path, options, os);
  if (!messages.empty())
    diagnostics(messages.data(), messages.size(), user);
  if (failed(output))
    return 1;
  plan(output->data(), output->size(), user);
  return 0;
}
