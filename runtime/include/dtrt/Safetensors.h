// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of named tensors as model hubs publish them: a JSON header, then raw
// little-endian data. Mapped, so that a rank touches only the part it reads.
#ifndef DTRT_SAFETENSORS_H
#define DTRT_SAFETENSORS_H

#include "dtrt/Tensor.h"

#include <map>
#include <memory>

namespace dtrt {

/// The bytes of a file, mapped where the file can be, else read.
class MappedFile {
public:
  /// Messages do not name the file.
  static Expected<std::shared_ptr<const MappedFile>>
  open(const std::string &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const std::byte *data() const { return bytes; }
  size_t size() const { return length; }

private:
  MappedFile() = default;

  const std::byte *bytes = nullptr;
  size_t length = 0;
  bool mapped = false;
  std::vector<std::byte> copy; ///< where it could not be mapped
};

/// A tensor in a file.
struct SafetensorsEntry {
  std::string dtype; ///< "BF16"
  std::vector<int64_t> shape;
  size_t offset = 0; ///< in the file
  size_t bytes = 0;
};

/// The tensors of a file's bytes by name. Refuses headers that are cut short
/// or malformed, types that it does not know, data outside the file, of a
/// wrong size, or shared by two tensors.
Expected<std::map<std::string, SafetensorsEntry>>
parseSafetensors(const std::byte *bytes, size_t size);

/// Refuses an entry that is no tensor of this type and shape. Unsigned
/// integers match the signless types of their width.
Status checkSafetensors(const SafetensorsEntry &entry,
                        dtensor::ElementType type,
                        const std::vector<int64_t> &shape);

} // namespace dtrt

#endif // DTRT_SAFETENSORS_H
