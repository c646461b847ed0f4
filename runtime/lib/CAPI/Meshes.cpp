// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C interface: meshes and placements.
#include "CAPI/Handles.h"

#include <algorithm>

using namespace dtensor;
using namespace dtensor::capi;

Placements capi::toPlacements(const dtensorPlacements *placements) {
  if (!placements)
    return {};
  if (placements->text)
    return Placements::parse(placements->text);
  if (placements->count > 0)
    need(placements->list, "placements.list");
  std::vector<Placement> plain;
  std::vector<AxisPlacement> named;
  for (size_t i = 0; i < placements->count; ++i) {
    const dtensorPlacement &one = placements->list[i];
    Placement placement;
    switch (one.kind) {
    case DTENSOR_SHARD:
      placement = Shard(one.dim);
      break;
    case DTENSOR_REPLICATE:
      placement = Replicate();
      break;
    case DTENSOR_PARTIAL:
      placement = one.op ? Partial(std::string(one.op)) : Partial();
      break;
    default:
      throw DTensorError(ErrorCode::InvalidArgument,
                         std::to_string(one.kind) +
                             " is no kind of placement; they are 0 (shard), 1 "
                             "(replicate) and 2 (partial)");
    }
    if (one.axis)
      named.push_back({one.axis, placement});
    else
      plain.push_back(placement);
  }
  if (!named.empty() && !plain.empty())
    throw DTensorError(ErrorCode::InvalidArgument,
                       "some placements name an axis and some do not; name "
                       "all, or give one per mesh dimension in mesh order");
  return named.empty() ? Placements(std::move(plain))
                       : Placements::ordered(std::move(named));
}

dtensorStatus dtensorInitDeviceMesh(const char *deviceType,
                                    const int64_t *shape, size_t ndim,
                                    const char *const *names,
                                    dtensorMesh *mesh) {
  return guard([&] {
    need(mesh, "mesh");
    *mesh = new dtensorMeshHandle{initDeviceMesh(need(deviceType, "deviceType"),
                                                 toList(shape, ndim, "shape"),
                                                 toNames(names, ndim))};
  });
}

dtensorStatus dtensorMeshCreate(const char *deviceType, const int64_t *shape,
                                size_t ndim, const int64_t *ranks,
                                size_t numRanks, const char *const *names,
                                dtensorMesh *mesh) {
  return guard([&] {
    need(mesh, "mesh");
    *mesh = new dtensorMeshHandle{DeviceMesh::create(
        need(deviceType, "deviceType"), toList(shape, ndim, "shape"),
        toList(ranks, numRanks, "ranks"), toNames(names, ndim))};
  });
}

void dtensorMeshRelease(dtensorMesh mesh) { delete mesh; }

size_t dtensorMeshNdim(dtensorMesh mesh) {
  return static_cast<size_t>(mesh->mesh.ndim());
}

void dtensorMeshShape(dtensorMesh mesh, int64_t *shape) {
  std::vector<int64_t> sizes = mesh->mesh.shape();
  std::copy(sizes.begin(), sizes.end(), shape);
}

int64_t dtensorMeshSize(dtensorMesh mesh) { return mesh->mesh.size(); }

void dtensorMeshRanks(dtensorMesh mesh, int64_t *ranks) {
  std::vector<int64_t> all = mesh->mesh.ranks();
  std::copy(all.begin(), all.end(), ranks);
}

int32_t dtensorMeshHasNames(dtensorMesh mesh) {
  return !mesh->mesh.names().empty();
}

const char *dtensorMeshName(dtensorMesh mesh, size_t dim) {
  const std::vector<MeshAxis> &axes = mesh->mesh.grid().axes();
  return dim < axes.size() ? axes[dim].name.c_str() : "";
}

const char *dtensorMeshDeviceType(dtensorMesh mesh) {
  return mesh->mesh.deviceType().c_str();
}

int32_t dtensorMeshCoordinate(dtensorMesh mesh, int64_t *coordinate) {
  auto mine = mesh->mesh.getCoordinate();
  if (mine && coordinate)
    std::copy(mine->begin(), mine->end(), coordinate);
  return mine.has_value();
}

int32_t dtensorMeshEqual(dtensorMesh a, dtensorMesh b) {
  return a->mesh == b->mesh;
}

dtensorStatus dtensorMeshSlice(dtensorMesh mesh, const char *const *names,
                               size_t numNames, dtensorMesh *part) {
  return guard([&] {
    need(part, "part");
    *part = new dtensorMeshHandle{
        need(mesh, "mesh")->mesh.slice(toNames(names, numNames))};
  });
}

dtensorStatus dtensorMeshFlatten(dtensorMesh mesh, const char *name,
                                 dtensorMesh *line) {
  return guard([&] {
    need(line, "line");
    *line = new dtensorMeshHandle{
        need(mesh, "mesh")->mesh.flatten(name ? name : "")};
  });
}

dtensorStatus dtensorMeshWorld(dtensorMesh *mesh) {
  return guard([&] {
    need(mesh, "mesh");
    *mesh = new dtensorMeshHandle{DeviceMesh::world()};
  });
}

dtensorStatus dtensorMeshPart(dtensorMesh mesh, const int64_t *ranks,
                              size_t numRanks, dtensorMesh *part) {
  return guard([&] {
    need(part, "part");
    *part = new dtensorMeshHandle{
        need(mesh, "mesh")->mesh.part(toList(ranks, numRanks, "ranks"))};
  });
}

const char *dtensorMeshText(dtensorMesh mesh) {
  return keepText(mesh->mesh.text());
}
