// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader and writer of .npy files. The header is a Python dictionary with
// three known keys; a small scanner reads just that.
#include "dtrt/Npy.h"

#include "dtrt/PlanFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace dtrt;
using dtensor::ElementType;

namespace {

constexpr unsigned char kMagic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/// Scans "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }".
class HeaderScanner {
public:
  explicit HeaderScanner(std::string text) : text(std::move(text)) {}

  Status scan(NpyHeader &array) {
    if (!take('{'))
      return bad("does not start with '{'");
    while (!take('}')) {
      std::string key;
      if (!string(key) || !take(':'))
        return bad("has a bad key");
      Status status = value(key, array);
      if (!status)
        return status;
      take(',');
    }
    if (!seenDescr || !seenOrder || !seenShape)
      return bad("lacks descr, fortran_order or shape");
    return Status::success();
  }

private:
  static Error bad(const std::string &what) {
    return Error{"the .npy header " + what};
  }

  Status value(const std::string &key, NpyHeader &array) {
    if (key == "descr") {
      seenDescr = true;
      return string(array.descr)
                 ? Status::success()
                 : Status(bad("has a structured or unreadable descr"));
    }
    if (key == "fortran_order") {
      seenOrder = true;
      if (word("False"))
        return Status::success();
      return word("True") ? Status(Error{"the array is in Fortran order; save "
                                         "it with numpy.ascontiguousarray"})
                          : Status(bad("has a bad fortran_order"));
    }
    if (key == "shape") {
      seenShape = true;
      return shape(array.shape) ? Status::success()
                                : Status(bad("has a bad shape"));
    }
    return bad("has an unknown key '" + key + "'");
  }

  void skipSpaces() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
  }
  bool take(char wanted) {
    skipSpaces();
    if (at >= text.size() || text[at] != wanted)
      return false;
    ++at;
    return true;
  }
  bool word(const std::string &wanted) {
    skipSpaces();
    if (text.compare(at, wanted.size(), wanted) != 0)
      return false;
    at += wanted.size();
    return true;
  }
  bool string(std::string &out) {
    skipSpaces();
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"'))
      return false;
    size_t end = text.find(text[at], at + 1);
    if (end == std::string::npos)
      return false;
    out = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return true;
  }
  bool shape(std::vector<int64_t> &out) {
    if (!take('('))
      return false;
    out.clear();
    while (!take(')')) {
      skipSpaces();
      int64_t extent = 0;
      size_t begin = at;
      for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        if (__builtin_mul_overflow(extent, int64_t(10), &extent) ||
            __builtin_add_overflow(extent, int64_t(text[at] - '0'), &extent))
          return false;
      if (at == begin || out.size() >= 64)
        return false;
      out.push_back(extent);
      if (!take(',') && (at >= text.size() || text[at] != ')'))
        return false;
    }
    return true;
  }

  std::string text;
  size_t at = 0;
  bool seenDescr = false, seenOrder = false, seenShape = false;
};

/// Bytes of one element of `descr`, or 0.
int64_t descrBytes(const std::string &descr) {
  if (descr.size() != 3 || !std::strchr("<|=", descr[0]) ||
      !std::strchr("fiubV", descr[1]) || !std::strchr("1248", descr[2]))
    return 0;
  return descr[2] - '0';
}

/// The kinds and width that a file may have for a type.
const char *acceptedKinds(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::F32:
  case ElementType::F16:
    return "f";
  case ElementType::BF16:
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return "Vu";
  case ElementType::I1:
    return "b";
  default:
    return "iu";
  }
}

std::string writtenDescr(ElementType type) {
  std::string width = std::to_string(dtensor::elementBytes(type));
  return (width == "1" ? "|" : "<") + std::string(1, acceptedKinds(type)[0]) +
         width;
}

} // namespace

