// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dtensor dialect's structured ops, by what they are defined to be.

#include "LocalOps.h"

#include "Reduction.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::dtensor;
using namespace mlir::dtensor::interp;

static int64_t positionOf(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t position = 0;
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    position += i * stride;
  return position;
}

/// Calls `visit(start, stride)` for each line of a tensor along `dim`: where it
/// begins, and the way from an element to the next.
static void forEachLine(ArrayRef<int64_t> shape, int64_t dim,
                        llvm::function_ref<void(int64_t, int64_t)> visit) {
  SmallVector<int64_t> strides = getStrides(shape);
  SmallVector<int64_t> starts(shape);
  starts[dim] = 1;
  forEachIndex(starts, [&](ArrayRef<int64_t> index, int64_t) {
    visit(positionOf(index, strides), strides[dim]);
  });
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static void evaluateScan(ScanOp op, const LocalOp &local) {
  const Tensor &source = *local.operands[0];
  TensorPtr result = makeTensor(source.format, source.shape);
  auto reduceOp = static_cast<planner::ReduceOp>(op.getOp());
  // Rounded as in a register: f32 for floats of 16 bits.
  ElementFormat wide = getAccumulator(planner::ReduceOp::Sum, source.format);
  int64_t length = source.shape[op.getDim()];
  forEachLine(source.shape, op.getDim(), [&](int64_t start, int64_t stride) {
    Scalar running = getIdentity(reduceOp, wide);
    for (int64_t i = 0; i < length; ++i) {
      int64_t at = start + (op.getReverse() ? length - 1 - i : i) * stride;
      Scalar next =
          wide.round(combine(reduceOp, wide, running, source.data[at]));
      result->data[at] =
          source.format.round(op.getExclusive() ? running : next);
      running = next;
    }
  });
  local.results.push_back(std::move(result));
}

/// The positions of a line in the order of its elements, equal ones as they
/// were: NaN is the largest, zeros are equal.
static std::vector<int64_t> sortLine(const Tensor &keys, int64_t start,
                                     int64_t stride, int64_t length,
                                     bool descending) {
  bool isBool = !keys.format.isFloat() && keys.format.width == 1;
  auto isLess = [&](Scalar a, Scalar b) {
    if (!keys.format.isFloat())
      return isBool ? a.i > b.i : a.i < b.i; // true of i1 is -1
    return a.f < b.f || (!std::isnan(a.f) && std::isnan(b.f));
  };
  std::vector<int64_t> order(length);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    Scalar x = keys.data[start + a * stride], y = keys.data[start + b * stride];
    if (descending)
      std::swap(x, y);
    return isLess(x, y) || (!isLess(y, x) && a < b);
  });
  return order;
}

static void evaluateSort(SortOp op, const LocalOp &local) {
  const Tensor &keys = *local.operands[0];
  SmallVector<TensorPtr> results;
  for (const TensorRef &operand :
       local.operands.take_front(op.getInputs().size()))
    results.push_back(makeTensor(operand->format, operand->shape));
  int64_t length = keys.shape[op.getDim()];
  forEachLine(keys.shape, op.getDim(), [&](int64_t start, int64_t stride) {
    std::vector<int64_t> order =
        sortLine(keys, start, stride, length, op.getDescending());
    for (auto [index, result] : llvm::enumerate(results))
      for (int64_t i = 0; i < length; ++i)
        result->data[start + i * stride] =
            local.operands[index]->data[start + order[i] * stride];
  });
  local.results.append(results.begin(), results.end());
}

