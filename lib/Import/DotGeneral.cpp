// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dot_general: a linalg.matmul or linalg.batch_matmul where each kind of
// dimensions (batch, free, contracted) has at most one of more than one
// element, else a contraction as linalg.generic.

#include "OpImport.h"

#include "ShardyText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::dtensor;

using Dims = SmallVector<int64_t>;

namespace {

/// One operand: its value and the roles of its dimensions.
struct Side {
  Value value;
  Dims batch, contract, free;

  ArrayRef<int64_t> shape() const {
    return cast<RankedTensorType>(value.getType()).getShape();
  }
};

class DotImport {
public:
  explicit DotImport(OpImport &import) : import(import) {}
  LogicalResult readDims();
  LogicalResult check();
  LogicalResult run();

private:
  void chooseTypes();
  Value widen(Value value, Type from);
  bool isMatmul() const;
  Value makeMatmul();
  Value makeContraction();
  Value toMatrix(const Side &side, bool contractLast);

  OpImport &import;
  Side lhs, rhs;
  /// The type that products are computed in, and that of the result.
  Type compute, element;
  Dims resultShape;
};

} // namespace

/// Fills `side.free` with what is neither batch nor contracted; reports
/// dimensions out of range or used twice.
static LogicalResult completeSide(OpImport &import, Side &side,
                                  StringRef name) {
  int64_t rank = side.shape().size();
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : llvm::concat<const int64_t>(side.batch, side.contract))
    if (dim < 0 || dim >= rank || !seen.insert(dim).second)
      return import.emitError()
             << "has dimension " << dim << " among the batch and contracted "
             << "ones of the " << name << "; needs different ones in [0, "
             << rank << ')';
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!seen.contains(dim))
      side.free.push_back(dim);
  return success();
}

LogicalResult DotImport::readDims() {
  lhs.value = import.operands[0];
  rhs.value = import.operands[1];
  if (import.name() == "stablehlo.dot") {
    if (lhs.shape().empty() || rhs.shape().empty())
      return import.emitError() << "needs operands of rank 1 or 2";
    lhs.contract = {static_cast<int64_t>(lhs.shape().size()) - 1};
    rhs.contract = {0};
    return success();
  }
  auto numbers = import.op->getAttrOfType<OpaqueAttr>("dot_dimension_numbers");
  if (!numbers)
    return import.emitError()
           << "needs attribute 'dot_dimension_numbers' of #stablehlo.dot";
  for (auto [name, dims] :
       {std::pair<StringRef, Dims *>("lhs_batching_dimensions", &lhs.batch),
        {"rhs_batching_dimensions", &rhs.batch},
        {"lhs_contracting_dimensions", &lhs.contract},
        {"rhs_contracting_dimensions", &rhs.contract}}) {
    auto values = shardy::parseNamedInts(numbers.getAttrData(), name);
    if (!values)
      return import.emitError() << values.error().message;
    dims->assign(values->begin(), values->end());
  }
  return success();
}

