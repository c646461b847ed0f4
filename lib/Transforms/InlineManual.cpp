// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-inline-manual: writes manual regions as local values of the program
// around them.
//
//   %r = dtensor.manual(%x) in [#row] out [#row] { ^bb0(%l): ... yield %s }
// becomes
//   %l = dtensor.to_local %x in #row
//   ...
//   %r = dtensor.from_local %s in #row

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_INLINEMANUALPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

static void inlineManual(ManualOp op) {
  IRRewriter rewriter(op);
  Block &body = op.getBody().front();
  SmallVector<Value> locals;
  for (auto [input, layout, argument] : llvm::zip_equal(
           op.getInputs(), op.getInLayouts().getAsRange<LayoutAttr>(),
           body.getArguments()))
    locals.push_back(ToLocalOp::create(rewriter, op.getLoc(),
                                       argument.getType(), input, layout));
  auto yield = cast<YieldOp>(body.getTerminator());
  SmallVector<Value> yielded(yield.getValues());
  for (Value &value : yielded) // arguments go with the region
    if (auto argument = dyn_cast<BlockArgument>(value))
      value = locals[argument.getArgNumber()];
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&body, op, locals);
  SmallVector<Value> results;
  for (auto [value, layout, result] :
       llvm::zip_equal(yielded, op.getOutLayouts().getAsRange<LayoutAttr>(),
                       op.getResults()))
    results.push_back(FromLocalOp::create(rewriter, op.getLoc(),
                                          result.getType(), value, layout));
  rewriter.replaceOp(op, results);
}

namespace {
struct InlineManualPass
    : mlir::dtensor::impl::InlineManualPassBase<InlineManualPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<ManualOp> ops;
    getOperation().walk([&](ManualOp op) { ops.push_back(op); });
    for (ManualOp op : ops) {
      // (C1)
      if (op->getParentOfType<ManualOp>() || !op->getBlock()->isEntryBlock() ||
          !isa<FunctionOpInterface>(op->getParentOp())) {
        op.emitOpError() << "stands inside of '" << op->getParentOp()->getName()
                         << "'; a manual region is one of a function's own "
                            "steps, outside of other regions";
        return signalPassFailure();
      }
    }
    for (ManualOp op : ops)
      inlineManual(op);
  }
};
} // namespace