static void evaluateTopK(TopKOp op, const LocalOp &local) {
  const Tensor &source = *local.operands[0];
  int64_t dim = op.getDim();
  SmallVector<int64_t> shape = llvm::to_vector(ArrayRef<int64_t>(source.shape));
  int64_t k =
      cast<RankedTensorType>(op.getInits()[0].getType()).getDimSize(dim);
  shape[dim] = k;
  TensorPtr values = makeTensor(source.format, shape);
  TensorPtr places = makeTensor(
      *getElementFormat(getElementTypeOrSelf(op.getInits()[1])), shape);
  // Lines of both follow in the same order.
  std::vector<std::pair<int64_t, int64_t>> targets;
  forEachLine(shape, dim, [&](int64_t start, int64_t stride) {
    targets.emplace_back(start, stride);
  });
  size_t line = 0;
  forEachLine(source.shape, dim, [&](int64_t start, int64_t stride) {
    std::vector<int64_t> order =
        sortLine(source, start, stride, source.shape[dim], /*descending=*/true);
    auto [target, step] = targets[line++];
    for (int64_t i = 0; i < k; ++i) {
      values->data[target + i * step] = source.data[start + order[i] * stride];
      places->data[target + i * step] = fromInt(order[i]);
    }
  });
  local.results.push_back(std::move(values));
  local.results.push_back(std::move(places));
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// The element of the whole tensor that element `part` of its parts is.
static SmallVector<int64_t> placeOf(ArrayRef<int64_t> part,
                                    const Tensor &indices,
                                    ArrayRef<int64_t> dims, int64_t rank) {
  SmallVector<int64_t> strides = getStrides(indices.shape);
  size_t batch = indices.shape.size() - 1;
  SmallVector<int64_t> entry(part.take_front(batch));
  entry.push_back(0);
  SmallVector<int64_t> place;
  ArrayRef<int64_t> rest = part.drop_front(batch);
  for (int64_t dim = 0; dim < rank; ++dim) {
    const auto *listed = llvm::find(dims, dim);
    if (listed == dims.end()) {
      place.push_back(rest.front());
      rest = rest.drop_front();
      continue;
    }
    entry.back() = listed - dims.begin();
    place.push_back(indices.data[positionOf(entry, strides)].i);
  }
  return place;
}

static void evaluateGather(GatherOp op, const LocalOp &local) {
  const Tensor &source = *local.operands[0];
  const Tensor &init = *local.operands[2];
  TensorPtr result = makeTensor(init.format, init.shape);
  SmallVector<int64_t> strides = getStrides(source.shape);
  forEachIndex(init.shape, [&](ArrayRef<int64_t> part, int64_t position) {
    SmallVector<int64_t> at =
        placeOf(part, *local.operands[1], op.getDims(), source.shape.size());
    for (int64_t dim : op.getDims())
      at[dim] = std::clamp<int64_t>(at[dim], 0, source.shape[dim] - 1);
    result->data[position] = source.data[positionOf(at, strides)];
  });
  local.results.push_back(std::move(result));
}

static void evaluateScatter(ScatterOp op, const LocalOp &local) {
  const Tensor &updates = *local.operands[0];
  TensorPtr result = std::make_shared<Tensor>(*local.operands[2]);
  SmallVector<int64_t> strides = getStrides(result->shape);
  forEachIndex(updates.shape, [&](ArrayRef<int64_t> part, int64_t position) {
    SmallVector<int64_t> at =
        placeOf(part, *local.operands[1], op.getDims(), result->shape.size());
    for (int64_t dim : op.getDims())
      if (at[dim] < 0 || at[dim] >= result->shape[dim])
        return;
    Scalar &element = result->data[positionOf(at, strides)];
    Scalar update = updates.data[position];
    element = op.getOp() ? result->format.round(combine(
                               static_cast<planner::ReduceOp>(*op.getOp()),
                               result->format, element, update))
                         : update;
  });
  local.results.push_back(std::move(result));
}

static void evaluateReduceWindow(ReduceWindowOp op, const LocalOp &local) {
  const Tensor &source = *local.operands[0];
  TensorPtr result = std::make_shared<Tensor>(*local.operands[1]);
  auto reduceOp = static_cast<planner::ReduceOp>(op.getOp());
  SmallVector<int64_t> strides = getStrides(source.shape);
  forEachIndex(result->shape, [&](ArrayRef<int64_t> place, int64_t position) {
    Scalar &element = result->data[position];
    forEachIndex(op.getWindow(), [&](ArrayRef<int64_t> offset, int64_t) {
      SmallVector<int64_t> at;
      for (size_t dim = 0; dim < place.size(); ++dim) {
        at.push_back(place[dim] * op.getStrides()[dim] +
                     offset[dim] * op.getDilations()[dim] - op.getLow()[dim]);
        if (at[dim] < 0 || at[dim] >= source.shape[dim])
          return;
      }
      element =
          result->format.round(combine(reduceOp, result->format, element,
                                       source.data[positionOf(at, strides)]));
    });
  });
  local.results.push_back(std::move(result));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// In f64 throughout, and rounded at the end.
static void evaluateAttention(AttentionOp op, const LocalOp &local) {
  const Tensor &q = *local.operands[0], &k = *local.operands[1];
  const Tensor &v = *local.operands[2], &init = *local.operands[3];
  TensorPtr result = makeTensor(init.format, init.shape);
  size_t rank = q.shape.size();
  int64_t m = q.shape[rank - 2], d = q.shape[rank - 1];
  int64_t n = k.shape[rank - 2], e = v.shape[rank - 1];
  double scale = op.getScale() ? op.getScaleAttr().getValueAsDouble()
                               : 1 / std::sqrt(static_cast<double>(d));
  int64_t batches = 1;
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    batches *= q.shape[dim];
  for (int64_t row = 0; row < batches * m; ++row) {
    int64_t batch = row / m, i = row % m;
    int64_t keys = op.getCausal() ? i + n - m + 1 : n;
    std::vector<double> weights(keys);
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t j = 0; j < keys; ++j) {
      for (int64_t c = 0; c < d; ++c)
        weights[j] += q.data[row * d + c].f * k.data[(batch * n + j) * d + c].f;
      weights[j] *= scale;
      largest = std::max(largest, weights[j]);
    }
    for (double &weight : weights)
      sum += weight = std::exp(weight - largest);
    for (int64_t c = 0; c < e; ++c) {
      double value = 0;
      for (int64_t j = 0; j < keys; ++j)
        value += weights[j] / sum * v.data[(batch * n + j) * e + c].f;
      result->data[row * e + c] = result->format.round(fromFloat(value));
    }
  }
  local.results.push_back(std::move(result));
}

bool mlir::dtensor::interp::evaluateDTensorOp(const LocalOp &local) {
  return llvm::TypeSwitch<Operation *, bool>(local.op)
      .Case<ScanOp>([&](auto op) { return evaluateScan(op, local), true; })
      .Case<SortOp>([&](auto op) { return evaluateSort(op, local), true; })
      .Case<TopKOp>([&](auto op) { return evaluateTopK(op, local), true; })
      .Case<GatherOp>([&](auto op) { return evaluateGather(op, local), true; })
      .Case<ScatterOp>(
          [&](auto op) { return evaluateScatter(op, local), true; })
      .Case<ReduceWindowOp>(
          [&](auto op) { return evaluateReduceWindow(op, local), true; })
      .Case<AttentionOp>(
          [&](auto op) { return evaluateAttention(op, local), true; })
      .Default([](Operation *) { return false; });
}