Expected<NpyHeader> dtrt::parseNpyHeader(const std::byte *bytes, size_t size) {
  const auto *raw = reinterpret_cast<const unsigned char *>(bytes);
  if (size < 10 || std::memcmp(raw, kMagic, sizeof(kMagic)) != 0)
    return Error{"not a .npy file"};
  int version = raw[6];
  if (version < 1 || version > 3)
    return Error{".npy version " + std::to_string(version) +
                 " is not supported (1 to 3 are)"};
  size_t prefix = version == 1 ? 10 : 12;
  if (size < prefix)
    return Error{"the .npy header is truncated"};
  size_t length = raw[8] | raw[9] << 8;
  if (version > 1)
    length |= static_cast<size_t>(raw[10]) << 16 | static_cast<size_t>(raw[11])
                                                       << 24;
  if (length > size - prefix)
    return Error{"the .npy header is truncated"};
  NpyHeader array;
  HeaderScanner scanner(
      std::string(reinterpret_cast<const char *>(raw) + prefix, length));
  if (Status status = scanner.scan(array); !status)
    return status.error();
  if (!array.descr.empty() && array.descr[0] == '>')
    return Error{"the array is big-endian (" + array.descr + ")"};
  int64_t width = descrBytes(array.descr);
  if (width == 0)
    return Error{"the array's type " + array.descr + " is not supported"};
  int64_t want = width;
  bool empty = std::count(array.shape.begin(), array.shape.end(), 0) > 0;
  for (int64_t extent : array.shape)
    if (!empty && __builtin_mul_overflow(want, extent, &want))
      return Error{"the array's shape is too large"};
  want = empty ? 0 : want;
  size_t have = size - prefix - length;
  if (static_cast<uint64_t>(want) != have)
    return Error{"has " + std::to_string(have) + " bytes of data, shape " +
                 shapeText(array.shape) + " of " + array.descr + " takes " +
                 std::to_string(want)};
  array.dataOffset = prefix + length;
  return array;
}

Expected<NpyArray> dtrt::parseNpy(const std::byte *bytes, size_t size) {
  Expected<NpyHeader> header = parseNpyHeader(bytes, size);
  if (!header)
    return header.error();
  return NpyArray{
      header->descr, header->shape, {bytes + header->dataOffset, bytes + size}};
}

Status dtrt::checkNpy(const NpyHeader &header, ElementType type,
                      const std::vector<int64_t> &shape) {
  if (header.shape != shape)
    return Error{"has shape " + shapeText(header.shape) +
                 ", the program wants " + shapeText(shape)};
  if (!std::strchr(acceptedKinds(type), header.descr[1]) ||
      descrBytes(header.descr) != dtensor::elementBytes(type))
    return Error{"has type " + header.descr + ", the program wants " +
                 std::string(dtensor::elementTypeName(type))};
  return Status::success();
}

Expected<NpyArray> dtrt::readNpy(const std::string &path) {
  std::FILE *stream = std::fopen(path.c_str(), "rb");
  if (!stream)
    return Error{std::string("cannot open: ") + std::strerror(errno)};
  std::vector<std::byte> bytes;
  std::vector<std::byte> block(1 << 20);
  size_t count = 0;
  while ((count = std::fread(block.data(), 1, block.size(), stream)) > 0)
    bytes.insert(bytes.end(), block.begin(),
                 block.begin() + static_cast<std::ptrdiff_t>(count));
  bool failed = std::ferror(stream) != 0;
  std::fclose(stream);
  if (failed)
    return Error{"cannot read"};
  return parseNpy(bytes.data(), bytes.size());
}

Expected<GlobalTensor> dtrt::readTensor(const std::string &path,
                                        ElementType type,
                                        const std::vector<int64_t> &shape) {
  Expected<NpyArray> array = readNpy(path);
  if (!array)
    return array.error();
  if (Status status = checkNpy({array->descr, array->shape, 0}, type, shape);
      !status)
    return status.error();
  if (type == ElementType::I1) // any other byte would be neither true nor false
    for (std::byte &value : array->data)
      value = value == std::byte(0) ? std::byte(0) : std::byte(1);
  return GlobalTensor{type, shape, std::move(array->data)};
}

std::vector<std::byte> dtrt::serializeNpy(const GlobalTensor &tensor) {
  std::string shape;
  for (int64_t extent : tensor.shape)
    shape += std::to_string(extent) + (tensor.shape.size() == 1 ? "," : ", ");
  if (tensor.shape.size() > 1)
    shape.resize(shape.size() - 2);
  std::string header = "{'descr': '" + writtenDescr(tensor.type) +
                       "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // The data starts at a multiple of 64, as NumPy's own writer has it.
  size_t total = (10 + header.size() + 1 + 63) / 64 * 64;
  header.resize(total - 11, ' ');
  header += '\n';
  std::vector<std::byte> bytes(total + tensor.data.size());
  auto *raw = reinterpret_cast<unsigned char *>(bytes.data());
  std::memcpy(raw, kMagic, sizeof(kMagic));
  raw[6] = 1;
  raw[7] = 0;
  raw[8] = static_cast<unsigned char>(header.size());
  raw[9] = static_cast<unsigned char>(header.size() >> 8);
  std::memcpy(raw + 10, header.data(), header.size());
  if (!tensor.data.empty())
    std::memcpy(raw + total, tensor.data.data(), tensor.data.size());
  return bytes;
}

Status dtrt::writeNpy(const std::string &path, const GlobalTensor &tensor) {
  std::vector<std::byte> bytes = serializeNpy(tensor);
  return writeFileAtomically(path, bytes.data(), bytes.size());
}
