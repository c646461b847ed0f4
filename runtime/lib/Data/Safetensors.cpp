// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader of .safetensors files: u64 length of the header, JSON, data.
#include "dtrt/Safetensors.h"

#include <algorithm>
#include <flatbuffers/flexbuffers.h>
#include <flatbuffers/idl.h>
#include <tuple>

using namespace dtrt;
using dtensor::ElementType;

namespace {

/// The format's own limit.
constexpr uint64_t kMaxHeader = 100'000'000;

struct Dtype {
  const char *name;
  int64_t bytes;
  ElementType type;
};

constexpr Dtype kDtypes[] = {
    {"F64", 8, ElementType::F64},
    {"F32", 4, ElementType::F32},
    {"F16", 2, ElementType::F16},
    {"BF16", 2, ElementType::BF16},
    {"F8_E4M3", 1, ElementType::F8E4M3FN},
    {"F8_E5M2", 1, ElementType::F8E5M2},
    {"I64", 8, ElementType::I64},
    {"U64", 8, ElementType::I64},
    {"I32", 4, ElementType::I32},
    {"U32", 4, ElementType::I32},
    {"I16", 2, ElementType::I16},
    {"U16", 2, ElementType::I16},
    {"I8", 1, ElementType::I8},
    {"U8", 1, ElementType::I8},
    {"BOOL", 1, ElementType::I1},
};

const Dtype *findDtype(const std::string &name) {
  for (const Dtype &dtype : kDtypes)
    if (name == dtype.name)
      return &dtype;
  return nullptr;
}

/// A vector of non-negative integers.
bool readNumbers(flexbuffers::Reference value, std::vector<int64_t> &out) {
  if (!value.IsVector() && !value.IsTypedVector())
    return false;
  // An empty array has no element type, so the count comes first.
  size_t count =
      value.IsVector() ? value.AsVector().size() : value.AsTypedVector().size();
  for (size_t i = 0; i < count; ++i) {
    flexbuffers::Reference number =
        value.IsVector() ? value.AsVector()[i] : value.AsTypedVector()[i];
    if (!number.IsIntOrUint() || number.AsInt64() < 0)
      return false;
    out.push_back(number.AsInt64());
  }
  return true;
}

Expected<SafetensorsEntry> readEntry(flexbuffers::Reference value,
                                     size_t dataStart, size_t dataSize) {
  SafetensorsEntry entry;
  std::vector<int64_t> offsets;
  if (!value.IsMap())
    return Error{"is not an object"};
  flexbuffers::Map map = value.AsMap();
  if (!map["dtype"].IsString() || !readNumbers(map["shape"], entry.shape) ||
      !readNumbers(map["data_offsets"], offsets) || offsets.size() != 2)
    return Error{"lacks a proper dtype, shape or data_offsets"};
  entry.dtype = map["dtype"].AsString().str();
  const Dtype *dtype = findDtype(entry.dtype);
  if (!dtype)
    return Error{"has the unknown type '" + entry.dtype + "'"};
  if (offsets[0] > offsets[1] || static_cast<uint64_t>(offsets[1]) > dataSize)
    return Error{"has data at [" + std::to_string(offsets[0]) + ", " +
                 std::to_string(offsets[1]) + "), the file has " +
                 std::to_string(dataSize) + " bytes of data: truncated?"};
  int64_t want = dtype->bytes;
  bool empty = std::count(entry.shape.begin(), entry.shape.end(), 0) > 0;
  for (int64_t extent : entry.shape)
    if (!empty && __builtin_mul_overflow(want, extent, &want))
      return Error{"has a shape that is too large"};
  want = empty ? 0 : want;
  if (offsets[1] - offsets[0] != want)
    return Error{"has " + std::to_string(offsets[1] - offsets[0]) +
                 " bytes of data, shape " + shapeText(entry.shape) + " of " +
                 entry.dtype + " takes " + std::to_string(want)};
  entry.offset = dataStart + static_cast<size_t>(offsets[0]);
  entry.bytes = static_cast<size_t>(want);
  return entry;
}

/// Names the first two tensors whose data overlaps.
Status checkOverlap(const std::map<std::string, SafetensorsEntry> &entries) {
  std::vector<std::pair<const SafetensorsEntry *, const std::string *>> order;
  for (const auto &[name, entry] : entries)
    if (entry.bytes > 0)
      order.push_back({&entry, &name});
  std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
    return std::tie(a.first->offset, *a.second) <
           std::tie(b.first->offset, *b.second);
  });
  for (size_t i = 1; i < order.size(); ++i)
    if (order[i].first->offset <
        order[i - 1].first->offset + order[i - 1].first->bytes)
      return Error{"tensors '" + *order[i - 1].second + "' and '" +
                   *order[i].second + "' overlap"};
  return Status::success();
}

} // namespace

Expected<std::map<std::string, SafetensorsEntry>>
dtrt::parseSafetensors(const std::byte *bytes, size_t size) {
  uint64_t length = 0;
  for (size_t i = 0; i < 8 && i < size; ++i)
    length |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  if (size < 8 || length > size - 8 || length > kMaxHeader)
    return Error{"not a safetensors file, or its header is truncated"};
  std::string json(reinterpret_cast<const char *>(bytes) + 8, length);
  // The parser reads C strings, and keys are compared as such.
  flatbuffers::Parser parser;
  flexbuffers::Builder builder;
  if (json.find('\0') != std::string::npos ||
      !parser.ParseFlexBuffer(json.c_str(), nullptr, &builder))
    return Error{"the safetensors header is not JSON" +
                 (parser.error_.empty() ? "" : ": " + parser.error_)};
  flexbuffers::Reference root = flexbuffers::GetRoot(builder.GetBuffer());
  if (!root.IsMap())
    return Error{"the safetensors header is not a JSON object"};
  std::map<std::string, SafetensorsEntry> entries;
  flexbuffers::Map map = root.AsMap();
  flexbuffers::TypedVector keys = map.Keys();
  flexbuffers::Vector values = map.Values();
  for (size_t i = 0; i < keys.size(); ++i) {
    std::string name = keys[i].AsKey();
    if (name == "__metadata__")
      continue;
    size_t dataStart = 8 + static_cast<size_t>(length);
    Expected<SafetensorsEntry> entry =
        readEntry(values[i], dataStart, size - dataStart);
    if (!entry)
      return Error{"tensor '" + name + "' " + entry.error().message};
    if (!entries.emplace(name, std::move(*entry)).second)
      return Error{"two tensors are named '" + name + "'"};
  }
  if (Status status = checkOverlap(entries); !status)
    return status.error();
  return entries;
}

Status dtrt::checkSafetensors(const SafetensorsEntry &entry, ElementType type,
                              const std::vector<int64_t> &shape) {
  if (entry.shape != shape)
    return Error{"has shape " + shapeText(entry.shape) +
                 ", the program wants " + shapeText(shape)};
  if (findDtype(entry.dtype)->type != type)
    return Error{"has type " + entry.dtype + ", the program wants " +
                 std::string(dtensor::elementTypeName(type))};
  return Status::success();
}
