// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of the structured ops; the labels are those of
// DTensorStructuredOps.td.

#include "dtensor/Dialect/DTensor/DTensor.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// What the ops have in common
//===----------------------------------------------------------------------===//

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// (S1), and how many operands and destinations there are.
template <typename OpTy>
static LogicalResult verifyForm(OpTy op, unsigned inputs, unsigned inits) {
  if (op.getInputs().size() != inputs || op.getInits().size() != inits)
    return op.emitOpError() << "takes " << inputs << " operands and " << inits
                            << " destinations, got " << op.getInputs().size()
                            << " and " << op.getInits().size();
  if (op.getResultTypes() != TypeRange(op.getInits()))
    return op.emitOpError()
           << "gives " << op.getResultTypes() << ", its destinations are of "
           << TypeRange(op.getInits());
  return success();
}

/// (S2)
template <typename OpTy>
static LogicalResult verifyDims(OpTy op, ArrayRef<int64_t> dims, int64_t rank) {
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op.emitOpError()
             << "dimension " << dim << " is out of range for a tensor of rank "
             << rank;
    if (llvm::is_contained(dims.take_front(index), dim))
      return op.emitOpError() << "names dimension " << dim << " twice";
  }
  return success();
}

/// Checks that values of `element` can be combined.
template <typename OpTy>
static LogicalResult verifyCombines(OpTy op, ReduceOp reduceOp, Type element) {
  auto planned = static_cast<planner::ReduceOp>(reduceOp);
  std::optional<planner::ElementType> type = getElementType(element);
  if (planned == planner::ReduceOp::Avg || !type ||
      !planner::isReductionSupported(planned, *type))
    return op.emitOpError()
           << "combines elements of type " << element << " by '"
           << planner::reduceOpName(planned) << "', which is not defined here";
  return success();
}

/// Checks that values of `element` can be compared.
template <typename OpTy>
static LogicalResult verifyCompares(OpTy op, Type element) {
  bool isFloat =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() >= 16;
  if ((!isFloat && !isa<IntegerType>(element)) || !getElementType(element))
    return op.emitOpError() << "compares elements of type " << element
                            << "; use integers, or floats of 16 bits and more";
  return success();
}

//===----------------------------------------------------------------------===//
// Lines: scan, sort, top_k
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  if (failed(verifyForm(*this, 1, 1))) // (C1)
    return failure();
  RankedTensorType type = typeOf(getInputs()[0]);
  if (type != typeOf(getInits()[0])) // (C1)
    return emitOpError() << "scans " << type << " into "
                         << typeOf(getInits()[0]) << "; both must be alike";
  if (failed(verifyDims(*this, getDim(), type.getRank())))
    return failure();
  return verifyCombines(*this, getOp(), type.getElementType()); // (C2)
}

LogicalResult SortOp::verify() {
  unsigned count = getInputs().size();
  if (count == 0) // (C1)
    return emitOpError() << "sorts nothing";
  if (failed(verifyForm(*this, count, count)))
    return failure();
  RankedTensorType keys = typeOf(getInputs()[0]);
  for (auto [input, init] : llvm::zip_equal(getInputs(), getInits()))
    if (typeOf(input).getShape() != keys.getShape() ||
        input.getType() != init.getType()) // (C1)
      return emitOpError() << "sorts " << input.getType() << " into "
                           << init.getType() << " by keys of " << keys
                           << "; all must have one shape";
  if (failed(verifyDims(*this, getDim(), keys.getRank())))
    return failure();
  if (keys.isDynamicDim(getDim())) // (C2)
    return emitOpError() << "sorts along dimension " << getDim()
                         << ", whose size is not known";
  return verifyCompares(*this, keys.getElementType()); // (C3)
}

LogicalResult TopKOp::verify() {
  if (failed(verifyForm(*this, 1, 2))) // (C1)
    return failure();
  RankedTensorType source = typeOf(getInputs()[0]);
  RankedTensorType values = typeOf(getInits()[0]);
  RankedTensorType places = typeOf(getInits()[1]);
  if (values.getShape() != places.getShape() ||
      values.getElementType() != source.getElementType() ||
      (!places.getElementType().isInteger(32) &&
       !places.getElementType().isInteger(64))) // (C1)
    return emitOpError() << "of " << source << " gives values of " << values
                         << " and positions of " << places
                         << "; they have one shape, the operand's element "
                            "type, and i32 or i64";
  if (failed(verifyDims(*this, getDim(), source.getRank())))
    return failure();
  SmallVector<int64_t> expected(source.getShape());
  bool fits = values.getRank() == source.getRank();
  if (fits) {
    int64_t k = values.getDimSize(getDim());
    fits = k >= 0 && expected[getDim()] >= 0 && k <= expected[getDim()];
    expected[getDim()] = k;
  }
  if (!fits || values.getShape() != ArrayRef<int64_t>(expected)) // (C2)
    return emitOpError() << "along dimension " << getDim() << " of " << source
                         << " cannot give " << values;
  return verifyCompares(*this, source.getElementType()); // (C3)
}

//===----------------------------------------------------------------------===//
// Positions: gather, scatter
//===----------------------------------------------------------------------===//

