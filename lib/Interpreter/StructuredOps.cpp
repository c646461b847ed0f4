// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg ops by their definition: every point of the iteration space, loops in
// order, the body scalar by scalar. The running value of a float sum or
// product is kept in f64 and rounded once at the end of the op.

#include "LocalOps.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/AffineMap.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::dtensor::interp;

namespace {

/// Where one operand's element lies at a point of the iteration space.
struct Access {
  AffineMap map;
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> strides;
  /// Linear maps: elements per step of each loop, and where loop 0 starts.
  bool isLinear = true;
  SmallVector<int64_t> steps;
  int64_t start = 0;
};

/// Walks the iteration space of one op.
class Walker {
public:
  Walker(linalg::LinalgOp op, ArrayRef<int64_t> ranges,
         ArrayRef<TensorRef> operands, ScalarProgram &program)
      : op(op), ranges(ranges), operands(operands), program(program) {}

  LogicalResult prepare();
  LogicalResult run(ArrayRef<Tensor *> outputs);

private:
  LogicalResult makeLinear(Access &access, unsigned operand);
  LogicalResult checkBounds(const Access &access, unsigned operand);
  FailureOr<int64_t> position(const Access &access, unsigned operand,
                              ArrayRef<int64_t> index);
  LogicalResult emitOutside(const Access &access, unsigned operand, int64_t dim,
                            int64_t at);

  linalg::LinalgOp op;
  ArrayRef<int64_t> ranges;
  ArrayRef<TensorRef> operands;
  ScalarProgram &program;
  SmallVector<Access> accesses;
};

} // namespace

/// The value of `expr` with loop variables `dims`. Division by zero, which no
/// verifier excludes, gives zero; the bounds are checked afterwards.
static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 0;
  int64_t a = evaluate(binary.getLHS(), dims);
  int64_t b = evaluate(binary.getRHS(), dims);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::Mod:
    return b > 0 ? llvm::mod(a, b) : 0;
  case AffineExprKind::FloorDiv:
    return b > 0 ? llvm::divideFloorSigned(a, b) : 0;
  case AffineExprKind::CeilDiv:
    return b > 0 ? llvm::divideCeilSigned(a, b) : 0;
  default:
    return 0;
  }
}

static bool isLinear(AffineExpr expr) {
  bool linear = expr.isPureAffine();
  expr.walk([&](AffineExpr part) {
    linear &=
        !llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv,
                             AffineExprKind::CeilDiv},
                            part.getKind());
  });
  return linear;
}

LogicalResult Walker::emitOutside(const Access &access, unsigned operand,
                                  int64_t dim, int64_t at) {
  return op->emitOpError() << "operand " << operand << " is accessed at " << at
                           << " in dimension " << dim << ", which has "
                           << access.shape[dim] << " elements";
}

/// Linear maps have their extremes at the corners of the iteration space.
LogicalResult Walker::checkBounds(const Access &access, unsigned operand) {
  for (auto [dim, expr] : llvm::enumerate(access.map.getResults())) {
    SmallVector<int64_t> zero(ranges.size(), 0);
    int64_t base = evaluate(expr, zero);
    int64_t low = base, high = base;
    for (size_t loop = 0; loop < ranges.size(); ++loop) {
      zero[loop] = 1;
      int64_t step = evaluate(expr, zero) - base;
      zero[loop] = 0;
      (step < 0 ? low : high) += step * (ranges[loop] - 1);
    }
    if (low < 0)
      return emitOutside(access, operand, dim, low);
    if (high >= access.shape[dim])
      return emitOutside(access, operand, dim, high);
  }
  return success();
}

LogicalResult Walker::makeLinear(Access &access, unsigned operand) {
  SmallVector<int64_t> point(ranges.size(), 0);
  auto linearPosition = [&] {
    int64_t at = 0;
    for (auto [dim, expr] : llvm::enumerate(access.map.getResults()))
      at += evaluate(expr, point) * access.strides[dim];
    return at;
  };
  access.start = linearPosition();
  for (size_t loop = 0; loop < ranges.size(); ++loop) {
    point[loop] = 1;
    access.steps.push_back(linearPosition() - access.start);
    point[loop] = 0;
  }
  return checkBounds(access, operand);
}

LogicalResult Walker::prepare() {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (number >= op.getIndexingMapsArray().size())
      break;
    Access access;
    access.map = op.getMatchingIndexingMap(&operand);
    access.shape = operands[number]->shape;
    access.strides = getStrides(access.shape);
    access.isLinear = llvm::all_of(access.map.getResults(), isLinear);
    if (access.isLinear && failed(makeLinear(access, number)))
      return failure();
    accesses.push_back(std::move(access));
  }
  return success();
}

FailureOr<int64_t> Walker::position(const Access &access, unsigned operand,
                                    ArrayRef<int64_t> index) {
  int64_t at = access.start;
  if (access.isLinear) {
    for (size_t loop = 0; loop < index.size(); ++loop)
      at += index[loop] * access.steps[loop];
    return at;
  }
  at = 0;
  for (auto [dim, expr] : llvm::enumerate(access.map.getResults())) {
    int64_t value = evaluate(expr, index);
    if (value < 0 || value >= access.shape[dim])
      return emitOutside(access, operand, dim, value);
    at += value * access.strides[dim];
  }
  return at;
}