LogicalResult DotImport::check() {
  if (failed(completeSide(import, lhs, "left operand")) ||
      failed(completeSide(import, rhs, "right operand")))
    return failure();
  auto checkPairs = [&](const Dims &left, const Dims &right,
                        StringRef what) -> LogicalResult {
    if (left.size() != right.size())
      return import.emitError() << "has " << left.size() << ' ' << what
                                << " dimensions on the left and "
                                << right.size() << " on the right";
    for (auto [a, b] : llvm::zip_equal(left, right))
      if (lhs.shape()[a] != rhs.shape()[b])
        return import.emitError()
               << "pairs " << what << " dimension " << a << " of size "
               << lhs.shape()[a] << " with dimension " << b << " of size "
               << rhs.shape()[b];
    return success();
  };
  if (failed(checkPairs(lhs.batch, rhs.batch, "batch")) ||
      failed(checkPairs(lhs.contract, rhs.contract, "contracted")))
    return failure();
  for (int64_t dim : llvm::concat<const int64_t>(lhs.batch, lhs.free))
    resultShape.push_back(lhs.shape()[dim]);
  for (int64_t dim : rhs.free)
    resultShape.push_back(rhs.shape()[dim]);
  auto result = cast<RankedTensorType>(import.op->getResult(0).getType());
  if (result.getShape() != ArrayRef(resultShape))
    return import.emitError()
           << "has a result of type " << result << "; its operands give "
           << RankedTensorType::get(resultShape, result.getElementType());
  bool isFloat = import.kind() == ElementKind::Float;
  for (Type type : {import.op->getOperand(0).getType(),
                    import.op->getOperand(1).getType(), Type(result)})
    if (getElementKind(type) == ElementKind::Bool ||
        (getElementKind(type) == ElementKind::Float) != isFloat)
      return import.emitError()
             << "needs operands and a result that are all floats or all "
                "integers of more than one bit, got elements "
             << getElementTypeOrSelf(type);
  return success();
}

/// Products are computed in the widest type that takes part.
void DotImport::chooseTypes() {
  element = import.resultTensor().getElementType();
  compute = element;
  if (import.kind() != ElementKind::Float)
    return;
  for (Value value : import.operands) {
    Type type = getElementTypeOrSelf(value.getType());
    if (type.getIntOrFloatBitWidth() > compute.getIntOrFloatBitWidth())
      compute = type;
    else if (type != compute &&
             type.getIntOrFloatBitWidth() == compute.getIntOrFloatBitWidth())
      compute = import.builder.getF32Type(); // f16 and bf16
  }
}

Value DotImport::widen(Value value, Type from) {
  Type to = compute;
  if (import.kind() != ElementKind::Float)
    to = getElementTypeOrSelf(import.op->getResult(0).getType());
  return import.convertElements(value, from, to);
}

/// The dimension of `dims` that a matrix has for them: the one with more than
/// one element, else any.
static std::optional<int64_t> pickDim(ArrayRef<int64_t> shape,
                                      const Dims &dims) {
  for (int64_t dim : dims)
    if (shape[dim] != 1)
      return dim;
  if (dims.empty())
    return std::nullopt;
  return dims.front();
}

bool DotImport::isMatmul() const {
  for (const Side *side : {&lhs, &rhs})
    for (const Dims *dims : {&side->batch, &side->contract, &side->free})
      if (llvm::count_if(
              *dims, [&](int64_t dim) { return side->shape()[dim] != 1; }) > 1)
        return false;
  return true;
}

/// The operand as [batch,] rows, columns.
Value DotImport::toMatrix(const Side &side, bool contractLast) {
  ArrayRef<int64_t> shape = side.shape();
  std::optional<int64_t> batch = pickDim(shape, side.batch);
  std::optional<int64_t> contract = pickDim(shape, side.contract);
  std::optional<int64_t> free = pickDim(shape, side.free);
  SmallVector<std::optional<int64_t>> order;
  if (batch)
    order.push_back(batch);
  order.push_back(contractLast ? free : contract);
  order.push_back(contractLast ? contract : free);
  // Drop the other dimensions, order those that stay, add missing ones.
  Dims kept, keptShape, matrix;
  for (std::optional<int64_t> dim : order) {
    if (dim)
      kept.push_back(*dim);
    matrix.push_back(dim ? shape[*dim] : 1);
  }
  Dims sorted = kept;
  llvm::sort(sorted);
  for (int64_t dim : sorted)
    keptShape.push_back(shape[dim]);
  Dims permutation;
  for (int64_t dim : kept)
    permutation.push_back(llvm::find(sorted, dim) - sorted.begin());
  Value value = import.reshape(side.value, keptShape);
  value = import.transpose(value, permutation);
  return import.reshape(value, matrix);
}