/// The shape of parts of `whole` at `indices`: (C1) and (C2) of gather and
/// scatter.
template <typename OpTy>
static LogicalResult verifyParts(OpTy op, RankedTensorType whole,
                                 RankedTensorType indices,
                                 RankedTensorType parts) {
  ArrayRef<int64_t> dims = op.getDims();
  if (failed(verifyDims(op, dims, whole.getRank())))
    return failure();
  Type element = indices.getElementType();
  if ((!element.isInteger(32) && !element.isInteger(64)) ||
      indices.getRank() == 0 ||
      indices.getShape().back() != static_cast<int64_t>(dims.size())) // (C1)
    return op.emitOpError()
           << "has indices of " << indices << "; for " << dims.size()
           << " dimensions their last one has as many elements, of i32 or i64";
  SmallVector<int64_t> expected(indices.getShape().drop_back());
  for (int64_t dim = 0; dim < whole.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      expected.push_back(whole.getDimSize(dim));
  auto type = RankedTensorType::get(expected, whole.getElementType());
  if (type != parts) // (C1), (C2)
    return op.emitOpError() << "of " << whole << " at " << indices
                            << " has parts of " << type << ", got " << parts;
  return success();
}

LogicalResult GatherOp::verify() {
  if (failed(verifyForm(*this, 2, 1))) // (C1)
    return failure();
  RankedTensorType source = typeOf(getInputs()[0]);
  RankedTensorType result = typeOf(getInits()[0]);
  if (failed(verifyParts(*this, source, typeOf(getInputs()[1]), result)))
    return failure();
  bool isEmpty = llvm::is_contained(result.getShape(), 0);
  for (int64_t dim : getDims())
    if (source.getDimSize(dim) == 0 && !isEmpty) // (C2)
      return emitOpError() << "takes parts of dimension " << dim << " of "
                           << source << ", which is empty";
  return success();
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyForm(*this, 2, 1))) // (C1)
    return failure();
  RankedTensorType target = typeOf(getInits()[0]);
  if (failed(verifyParts(*this, target, typeOf(getInputs()[1]),
                         typeOf(getInputs()[0]))))
    return failure();
  if (!getOp())
    return success();
  return verifyCombines(*this, *getOp(), target.getElementType()); // (C3)
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

LogicalResult ReduceWindowOp::verify() {
  if (failed(verifyForm(*this, 1, 1))) // (C1)
    return failure();
  RankedTensorType source = typeOf(getInputs()[0]);
  RankedTensorType target = typeOf(getInits()[0]);
  auto rank = static_cast<size_t>(source.getRank());
  for (ArrayRef<int64_t> list :
       {getWindow(), getStrides(), getDilations(), getLow(), getHigh()})
    if (list.size() != rank) // (C1)
      return emitOpError() << "has a list of " << list.size()
                           << " entries for an operand of rank " << rank;
  if (target.getRank() != source.getRank() ||
      target.getElementType() != source.getElementType()) // (C1)
    return emitOpError() << "reduces windows of " << source << " into "
                         << target << "; both have one rank and element type";
  for (size_t dim = 0; dim < rank; ++dim) {
    constexpr int64_t kLargest = int64_t(1) << 31;
    for (int64_t size :
         {getWindow()[dim], getStrides()[dim], getDilations()[dim]})
      if (size < 1 || size > kLargest) // (C2)
        return emitOpError() << "has a window, stride or dilation of " << size
                             << " in dimension " << dim
                             << "; they are at least 1 and at most 2^31";
    for (int64_t size : {getLow()[dim], getHigh()[dim]})
      if (size < 0 || size > kLargest) // (C2)
        return emitOpError() << "has " << size << " elements around dimension "
                             << dim << "; there are at least 0, at most 2^31";
    int64_t size = source.getDimSize(dim);
    bool isPlain = getWindow()[dim] == 1 && getStrides()[dim] == 1 &&
                   getLow()[dim] == 0 && getHigh()[dim] == 0;
    int64_t expected = size;
    if (!isPlain) {
      if (size < 0)
        return emitOpError() << "slides over dimension " << dim
                             << ", whose size is not known"; // (C3)
      int64_t room = size + getLow()[dim] + getHigh()[dim] -
                     (getWindow()[dim] - 1) * getDilations()[dim] - 1;
      expected = room < 0 ? 0 : room / getStrides()[dim] + 1;
    }
    if (target.getDimSize(dim) != expected) // (C3)
      return emitOpError() << "has " << expected << " windows in dimension "
                           << dim << " of " << source << ", got " << target;
  }
  return verifyCombines(*this, getOp(), source.getElementType()); // (C4)
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  if (failed(verifyForm(*this, 3, 1))) // (C1)
    return failure();
  RankedTensorType q = typeOf(getInputs()[0]), k = typeOf(getInputs()[1]);
  RankedTensorType v = typeOf(getInputs()[2]), o = typeOf(getInits()[0]);
  int64_t rank = q.getRank();
  auto element = dyn_cast<FloatType>(q.getElementType());
  for (RankedTensorType type : {q, k, v, o})
    if (type.getRank() != rank || rank < 2 ||
        type.getElementType() != q.getElementType() ||
        type.getShape().drop_back(2) != q.getShape().drop_back(2) || !element ||
        element.getWidth() < 16) // (C1)
      return emitOpError() << "of " << q << ", " << k << " and " << v
                           << " into " << o
                           << "; all have one rank of at least 2, the same "
                              "batches, and one type of floats";
  ArrayRef<int64_t> qs = q.getShape().take_back(2);
  ArrayRef<int64_t> ks = k.getShape().take_back(2);
  ArrayRef<int64_t> vs = v.getShape().take_back(2);
  ArrayRef<int64_t> os = o.getShape().take_back(2);
  if (qs[1] != ks[1] || ks[0] != vs[0] || os[0] != qs[0] || os[1] != vs[1] ||
      ks[1] == 0 || ks[0] == 0) // (C2)
    return emitOpError() << "of queries " << q << ", keys " << k
                         << " and values " << v << " cannot give " << o;
  if (getCausal() && ks[0] < qs[0]) // (C3)
    return emitOpError() << "is causal and has " << qs[0] << " queries of "
                         << ks[0] << " keys; the first ones see none";
  return success();
}
