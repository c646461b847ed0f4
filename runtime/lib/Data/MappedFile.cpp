// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files in memory without reading them.
#include "dtrt/Safetensors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dtrt;

MappedFile::~MappedFile() {
  if (mapped)
    ::munmap(const_cast<std::byte *>(bytes), length);
}

Expected<std::shared_ptr<const MappedFile>>
MappedFile::open(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return Error{std::string("cannot open: ") + std::strerror(errno)};
  std::shared_ptr<MappedFile> out(new MappedFile);
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size > 0) {
    void *at = ::mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ,
                      MAP_PRIVATE, file, 0);
    if (at != MAP_FAILED) {
      out->bytes = static_cast<const std::byte *>(at);
      out->length = static_cast<size_t>(status.st_size);
      out->mapped = true;
      ::close(file);
      return std::shared_ptr<const MappedFile>(std::move(out));
    }
  }
  // Pipes, and file systems that do not map.
  std::vector<std::byte> block(1 << 20);
  ssize_t count = 0;
  while ((count = ::read(file, block.data(), block.size())) > 0)
    out->copy.insert(out->copy.end(), block.begin(), block.begin() + count);
  int error = errno;
  ::close(file);
  if (count < 0)
    return Error{std::string("cannot read: ") + std::strerror(error)};
  out->bytes = out->copy.data();
  out->length = out->copy.size();
  return std::shared_ptr<const MappedFile>(std::move(out));
}