LogicalResult Walker::run(ArrayRef<Tensor *> outputs) {
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<bool> isRead;
  // linalg.map gives its body no output arguments on some versions.
  unsigned numArguments = op.getBlock()->getNumArguments();
  for (unsigned i = 0; i < accesses.size(); ++i)
    isRead.push_back(i < numArguments && program.readsArgument(i));
  LogicalResult status = success();
  SmallVector<int64_t> at(accesses.size());
  forEachIndex(ranges, [&](ArrayRef<int64_t> index, int64_t) {
    if (failed(status))
      return;
    for (unsigned i = 0; i < accesses.size(); ++i) {
      FailureOr<int64_t> found = position(accesses[i], i, index);
      if (failed(found)) {
        status = failure();
        return;
      }
      at[i] = *found;
      if (!isRead[i])
        continue;
      const Tensor &source =
          i < numInputs ? *operands[i] : *outputs[i - numInputs];
      program.setArgument(i, source.data[at[i]]);
    }
    status = program.run(index);
    for (unsigned i = 0; i < outputs.size(); ++i)
      outputs[i]->data[at[numInputs + i]] = program.result(i);
  });
  return status;
}

/// How often each loop runs: as often as the dimensions have elements that it
/// alone walks along.
static FailureOr<SmallVector<int64_t>> getRanges(linalg::LinalgOp op,
                                                 ArrayRef<TensorRef> operands) {
  SmallVector<int64_t> ranges(op.getNumLoops(), -1);
  for (auto [number, map] : llvm::enumerate(op.getIndexingMapsArray()))
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      int64_t &range = ranges[loop.getPosition()];
      int64_t extent = operands[number]->shape[dim];
      if (range >= 0 && range != extent)
        return op->emitOpError() << "loop " << loop.getPosition() << " runs "
                                 << range << " times over one operand and "
                                 << extent << " times over operand " << number;
      range = extent;
    }
  if (llvm::is_contained(ranges, -1))
    return op->emitOpError() << "has a loop that walks along no dimension; the "
                                "interpreter cannot tell how often it runs";
  return ranges;
}

LogicalResult
mlir::dtensor::interp::evaluateStructuredOp(linalg::LinalgOp op,
                                            const LocalOp &local) {
  if (!op.hasPureTensorSemantics())
    return emitNotImplemented(op); // works on buffers
  FailureOr<SmallVector<int64_t>> found = getRanges(op, local.operands);
  if (failed(found))
    return failure();
  ArrayRef<int64_t> ranges = *found;
  SmallVector<TensorPtr> outputs;
  SmallVector<Tensor *> targets;
  for (unsigned i = 0; i < static_cast<unsigned>(op.getNumDpsInits()); ++i) {
    unsigned number = op.getDpsInitOperand(i)->getOperandNumber();
    outputs.push_back(std::make_shared<Tensor>(*local.operands[number]));
    targets.push_back(outputs.back().get());
  }
  bool isEmpty = llvm::is_contained(ranges, 0);
  if (!isEmpty &&
      !evaluateContraction(op, ranges, local.operands, *targets[0])) {
    FailureOr<ScalarProgram> program =
        ScalarProgram::compile(*op.getBlock(), local.lookup);
    if (failed(program))
      return failure();
    if (op.getNumReductionLoops() > 0)
      for (unsigned i = 0; i < outputs.size(); ++i)
        if (op.getNumDpsInputs() + i < op.getBlock()->getNumArguments())
          program->keepWideIfReduction(i, op.getNumDpsInputs() + i);
    Walker walker(op, ranges, local.operands, *program);
    if (failed(walker.prepare()) || failed(walker.run(targets)))
      return failure();
  }
  for (TensorPtr &output : outputs) {
    for (Scalar &element : output->data)
      element = output->format.round(element);
    local.results.push_back(std::move(output));
  }
  return success();
}

LogicalResult mlir::dtensor::interp::evaluateSoftmax(linalg::SoftmaxOp op,
                                                     const LocalOp &local) {
  const Tensor &input = *local.operands[0];
  TensorPtr result = makeTensor(input.format, input.shape);
  int64_t dim = op.getDimension();
  int64_t length = input.shape[dim];
  int64_t stride = getStrides(input.shape)[dim];
  for (size_t first = 0; first < input.data.size(); ++first) {
    if (static_cast<int64_t>(first) / stride % length != 0)
      continue; // inside of a line that is done
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      double value = input.data[first + i * stride].f;
      largest = std::isnan(value) ? value : std::max(largest, value);
    }
    for (int64_t i = 0; i < length; ++i)
      sum += std::exp(input.data[first + i * stride].f - largest);
    for (int64_t i = 0; i < length; ++i) {
      double value = input.data[first + i * stride].f;
      result->data[first + i * stride] =
          result->format.round(fromFloat(std::exp(value - largest) / sum));
    }
  }
  local.results.push_back(std::move(result));
  return success();
}
