// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device meshes: checks, parts of meshes, and the current one.
#include "API/TensorState.h"

#include "Plan/Xxh64.h"

#include <algorithm>
#include <numeric>

using namespace dtensor;

namespace {

std::string listText(const std::vector<int64_t> &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return "[" + text + "]";
}

DTensorError refuse(const std::string &text) {
  return DTensorError(ErrorCode::InvalidArgument, text);
}

void checkDeviceType(const std::string &deviceType) {
  if (deviceType == "cpu")
    return;
  throw DTensorError(deviceType == "cuda" ? ErrorCode::NotSupported
                                          : ErrorCode::InvalidArgument,
                     "device type '" + deviceType +
                         "' is not there: this build runs on 'cpu' only");
}

/// A mesh of `ranks`, row-major; checks all that does not need other ranks.
std::shared_ptr<MeshState> makeMesh(const std::shared_ptr<RankContext> &context,
                                    const std::string &deviceType,
                                    const std::vector<int64_t> &shape,
                                    const std::vector<int64_t> &ranks,
                                    const std::vector<std::string> &names,
                                    const std::string &key) {
  checkDeviceType(deviceType);
  if (shape.empty())
    throw refuse("a mesh needs at least one dimension");
  if (!names.empty() && names.size() != shape.size())
    throw refuse(std::to_string(names.size()) +
                 " names do not fit a mesh of shape " + listText(shape) +
                 "; give one for each dimension, or none");
  std::vector<MeshAxis> axes;
  for (size_t i = 0; i < shape.size(); ++i)
    axes.push_back(
        {names.empty() ? "dim" + std::to_string(i) : names[i], shape[i]});
  Mesh checked = unwrap(Mesh::create(axes));
  if (checked.numRanks() != static_cast<int64_t>(ranks.size()))
    throw refuse("a mesh of shape " + listText(shape) + " has " +
                 std::to_string(checked.numRanks()) + " ranks, but " +
                 std::to_string(ranks.size()) + " are given");
  std::vector<int64_t> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] < 0 || sorted[i] >= context->world->size)
      throw refuse("rank " + std::to_string(sorted[i]) +
                   " of the mesh does not exist: there are " +
                   std::to_string(context->world->size) +
                   " ranks, numbered from 0");
    if (i > 0 && sorted[i] == sorted[i - 1])
      throw refuse("rank " + std::to_string(sorted[i]) +
                   " is twice in the mesh");
  }
  std::vector<int64_t> order;
  if (ranks != sorted)
    for (int64_t rank : ranks)
      order.push_back(std::lower_bound(sorted.begin(), sorted.end(), rank) -
                      sorted.begin());
  Mesh grid = unwrap(Mesh::create(std::move(axes), std::move(order)));
  return std::make_shared<MeshState>(context, deviceType, std::move(grid),
                                     std::move(sorted), names, key);
}

const MeshState &inside(const std::shared_ptr<MeshState> &state) {
  if (state->me >= 0)
    return *state;
  throw refuse("rank " + std::to_string(state->context->rank) +
               " is not in the mesh " + state->text() + " of ranks " +
               listText(state->ranks));
}

thread_local std::vector<DeviceMesh> meshStack;

} // namespace

MeshState::MeshState(std::shared_ptr<RankContext> context,
                     std::string deviceType, Mesh theGrid,
                     std::vector<int64_t> theRanks,
                     std::vector<std::string> names, std::string theKey)
    : context(std::move(context)), deviceType(std::move(deviceType)),
      grid(std::move(theGrid)), ranks(std::move(theRanks)),
      names(std::move(names)), key(std::move(theKey)),
      // 0 is the channel of the world.
      channel(dtrt::xxh64(key.data(), key.size()) | 1), me([this] {
        auto found =
            std::lower_bound(ranks.begin(), ranks.end(), this->context->rank);
        return found != ranks.end() && *found == this->context->rank
                   ? found - ranks.begin()
                   : int64_t(-1);
      }()),
      gridText(printMesh(grid)) {}

DeviceMesh MeshState::derived(const std::string &how,
                              const std::function<DeviceMesh()> &make) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (parts.count(how))
      return DeviceMesh(parts[how]);
  }
  DeviceMesh made = make();
  std::lock_guard<std::mutex> lock(mutex);
  // All threads of the rank get the one that was first.
  return DeviceMesh(parts.emplace(how, made.impl()).first->second);
}

