// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution from one mesh to another: other shape, other device order,
// other devices.
#ifndef DTENSOR_PLANNER_MESHCHANGE_H
#define DTENSOR_PLANNER_MESHCHANGE_H

#include "dtensor/Planner/Redistribution.h"

namespace dtensor {

/// A mesh on some machine's devices. Rank r of `mesh` runs on devices[r],
/// ascending: with devices 0..n-1 a rank is its device's number.
struct PlacedMesh {
  Mesh mesh;
  std::vector<int64_t> devices;

  /// `order` names the device at each grid position, row-major; empty means
  /// 0..n-1. Refuses negative and repeated devices, and another number of
  /// them than the axes have ranks.
  static Expected<PlacedMesh> create(std::vector<MeshAxis> axes,
                                     const std::vector<int64_t> &order);
};

/// What is asked: a tensor of shape `shape` that has layout `from` on one mesh
/// shall have layout `to` on the other.
struct MeshChangeRequest {
  PlacedMesh source, target;
  std::vector<int64_t> shape;
  ElementType type = ElementType::F32;
  Layout from, to;
  Topology topology;
  Objective objective = Objective::Time;
  /// As in RedistributionRequest.
  int64_t memoryLimit = -1;
  Backend backend = Backend::Threads;
};

/// The same redistribution on the source mesh alone, for planRedistribution.
/// Nothing where the two meshes differ in devices or their order, or where the
/// target's layout cannot be said with axes of the source mesh.
std::optional<RedistributionRequest>
asOneMesh(const MeshChangeRequest &request);

/// What is done on the source mesh before boxes cross: contributions are
/// combined where they lie.
struct MeshReduction {
  RedistributionRequest request;
  RedistributionPlan plan;
};

/// An exact exchange of boxes. Participants are the devices of both meshes.
struct MeshExchange {
  /// Set where the source has partials.
  std::optional<MeshReduction> reduction;

  std::vector<int64_t> devices; ///< ascending
  /// Per participant; nothing where it is not in that mesh.
  std::vector<std::optional<Box>> held, wanted;
  /// What each participant takes; sources are indices into `devices`.
  std::vector<std::vector<Transfer>> transfers;
  /// The steps of the reduction, and one of kind Exchange without axes, with
  /// their prices.
  RedistributionPlan plan;
};

/// Every device gets exactly what it lacks; holders of equal boxes take turns
/// in sending. Contributions are combined on the source mesh first, into the
/// chunks that make both together cheapest. Refuses a target with partials,
/// and a memory limit below the peak.
Expected<MeshExchange> planMeshExchange(const MeshChangeRequest &request);

/// Proves that every device ends with exactly its box, from boxes that the
/// senders hold, and the reduction before that.
Status checkMeshExchange(const MeshExchange &exchange);

} // namespace dtensor

#endif // DTENSOR_PLANNER_MESHCHANGE_H