Value DotImport::makeMatmul() {
  Value left = toMatrix(lhs, /*contractLast=*/true);
  Value right = toMatrix(rhs, /*contractLast=*/false);
  Dims shape(cast<RankedTensorType>(left.getType()).getShape());
  shape.back() = cast<RankedTensorType>(right.getType()).getShape().back();
  Value init = import.fill(import.constant(compute, 0.0), shape);
  Value product;
  if (lhs.batch.empty())
    product =
        linalg::MatmulOp::create(import.builder, import.loc(),
                                 ValueRange{left, right}, ValueRange(init))
            .getResult(0);
  else
    product =
        linalg::BatchMatmulOp::create(import.builder, import.loc(),
                                      ValueRange{left, right}, ValueRange(init))
            .getResult(0);
  return import.reshape(product, resultShape);
}

Value DotImport::makeContraction() {
  OpBuilder &b = import.builder;
  unsigned numBatch = lhs.batch.size(), numLeft = lhs.free.size(),
           numRight = rhs.free.size(), numContract = lhs.contract.size();
  unsigned numResult = numBatch + numLeft + numRight;
  unsigned numLoops = numResult + numContract;
  auto getMap = [&](const Side &side, unsigned firstFree) {
    SmallVector<AffineExpr> exprs(side.shape().size());
    auto set = [&](const Dims &dims, unsigned first) {
      for (auto [index, dim] : llvm::enumerate(dims))
        exprs[dim] = b.getAffineDimExpr(first + index);
    };
    set(side.batch, 0);
    set(side.free, firstFree);
    set(side.contract, numResult);
    return AffineMap::get(numLoops, 0, exprs, b.getContext());
  };
  SmallVector<AffineMap> maps = {
      getMap(lhs, numBatch), getMap(rhs, numBatch + numLeft),
      AffineMap::getMultiDimIdentityMap(numLoops, b.getContext())
          .getMajorSubMap(numResult)};
  SmallVector<utils::IteratorType> loops(numResult,
                                         utils::IteratorType::parallel);
  loops.append(numContract, utils::IteratorType::reduction);

  // Small floats are summed in f32 and rounded once.
  bool isFloat = isa<FloatType>(compute);
  Type sum = compute;
  if (isFloat && compute.getIntOrFloatBitWidth() < 32)
    sum = b.getF32Type();
  Value init = import.fill(import.constant(sum, 0.0), resultShape);
  auto generic = linalg::GenericOp::create(
      b, import.loc(), TypeRange(init.getType()),
      ValueRange{lhs.value, rhs.value}, ValueRange(init), maps, loops,
      [&](OpBuilder &body, Location loc, ValueRange args) {
        Value left = args[0], right = args[1], total;
        if (sum != compute) {
          left = arith::ExtFOp::create(body, loc, sum, left);
          right = arith::ExtFOp::create(body, loc, sum, right);
        }
        if (isFloat)
          total = arith::AddFOp::create(
              body, loc, args[2],
              arith::MulFOp::create(body, loc, left, right));
        else
          total = arith::AddIOp::create(
              body, loc, args[2],
              arith::MulIOp::create(body, loc, left, right));
        linalg::YieldOp::create(body, loc, total);
      });
  return import.convertElements(generic.getResult(0), sum, compute);
}

LogicalResult DotImport::run() {
  if (failed(readDims()) || failed(check()))
    return failure();
  chooseTypes();
  lhs.value = widen(lhs.value, import.op->getOperand(0).getType());
  rhs.value = widen(rhs.value, import.op->getOperand(1).getType());
  Value product = isMatmul() ? makeMatmul() : makeContraction();
  return import.yield(import.convertElements(product, compute, element));
}

static LogicalResult importDot(OpImport &import) {
  return DotImport(import).run();
}

void mlir::dtensor::addDotRules(ImportRules &rules) {
  rules["stablehlo.dot"] = {importDot, 2, false};
  rules["stablehlo.dot_general"] = {importDot, 2, false};
}
