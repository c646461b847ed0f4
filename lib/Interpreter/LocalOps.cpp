// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, elementwise ops, and who evaluates what.

#include "LocalOps.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::dtensor::interp;

LogicalResult mlir::dtensor::interp::emitNotImplemented(Operation *op) {
  return op->emitOpError()
         << "has no implementation in the interpreter; write it with linalg, "
            "tensor, arith and math ops, or check against the unsharded "
            "program instead";
}

/// Elements of `attr` in memory order, one or all.
static bool decodeDense(Attribute attr, ElementFormat format,
                        std::vector<Scalar> &elements) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    size_t bytes = elements.size() * format.byteSize();
    if (!blob || blob->getData().size() != bytes)
      return false;
    decodeElements(format, blob->getData().data(), elements.size(),
                   elements.data());
    return true;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return false;
  bool isSplat = dense.isSplat();
  int64_t count = isSplat ? std::min<int64_t>(1, elements.size())
                          : static_cast<int64_t>(elements.size());
  if (dense.getElementType().isInteger(1)) {
    // Bits are packed; the iterator knows how.
    auto values = dense.getValues<bool>();
    for (int64_t i = 0; i < count; ++i)
      elements[i] = fromInt(values[i] ? -1 : 0);
  } else {
    decodeElements(format, dense.getRawData().data(), count, elements.data());
  }
  if (isSplat && count)
    std::fill(elements.begin(), elements.end(), Scalar(elements.front()));
  return true;
}

FailureOr<TensorRef>
mlir::dtensor::interp::evaluateConstant(arith::ConstantOp op) {
  std::string problem = checkType(op.getType());
  if (!problem.empty())
    return op.emitOpError() << problem;
  TensorPtr result = makeTensor(op.getType());
  if (auto number = dyn_cast<FloatAttr>(op.getValue())) {
    llvm::APInt bits = number.getValue().bitcastToAPInt();
    uint64_t word = bits.getZExtValue();
    decodeElements(result->format, reinterpret_cast<const char *>(&word), 1,
                   result->data.data());
  } else if (auto number = dyn_cast<IntegerAttr>(op.getValue())) {
    result->data[0] = fromInt(number.getValue().getSExtValue());
  } else if (!decodeDense(op.getValue(), result->format, result->data)) {
    return op.emitOpError() << "has a value that the interpreter cannot read; "
                               "it reads dense and dense_resource values";
  }
  return TensorRef(result);
}

/// Both results of an element of an op that has two.
static void computeTwoResults(Operation *op, ElementFormat format, Scalar a,
                              Scalar b, Scalar (&results)[2]) {
  if (isa<math::SincosOp>(op)) {
    results[0] = fromFloat(std::sin(a.f));
    results[1] = fromFloat(std::cos(a.f));
    return;
  }
  uint64_t x = format.unsignedValue(a), y = format.unsignedValue(b);
  unsigned __int128 wide = 0;
  if (isa<arith::AddUIExtendedOp>(op))
    wide = static_cast<unsigned __int128>(x) + y;
  else if (isa<arith::MulUIExtendedOp>(op))
    wide = static_cast<unsigned __int128>(x) * y;
  else
    wide = static_cast<unsigned __int128>(static_cast<__int128>(a.i) * b.i);
  results[0] = fromInt(static_cast<int64_t>(wide));
  results[1] = fromInt(static_cast<int64_t>(wide >> format.width));
}

/// Elementwise ops of two results; false for other ops.
static bool evaluateTwoResults(const LocalOp &local) {
  if (!isa<math::SincosOp, arith::AddUIExtendedOp, arith::MulUIExtendedOp,
           arith::MulSIExtendedOp>(local.op))
    return false;
  const Tensor &first = *local.operands.front();
  const Tensor &second = *local.operands.back();
  TensorPtr made[2];
  for (unsigned r = 0; r < 2; ++r) {
    // Types were checked before the op is evaluated.
    Type type = getElementTypeOrSelf(local.op->getResult(r).getType());
    made[r] = makeTensor(*getElementFormat(type), first.shape);
  }
  for (size_t i = 0; i < first.data.size(); ++i) {
    Scalar results[2];
    computeTwoResults(local.op, first.format, first.data[i], second.data[i],
                      results);
    for (unsigned r = 0; r < 2; ++r)
      made[r]->data[i] = made[r]->format.round(results[r]);
  }
  for (TensorPtr &tensor : made)
    local.results.push_back(std::move(tensor));
  return true;
}

/// arith and math ops: element by element; a scalar operand (the condition of
/// a select) serves all elements.
static LogicalResult evaluateElementwise(ScalarCode code,
                                         const LocalOp &local) {
  constexpr size_t kMaxOperands = 4;
  if (local.operands.size() > kMaxOperands || local.op->getNumResults() != 1)
    return emitNotImplemented(local.op);
  TensorPtr result = makeTensor(
      *getElementFormat(getElementTypeOrSelf(local.op->getResult(0).getType())),
      {});
  if (isa<RankedTensorType>(local.op->getResult(0).getType())) {
    // The tensors among the operands have one shape, the result's.
    const Tensor *shaped = nullptr;
    for (auto [operand, value] :
         llvm::zip_equal(local.op->getOperands(), local.operands)) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      if (shaped && shaped->shape != value->shape)
        return local.op->emitOpError()
               << "has operands of different shapes when it is run";
      shaped = value.get();
    }
    if (shaped)
      result = makeTensor(result->format, shaped->shape);
  }
  const Scalar *data[kMaxOperands];
  int64_t steps[kMaxOperands];
  for (auto [i, operand] : llvm::enumerate(local.operands)) {
    data[i] = operand->data.data();
    steps[i] = isa<RankedTensorType>(local.op->getOperand(i).getType()) ? 1 : 0;
  }
  Scalar values[kMaxOperands];
  for (int64_t at = 0; at < result->size(); ++at) {
    for (size_t i = 0; i < local.operands.size(); ++i)
      values[i] = data[i][at * steps[i]];
    result->data[at] = code.run(values);
    if (code.fault)
      return local.op->emitOpError()
             << code.fault << " at element " << at << " (in row-major order)";
  }
  local.results.push_back(std::move(result));
  return success();
}

LogicalResult mlir::dtensor::interp::evaluateLocalOp(const LocalOp &local) {
  if (auto constant = dyn_cast<arith::ConstantOp>(local.op)) {
    FailureOr<TensorRef> value = evaluateConstant(constant);
    if (failed(value))
      return failure();
    local.results.push_back(*value);
    return success();
  }
  if (isa<ConstrainOp, RedistributeOp, DistributeOp, FullTensorOp>(local.op)) {
    // A layout changes where elements lie, not what they are.
    local.results.push_back(local.operands[0]);
    return success();
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(local.op))
    return evaluateStructuredOp(linalgOp, local);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(local.op))
    return evaluateSoftmax(softmax, local);
  if (local.op->getNumResults() == 2 && evaluateTwoResults(local))
    return success();
  if (std::optional<ScalarCode> code = getScalarCode(local.op))
    return evaluateElementwise(*code, local);
  if (std::optional<LogicalResult> result = evaluateTensorOp(local))
    return *result;
  if (evaluateDTensorOp(local))
    return success();
  if (std::optional<LogicalResult> result = evaluateFactory(local))
    return *result;
  return emitNotImplemented(local.op);
}
