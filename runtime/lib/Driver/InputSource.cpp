// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of inputs: random, or in files of which a rank reads its own part.
#include "Driver/Driver.h"

#include "dtrt/Npy.h"
#include "dtrt/StridedLoop.h"

using namespace dtrt;
using dtensor::Box;
using dtensor::ElementType;
using dtensor::Layout;
using dtensor::Mesh;

InputSource::~InputSource() = default;

namespace {

class MemorySource : public InputSource {
public:
  explicit MemorySource(GlobalTensor tensor) : tensor(std::move(tensor)) {}

  void fill(const Mesh &mesh, const Layout &layout, int64_t rank,
            std::byte *local) const override {
    distributeTensor(mesh, layout, tensor, rank, local);
  }

private:
  GlobalTensor tensor;
};

/// Counter-based values of the rank's box alone.
class RandomSource : public InputSource {
public:
  RandomSource(ElementType type, std::vector<int64_t> shape, uint64_t seed,
               uint32_t stream)
      : type(type), shape(std::move(shape)), seed(seed), stream(stream) {}

  void fill(const Mesh &mesh, const Layout &layout, int64_t rank,
            std::byte *local) const override {
    distributeBox(mesh, layout, type, shape, rank, local,
                  [&](const Box &box, std::byte *out) {
                    randomBox(type, shape, box, seed, stream, out);
                  });
  }

private:
  ElementType type;
  std::vector<int64_t> shape;
  uint64_t seed;
  uint32_t stream;
};

/// A dense row-major tensor inside a file.
class FileSource : public InputSource {
public:
  FileSource(std::shared_ptr<const MappedFile> file, size_t offset,
             ElementType type, std::vector<int64_t> shape)
      : file(std::move(file)), offset(offset), type(type),
        shape(std::move(shape)) {}

  void fill(const Mesh &mesh, const Layout &layout, int64_t rank,
            std::byte *local) const override {
    distributeBox(mesh, layout, type, shape, rank, local,
                  [&](const Box &box, std::byte *out) { read(box, out); });
  }

private:
  void read(const Box &box, std::byte *out) const {
    Box whole{std::vector<int64_t>(shape.size(), 0), shape};
    copyBox(StridedLoop(box, {whole, box}, dtensor::elementBytes(type)),
            file->data() + offset, out);
    if (type == ElementType::I1) // any other byte is neither true nor false
      for (int64_t i = 0; i < box.numElements(); ++i)
        out[i] = out[i] == std::byte(0) ? std::byte(0) : std::byte(1);
  }

  std::shared_ptr<const MappedFile> file;
  size_t offset;
  ElementType type;
  std::vector<int64_t> shape;
};

/// One tensor per rank, already as that rank holds it.
class LocalSource : public InputSource {
public:
  LocalSource(const Mesh &mesh, Layout layout, ElementType type,
              std::vector<int64_t> shape)
      : ownMesh(mesh), layout(std::move(layout)), type(type),
        shape(std::move(shape)) {}

  void fill(const Mesh &mesh, const Layout &wanted, int64_t rank,
            std::byte *local) const override {
    if (mesh.numRanks() == ownMesh.numRanks()) {
      const std::vector<std::byte> &data = parts.at(rank).data;
      std::copy(data.begin(), data.end(), local);
      return;
    }
    // The unsharded program wants all of it.
    GlobalTensor global =
        assembleTensor(ownMesh, layout, type, shape, [&](int64_t rank) {
          return parts.at(rank).data.data();
        });
    distributeTensor(mesh, wanted, global, rank, local);
  }

  std::map<int64_t, GlobalTensor> parts;

private:
  Mesh ownMesh;
  Layout layout;
  ElementType type;
  std::vector<int64_t> shape;
};

} // namespace

std::unique_ptr<InputSource>
dtrt::randomSource(ElementType type, const std::vector<int64_t> &shape,
                   uint64_t seed, uint32_t stream, bool inMemory) {
  if (inMemory)
    return std::make_unique<MemorySource>(
        randomTensor(type, shape, seed, stream));
  return std::make_unique<RandomSource>(type, shape, seed, stream);
}

Expected<std::unique_ptr<InputSource>>
dtrt::npySource(const std::string &path, ElementType type,
                const std::vector<int64_t> &shape) {
  Expected<std::shared_ptr<const MappedFile>> file = MappedFile::open(path);
  if (!file)
    return file.error();
  Expected<NpyHeader> header = parseNpyHeader((*file)->data(), (*file)->size());
  if (!header)
    return header.error();
  if (Status status = checkNpy(*header, type, shape); !status)
    return status.error();
  return std::unique_ptr<InputSource>(std::make_unique<FileSource>(
      std::move(*file), header->dataOffset, type, shape));
}

std::string dtrt::localFileName(const std::string &path, int64_t rank) {
  std::string stem = path;
  const std::string extension = ".npy";
  if (stem.size() > extension.size() &&
      stem.compare(stem.size() - extension.size(), extension.size(),
                   extension) == 0)
    stem.resize(stem.size() - extension.size());
  return stem + ".rank" + std::to_string(rank) + extension;
}

Expected<std::unique_ptr<InputSource>>
dtrt::localNpySource(const std::string &path, const Mesh &mesh,
                     const Layout &layout, ElementType type,
                     const std::vector<int64_t> &shape,
                     const std::vector<int64_t> &ranks) {
  auto source = std::make_unique<LocalSource>(mesh, layout, type, shape);
  for (int64_t rank : ranks) {
    Box box = dtensor::localBox(mesh, layout, shape, rank);
    std::vector<int64_t> local;
    for (size_t d = 0; d < shape.size(); ++d)
      local.push_back(box.hi[d] - box.lo[d]);
    std::string name = localFileName(path, rank);
    Expected<GlobalTensor> part = readTensor(name, type, local);
    if (!part)
      return Error{name + ": " + part.error().message};
    source->parts.emplace(rank, std::move(*part));
  }
  return std::unique_ptr<InputSource>(std::move(source));
}

Expected<WeightsFile> WeightsFile::open(const std::string &path) {
  Expected<std::shared_ptr<const MappedFile>> file = MappedFile::open(path);
  if (!file)
    return file.error();
  auto entries = parseSafetensors((*file)->data(), (*file)->size());
  if (!entries)
    return entries.error();
  WeightsFile out;
  out.file = std::move(*file);
  out.entries = std::move(*entries);
  return out;
}

Expected<std::unique_ptr<InputSource>>
WeightsFile::source(const std::string &name, ElementType type,
                    const std::vector<int64_t> &shape) const {
  const SafetensorsEntry &entry = entries.at(name);
  if (Status status = checkSafetensors(entry, type, shape); !status)
    return status.error();
  return std::unique_ptr<InputSource>(
      std::make_unique<FileSource>(file, entry.offset, type, shape));
}
