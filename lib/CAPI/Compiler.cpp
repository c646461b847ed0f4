// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C interface of the compiler library.

#include "dtensor-c/Compiler.h"

#include "dtensor/Pipelines/Compile.h"

using namespace mlir::dtensor;

/// Hands the outcome to the caller's sinks.
static int report(const llvm::FailureOr<std::string> &output,
                  const std::string &messages, dtensorSink plan,
                  dtensorSink diagnostics, void *user) {
  if (!messages.empty())
    diagnostics(messages.data(), messages.size(), user);
  if (failed(output))
    return 1;
  plan(output->data(), output->size(), user);
  return 0;
}

int dtensorCompileToPlan(const char *path, const char *entry, dtensorSink plan,
                         dtensorSink diagnostics, void *user) {
  CompileOptions options;
  if (entry)
    options.entry = entry;
  std::string messages;
  llvm::raw_string_ostream os(messages);
  auto output = compileFile(path, options, os);
  return report(output, messages, plan, diagnostics, user);
}

int dtensorCompile(const char *text, size_t size, const char *name,
                   const dtensorCompileOptions *given, dtensorSink plan,
                   dtensorSink diagnostics, void *user) {
  CompileOptions options;
  std::string messages;
  if (given) {
    if (given->entry)
      options.entry = given->entry;
    if (given->topology)
      options.topology = given->topology;
    if (given->implicit)
      options.implicit = given->implicit;
    if (given->parallelize)
      options.parallelize = given->parallelize;
    if (given->mesh) {
      auto mesh = dtensor::parseMesh(given->mesh);
      if (!mesh)
        return report(llvm::failure(),
                      "error: mesh: " + mesh.error().message + "\n", plan,
                      diagnostics, user);
      options.meshSizes = mesh->axes();
    }
    options.maxRecvBytes = given->maxRecvBytes;
    options.reference = given->reference != 0;
  }
  llvm::raw_string_ostream os(messages);
  auto output = compileBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text, size), name),
      options, os);
  return report(output, messages, plan, diagnostics, user);
}
