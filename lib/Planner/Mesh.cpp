// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meshes: construction and checks, coordinates and groups, and the text forms
// of meshes and (sub-)axes.
#include "dtensor/Planner/Mesh.h"

#include "TextScanner.h"

#include <algorithm>

using namespace dtensor;

static constexpr int64_t maxRanks = int64_t(1) << 31;

static bool isAxisName(std::string_view name) {
  TextScanner scanner(name);
  return !name.empty() && scanner.identifier() == name;
}

/// Checks that `devices` is a permutation of 0..ranks-1 and inverts it.
static Expected<std::vector<int64_t>>
invertDeviceOrder(const std::vector<int64_t> &devices, int64_t ranks) {
  if (static_cast<int64_t>(devices.size()) != ranks)
    return Error{"device order lists " + std::to_string(devices.size()) +
                 " devices, but the mesh has " + std::to_string(ranks) +
                 " ranks; list each of 0.." + std::to_string(ranks - 1) +
                 " once"};
  std::vector<int64_t> inverse(ranks, -1);
  for (int64_t p = 0; p < ranks; ++p) {
    int64_t device = devices[p];
    if (device < 0 || device >= ranks)
      return Error{"device " + std::to_string(device) +
                   " in the device order is outside 0.." +
                   std::to_string(ranks - 1)};
    if (inverse[device] != -1)
      return Error{"device " + std::to_string(device) +
                   " appears twice in the device order; list each of 0.." +
                   std::to_string(ranks - 1) + " once"};
    inverse[device] = p;
  }
  return inverse;
}

Expected<Mesh> Mesh::create(std::vector<MeshAxis> axes,
                            std::vector<int64_t> devices) {
  Mesh mesh;
  for (size_t i = 0; i < axes.size(); ++i) {
    const MeshAxis &axis = axes[i];
    if (!isAxisName(axis.name))
      return Error{"bad axis name '" + axis.name +
                   "' (names match [A-Za-z_][A-Za-z0-9_]*)"};
    for (size_t j = 0; j < i; ++j)
      if (axes[j].name == axis.name)
        return Error{"axis '" + axis.name +
                     "' appears twice in the mesh; name each axis once"};
    if (axis.size < 1)
      return Error{"axis '" + axis.name + "' has size " +
                   std::to_string(axis.size) + ", but sizes start at 1"};
    if (axis.size > maxRanks / mesh.ranks)
      return Error{"axis '" + axis.name + "' of size " +
                   std::to_string(axis.size) +
                   " makes the mesh larger than 2^31 ranks"};
    mesh.ranks *= axis.size;
  }
  if (!devices.empty()) {
    auto inverse = invertDeviceOrder(devices, mesh.ranks);
    if (!inverse)
      return inverse.error();
    // The identity is kept as no order at all, so that equal meshes are equal.
    if (!std::is_sorted(devices.begin(), devices.end())) {
      mesh.devicePosition = std::move(*inverse);
      mesh.deviceOrder = std::move(devices);
    }
  }
  mesh.strides.resize(axes.size());
  int64_t stride = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    mesh.strides[i] = stride;
    stride *= axes[i].size;
  }
  mesh.meshAxes = std::move(axes);
  return mesh;
}

int Mesh::findAxis(std::string_view name) const {
  for (size_t i = 0; i < meshAxes.size(); ++i)
    if (meshAxes[i].name == name)
      return static_cast<int>(i);
  return -1;
}

int64_t Mesh::position(int64_t rank) const {
  return devicePosition.empty() ? rank : devicePosition[rank];
}

int64_t Mesh::rankAt(int64_t position) const {
  return deviceOrder.empty() ? position : deviceOrder[position];
}

int64_t Mesh::coordinate(int64_t rank, const AxisRef &ref) const {
  return position(rank) / stride(ref) % ref.size;
}

int64_t Mesh::flatCoordinate(int64_t rank,
                             const std::vector<AxisRef> &axes) const {
  int64_t flat = 0;
  for (const AxisRef &ref : axes)
    flat = flat * ref.size + coordinate(rank, ref);
  return flat;
}

