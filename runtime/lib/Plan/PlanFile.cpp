// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The container of plan files: writer, reader, and whole-file writes.
#include "dtrt/PlanFile.h"

#include "Plan/Xxh64.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace dtrt;

namespace {

constexpr char kMagic[8] = {'D', 'T', 'N', 'S', 'P', 'L', 'A', 'N'};
constexpr size_t kHeaderBytes = 32;
constexpr size_t kEntryBytes = 32;
constexpr size_t kPage = 4096;
constexpr uint32_t kMetadata = 1;
constexpr uint32_t kKernels = 2;
constexpr uint32_t kProgramText = 3;
constexpr uint32_t kMaxSections = 64;

struct Section {
  uint32_t kind = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t hash = 0;
};

void put(uint8_t *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    at[i] = static_cast<uint8_t>(value >> (8 * i));
}

uint64_t get(const uint8_t *at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= static_cast<uint64_t>(at[i]) << (8 * i);
  return value;
}

const char *sectionName(uint32_t kind) {
  switch (kind) {
  case kMetadata:
    return "metadata";
  case kKernels:
    return "kernels";
  case kProgramText:
    return "program text";
  default:
    return "?";
  }
}

std::string atByte(uint64_t offset) {
  return " (byte " + std::to_string(offset) + ")";
}

/// Reads the container of one file; every message starts with its name.
class ContainerReader {
public:
  ContainerReader(const uint8_t *data, size_t size, const std::string &name)
      : data(data), size(size), name(name) {}

  Expected<std::vector<Section>> sections() {
    if (Status status = checkHeader(); !status)
      return status.error();
    std::vector<Section> table;
    uint64_t end = kHeaderBytes + kEntryBytes * count;
    for (uint32_t i = 0; i < count; ++i) {
      Expected<Section> section = readEntry(i, end);
      if (!section)
        return section.error();
      for (const Section &earlier : table)
        if (earlier.kind == section->kind)
          return fail("section table: two " +
                      std::string(sectionName(section->kind)) + " sections");
      end = section->offset + section->size;
      table.push_back(*section);
    }
    if (end != size)
      return fail("bytes after the last section" + atByte(end));
    return table;
  }

private:
  Error fail(const std::string &what) const {
    return Error{name + ": " + what};
  }

  Status checkHeader() {
    if (!looksLikePlan(data, size))
      return fail("not a plan file: does not start with DTNSPLAN");
    if (size < kHeaderBytes)
      return fail("truncated in the header: " + std::to_string(size) +
                  " bytes of " + std::to_string(kHeaderBytes));
    uint64_t version = get(data + 8, 4);
    if (version != kPlanVersion)
      return fail("plan version " + std::to_string(version) +
                  "; this runtime reads version " +
                  std::to_string(kPlanVersion) + atByte(8));
    count = static_cast<uint32_t>(get(data + 12, 4));
    if (count == 0 || count > kMaxSections)
      return fail(std::to_string(count) + " sections; a plan has 1 to " +
                  std::to_string(kMaxSections) + atByte(12));
    uint64_t declared = get(data + 16, 8);
    if (declared != size)
      return fail((declared > size ? "truncated: the header says "
                                   : "too long: the header says ") +
                  std::to_string(declared) + " bytes, the file has " +
                  std::to_string(size) + atByte(16));
    if (kHeaderBytes + kEntryBytes * count > size)
      return fail("the section table does not fit in the file" +
                  atByte(kHeaderBytes));
    if (xxh64(data + kHeaderBytes, kEntryBytes * count) != get(data + 24, 8))
      return fail("the section table is damaged: its hash differs" +
                  atByte(kHeaderBytes));
    return Status::success();
  }

  Expected<Section> readEntry(uint32_t index, uint64_t previousEnd) const {
    uint64_t at = kHeaderBytes + kEntryBytes * index;
    Section section;
    section.kind = static_cast<uint32_t>(get(data + at, 4));
    section.offset = get(data + at + 8, 8);
    section.size = get(data + at + 16, 8);
    section.hash = get(data + at + 24, 8);
    std::string label = "section " + std::to_string(index) + " (" +
                        sectionName(section.kind) + ")";
    if (section.kind < kMetadata || section.kind > kProgramText)
      return fail(label + ": unknown kind " + std::to_string(section.kind) +
                  atByte(at));
    if (get(data + at + 4, 4) != 0)
      return fail(label + ": reserved bytes are not zero" + atByte(at + 4));
    if (section.offset % kPage != 0 || section.offset < previousEnd)
      return fail(label + ": bad offset " + std::to_string(section.offset) +
                  atByte(at + 8));
    if (section.offset > size || section.size > size - section.offset)
      return fail(label + ": ends after the file's last byte" +
                  atByte(at + 16));
    for (uint64_t gap = previousEnd; gap < section.offset; ++gap)
      if (data[gap] != 0)
        return fail("padding before " + label + " is damaged" + atByte(gap));
    if (xxh64(data + section.offset, section.size) != section.hash)
      return fail(label + " is damaged: its hash differs (bytes " +
                  std::to_string(section.offset) + " to " +
                  std::to_string(section.offset + section.size) + ")");
    return section;
  }

