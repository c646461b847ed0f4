// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, calls and ranks.

#include "Evaluator.h"

#include "LocalOps.h"

using namespace mlir;
using namespace mlir::dtensor;
using namespace mlir::dtensor::interp;

/// Deeper chains of calls than this are refused before the stack ends.
static constexpr size_t kMaxCallDepth = 256;

Evaluator::Evaluator(ModuleOp module, MeshOp mesh)
    : symbols(module), meshOp(mesh) {
  if (!mesh)
    return;
  plannerMesh = mesh.getPlannerMesh();
  ranks = static_cast<size_t>(plannerMesh.numRanks());
}

/// A scalar of type index.
static TensorRef makeIndex(int64_t value) {
  TensorPtr result = makeTensor({ElementFormat::Integer, 64}, {});
  result->data[0] = fromInt(value);
  return result;
}

/// After which op of the block each value is no longer needed.
static llvm::DenseMap<Operation *, SmallVector<Value>>
findLastUses(Block &body) {
  llvm::DenseMap<Value, Operation *> last;
  SmallVector<Value> order;
  auto touch = [&](Value value, Operation *op) {
    if (last.insert_or_assign(value, op).second)
      order.push_back(value);
  };
  for (Operation &op : body) {
    for (Value result : op.getResults())
      touch(result, &op);
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        touch(operand, &op);
    });
  }
  llvm::DenseMap<Operation *, SmallVector<Value>> byOp;
  for (Value value : order)
    byOp[last[value]].push_back(value);
  return byOp;
}

FailureOr<std::vector<RankValues>>
Evaluator::call(func::FuncOp func, std::vector<RankValues> arguments) {
  if (func.isExternal())
    return func.emitOpError() << "has no body to interpret";
  if (!llvm::hasSingleElement(func.getBody()))
    return func.emitOpError()
           << "has " << func.getBody().getBlocks().size()
           << " blocks, the interpreter takes functions of one block";
  if (callStack.size() >= kMaxCallDepth || !callStack.insert(func))
    return func.emitOpError() << "calls itself (or calls nest deeper than "
                              << kMaxCallDepth << "), and would not end";
  Block &body = func.getBody().front();
  Environment environment;
  for (auto [argument, values] :
       llvm::zip_equal(body.getArguments(), arguments))
    environment[argument] = std::move(values);
  auto lastUses = findLastUses(body);
  for (Operation &op : body.without_terminator()) {
    if (failed(evaluate(op, environment)))
      return failure();
    for (Value value : lastUses.lookup(&op))
      environment.erase(value);
  }
  std::vector<RankValues> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(environment[value]);
  callStack.pop_back();
  return results;
}

LogicalResult Evaluator::evaluate(Operation &op, Environment &environment) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return evaluateFor(loop, environment);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return evaluateIf(branch, environment);
  // Whether it goes on beside other work does not change a value.
  if (auto start = dyn_cast<comm::StartOp>(op)) {
    for (Operation &inner : start.getBody().front().without_terminator())
      if (failed(evaluate(inner, environment)))
        return failure();
    environment[start.getToken()] =
        environment[start.getBody().front().getTerminator()->getOperand(0)];
    return success();
  }
  if (auto wait = dyn_cast<comm::WaitOp>(op)) {
    RankValues values = environment[wait.getToken()];
    environment[wait.getResult()] = std::move(values);
    return success();
  }
  for (Type type : op.getResultTypes())
    if (std::string problem = checkType(type); !problem.empty())
      return op.emitOpError() << problem;
  if (auto callOp = dyn_cast<func::CallOp>(op))
    return evaluateCall(callOp, environment);
  if (auto collective = dyn_cast<comm::CollectiveOpInterface>(op))
    return evaluateCollective(collective, environment);
  if (auto index = dyn_cast<comm::AxisIndexOp>(op))
    return evaluateAxisIndex(index, environment);
  if (auto extent = dyn_cast<comm::LocalExtentOp>(op))
    return evaluateLocalExtent(extent, environment);
  return evaluateOnRanks(op, environment);
}

