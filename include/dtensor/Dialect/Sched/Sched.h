// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sched dialect: a static schedule as IR.
#ifndef DTENSOR_DIALECT_SCHED_SCHED_H
#define DTENSOR_DIALECT_SCHED_SCHED_H

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/RegionKindInterface.h"

#include "dtensor/Dialect/Sched/SchedDialect.h.inc"
#include "dtensor/Dialect/Sched/SchedEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dtensor/Dialect/Sched/SchedAttrs.h.inc"

#define GET_OP_CLASSES
#include "dtensor/Dialect/Sched/SchedOps.h.inc"

namespace mlir::sched {

/// Every buffer starts at a multiple of this many bytes.
inline constexpr int64_t kBufferAlignment = 64;

/// Bytes of a static tensor or memref type.
int64_t getByteSize(ShapedType type);

} // namespace mlir::sched

#endif // DTENSOR_DIALECT_SCHED_SCHED_H
