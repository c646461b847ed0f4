// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches as part of a program: what they hand from one place to
// another lies alike in all of them.
#ifndef DTENSOR_INTERFACES_CONTROLFLOW_H
#define DTENSOR_INTERFACES_CONTROLFLOW_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtensor {

/// One thing that a loop or branch hands on.
struct ControlTie {
  /// Where it comes from: operands of the op and of the terminators of its
  /// regions.
  SmallVector<OpOperand *> sources;
  /// What it becomes: arguments of regions, and results.
  SmallVector<Value> values;
};

/// True for ops whose regions are part of the program around them: scf.for,
/// scf.if, scf.while.
bool isControlFlow(Operation *op);
/// True for what ends a region of such an op.
bool endsControlFlow(Operation *op);

/// What `op` hands on, of any type. For scf.for, one of
///   init, yielded -> argument, result
/// per value that it carries; for scf.if
///   yielded, yielded -> result
/// for scf.while
///   init, yielded -> argument before    passed -> argument after, result
SmallVector<ControlTie> getControlTies(Operation *op);

/// The ops of `func`, those in loops and branches too, each before what is in
/// it. Marked `dtensor.local` ops count as one.
SmallVector<Operation *> getProgramOps(func::FuncOp func);

/// How often the region of a loop runs for each time that the loop does; an
/// estimate where the bounds are no constants.
double getTripCount(Operation *loop);

/// The block in which what `op` needs of `value` can be made once: that of
/// `op`, moved out of loops as long as `value` is made outside of them. Never
/// out of a branch, which may not be taken.
Block *getHoistedBlock(Operation *op, Value value);

} // namespace mlir::dtensor

#endif // DTENSOR_INTERFACES_CONTROLFLOW_H
