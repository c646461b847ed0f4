// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs functions op by op, on all ranks in lockstep. A program without ranks
// is a program of one.
#ifndef DTENSOR_LIB_INTERPRETER_EVALUATOR_H
#define DTENSOR_LIB_INTERPRETER_EVALUATOR_H

#include "Collectives.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::dtensor::interp {

class Evaluator {
public:
  /// `mesh` is null for programs without ranks.
  Evaluator(ModuleOp module, MeshOp mesh);

  size_t numRanks() const { return ranks; }
  const planner::Mesh &mesh() const { return plannerMesh; }

  /// Calls `func`; arguments and results are per rank.
  FailureOr<std::vector<RankValues>> call(func::FuncOp func,
                                          std::vector<RankValues> arguments);

private:
  using Environment = llvm::DenseMap<Value, RankValues>;

  LogicalResult evaluate(Operation &op, Environment &environment);
  LogicalResult evaluateCall(func::CallOp op, Environment &environment);
  LogicalResult evaluateCollective(comm::CollectiveOpInterface op,
                                   Environment &environment);
  LogicalResult evaluateFor(scf::ForOp op, Environment &environment);
  LogicalResult evaluateIf(scf::IfOp op, Environment &environment);
  /// The ops of a body; what it yields.
  FailureOr<std::vector<RankValues>> evaluateBody(Block &body,
                                                  Environment &environment);
  /// The one number that all ranks have.
  FailureOr<int64_t> getCommon(Operation *op, Value value,
                               Environment &environment);
  LogicalResult evaluateAxisIndex(comm::AxisIndexOp op,
                                  Environment &environment);
  LogicalResult evaluateLocalExtent(comm::LocalExtentOp op,
                                    Environment &environment);
  /// Refuses an op on another mesh than the program's.
  LogicalResult checkMesh(Operation *op, FlatSymbolRefAttr name);
  LogicalResult evaluateOnRanks(Operation &op, Environment &environment);

  SymbolTable symbols;
  MeshOp meshOp;
  planner::Mesh plannerMesh;
  size_t ranks = 1;
  llvm::SmallSetVector<Operation *, 4> callStack;
};

} // namespace mlir::dtensor::interp

#endif // DTENSOR_LIB_INTERPRETER_EVALUATOR_H