DeviceMesh DeviceMesh::create(const std::string &deviceType,
                              const std::vector<int64_t> &shape,
                              const std::vector<int64_t> &ranks,
                              const std::vector<std::string> &names) {
  std::shared_ptr<RankContext> context = RankContext::currentOrInitialize();
  std::string text =
      "a mesh of shape " + listText(shape) + " of ranks " + listText(ranks);
  for (const std::string &name : names)
    text += " " + name;
  // Validated before anyone is asked, counted only once it is right.
  makeMesh(context, deviceType, shape, ranks, names, "");
  int64_t number = context->countMesh(context->everyone());
  auto state = makeMesh(context, deviceType, shape, ranks, names,
                        text + " #" + std::to_string(number));
  runOnChannel(*context, 0, context->everyone(), [&](Agreement &all) {
    all.check(Call::make("DeviceMesh: " + state->key));
  });
  return DeviceMesh(state);
}

DeviceMesh DeviceMesh::world() {
  std::shared_ptr<RankContext> context = RankContext::currentOrInitialize();
  return DeviceMesh(context->worldMesh([&] {
    return makeMesh(context, "cpu", {context->world->size}, context->everyone(),
                    {}, "world");
  }));
}

DeviceMesh dtensor::initDeviceMesh(const std::string &deviceType,
                                   const std::vector<int64_t> &shape,
                                   const std::vector<std::string> &names) {
  std::shared_ptr<RankContext> context = RankContext::currentOrInitialize();
  checkDeviceType(deviceType);
  int64_t product = 1;
  for (int64_t size : shape)
    if (size < 1 || __builtin_mul_overflow(product, size, &product))
      throw refuse("a mesh of shape " + listText(shape) +
                   " is impossible: sizes are at least 1");
  if (product != context->world->size)
    throw refuse("a mesh of shape " + listText(shape) + " has " +
                 std::to_string(product) + " ranks, but " +
                 std::to_string(context->world->size) +
                 " run; choose sizes whose product is that, or DeviceMesh with "
                 "a list of ranks");
  return DeviceMesh::create(deviceType, shape, context->everyone(), names);
}

const std::string &DeviceMesh::deviceType() const { return state->deviceType; }

std::vector<int64_t> DeviceMesh::shape() const {
  std::vector<int64_t> sizes;
  for (const MeshAxis &axis : state->grid.axes())
    sizes.push_back(axis.size);
  return sizes;
}

int64_t DeviceMesh::ndim() const {
  return static_cast<int64_t>(state->grid.axes().size());
}

const std::vector<std::string> &DeviceMesh::names() const {
  return state->names;
}

int64_t DeviceMesh::size() const { return state->grid.numRanks(); }

int64_t DeviceMesh::size(int64_t dim) const {
  return state->grid.axes()[resolveDim(dim, ndim(), "mesh dimension")].size;
}

static int64_t axisNamed(const MeshState &mesh, const std::string &name) {
  int axis = mesh.grid.findAxis(name);
  if (axis >= 0)
    return axis;
  std::string known;
  for (const MeshAxis &one : mesh.grid.axes())
    known += (known.empty() ? "" : ", ") + one.name;
  throw refuse("the mesh has no dimension '" + name + "'; it has " + known);
}

int64_t DeviceMesh::size(const std::string &name) const {
  return state->grid.axes()[axisNamed(*state, name)].size;
}

std::vector<int64_t> DeviceMesh::ranks() const {
  std::vector<int64_t> out;
  for (int64_t at = 0; at < state->grid.numRanks(); ++at)
    out.push_back(state->ranks[state->grid.rankAt(at)]);
  return out;
}

int64_t DeviceMesh::getRank() const { return state->context->rank; }
bool DeviceMesh::contains() const { return state->me >= 0; }

std::optional<std::vector<int64_t>> DeviceMesh::getCoordinate() const {
  if (!contains())
    return std::nullopt;
  std::vector<int64_t> out;
  for (int64_t axis = 0; axis < ndim(); ++axis)
    out.push_back(state->grid.coordinate(
        state->me, state->grid.wholeAxis(static_cast<int>(axis))));
  return out;
}

