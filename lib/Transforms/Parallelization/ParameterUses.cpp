// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Following a parameter to the ops that it is meant for.

#include "ParameterUses.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// A value made of a parameter, and for each of its dimensions the one of the
/// parameter that it is, or -1.
struct Derived {
  Value value;
  SmallVector<int64_t> origins;
};

} // namespace

static std::optional<ShardingRule> getRule(Operation *op) {
  if (isa<ConstrainOp, RedistributeOp>(op))
    return getElementwiseRule(op);
  return getShardingRule(op);
}

static bool hasReduction(const ShardingRule &rule) {
  return llvm::any_of(rule.factors, [](const Factor &factor) {
    return factor.kind == FactorKind::Reduction;
  });
}

static bool hasFactor(const DimFactors &dims, int factor) {
  return llvm::any_of(dims, [&](ArrayRef<int> factors) {
    return llvm::is_contained(factors, factor);
  });
}

/// Sorts the dimensions of `derived`, operand `use` of a product. Those of a
/// batch, which the other operand has too, are neither.
static ProductDims sortDims(const ShardingRule &rule, OpOperand &use,
                            const Derived &derived) {
  ProductDims dims{use.getOwner(), {}, {}};
  unsigned own = use.getOperandNumber();
  for (auto [factors, origin] :
       llvm::zip_equal(rule.operands[own], derived.origins)) {
    if (origin < 0 || factors.size() != 1)
      continue;
    int factor = factors[0];
    bool isShared = false;
    for (unsigned i = 0; i < rule.operands.size(); ++i)
      isShared |= i != own && rule.roles[i] == OperandRole::Read &&
                  hasFactor(rule.operands[i], factor);
    if (rule.factors[factor].kind == FactorKind::Reduction)
      dims.summed.push_back(origin);
    else if (!isShared)
      dims.kept.push_back(origin);
  }
  return dims;
}

/// The result of an op that only moves or converts its one operand.
static Derived follow(Operation *op, const ShardingRule &rule, unsigned own,
                      const Derived &derived) {
  Derived result{op->getResult(0), {}};
  for (const auto &factors : rule.results[0]) {
    int64_t origin = -1;
    if (factors.size() == 1)
      for (auto [sourceFactors, sourceOrigin] :
           llvm::zip_equal(rule.operands[own], derived.origins))
        if (ArrayRef<int>(sourceFactors) == ArrayRef<int>(factors))
          origin = sourceOrigin;
    result.origins.push_back(origin);
  }
  return result;
}

/// Calls `visit(rule, use, derived)` for each op that reads `parameter`, or
/// what is made of it alone, beside other tensors.
template <typename Visit>
static void forEachUse(BlockArgument parameter, Visit visit) {
  Derived whole{parameter, {}};
  int64_t rank = cast<RankedTensorType>(parameter.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    whole.origins.push_back(dim);
  SmallVector<Derived> worklist{whole};
  while (!worklist.empty()) {
    Derived derived = worklist.pop_back_val();
    for (OpOperand &use : derived.value.getUses()) {
      Operation *op = use.getOwner();
      std::optional<ShardingRule> rule = getRule(op);
      unsigned own = use.getOperandNumber();
      if (!rule || op->getBlock() != parameter.getOwner() ||
          rule->roles[own] != OperandRole::Read)
        continue;
      if (llvm::count(rule->roles, OperandRole::Read) >= 2)
        visit(*rule, use, derived);
      else if (!hasReduction(*rule) && op->getNumResults() == 1)
        worklist.push_back(follow(op, *rule, own, derived));
    }
  }
}

ProductDims mlir::dtensor::findProduct(BlockArgument parameter) {
  ProductDims first;
  forEachUse(parameter, [&](const ShardingRule &rule, OpOperand &use,
                            const Derived &derived) {
    if (hasReduction(rule) &&
        (!first.product || use.getOwner()->isBeforeInBlock(first.product)))
      first = sortDims(rule, use, derived);
  });
  return first;
}

/// The last dimension of `dims` whose factor is none of `taken`, or -1.
static int64_t findFreeDim(const ShardingRule &rule, const DimFactors &dims,
                           const SmallVectorImpl<int> &taken) {
  for (int64_t dim = dims.size() - 1; dim >= 0; --dim)
    if (dims[dim].size() == 1 && rule.factors[dims[dim][0]].size > 1 &&
        !llvm::is_contained(taken, dims[dim][0]))
      return dim;
  return -1;
}

SmallVector<Application>
mlir::dtensor::findApplications(BlockArgument parameter) {
  SmallVector<Application> found;
  forEachUse(parameter, [&](const ShardingRule &rule, OpOperand &use,
                            const Derived &derived) {
    Operation *op = use.getOwner();
    if (hasReduction(rule) || op->getNumResults() != 1)
      return;
    SmallVector<int> own;
    for (auto [factors, origin] : llvm::zip_equal(
             rule.operands[use.getOperandNumber()], derived.origins))
      if (origin >= 0)
        llvm::append_range(own, factors);
    for (unsigned i = 0; i < rule.operands.size(); ++i) {
      if (i == use.getOperandNumber() || rule.roles[i] != OperandRole::Read)
        continue;
      int64_t dim = findFreeDim(rule, rule.operands[i], own);
      if (dim < 0)
        continue;
      int factor = rule.operands[i][dim][0];
      for (auto [resultDim, factors] : llvm::enumerate(rule.results[0]))
        if (factors.size() == 1 && factors[0] == factor)
          found.push_back({op, i, 0, dim, static_cast<int64_t>(resultDim)});
    }
  });
  llvm::sort(found, [](const Application &a, const Application &b) {
    return a.op != b.op ? a.op->isBeforeInBlock(b.op)
                        : a.activation < b.activation;
  });
  return found;
}