  const uint8_t *data;
  size_t size;
  const std::string &name;
  uint32_t count = 0;
};

Status unpackMetadata(const uint8_t *data, const Section &section,
                      const std::string &name, schema::PlanT &plan) {
  // A copy, because FlatBuffers wants alignment that `data` may not have.
  std::vector<uint64_t> aligned((section.size + 7) / 8 + 1);
  std::memcpy(aligned.data(), data + section.offset, section.size);
  const auto *bytes = reinterpret_cast<const uint8_t *>(aligned.data());
  // A table takes at least four bytes, so more tables than that means shared
  // ones, which would unpack to far more than the file holds.
  flatbuffers::Verifier verifier(
      bytes, section.size, /*max_depth=*/64,
      /*max_tables=*/
      static_cast<flatbuffers::uoffset_t>(section.size / 4 + 64));
  if (!schema::VerifyPlanBuffer(verifier))
    return Error{name + ": the metadata section (byte " +
                 std::to_string(section.offset) +
                 ") is not a valid FlatBuffer of the plan schema"};
  schema::GetPlan(bytes)->UnPackTo(&plan);
  return Status::success();
}

} // namespace

std::vector<uint8_t> dtrt::serializePlan(const PlanFile &file) {
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishPlanBuffer(builder, schema::Plan::Pack(builder, &file.plan));
  struct Piece {
    uint32_t kind;
    const uint8_t *data;
    size_t size;
  };
  std::vector<Piece> pieces = {
      {kMetadata, builder.GetBufferPointer(), builder.GetSize()}};
  if (!file.kernels.empty())
    pieces.push_back({kKernels, file.kernels.data(), file.kernels.size()});
  if (!file.programText.empty())
    pieces.push_back(
        {kProgramText,
         reinterpret_cast<const uint8_t *>(file.programText.data()),
         file.programText.size()});

  std::vector<uint8_t> bytes(kHeaderBytes + kEntryBytes * pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece &piece = pieces[i];
    size_t offset = (bytes.size() + kPage - 1) / kPage * kPage;
    bytes.resize(offset);
    bytes.insert(bytes.end(), piece.data, piece.data + piece.size);
    uint8_t *entry = bytes.data() + kHeaderBytes + kEntryBytes * i;
    put(entry, piece.kind, 4);
    put(entry + 8, offset, 8);
    put(entry + 16, piece.size, 8);
    put(entry + 24, xxh64(piece.data, piece.size), 8);
  }
  std::memcpy(bytes.data(), kMagic, sizeof(kMagic));
  put(bytes.data() + 8, kPlanVersion, 4);
  put(bytes.data() + 12, pieces.size(), 4);
  put(bytes.data() + 16, bytes.size(), 8);
  put(bytes.data() + 24,
      xxh64(bytes.data() + kHeaderBytes, kEntryBytes * pieces.size()), 8);
  return bytes;
}

bool dtrt::looksLikePlan(const uint8_t *data, size_t size) {
  return size > 0 &&
         std::memcmp(data, kMagic, std::min(size, sizeof(kMagic))) == 0;
}

Expected<PlanFile> dtrt::parsePlan(const uint8_t *data, size_t size,
                                   const std::string &name) {
  Expected<std::vector<Section>> sections =
      ContainerReader(data, size, name).sections();
  if (!sections)
    return sections.error();
  PlanFile file;
  bool found = false;
  for (const Section &section : *sections) {
    if (section.kind == kKernels) {
      file.kernels.assign(data + section.offset,
                          data + section.offset + section.size);
      continue;
    }
    if (section.kind == kProgramText) {
      const auto *text = reinterpret_cast<const char *>(data + section.offset);
      file.programText.assign(text, section.size);
      continue;
    }
    found = true;
    if (Status status = unpackMetadata(data, section, name, file.plan); !status)
      return status.error();
  }
  if (!found)
    return Error{name + ": has no metadata section"};
  if (Status status = validatePlan(file); !status)
    return Error{"plan '" + name + "': " + status.message()};
  return file;
}

Expected<PlanFile> dtrt::readPlanFile(const std::string &path) {
  std::FILE *stream = std::fopen(path.c_str(), "rb");
  if (!stream)
    return Error{path + ": cannot open: " + std::strerror(errno)};
  std::vector<uint8_t> bytes;
  uint8_t block[1 << 16];
  size_t count = 0;
  errno = 0;
  while ((count = std::fread(block, 1, sizeof(block), stream)) > 0)
    bytes.insert(bytes.end(), block, block + count);
  bool failed = std::ferror(stream) != 0;
  int error = errno;
  std::fclose(stream);
  if (failed)
    return Error{path + ": cannot read: " + std::strerror(error)};
  return parsePlan(bytes.data(), bytes.size(), path);
}

Status dtrt::writeFileAtomically(const std::string &path, const void *data,
                                 size_t size) {
  std::string temporary = path + ".XXXXXX";
  int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0)
    return Error{path + ": cannot create: " + std::strerror(errno)};
  const char *at = static_cast<const char *>(data);
  size_t left = size;
  bool good = true;
  while (good && left > 0) {
    ssize_t written = ::write(descriptor, at, left);
    if (written < 0 && errno == EINTR)
      continue;
    good = written > 0;
    if (good) {
      at += written;
      left -= static_cast<size_t>(written);
    }
  }
  // mkstemp makes files that only the owner reads; outputs are ordinary files.
  good = good && ::fchmod(descriptor, 0644) == 0;
  int error = errno;
  if (::close(descriptor) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && ::rename(temporary.c_str(), path.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (good)
    return Status::success();
  ::unlink(temporary.c_str());
  return Error{path + ": cannot write: " + std::strerror(error)};
}
