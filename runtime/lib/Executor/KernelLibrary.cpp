// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the kernels of a plan from memory, after looking at what loading them
// would do.
#include "dtrt/ElfCheck.h"
#include "dtrt/Executor.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace dtrt;

namespace {

/// The best x86-64 level of this CPU; each level includes those before it.
int hostLevel() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("ssse3") ||
      !__builtin_cpu_supports("popcnt"))
    return 1;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
    return 2;
  if (!__builtin_cpu_supports("avx512f") ||
      !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd") ||
      !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl"))
    return 3;
  return 4;
#else
  return 0;
#endif
}

Status checkTarget(const std::string &target) {
  const char *names[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  int host = hostLevel();
  for (int level = 1; level <= 4; ++level)
    if (target == names[level - 1]) {
      if (level <= host)
        return Status::success();
      return Error{"the kernels need a CPU of level " + target +
                   ", this one is " +
                   (host == 0 ? "not x86-64" : names[host - 1])};
    }
  return Error{"the kernels are for an unknown CPU '" + target + "'"};
}

Expected<void *> openFromMemory(const std::vector<uint8_t> &bytes) {
  int descriptor = ::memfd_create("dtrt-kernels", MFD_CLOEXEC);
  if (descriptor < 0)
    return Error{std::string("cannot make memory for the kernels: ") +
                 std::strerror(errno)};
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t written =
        ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written <= 0) {
      int error = errno;
      ::close(descriptor);
      return Error{std::string("cannot write the kernels to memory: ") +
                   std::strerror(error)};
    }
    done += static_cast<size_t>(written);
  }
  std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  void *handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char *message = handle ? nullptr : ::dlerror();
  ::close(descriptor);
  if (!handle)
    return Error{std::string("cannot load the kernels: ") +
                 (message ? message : "unknown")};
  return handle;
}

} // namespace

KernelLibrary::~KernelLibrary() {
  if (handle)
    ::dlclose(handle);
}

Expected<std::unique_ptr<KernelLibrary>>
KernelLibrary::load(const PlanFile &file) {
  std::unique_ptr<KernelLibrary> library(new KernelLibrary());
  if (file.kernels.empty())
    return library;
  if (Status status = checkTarget(file.plan.kernel_target); !status)
    return status.error();
  if (Status status =
          checkKernelObject(file.kernels.data(), file.kernels.size());
      !status)
    return status.error();
  Expected<void *> handle = openFromMemory(file.kernels);
  if (!handle)
    return handle.error();
  library->handle = *handle;
  for (const auto &kernel : file.plan.kernels) {
    void *symbol = ::dlsym(library->handle, kernel->symbol.c_str());
    if (!symbol)
      return Error{"the kernels section has no symbol '" + kernel->symbol +
                   "'"};
    library->functions.push_back(reinterpret_cast<KernelFunction>(symbol));
  }
  return library;
}