int64_t Mesh::groupMember(int64_t rank, const std::vector<AxisRef> &axes,
                          int64_t index) const {
  int64_t at = position(rank);
  for (size_t a = axes.size(); a-- > 0;) {
    const AxisRef &ref = axes[a];
    at += (index % ref.size - coordinate(rank, ref)) * stride(ref);
    index /= ref.size;
  }
  return rankAt(at);
}

std::vector<int64_t> Mesh::group(int64_t rank,
                                 const std::vector<AxisRef> &axes) const {
  std::vector<int64_t> members(totalSize(axes));
  for (size_t i = 0; i < members.size(); ++i)
    members[i] = groupMember(rank, axes, static_cast<int64_t>(i));
  return members;
}

Expected<Mesh> dtensor::parseMesh(std::string_view text,
                                  std::vector<int64_t> devices) {
  std::vector<MeshAxis> axes;
  TextScanner scanner(text);
  while (!scanner.atEnd()) {
    std::string entry = scanner.entry();
    std::string name(scanner.identifier());
    std::optional<int64_t> size;
    if (!name.empty() && scanner.consume("="))
      size = scanner.integer();
    if (!size || (!scanner.atEnd() && !scanner.consume(",")))
      return Error{"cannot read '" + entry +
                   "' as a mesh axis; write NAME=SIZE, as in x=2,y=4"};
    axes.push_back({std::move(name), *size});
  }
  if (axes.empty())
    return Error{"the mesh has no axes; write NAME=SIZE, as in x=2,y=4"};
  return Mesh::create(std::move(axes), std::move(devices));
}

std::string dtensor::printMesh(const Mesh &mesh) {
  std::string text;
  for (const MeshAxis &axis : mesh.axes()) {
    if (!text.empty())
      text += ",";
    text += axis.name + "=" + std::to_string(axis.size);
  }
  return text;
}

int64_t dtensor::totalSize(const std::vector<AxisRef> &axes) {
  int64_t size = 1;
  for (const AxisRef &ref : axes)
    size *= ref.size;
  return size;
}

std::string dtensor::printAxisRef(const Mesh &mesh, const AxisRef &ref) {
  const std::string &name = mesh.axes()[ref.axis].name;
  if (mesh.isWhole(ref))
    return name;
  return name + ":(" + std::to_string(ref.preSize) + ")" +
         std::to_string(ref.size);
}

std::string dtensor::printAxisRefs(const Mesh &mesh,
                                   const std::vector<AxisRef> &refs) {
  std::string text;
  for (const AxisRef &ref : refs)
    text += (text.empty() ? "" : ", ") + printAxisRef(mesh, ref);
  return text;
}

static std::string axisNames(const Mesh &mesh) {
  std::string names;
  for (const MeshAxis &axis : mesh.axes())
    names += (names.empty() ? "" : ", ") + axis.name;
  return names;
}

Expected<AxisRef> dtensor::parseAxisRef(const Mesh &mesh,
                                        std::string_view text) {
  TextScanner scanner(text);
  std::string name(scanner.identifier());
  bool readable = !name.empty();
  std::optional<int64_t> pre, size;
  if (readable && scanner.consume(":")) {
    if (scanner.consume("("))
      pre = scanner.integer();
    if (pre && scanner.consume(")"))
      size = scanner.integer();
    readable = size.has_value();
  }
  if (!readable || !scanner.atEnd())
    return Error{"cannot read '" + std::string(text) +
                 "' as an axis; write NAME, or NAME:(BEFORE)SIZE for a part"};
  int axis = mesh.findAxis(name);
  if (axis < 0)
    return Error{"unknown axis '" + name + "' (the mesh has " +
                 axisNames(mesh) + ")"};
  int64_t whole = mesh.axes()[axis].size;
  if (!size)
    return mesh.wholeAxis(axis);
  if (*pre < 1 || *size < 1 || whole % *pre != 0 || whole / *pre % *size != 0)
    return Error{"part '" + std::string(text) + "' does not divide axis '" +
                 name + "' of size " + std::to_string(whole) + "; " +
                 std::to_string(*pre) + " * " + std::to_string(*size) +
                 " must be positive and divide it"};
  return AxisRef{axis, *pre, *size};
}
