// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C interface of the interpreter.

#include "dtensor-c/Compiler.h"

#include "dtensor/InitAll.h"
#include "dtensor/Interpreter/Interpreter.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// The input as the interpreter takes it; the message of why not where an
/// element type has no such name.
static ::dtensor::Expected<dtrt::GlobalTensor>
copyInput(const dtensorTensor &input, size_t index) {
  auto type = ::dtensor::parseElementType(input.type);
  if (!type)
    return ::dtensor::Error{"input " + std::to_string(index) +
                            " has the unknown element type '" + input.type +
                            "'"};
  dtrt::GlobalTensor tensor;
  tensor.type = *type;
  tensor.shape.assign(input.shape, input.shape + input.rank);
  const auto *bytes = static_cast<const std::byte *>(input.data);
  tensor.data.assign(bytes, bytes + input.size);
  return tensor;
}

static LogicalResult interpret(llvm::SourceMgr &sources, MLIRContext &context,
                               const char *entry,
                               ArrayRef<dtrt::GlobalTensor> inputs,
                               dtensorTensorSink results, void *user) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  auto values =
      mlir::dtensor::interpretProgram(*module, entry ? entry : "", inputs);
  if (failed(values))
    return failure();
  for (auto [i, value] : llvm::enumerate(*values)) {
    std::string type(::dtensor::elementTypeName(value.type));
    dtensorTensor result = {type.c_str(), value.shape.data(),
                            value.shape.size(), value.data.data(),
                            value.data.size()};
    results(i, &result, user);
  }
  return success();
}

int dtensorInterpret(const char *text, size_t size, const char *name,
                     const char *entry, const dtensorTensor *inputs,
                     size_t numInputs, dtensorTensorSink results,
                     dtensorSink diagnostics, void *user) {
  std::string messages;
  llvm::raw_string_ostream os(messages);
  std::vector<dtrt::GlobalTensor> tensors;
  bool refused = false;
  for (size_t i = 0; i < numInputs && !refused; ++i) {
    auto tensor = copyInput(inputs[i], i);
    refused = !tensor;
    if (refused)
      os << "error: " << tensor.error().message << '\n';
    else
      tensors.push_back(std::move(*tensor));
  }
  if (!refused) {
    DialectRegistry registry;
    mlir::dtensor::registerAllDialects(registry);
    mlir::dtensor::registerAllExtensions(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(StringRef(text, size), name),
        llvm::SMLoc());
    SourceMgrDiagnosticHandler handler(sources, &context, os);
    refused =
        failed(interpret(sources, context, entry, tensors, results, user));
  }
  if (!messages.empty())
    diagnostics(messages.data(), messages.size(), user);
  return refused ? 1 : 0;
}
