// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler library, called through its C interface when it is asked for.
#include "dtensor/API/Module.h"

#include "Driver/Driver.h"
#include "dtensor-c/Compiler.h"
#include "dtensor/API/Error.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <tuple>
#include <unistd.h>

using namespace dtensor;

namespace {

using CompileFunction = decltype(&dtensorCompile);

CompileFunction loadCompiler() {
  static CompileFunction loaded = nullptr;
  if (loaded)
    return loaded;
  void *library = nullptr;
  if (const char *path = std::getenv("DTENSOR_COMPILER_LIBRARY")) {
    library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      throw DTensorError(ErrorCode::Io,
                         std::string("DTENSOR_COMPILER_LIBRARY: ") +
                             ::dlerror());
  } else {
    auto found = dtrt::loadCompilerLibrary(
        "the compiler library cannot be loaded (set DTENSOR_COMPILER_LIBRARY "
        "to its path, or load a plan that was compiled elsewhere)");
    if (!found)
      throw DTensorError(ErrorCode::Io, found.error().message);
    library = *found;
  }
  loaded =
      reinterpret_cast<CompileFunction>(::dlsym(library, "dtensorCompile"));
  if (!loaded)
    throw DTensorError(ErrorCode::Io,
                       "the compiler library has no dtensorCompile: it is of "
                       "an older version");
  return loaded;
}

/// A file that goes with this object.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &contents) {
    const char *folder = std::getenv("TMPDIR");
    path = std::string(folder ? folder : "/tmp") + "/dtensor-XXXXXX";
    int file = ::mkstemp(path.data());
    bool written =
        file >= 0 && ::write(file, contents.data(), contents.size()) ==
                         static_cast<ssize_t>(contents.size());
    if (file >= 0)
      ::close(file);
    if (!written)
      throw DTensorError(ErrorCode::Io, path + ": cannot be written");
  }
  ~TemporaryFile() { ::unlink(path.c_str()); }

  std::string path;
};

struct Output {
  std::string plan, diagnostics;
};

std::string compileNow(const std::string &program,
                       const CompileOptions &options) {
  CompileFunction compile = loadCompiler();
  std::optional<TemporaryFile> document;
  dtensorCompileOptions c = {};
  if (!options.parallelize.empty()) {
    document.emplace(options.parallelize);
    c.parallelize = document->path.c_str();
  }
  c.entry = options.entry.empty() ? nullptr : options.entry.c_str();
  c.topology = options.topology.c_str();
  c.implicit = options.implicit.c_str();
  c.mesh = options.mesh.empty() ? nullptr : options.mesh.c_str();
  c.maxRecvBytes = options.maxRecvBytes;
  c.reference = options.reference;
  Output output;
  int refused = compile(
      program.data(), program.size(), options.name.c_str(), &c,
      [](const char *data, size_t size, void *user) {
        static_cast<Output *>(user)->plan.append(data, size);
      },
      [](const char *data, size_t size, void *user) {
        static_cast<Output *>(user)->diagnostics.append(data, size);
      },
      &output);
  if (!refused)
    return std::move(output.plan);
  std::string &text = output.diagnostics;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  if (document) // whose name would differ from rank to rank
    for (size_t at; (at = text.find(document->path)) != std::string::npos;)
      text.replace(at, document->path.size(), "parallelize.json");
  throw DTensorError(ErrorCode::InvalidArgument,
                     text.empty()
                         ? options.name + ": the compiler refused the program"
                         : text);
}

} // namespace

std::string dtensor::compileToPlan(const std::string &program,
                                   const CompileOptions &options) {
  using Key = std::tuple<std::string, std::string, std::string, std::string,
                         std::string, std::string, int64_t, bool, std::string>;
  static std::mutex mutex; // ranks of one process compile a program once
  static auto *compiled = new std::map<Key, std::string>;
  Key key(program, options.entry, options.mesh, options.topology,
          options.implicit, options.parallelize, options.maxRecvBytes,
          options.reference, options.name);
  std::lock_guard<std::mutex> lock(mutex);
  auto known = compiled->find(key);
  if (known == compiled->end())
    known = compiled->emplace(key, compileNow(program, options)).first;
  return known->second;
}
