// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler library, and its interpreter as a reference for --check=interp.
#include "Driver/Driver.h"

#include "Data/NeighbourFile.h"
#include "dtensor-c/Compiler.h"

#include <cstring>
#include <dlfcn.h>

using namespace dtrt;

namespace {

constexpr const char *kLibrary = "libDTensorCompiler.so";

struct Interpreted {
  std::vector<GlobalTensor> results;
  std::string diagnostics;
};

void addResult(size_t, const dtensorTensor *result, void *user) {
  GlobalTensor tensor;
  // The name comes from this very table.
  tensor.type = *dtensor::parseElementType(result->type);
  tensor.shape.assign(result->shape, result->shape + result->rank);
  const auto *bytes = static_cast<const std::byte *>(result->data);
  tensor.data.assign(bytes, bytes + result->size);
  static_cast<Interpreted *>(user)->results.push_back(std::move(tensor));
}

void addDiagnostics(const char *data, size_t size, void *user) {
  static_cast<Interpreted *>(user)->diagnostics.append(data, size);
}

} // namespace

Expected<void *> dtrt::loadCompilerLibrary(const std::string &why) {
  // Stays loaded: MLIR's libraries do not like to be unloaded.
  void *library = nullptr;
  for (const std::string &path : neighbourPaths(kLibrary))
    if (!library)
      library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{why + ": " + ::dlerror()};
  return library;
}

Expected<std::vector<GlobalTensor>>
dtrt::interpretProgram(const PlanFile &file, const std::string &path,
                       const std::string &entry,
                       const std::vector<GlobalTensor> &inputs) {
  Expected<void *> library = loadCompilerLibrary(
      path + ": --check=interp needs the compiler library, which cannot be "
             "loaded");
  if (!library)
    return library.error();
  auto *interpret = reinterpret_cast<decltype(&dtensorInterpret)>(
      ::dlsym(*library, "dtensorInterpret"));
  if (!interpret)
    return Error{"the compiler library has no dtensorInterpret"};
  std::vector<std::string> types;
  for (const GlobalTensor &input : inputs)
    types.emplace_back(dtensor::elementTypeName(input.type));
  std::vector<dtensorTensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i)
    tensors.push_back({types[i].c_str(), inputs[i].shape.data(),
                       inputs[i].shape.size(), inputs[i].data.data(),
                       inputs[i].data.size()});
  Interpreted interpreted;
  // The text in the plan, not the file that it was made from.
  std::string name = path + " (the program in it)";
  int refused =
      interpret(file.programText.data(), file.programText.size(), name.c_str(),
                entry.c_str(), tensors.data(), tensors.size(), addResult,
                addDiagnostics, &interpreted);
  if (!refused)
    return std::move(interpreted.results);
  while (!interpreted.diagnostics.empty() &&
         interpreted.diagnostics.back() == '\n')
    interpreted.diagnostics.pop_back();
  return Error{interpreted.diagnostics.empty()
                   ? path + ": the interpreter refused the program"
                   : interpreted.diagnostics};
}
