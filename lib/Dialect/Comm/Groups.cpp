// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The groups of collectives: along axes, or listed rank by rank.

#include "dtensor/Dialect/Comm/Comm.h"

using namespace mlir;
using namespace mlir::comm;
namespace planner = ::dtensor;

/// A mesh on which each of `groups` is a line of the axis "member".
static planner::Expected<planner::Mesh> makeGroupMesh(const planner::Mesh &mesh,
                                                      ArrayAttr groups) {
  std::vector<int64_t> ranks;
  size_t size = 0;
  for (auto group : groups.getAsRange<DenseI64ArrayAttr>()) {
    if (!ranks.empty() && size != static_cast<size_t>(group.size()))
      return planner::Error{"groups must have one size, got " +
                            std::to_string(size) + " and " +
                            std::to_string(group.size()) + " ranks"};
    size = group.size();
    ranks.insert(ranks.end(), group.asArrayRef().begin(),
                 group.asArrayRef().end());
  }
  std::vector<bool> seen(mesh.numRanks());
  for (int64_t rank : ranks) {
    if (rank < 0 || rank >= mesh.numRanks())
      return planner::Error{"a group has rank " + std::to_string(rank) +
                            ", the mesh has ranks 0 to " +
                            std::to_string(mesh.numRanks() - 1)};
    if (seen[rank])
      return planner::Error{"rank " + std::to_string(rank) +
                            " is in the groups twice"};
    seen[rank] = true;
  }
  auto missing = llvm::find(seen, false);
  if (missing != seen.end())
    return planner::Error{"rank " + std::to_string(missing - seen.begin()) +
                          " is in no group; every rank runs every collective"};
  return planner::Mesh::create({{"group", static_cast<int64_t>(groups.size())},
                                {"member", static_cast<int64_t>(size)}},
                               std::move(ranks));
}

planner::Expected<CollectiveGroups>
mlir::comm::getGroups(const planner::Mesh &mesh, ArrayAttr axes,
                      ArrayAttr groups) {
  if (groups) {
    if (!axes.empty())
      return planner::Error{"has axes and groups; name one of them"};
    auto made = makeGroupMesh(mesh, groups);
    if (!made)
      return made.error();
    planner::AxisRef members = made->wholeAxis(1);
    return CollectiveGroups{std::move(*made), {members}};
  }
  auto refs = mlir::dtensor::getAxisRefs(mesh, axes);
  if (!refs)
    return refs.error();
  if (refs->empty())
    return planner::Error{"needs at least one axis"};
  std::vector<planner::PlacementEntry> entries;
  for (const planner::AxisRef &axis : *refs)
    entries.push_back({axis, planner::PlacementEntry::Kind::Replicate});
  // A layout with these axes is refused exactly where one is named twice.
  if (auto layout = planner::makeLayout(mesh, 0, entries); !layout) {
    std::string text;
    llvm::raw_string_ostream(text) << "axes " << axes;
    return planner::Error{text + ": " + layout.error().message};
  }
  return CollectiveGroups{mesh, std::move(*refs)};
}

CollectiveGroups mlir::comm::getGroups(CollectiveOpInterface op) {
  planner::Mesh mesh =
      mlir::dtensor::lookupMesh(op, op.getMeshAttr()).getPlannerMesh();
  return *getGroups(mesh, op.getAxesAttr(), op.getGroupsAttr());
}

planner::RedistributionStep
mlir::comm::priceCollective(CollectiveOpInterface op,
                            const planner::Topology &machine) {
  CollectiveChange change = op.getChange();
  planner::RedistributionRequest request;
  request.mesh = getGroups(op).mesh;
  request.shape = change.shape;
  request.type = *mlir::dtensor::getElementType(op->getOperand(0).getType());
  request.topology = machine;
  planner::RedistributionStep step;
  step.kind = change.kind;
  step.axes = change.change.axes;
  step.fromDim = change.fromDim;
  step.toDim = change.toDim;
  step.op = change.op;
  step.root = change.root;
  step.from = change.change.from;
  step.to = change.change.to;
  planner::priceStep(request, step);
  return step;
}
