// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between the plan file's schema and the planner's types.
#include "dtrt/PlanTypes.h"

using namespace dtrt;

// The enums are kept in the same order by contract; the ends are checked here.
static_assert(static_cast<int>(schema::ElementType::MAX) ==
              static_cast<int>(dtensor::ElementType::I64));
static_assert(static_cast<int>(schema::ReduceOp::MAX) ==
              static_cast<int>(dtensor::ReduceOp::BXor));
static_assert(static_cast<int>(schema::CollectiveKind::MAX) ==
              static_cast<int>(dtensor::StepKind::Gather));

dtensor::ElementType dtrt::toElementType(schema::ElementType type) {
  return static_cast<dtensor::ElementType>(type);
}
dtensor::ReduceOp dtrt::toReduceOp(schema::ReduceOp op) {
  return static_cast<dtensor::ReduceOp>(op);
}
schema::ElementType dtrt::toSchema(dtensor::ElementType type) {
  return static_cast<schema::ElementType>(type);
}
schema::ReduceOp dtrt::toSchema(dtensor::ReduceOp op) {
  return static_cast<schema::ReduceOp>(op);
}

dtensor::StepKind dtrt::toStepKind(schema::CollectiveKind kind) {
  return static_cast<dtensor::StepKind>(kind);
}
schema::CollectiveKind dtrt::toSchema(dtensor::StepKind kind) {
  return static_cast<schema::CollectiveKind>(kind);
}

Expected<dtensor::Mesh> dtrt::toMesh(const schema::MeshT &mesh) {
  std::vector<dtensor::MeshAxis> axes;
  for (const auto &axis : mesh.axes)
    axes.push_back({axis->name, axis->size});
  return dtensor::Mesh::create(std::move(axes), mesh.devices);
}

Expected<dtensor::Mesh> dtrt::meshOf(const dtensor::Mesh &program,
                                     const schema::CollectiveT &op) {
  if (!op.mesh)
    return program;
  Expected<dtensor::Mesh> own = toMesh(*op.mesh);
  if (!own)
    return Error{"mesh '" + op.mesh->name + "': " + own.error().message};
  if (own->numRanks() != program.numRanks())
    return Error{
        "mesh '" + op.mesh->name + "' has " + std::to_string(own->numRanks()) +
        " ranks, the program's has " + std::to_string(program.numRanks())};
  return own;
}

Expected<dtensor::LayoutChange>
dtrt::toLayoutChange(const dtensor::Mesh &mesh, const schema::CollectiveT &op) {
  int rank = static_cast<int>(op.shape.size());
  Expected<dtensor::Layout> from = dtensor::parseLayout(mesh, rank, op.from);
  if (!from)
    return Error{"layout 'from': " + from.error().message};
  Expected<dtensor::Layout> to = dtensor::parseLayout(mesh, rank, op.to);
  if (!to)
    return Error{"layout 'to': " + to.error().message};
  dtensor::LayoutChange change{*from, *to, {}};
  for (const std::string &name : op.axes) {
    Expected<dtensor::AxisRef> axis = dtensor::parseAxisRef(mesh, name);
    if (!axis)
      return axis.error();
    change.axes.push_back(*axis);
  }
  return change;
}

Expected<int64_t> dtrt::maxLocalBytes(const dtensor::Mesh &mesh,
                                      const dtensor::Layout &layout,
                                      const std::vector<int64_t> &shape,
                                      dtensor::ElementType type) {
  int64_t bytes = dtensor::elementBytes(type);
  for (int64_t extent : dtensor::maxLocalShape(mesh, layout, shape))
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return Error{"a local box takes more than 2^63 bytes"};
  return bytes;
}
