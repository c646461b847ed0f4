// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce: a linalg.reduce that starts from the initial values where they are
// constants, else from the identity of the body, with the initial value
// combined at the end.

#include "OpImport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

class ReduceImport {
public:
  explicit ReduceImport(OpImport &import)
      : import(import), numTensors(import.operands.size() / 2) {}
  LogicalResult run();

private:
  LogicalResult check();
  /// The identity of a body that is one op on its arguments; null otherwise.
  TypedAttr getIdentity();
  /// The body on (`lhs`, `rhs`), one of each per tensor.
  FailureOr<SmallVector<Value>> applyBody(OpBuilder &builder,
                                          const BodyForm &form, ValueRange lhs,
                                          ValueRange rhs);
  LogicalResult reduce(ArrayRef<TypedAttr> starts, SmallVector<Value> &totals);

  OpImport &import;
  unsigned numTensors;
  SmallVector<int64_t> dims, resultShape;
};

} // namespace

LogicalResult ReduceImport::check() {
  Operation *op = import.op;
  if (numTensors == 0 || op->getNumOperands() != 2 * numTensors ||
      op->getNumResults() != numTensors || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock() ||
      op->getRegion(0).front().getNumArguments() != 2 * numTensors)
    return import.emitError()
           << "needs as many initial values as tensors, a result for each, and "
              "a body of one block with two arguments for each";
  FailureOr<SmallVector<int64_t>> read = import.integers("dimensions");
  if (failed(read))
    return failure();
  dims = *read;
  llvm::sort(dims);
  ArrayRef<int64_t> shape = import.operandTensor(0).getShape();
  for (auto [index, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= static_cast<int64_t>(shape.size()) ||
        (index > 0 && dims[index - 1] == dim))
      return import.emitError()
             << "has dimension " << dim << " in 'dimensions'; needs different "
             << "ones in [0, " << shape.size() << ')';
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      resultShape.push_back(size);
  for (unsigned i = 0; i < numTensors; ++i) {
    Type element = getElementTypeOrSelf(op->getOperand(i).getType());
    auto scalar = RankedTensorType::get({}, element);
    if (import.operandTensor(i).getShape() != shape)
      return import.emitError() << "reduces tensors of different shapes, "
                                << op->getOperand(0).getType() << " and "
                                << op->getOperand(i).getType();
    if (op->getOperand(numTensors + i).getType() != scalar)
      return import.emitError() << "has an initial value of type "
                                << op->getOperand(numTensors + i).getType()
                                << "; needs " << scalar;
    auto expected = RankedTensorType::get(resultShape, element);
    if (op->getResult(i).getType() != expected)
      return import.emitError()
             << "has a result of type " << op->getResult(i).getType()
             << "; its operands give " << expected;
  }
  return success();
}

TypedAttr ReduceImport::getIdentity() {
  Block &body = import.op->getRegion(0).front();
  if (numTensors != 1 || body.getOperations().size() != 2)
    return {};
  Operation &combiner = body.front();
  if (combiner.getNumOperands() != 2 || combiner.getNumResults() != 1 ||
      body.back().getOperands() != combiner.getResults() ||
      combiner.getOperand(0) == combiner.getOperand(1))
    return {};
  StringRef name = combiner.getName().getStringRef();
  if (!name.consume_front("stablehlo."))
    return {};
  Type type = import.operandTensor(0).getElementType();
  Builder &b = import.builder;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    // -0.0 rather than 0.0: it leaves even -0.0 as it is.
    if (name == "add")
      return b.getFloatAttr(floatType, -0.0);
    if (name == "multiply")
      return b.getFloatAttr(floatType, 1.0);
    if (name == "maximum" || name == "minimum")
      return b.getFloatAttr(floatType,
                            APFloat::getInf(floatType.getFloatSemantics(),
                                            /*Negative=*/name == "maximum"));
    return {};
  }
  ElementKind kind = import.kind();
  unsigned width = type.getIntOrFloatBitWidth();
  bool isSigned = kind == ElementKind::Signed;
  auto make = [&](const APInt &value) { return b.getIntegerAttr(type, value); };
  // On booleans add and maximum mean or, multiply and minimum mean and.
  if (name == "add" || name == "or" || name == "xor")
    return make(APInt::getZero(width));
  if (name == "and")
    return make(APInt::getAllOnes(width));
  if (name == "multiply")
    return make(APInt(width, 1));
  if (name == "maximum")
    return make(isSigned ? APInt::getSignedMinValue(width)
                         : APInt::getMinValue(width));
  if (name == "minimum")
    return make(isSigned ? APInt::getSignedMaxValue(width)
                         : APInt::getMaxValue(width));
  return {};
}

