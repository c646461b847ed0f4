// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-widen-reductions: running sums and products of 16-bit floats in f32.

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_WIDENREDUCTIONSPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

/// The op that combines destination `index` with an element, where it is a sum
/// or product of 16-bit floats; else null.
static Operation *findCombiner(linalg::LinalgOp op, unsigned index) {
  Type type = getElementTypeOrSelf(op.getDpsInits()[index].getType());
  if (!isa<Float16Type, BFloat16Type>(type))
    return nullptr;
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), index, combiners) ||
      combiners.size() != 1 || !isa<arith::AddFOp, arith::MulFOp>(combiners[0]))
    return nullptr;
  return combiners[0];
}

/// Matrix products become a step that sums in f32 itself.
static bool isProduct(Operation *op) {
  return isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op);
}

/// `init` in f32; what repeats one scalar is made of the wider scalar.
static Value widen(OpBuilder &builder, Location loc, Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  auto wide = RankedTensorType::get(type.getShape(), builder.getF32Type());
  auto widenScalar = [&](Value scalar) {
    return builder.createOrFold<arith::ExtFOp>(loc, builder.getF32Type(),
                                               scalar);
  };
  if (auto splat = init.getDefiningOp<tensor::SplatOp>())
    return tensor::SplatOp::create(builder, loc, wide,
                                   widenScalar(splat.getInput()),
                                   splat.getDynamicSizes());
  auto fill = init.getDefiningOp<linalg::FillOp>();
  auto empty =
      fill ? fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>() : nullptr;
  if (empty) {
    auto made =
        tensor::EmptyOp::create(builder, loc, wide, empty.getDynamicSizes());
    return linalg::FillOp::create(
               builder, loc, widenScalar(fill.getInputs()[0]), made.getResult())
        .getResult(0);
  }
  return builder.createOrFold<arith::ExtFOp>(loc, wide, init);
}

/// Rewrites a generic op; `combiners` has one entry per destination, null for
/// those that stay.
static void widenGeneric(linalg::GenericOp op,
                         ArrayRef<Operation *> combiners) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (auto [init, combiner] : llvm::zip_equal(op.getOutputs(), combiners)) {
    inits.push_back(combiner ? widen(builder, loc, init) : init);
    types.push_back(inits.back().getType());
  }
  auto made = linalg::GenericOp::create(
      builder, loc, types, op.getInputs(), inits, op.getIndexingMapsArray(),
      op.getIteratorTypesArray(),
      [&](OpBuilder &at, Location where, ValueRange elements) {
        IRMapping mapping;
        mapping.map(op.getBody()->getArguments(), elements);
        Type f32 = at.getF32Type();
        for (Operation &inner : op.getBody()->without_terminator()) {
          if (!llvm::is_contained(combiners, &inner)) {
            at.clone(inner, mapping);
            continue;
          }
          SmallVector<Value> operands;
          for (Value operand : inner.getOperands()) {
            Value value = mapping.lookupOrDefault(operand);
            if (value.getType() != f32)
              value = arith::ExtFOp::create(at, where, f32, value);
            operands.push_back(value);
          }
          Value combined =
              isa<arith::AddFOp>(inner)
                  ? arith::AddFOp::create(at, where, operands[0], operands[1])
                        .getResult()
                  : arith::MulFOp::create(at, where, operands[0], operands[1])
                        .getResult();
          mapping.map(inner.getResult(0), combined);
        }
        SmallVector<Value> yielded;
        for (Value value : op.getBody()->getTerminator()->getOperands())
          yielded.push_back(mapping.lookupOrDefault(value));
        linalg::YieldOp::create(at, where, yielded);
      });
  for (auto [old, result] :
       llvm::zip_equal(op.getResults(), made.getResults())) {
    Value rounded = result;
    if (old.getType() != result.getType())
      rounded = arith::TruncFOp::create(builder, loc, old.getType(), result);
    old.replaceAllUsesWith(rounded);
  }
  op.erase();
}

namespace {
struct WidenReductionsPass
    : mlir::dtensor::impl::WidenReductionsPassBase<WidenReductionsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0 &&
          !isProduct(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      auto find = [](linalg::LinalgOp in) {
        SmallVector<Operation *> combiners;
        for (unsigned i = 0; i < in.getNumDpsInits(); ++i)
          combiners.push_back(findCombiner(in, i));
        return combiners;
      };
      SmallVector<Operation *> combiners = find(op);
      if (llvm::all_of(combiners, [](Operation *found) { return !found; }))
        continue;
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        rewriter.setInsertionPoint(op);
        FailureOr<linalg::GenericOp> made =
            linalg::generalizeNamedOp(rewriter, op);
        if (failed(made))
          continue; // stays as it is, and rounds every step
        generic = *made;
        combiners = find(generic);
      }
      widenGeneric(generic, combiners);
    }
  }
};
} // namespace
