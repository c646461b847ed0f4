// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the plan file's schema and the planner's types.
#ifndef DTRT_PLANTYPES_H
#define DTRT_PLANTYPES_H

#include "dtensor/Planner/Redistribution.h"
#include "dtrt/PlanFile.h"

namespace dtrt {

/// The planner's value of a schema enum. The enums have the same order; the
/// value must be in range (validatePlan checks that).
dtensor::ElementType toElementType(schema::ElementType type);
dtensor::ReduceOp toReduceOp(schema::ReduceOp op);
dtensor::StepKind toStepKind(schema::CollectiveKind kind);
schema::ElementType toSchema(dtensor::ElementType type);
schema::ReduceOp toSchema(dtensor::ReduceOp op);
schema::CollectiveKind toSchema(dtensor::StepKind kind);

/// The mesh that a plan describes; refuses what dtensor::Mesh refuses.
Expected<dtensor::Mesh> toMesh(const schema::MeshT &mesh);

/// The mesh that a collective's axes and layouts are of: its own, where it has
/// one, else that of its program. Refuses one of other ranks.
Expected<dtensor::Mesh> meshOf(const dtensor::Mesh &program,
                               const schema::CollectiveT &op);

/// The change of layout of a collective; refuses axes and layouts that do not
/// parse on `mesh`, the collective's.
Expected<dtensor::LayoutChange> toLayoutChange(const dtensor::Mesh &mesh,
                                               const schema::CollectiveT &op);

/// Bytes of the largest local box of a tensor, or an error where the count
/// does not fit in 63 bits.
Expected<int64_t> maxLocalBytes(const dtensor::Mesh &mesh,
                                const dtensor::Layout &layout,
                                const std::vector<int64_t> &shape,
                                dtensor::ElementType type);

} // namespace dtrt

#endif // DTRT_PLANTYPES_H
