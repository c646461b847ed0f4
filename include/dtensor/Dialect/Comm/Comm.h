// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comm dialect: collectives on local tensors.
#ifndef DTENSOR_DIALECT_COMM_COMM_H
#define DTENSOR_DIALECT_COMM_COMM_H

#include "dtensor/Dialect/DTensor/DTensor.h"
#include "dtensor/Planner/Redistribution.h"

#include "mlir/IR/RegionKindInterface.h"

namespace mlir::comm {

/// A collective in the planner's terms. `shape` and the layouts are those of
/// the tensor that one group holds as a whole.
struct CollectiveChange {
  ::dtensor::StepKind kind = ::dtensor::StepKind::Exchange;
  ::dtensor::ReduceOp op = ::dtensor::ReduceOp::Sum;
  int64_t fromDim = -1;
  int64_t toDim = -1;
  /// Coordinate in the group, for the kinds that have one.
  int64_t root = -1;
  /// True where shape and layouts are those of the whole tensor.
  bool isFramed = false;
  std::vector<int64_t> shape;
  ::dtensor::LayoutChange change;
};

} // namespace mlir::comm

#include "dtensor/Dialect/Comm/CommDialect.h.inc"

#include "dtensor/Dialect/Comm/CommInterfaces.h.inc"

namespace mlir::comm {

/// The groups of a collective as axes of a mesh: of the one that it names, or,
/// where it lists groups, of one with the axes "group" and "member".
struct CollectiveGroups {
  ::dtensor::Mesh mesh;
  std::vector<::dtensor::AxisRef> axes;
};

/// The groups of an op on `mesh`; an error where (C1) does not hold.
::dtensor::Expected<CollectiveGroups>
getGroups(const ::dtensor::Mesh &mesh, ArrayAttr axes, ArrayAttr groups);
/// The same of a verified op.
CollectiveGroups getGroups(CollectiveOpInterface op);

/// What a verified collective moves and costs on a machine.
::dtensor::RedistributionStep
priceCollective(CollectiveOpInterface op, const ::dtensor::Topology &machine);

} // namespace mlir::comm

#define GET_TYPEDEF_CLASSES
#include "dtensor/Dialect/Comm/CommTypes.h.inc"

#define GET_OP_CLASSES
#include "dtensor/Dialect/Comm/CommOps.h.inc"

#endif // DTENSOR_DIALECT_COMM_COMM_H