int64_t DeviceMesh::getLocalRank(int64_t dim) const {
  dim = resolveDim(dim, ndim(), "mesh dimension");
  inside(state);
  return (*getCoordinate())[dim];
}

int64_t DeviceMesh::getLocalRank(const std::string &name) const {
  return getLocalRank(axisNamed(*state, name));
}

int64_t DeviceMesh::getLocalRank() const {
  if (ndim() != 1)
    throw refuse("getLocalRank needs a dimension: the mesh " + text() +
                 " has " + std::to_string(ndim()));
  return getLocalRank(int64_t(0));
}

DeviceMesh DeviceMesh::operator[](const std::string &name) const {
  return slice({name});
}

DeviceMesh DeviceMesh::slice(const std::vector<std::string> &names) const {
  if (names.empty())
    throw refuse("a part of a mesh needs at least one dimension's name");
  std::vector<AxisRef> axes;
  std::vector<int64_t> sizes;
  std::string how = "slice";
  for (const std::string &name : names) {
    axes.push_back(
        state->grid.wholeAxis(static_cast<int>(axisNamed(*state, name))));
    sizes.push_back(axes.back().size);
    if (std::count(names.begin(), names.end(), name) > 1)
      throw refuse("dimension '" + name + "' is named twice");
    how += " " + name;
  }
  inside(state);
  return state->derived(how, [&] {
    std::vector<int64_t> ranks;
    for (int64_t i = 0; i < totalSize(axes); ++i)
      ranks.push_back(
          state->ranks[state->grid.groupMember(state->me, axes, i)]);
    return DeviceMesh(makeMesh(state->context, state->deviceType, sizes, ranks,
                               names, state->key + " " + how));
  });
}

DeviceMesh DeviceMesh::flatten(const std::string &name) const {
  std::string joined = name;
  if (name.empty())
    for (const MeshAxis &axis : state->grid.axes())
      joined += (joined.empty() ? "" : "_") + axis.name;
  return state->derived("flatten " + joined, [&] {
    return DeviceMesh(makeMesh(state->context, state->deviceType, {size()},
                               ranks(), {joined},
                               state->key + " flatten " + joined));
  });
}

DeviceMesh DeviceMesh::part(const std::vector<int64_t> &ranks) const {
  for (int64_t rank : ranks)
    if (!std::binary_search(state->ranks.begin(), state->ranks.end(), rank))
      throw refuse("rank " + std::to_string(rank) + " is not in the mesh " +
                   text() + " of ranks " + listText(state->ranks));
  std::string how = "part " + listText(ranks);
  return state->derived(how, [&] {
    return DeviceMesh(makeMesh(state->context, state->deviceType,
                               {static_cast<int64_t>(ranks.size())}, ranks, {},
                               state->key + " " + how));
  });
}

DeviceMesh DeviceMesh::getGroup(int64_t dim) const {
  return slice(
      {state->grid.axes()[resolveDim(dim, ndim(), "mesh dimension")].name});
}

DeviceMesh DeviceMesh::getGroup(const std::string &name) const {
  return slice({name});
}

const Mesh &DeviceMesh::grid() const { return state->grid; }
std::string DeviceMesh::text() const { return state->text(); }

bool DeviceMesh::operator==(const DeviceMesh &other) const {
  return state == other.state || (state->context == other.state->context &&
                                  state->grid == other.state->grid &&
                                  state->ranks == other.state->ranks &&
                                  state->deviceType == other.state->deviceType);
}

//===----------------------------------------------------------------------===//
// The current mesh
//===----------------------------------------------------------------------===//

MeshScope::MeshScope(const DeviceMesh &mesh) { meshStack.push_back(mesh); }
MeshScope::~MeshScope() { meshStack.pop_back(); }

DeviceMesh dtensor::currentMesh() {
  if (meshStack.empty())
    throw refuse("no mesh is given and none is current; pass one, or open a "
                 "scope with it");
  return meshStack.back();
}

DeviceMesh dtensor::resolveMesh(const std::optional<DeviceMesh> &mesh) {
  return mesh ? *mesh : currentMesh();
}
