// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products as plain loops over arrays: matmul, batch_matmul, matvec,
// dot, and generics of their kind. Products and sums are f64 (or 64-bit
// integers, which wrap around to the same result as narrower ones), added in
// the order of the op's reduction loops.

#include "LocalOps.h"

#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mlir::dtensor::interp;

namespace {
/// Elements that one step of a loop moves each of the three operands.
struct LoopSteps {
  int64_t extent = 0;
  int64_t a = 0, b = 0, c = 0;
  bool isReduction = false;
};
} // namespace

/// The input that `value` is, or is a wider copy of; -1 for others.
static int getInput(Value value, Block &body) {
  while (Operation *op = value.getDefiningOp()) {
    if (op->getBlock() != &body || !isa<arith::ExtFOp, arith::ExtSIOp>(op))
      return -1;
    value = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &body ? argument.getArgNumber()
                                                  : -1;
}

/// Matches `yield out + a * b` where a and b are inputs 0 and 1, in any order
/// (a product of an input with itself is left to the walker).
static bool isSumOfProducts(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return false;
  Block &body = *op.getBlock();
  if (body.getNumArguments() != 3)
    return false;
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum) ||
      sum->getBlock() != &body)
    return false;
  for (unsigned side : {0u, 1u}) {
    Operation *product = sum->getOperand(side).getDefiningOp();
    bool fits = isa<arith::AddFOp>(sum)
                    ? isa_and_nonnull<arith::MulFOp>(product)
                    : isa_and_nonnull<arith::MulIOp>(product);
    if (!fits || product->getBlock() != &body ||
        sum->getOperand(1 - side) != body.getArgument(2))
      continue;
    int first = getInput(product->getOperand(0), body);
    int second = getInput(product->getOperand(1), body);
    return (first == 0 && second == 1) || (first == 1 && second == 0);
  }
  return false;
}

static SmallVector<int64_t> getSteps(AffineMap map, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides = getStrides(shape);
  SmallVector<int64_t> steps(map.getNumDims(), 0);
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    steps[cast<AffineDimExpr>(expr).getPosition()] = strides[dim];
  return steps;
}

/// Loops in the op's order, but for the innermost: the one over which the
/// operands lie most densely. A parallel loop inside leaves the order of the
/// sums alone; a reduction loop is only moved where it is the only one.
static SmallVector<LoopSteps> orderLoops(linalg::LinalgOp op,
                                         SmallVector<LoopSteps> loops) {
  auto badness = [](const LoopSteps &loop) {
    int score = 0;
    for (int64_t step : {loop.a, loop.b, loop.c})
      score += step != 0 && step != 1 ? 2 : 0;
    // Independent sums go through the processor side by side.
    return score + (loop.isReduction ? 1 : 0);
  };
  unsigned best = loops.size();
  for (unsigned i = 0; i < loops.size(); ++i) {
    if (loops[i].isReduction && op.getNumReductionLoops() > 1)
      continue;
    if (best == loops.size() || badness(loops[i]) < badness(loops[best]))
      best = i;
  }
  if (best == loops.size())
    return loops;
  LoopSteps inner = loops[best];
  loops.erase(loops.begin() + best);
  loops.push_back(inner);
  return loops;
}

/// The innermost loop over floats. Of the two factors the first may stand
/// still, which leaves a loop that vectorises.
static void accumulateFloats(const LoopSteps &loop, const Scalar *a,
                             const Scalar *b, Scalar *c) {
  if (loop.c == 0) {
    double sum = c->f;
    for (int64_t i = 0; i < loop.extent; ++i)
      sum += a[i * loop.a].f * b[i * loop.b].f;
    c->f = sum;
    return;
  }
  if (loop.a == 0 && loop.b == 1 && loop.c == 1) {
    double factor = a->f;
    for (int64_t i = 0; i < loop.extent; ++i)
      c[i].f += factor * b[i].f;
    return;
  }
  for (int64_t i = 0; i < loop.extent; ++i)
    c[i * loop.c].f += a[i * loop.a].f * b[i * loop.b].f;
}

/// Integers wrap around, which only unsigned arithmetic may do in C++.
static void accumulateInts(const LoopSteps &loop, const Scalar *a,
                           const Scalar *b, Scalar *c) {
  for (int64_t i = 0; i < loop.extent; ++i) {
    auto product = static_cast<uint64_t>(a[i * loop.a].i) *
                   static_cast<uint64_t>(b[i * loop.b].i);
    Scalar &sum = c[i * loop.c];
    sum.i = static_cast<int64_t>(static_cast<uint64_t>(sum.i) + product);
  }
}

bool mlir::dtensor::interp::evaluateContraction(linalg::LinalgOp op,
                                                ArrayRef<int64_t> ranges,
                                                ArrayRef<TensorRef> operands,
                                                Tensor &result) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!isSumOfProducts(op) || !llvm::all_of(maps, [](AffineMap map) {
        return map.isProjectedPermutation();
      }))
    return false;
  SmallVector<int64_t> a = getSteps(maps[0], operands[0]->shape);
  SmallVector<int64_t> b = getSteps(maps[1], operands[1]->shape);
  SmallVector<int64_t> c = getSteps(maps[2], result.shape);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<LoopSteps> loops;
  for (auto [i, extent] : llvm::enumerate(ranges))
    loops.push_back({extent, a[i], b[i], c[i],
                     iterators[i] == utils::IteratorType::reduction});
  loops = orderLoops(op, std::move(loops));
  LoopSteps inner = loops.pop_back_val();
  // The dense operand of the innermost loop comes second.
  const Scalar *first = operands[0]->data.data();
  const Scalar *second = operands[1]->data.data();
  if (inner.b == 0) {
    std::swap(first, second);
    std::swap(inner.a, inner.b);
    for (LoopSteps &loop : loops)
      std::swap(loop.a, loop.b);
  }
  SmallVector<int64_t> extents = llvm::map_to_vector(
      loops, [](const LoopSteps &loop) { return loop.extent; });
  auto run = result.format.isFloat() ? accumulateFloats : accumulateInts;
  forEachIndex(extents, [&](ArrayRef<int64_t> index, int64_t) {
    int64_t atA = 0, atB = 0, atC = 0;
    for (auto [loop, i] : llvm::zip_equal(loops, index)) {
      atA += i * loop.a;
      atB += i * loop.b;
      atC += i * loop.c;
    }
    run(inner, first + atA, second + atB, result.data.data() + atC);
  });
  return true;
}
