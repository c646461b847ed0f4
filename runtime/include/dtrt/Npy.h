// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy files: versions 1 to 3 read, C order only, little-endian.
// bf16 has no NumPy type: it is written as two-byte void and read from that
// or from uint16.
#ifndef DTRT_NPY_H
#define DTRT_NPY_H

#include "dtrt/Tensor.h"

namespace dtrt {

/// An array as the file states it.
struct NpyArray {
  std::string descr; ///< "<f4"
  std::vector<int64_t> shape;
  std::vector<std::byte> data;
};

/// What comes before the data.
struct NpyHeader {
  std::string descr;
  std::vector<int64_t> shape;
  size_t dataOffset = 0;
};

/// Reads the header of a file of which `bytes` are all; checks that the data
/// is as long as it says.
Expected<NpyHeader> parseNpyHeader(const std::byte *bytes, size_t size);
/// Refuses arrays that are no tensors of this type and shape.
Status checkNpy(const NpyHeader &header, dtensor::ElementType type,
                const std::vector<int64_t> &shape);

/// Reads an array from the bytes of a file, or from a file. Messages do not
/// name the file.
Expected<NpyArray> parseNpy(const std::byte *bytes, size_t size);
Expected<NpyArray> readNpy(const std::string &path);

/// Reads an array that has to be a tensor of the given type and shape.
/// Messages do not name the file.
Expected<GlobalTensor> readTensor(const std::string &path,
                                  dtensor::ElementType type,
                                  const std::vector<int64_t> &shape);

/// The bytes of a .npy file.
std::vector<std::byte> serializeNpy(const GlobalTensor &tensor);
/// Writes the file whole or not at all.
Status writeNpy(const std::string &path, const GlobalTensor &tensor);

} // namespace dtrt

#endif // DTRT_NPY_H