LogicalResult Evaluator::evaluateCall(func::CallOp op,
                                      Environment &environment) {
  auto callee = symbols.lookup<func::FuncOp>(op.getCallee());
  if (!callee)
    return op.emitOpError() << "calls @" << op.getCallee()
                            << ", which is not a function of the module";
  std::vector<RankValues> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(environment[operand]);
  auto results = call(callee, std::move(arguments));
  if (failed(results))
    return failure();
  for (auto [value, values] : llvm::zip_equal(op.getResults(), *results))
    environment[value] = std::move(values);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow: the same way on all ranks, which meet in collectives
//===----------------------------------------------------------------------===//

FailureOr<int64_t> Evaluator::getCommon(Operation *op, Value value,
                                        Environment &environment) {
  const RankValues &values = environment[value];
  for (const TensorRef &other : values)
    if (other->data[0].i != values[0]->data[0].i)
      return op->emitOpError() << "goes another way on one rank than on "
                                  "another; the interpreter runs all alike";
  return values[0]->data[0].i;
}

FailureOr<std::vector<RankValues>>
Evaluator::evaluateBody(Block &body, Environment &environment) {
  for (Operation &op : body.without_terminator())
    if (failed(evaluate(op, environment)))
      return failure();
  std::vector<RankValues> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(environment[value]);
  return yielded;
}

LogicalResult Evaluator::evaluateFor(scf::ForOp op, Environment &environment) {
  FailureOr<int64_t> start = getCommon(op, op.getLowerBound(), environment);
  FailureOr<int64_t> end = getCommon(op, op.getUpperBound(), environment);
  FailureOr<int64_t> step = getCommon(op, op.getStep(), environment);
  if (failed(start) || failed(end) || failed(step))
    return failure();
  if (op.getUnsignedCmp())
    return op.emitOpError() << "compares its bounds as unsigned numbers; the "
                               "interpreter counts with signed ones";
  if (*step <= 0)
    return op.emitOpError()
           << "has a step of " << *step << ", and would not end";
  std::vector<RankValues> carried;
  for (Value init : op.getInits())
    carried.push_back(environment[init]);
  for (int64_t i = *start; i < *end; i += *step) {
    TensorPtr number = makeTensor(op.getInductionVar().getType());
    number->data[0] = fromInt(i);
    environment[op.getInductionVar()] = RankValues(ranks, number);
    for (auto [argument, values] :
         llvm::zip_equal(op.getRegionIterArgs(), carried))
      environment[argument] = values;
    auto yielded = evaluateBody(*op.getBody(), environment);
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
  }
  for (auto [result, values] : llvm::zip_equal(op.getResults(), carried))
    environment[result] = values;
  return success();
}

LogicalResult Evaluator::evaluateIf(scf::IfOp op, Environment &environment) {
  FailureOr<int64_t> condition = getCommon(op, op.getCondition(), environment);
  if (failed(condition))
    return failure();
  Block *body = *condition ? op.thenBlock() : op.elseBlock();
  if (!body)
    return success();
  auto yielded = evaluateBody(*body, environment);
  if (failed(yielded))
    return failure();
  for (auto [result, values] : llvm::zip_equal(op.getResults(), *yielded))
    environment[result] = values;
  return success();
}

LogicalResult Evaluator::checkMesh(Operation *op, FlatSymbolRefAttr name) {
  if (!meshOp || name.getValue() != meshOp.getSymName())
    return op->emitOpError() << "is on mesh " << name
                             << ", the interpreter runs a program on one mesh";
  return success();
}

LogicalResult Evaluator::evaluateAxisIndex(comm::AxisIndexOp op,
                                           Environment &environment) {
  if (failed(checkMesh(op, op.getMeshAttr())))
    return failure();
  std::vector<planner::AxisRef> axes =
      *getAxisRefs(plannerMesh, op.getAxesAttr());
  RankValues &values = environment[op.getResult()];
  values.clear();
  for (size_t rank = 0; rank < ranks; ++rank)
    values.push_back(makeIndex(plannerMesh.flatCoordinate(rank, axes)));
  return success();
}

LogicalResult Evaluator::evaluateLocalExtent(comm::LocalExtentOp op,
                                             Environment &environment) {
  if (failed(checkMesh(op, op.getMeshAttr())))
    return failure();
  std::vector<planner::AxisRef> axes =
      *getAxisRefs(plannerMesh, op.getAxesAttr());
  RankValues &values = environment[op.getResult()];
  values.clear();
  for (size_t rank = 0; rank < ranks; ++rank) {
    int64_t begin = 0, end = op.getSize();
    for (const planner::AxisRef &axis : axes)
      planner::chunk(begin, end, axis.size, plannerMesh.coordinate(rank, axis));
    values.push_back(makeIndex(end - begin));
  }
  return success();
}

LogicalResult Evaluator::evaluateCollective(comm::CollectiveOpInterface op,
                                            Environment &environment) {
  if (failed(checkMesh(op, op.getMeshAttr())))
    return failure();
  comm::CollectiveChange change = op.getChange();
  auto results = changeLayout(comm::getGroups(op).mesh, change,
                              environment[op->getOperand(0)]);
  if (!results)
    return op.emitOpError() << results.error().message;
  environment[op->getResult(0)] = std::move(*results);
  return success();
}

LogicalResult Evaluator::evaluateOnRanks(Operation &op,
                                         Environment &environment) {
  SmallVector<Value> used(op.getOperands());
  op.walk([&](Operation *inner) {
    if (inner != &op)
      for (Value operand : inner->getOperands())
        if (environment.contains(operand))
          used.push_back(operand);
  });
  std::vector<RankValues> results(op.getNumResults());
  for (size_t rank = 0; rank < ranks; ++rank) {
    // What all ranks hold in common is computed once.
    bool isSame = rank > 0 && llvm::all_of(used, [&](Value value) {
                    const RankValues &values = environment[value];
                    return values[rank] == values[rank - 1];
                  });
    if (isSame) {
      for (RankValues &values : results)
        values.push_back(values.back());
      continue;
    }
    SmallVector<TensorRef> operands;
    for (Value operand : op.getOperands())
      operands.push_back(environment[operand][rank]);
    auto lookup = [&](Value value) {
      auto found = environment.find(value);
      return found == environment.end() ? TensorRef() : found->second[rank];
    };
    SmallVector<TensorRef> made;
    if (failed(evaluateLocalOp({&op, operands, lookup, made})))
      return failure();
    for (auto [values, value] : llvm::zip_equal(results, made))
      values.push_back(std::move(value));
  }
  for (auto [value, values] : llvm::zip_equal(op.getResults(), results))
    environment[value] = std::move(values);
  return success();
}
