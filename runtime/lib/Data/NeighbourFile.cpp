// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Data/NeighbourFile.h"

#include <climits>
#include <dlfcn.h>
#include <unistd.h>

using namespace dtrt;

static std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/') + 1);
}

std::vector<std::string> dtrt::neighbourPaths(const std::string &library) {
  std::vector<std::string> paths;
  Dl_info info;
  if (::dladdr(reinterpret_cast<const void *>(&neighbourPaths), &info) &&
      info.dli_fname &&
      std::string(info.dli_fname).find('/') != std::string::npos)
    paths.push_back(folderOf(info.dli_fname) + library);
  char path[PATH_MAX];
  ssize_t length = ::readlink("/proc/self/exe", path, sizeof(path) - 1);
  std::string self(path, length > 0 ? static_cast<size_t>(length) : 0);
  paths.push_back(folderOf(self) + "../lib/" + library);
  return paths;
}