FailureOr<SmallVector<Value>> ReduceImport::applyBody(OpBuilder &builder,
                                                      const BodyForm &form,
                                                      ValueRange lhs,
                                                      ValueRange rhs) {
  Block &body = import.op->getRegion(0).front();
  IRMapping values;
  for (unsigned i = 0; i < numTensors; ++i) {
    values.map(body.getArgument(i), lhs[i]);
    values.map(body.getArgument(numTensors + i), rhs[i]);
  }
  FailureOr<SmallVector<Value>> yielded =
      import.blocks.importBlock(body, values, form, builder);
  if (failed(yielded))
    return failure();
  if (TypeRange(ValueRange(*yielded)) != TypeRange(lhs))
    return import.emitError() << "has a body that does not yield what it takes";
  return yielded;
}

LogicalResult ReduceImport::reduce(ArrayRef<TypedAttr> starts,
                                   SmallVector<Value> &totals) {
  SmallVector<Value> inits;
  for (TypedAttr start : starts) {
    Value scalar =
        arith::ConstantOp::create(import.builder, import.loc(), start);
    inits.push_back(import.fill(scalar, resultShape));
  }
  ValueRange tensors = ValueRange(import.operands).take_front(numTensors);
  LogicalResult built = success();
  auto buildBody = [&](OpBuilder &body, Location loc, ValueRange args) {
    // linalg passes elements, then what was reduced so far; StableHLO's first
    // arguments are what was reduced so far.
    FailureOr<SmallVector<Value>> yielded =
        applyBody(body, {BodyForm::Scalars, {}}, args.drop_front(numTensors),
                  args.take_front(numTensors));
    built = failure(failed(yielded));
    if (succeeded(built))
      linalg::YieldOp::create(body, loc, *yielded);
  };
  auto reduce = linalg::ReduceOp::create(import.builder, import.loc(), tensors,
                                         inits, dims, buildBody);
  totals.assign(reduce.result_begin(), reduce.result_end());
  return built;
}

LogicalResult ReduceImport::run() {
  if (failed(check()))
    return failure();
  ValueRange inits = ValueRange(import.operands).drop_front(numTensors);
  SmallVector<TypedAttr> starts;
  for (Value init : inits)
    if (TypedAttr element = getSplatElement(init))
      starts.push_back(element);
  if (starts.size() == numTensors)
    return reduce(starts, import.results);

  TypedAttr identity = getIdentity();
  if (!identity)
    return import.emitError()
           << "starts from a value that is no constant, and its body is not "
              "one of add, multiply, maximum, minimum, and, or, xor; start "
              "from a constant";
  SmallVector<Value> totals;
  if (failed(reduce({identity}, totals)))
    return failure();
  Value init = inits[0];
  if (!resultShape.empty()) {
    Value target = import.empty(resultShape, identity.getType());
    init = linalg::BroadcastOp::create(
               import.builder, import.loc(), init, target,
               llvm::to_vector(llvm::seq<int64_t>(resultShape.size())))
               ->getResult(0);
  }
  FailureOr<SmallVector<Value>> combined =
      applyBody(import.builder, {BodyForm::Elementwise, resultShape}, init,
                totals.front());
  if (failed(combined))
    return failure();
  import.results = *combined;
  return success();
}

static LogicalResult importReduce(OpImport &import) {
  return ReduceImport(import).run();
}

void mlir::dtensor::addReduceRules(ImportRules &rules) {
  rules["stablehlo.reduce"] = {importReduce, -1, false, true};
}
