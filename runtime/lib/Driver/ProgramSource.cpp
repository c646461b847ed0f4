// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where dtensor-run's program comes from: a plan file, or the compiler
// library, which is loaded only when it is needed.
#include "Driver/Driver.h"

#include "dtensor-c/Compiler.h"
#include "dtrt/VerifyPlan.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <set>

using namespace dtrt;

namespace {

void append(const char *data, size_t size, std::string &out) {
  out.append(data, size);
}

struct Compiled {
  std::string plan, diagnostics;
};

Expected<PlanFile> compileProgram(const std::string &path,
                                  const std::string &entry) {
  Expected<void *> library = loadCompilerLibrary(
      path + ": not a plan file, and the compiler library that would compile "
             "it cannot be loaded");
  if (!library)
    return library.error();
  auto *compile = reinterpret_cast<decltype(&dtensorCompileToPlan)>(
      ::dlsym(*library, "dtensorCompileToPlan"));
  if (!compile)
    return Error{"the compiler library has no dtensorCompileToPlan"};
  Compiled compiled;
  int refused = compile(
      path.c_str(), entry.empty() ? nullptr : entry.c_str(),
      [](const char *data, size_t size, void *user) {
        append(data, size, static_cast<Compiled *>(user)->plan);
      },
      [](const char *data, size_t size, void *user) {
        append(data, size, static_cast<Compiled *>(user)->diagnostics);
      },
      &compiled);
  if (refused) {
    while (!compiled.diagnostics.empty() && compiled.diagnostics.back() == '\n')
      compiled.diagnostics.pop_back();
    return Error{compiled.diagnostics.empty()
                     ? path + ": the compiler refused the program"
                     : compiled.diagnostics};
  }
  return parsePlan(reinterpret_cast<const uint8_t *>(compiled.plan.data()),
                   compiled.plan.size(), path);
}

} // namespace

static Expected<PlanFile> readOrCompile(const std::string &path,
                                        const std::string &entry) {
  std::FILE *stream = std::fopen(path.c_str(), "rb");
  if (!stream)
    return Error{path + ": cannot open: " + std::strerror(errno)};
  uint8_t start[512];
  size_t count = std::fread(start, 1, sizeof(start), stream);
  int error = std::ferror(stream) ? errno : 0;
  std::fclose(stream);
  if (error)
    return Error{path + ": cannot read: " + std::strerror(error)};
  if (looksLikePlan(start, count))
    return readPlanFile(path);
  constexpr char kBytecode[] = {'M', 'L', '\xEF', 'R'};
  bool isBytecode = count >= sizeof(kBytecode) &&
                    std::memcmp(start, kBytecode, sizeof(kBytecode)) == 0;
  if (!isBytecode && std::memchr(start, 0, count))
    return Error{path + ": is neither a plan file nor a program"};
  return compileProgram(path, entry);
}

Expected<PlanFile> dtrt::loadProgramFile(const std::string &path,
                                         const std::string &entry) {
  Expected<PlanFile> file = readOrCompile(path, entry);
  if (!file)
    return file;
  if (Status status = verifyPlan(*file); !status)
    return Error{"plan '" + path + "': " + status.message()};
  return file;
}

Expected<size_t> dtrt::selectProgram(const schema::PlanT &plan,
                                     const std::string &entry) {
  std::set<size_t> references;
  for (const auto &program : plan.programs)
    if (program->reference >= 0)
      references.insert(static_cast<size_t>(program->reference));
  std::vector<size_t> candidates;
  std::string names;
  for (size_t i = 0; i < plan.programs.size(); ++i) {
    const std::string &name = plan.programs[i]->name;
    if (!entry.empty() ? name == entry : name == "main")
      return i;
    if (references.count(i))
      continue;
    candidates.push_back(i);
    names += (names.empty() ? "" : ", ") + name;
  }
  if (entry.empty() && candidates.size() == 1)
    return candidates.front();
  return Error{(entry.empty() ? "the plan has no program 'main'"
                              : "the plan has no program '" + entry + "'") +
               std::string("; it has: ") + (names.empty() ? "none" : names)};
}
