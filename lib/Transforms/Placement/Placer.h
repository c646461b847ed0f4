// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns functions of steps on tensors into programs of steps on views.
#ifndef DTENSOR_LIB_TRANSFORMS_PLACEMENT_PLACER_H
#define DTENSOR_LIB_TRANSFORMS_PLACEMENT_PLACER_H

#include "SlabAllocator.h"
#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Dialect/Sched/Sched.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::dtensor {

/// Turns one function into a program.
class Placer {
public:
  explicit Placer(func::FuncOp func) : func(func), builder(func.getContext()) {}
  LogicalResult run();

private:
  LogicalResult checkBoundary();
  void countUses();
  /// The value whose bytes `value` is.
  Value getOwner(Value value);
  Value place(Value tensor);
  void release(Value tensor);
  Value viewAt(Location loc, Type type, int64_t offset);
  void placeInputs();
  LogicalResult placeStep(Operation &op);
  /// Views the bytes of a reshape's operand with the shape of its result.
  void placeAlias(Operation &reshape);
  void placeGemm(sched::GemmOp gemm);
  /// Makes the step of `op` at `at`.
  void placeCollective(comm::CollectiveOpInterface op, OpBuilder &at);
  void placeStart(comm::StartOp start);
  void placeWait(comm::WaitOp wait);
  void placeResults(func::ReturnOp ret);

  // ControlPlacement.cpp
  LogicalResult placeFor(scf::ForOp loop);
  LogicalResult placeIf(scf::IfOp branch);
  LogicalResult placeBody(Block &from, Block &to, ValueRange carried);
  /// Gives `tensor` the largest shape of `like`, and a place.
  Value placeLike(Value tensor, Value like);
  void releaseAll(ValueRange tensors);

  func::FuncOp func;
  OpBuilder builder;
  SlabAllocator slab;
  Value slabValue;
  /// The type of the view of a value: its largest shape over the ranks.
  Type getBufferType(Value tensor);

  DenseMap<Value, Value> views;
  /// Largest shapes, of values whose types do not say them.
  DenseMap<Value, SmallVector<int64_t>> bounds;
  DenseMap<Value, int64_t> offsets;
  /// The values whose bytes others view: result of a reshape -> what it views.
  DenseMap<Value, Value> aliases;
  /// Uses that are still to come of each value with bytes of its own, through
  /// all of its views.
  DenseMap<Value, unsigned> pendingUses;
  /// Events of the tokens that are not waited for yet.
  DenseMap<Value, int64_t> events;
  int64_t numEvents = 0;

  /// Loops around the present step, outermost first: values from before a loop
  /// that are used in it are kept to its end.
  SmallVector<SmallVector<Value>> loops;
  /// How many loops are around the place of a value.
  DenseMap<Value, unsigned> loopDepths;
  /// The loop or branch of the program's own list that the present step is in.
  Operation *outermost = nullptr;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PLACEMENT_PLACER_H
