// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factor rules and what follows from a sharding of the factors.

#include "dtensor/Interfaces/ShardingRule.h"

#include "dtensor/Planner/LayoutOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace mlir::dtensor;

#include "dtensor/Interfaces/ShardingInterfaces.cpp.inc"

std::string ShardingRule::factorName(int factor) {
  if (factor < 18)
    return std::string(1, static_cast<char>('i' + factor));
  return "f" + std::to_string(factor);
}

static void printTensors(llvm::raw_ostream &os, ArrayRef<DimFactors> tensors) {
  os << '(';
  llvm::interleaveComma(tensors, os, [&](const DimFactors &dims) {
    os << '[';
    llvm::interleaveComma(dims, os, [&](ArrayRef<int> factors) {
      for (int factor : factors)
        os << ShardingRule::factorName(factor);
      if (factors.empty())
        os << '-';
    });
    os << ']';
  });
  os << ')';
}

std::string ShardingRule::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printTensors(os, operands);
  os << " -> ";
  printTensors(os, results);
  auto printKind = [&](FactorKind kind, StringRef name) {
    SmallVector<std::string> names;
    for (auto [index, factor] : llvm::enumerate(factors))
      if (factor.kind == kind)
        names.push_back(factorName(index));
    if (names.empty())
      return;
    os << ", " << name << " = [";
    llvm::interleaveComma(names, os);
    os << ']';
  };
  printKind(FactorKind::Reduction, "reduction");
  printKind(FactorKind::NeedReplication, "need_replication");
  for (const Factor &factor : factors)
    if (factor.kind == FactorKind::Reduction) {
      if (factor.reduceOp != planner::ReduceOp::Sum)
        os << ", reduce_op = " << planner::reduceOpName(factor.reduceOp);
      break; // all of an op's reductions combine alike
    }
  return text;
}

/// The rule that a `dtensor.rule` writes down. Constraints were verified with
/// the op.
static ShardingRule readRuleAttr(RuleAttr attr, Operation *op) {
  RuleText text = *parseRuleText(attr.getText());
  auto sizes =
      *getRuleFactors(attr, op->getOperandTypes(), op->getResultTypes());
  ShardingRule rule;
  for (const auto &[name, size] : sizes) {
    auto isIn = [name = name](ArrayRef<StringAttr> list) {
      return llvm::any_of(
          list, [&](StringAttr other) { return other.getValue() == name; });
    };
    FactorKind kind = isIn(attr.getReduction()) ? FactorKind::Reduction
                      : isIn(attr.getNeedReplication())
                          ? FactorKind::NeedReplication
                          : FactorKind::Parallel;
    rule.factors.push_back({size, kind, attr.getReduceOp()});
  }
  auto readTensors = [&](ArrayRef<RuleText::Dims> tensors,
                         SmallVector<DimFactors> &out) {
    for (const RuleText::Dims &dims : tensors) {
      out.emplace_back();
      for (const auto &names : dims) {
        out.back().emplace_back();
        for (const std::string &name : names) {
          int factor = llvm::find_if(sizes,
                                     [&](const auto &entry) {
                                       return entry.first == name;
                                     }) -
                       sizes.begin();
          out.back().back().push_back(factor);
          rule.factors[factor].mustDivide |= names.size() > 1;
        }
      }
    }
  };
  readTensors(text.operands, rule.operands);
  readTensors(text.results, rule.results);
  for (Type type : op->getOperandTypes())
    rule.roles.push_back(isa<RankedTensorType>(type) ? OperandRole::Read
                                                     : OperandRole::None);
  return rule;
}

std::optional<ShardingRule> mlir::dtensor::getShardingRule(Operation *op) {
  if (auto attr = op->getAttrOfType<RuleAttr>(kRuleAttr))
    return readRuleAttr(attr, op);
  if (auto ruled = dyn_cast<ShardingRuleOpInterface>(op))
    return ruled.getShardingRule();
  return std::nullopt;
}

using Axes = std::vector<planner::AxisRef>;

/// Appends `axis`, joined with the part of the same axis right before it.
static void appendAxis(Axes &axes, const planner::AxisRef &axis) {
  if (!axes.empty() && axes.back().axis == axis.axis &&
      axes.back().preSize * axes.back().size == axis.preSize) {
    axes.back().size *= axis.size;
    return;
  }
  axes.push_back(axis);
}

void mlir::dtensor::keepAllowed(const Factor &factor, Axes &axes) {
  if (!factor.mustDivide)
    return;
  int64_t parts = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    parts *= axes[i].size;
    if (factor.size % parts != 0) {
      axes.resize(i);
      return;
    }
  }
}

SmallVector<Axes> mlir::dtensor::splitByFactors(const ShardingRule &rule,
                                                ArrayRef<int> factors,
                                                const Axes &axes) {
  SmallVector<Axes> parts(factors.size());
  if (factors.size() == 1)
    parts[0] = axes; // nothing to deal out, whatever divides
  if (factors.size() < 2)
    return parts;
  size_t at = 0;
  int64_t left = rule.factors[factors[0]].size; // not cut yet, of factor `at`
  for (planner::AxisRef axis : axes) {
    while (axis.size > 1) {
      while (left == 1 && at + 1 < factors.size())
        left = rule.factors[factors[++at]].size;
      int64_t common = std::gcd(left, axis.size);
      bool whole = common == axis.size;
      // Only an axis that goes on into the next factor is split.
      if (common == 1 ||
          (!whole && (common != left || at + 1 == factors.size())))
        return parts;
      parts[at].push_back({axis.axis, axis.preSize, common});
      left /= common;
      axis = {axis.axis, axis.preSize * common, axis.size / common};
    }
  }
  return parts;
}

Axes mlir::dtensor::joinFactors(const ShardingRule &rule, ArrayRef<int> factors,
                                const FactorAxes &axes) {
  Axes joined;
  for (int factor : factors) {
    for (const planner::AxisRef &axis : axes[factor])
      appendAxis(joined, axis);
    if (planner::totalSize(axes[factor]) != rule.factors[factor].size)
      break;
  }
  return joined;
}

planner::Layout mlir::dtensor::projectLayout(const ShardingRule &rule,
                                             const DimFactors &dims,
                                             const FactorAxes &axes) {
  planner::Layout layout = planner::Layout::replicated(dims.size());
  for (auto [dim, factors] : llvm::enumerate(dims))
    layout.dims[dim] = joinFactors(rule, factors, axes);
  return layout;
}

planner::Layout mlir::dtensor::projectResultLayout(const ShardingRule &rule,
                                                   const DimFactors &dims,
                                                   const FactorAxes &axes) {
  planner::Layout layout = projectLayout(rule, dims, axes);
  for (auto [index, factor] : llvm::enumerate(rule.factors)) {
    if (factor.kind != FactorKind::Reduction &&
        factor.kind != FactorKind::Carried)
      continue;
    for (const planner::AxisRef &axis : axes[index])
      layout.partials.push_back({axis, factor.reduceOp});
  }
  planner::canonicalizePartials(layout.partials);
  return layout;
}

planner::Layout mlir::dtensor::projectOperandLayout(const ShardingRule &rule,
                                                    Operation *op,
                                                    unsigned operand,
                                                    const FactorAxes &axes) {
  const DimFactors &dims = rule.operands[operand];
  if (rule.roles[operand] != OperandRole::Accumulated) {
    planner::Layout layout = projectLayout(rule, dims, axes);
    for (const CarriedSum &sum : rule.carried)
      if (llvm::is_contained(sum.operands, operand))
        for (const planner::AxisRef &axis : axes[sum.factor])
          layout.partials.push_back({axis, planner::ReduceOp::Sum});
    planner::canonicalizePartials(layout.partials);
    return layout;
  }
  planner::Layout needed = projectResultLayout(rule, dims, axes);
  Value value = op->getOperand(operand);
  if (isFreeValue(value) && !needed.partials.empty() &&
      isIdentityOf(value, needed.partials[0].op))
    needed.partials.clear();
  return needed;
}

bool mlir::dtensor::isFreelyLaidOut(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  return isa<linalg::FillOp, tensor::SplatOp>(op);
}

/// The one value that all elements of `value` have, where that is known.
static Attribute getUniformValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op)) {
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      return splat.getSplatValue<Attribute>();
    return constant.getValue();
  }
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op))
    return getUniformValue(fill.getInputs()[0]);
  if (auto splat = dyn_cast_or_null<tensor::SplatOp>(op))
    return getUniformValue(splat.getInput());
  return {};
}

bool mlir::dtensor::isIdentityOf(Value value, planner::ReduceOp op) {
  Attribute uniform = getUniformValue(value);
  auto isFloat = [&](auto predicate) {
    auto attr = dyn_cast_or_null<FloatAttr>(uniform);
    return attr && predicate(attr.getValue());
  };
  auto isInteger = [&](auto predicate) {
    auto attr = dyn_cast_or_null<IntegerAttr>(uniform);
    return attr && predicate(attr.getValue());
  };
  switch (op) {
  case planner::ReduceOp::Sum:
    return isFloat([](const APFloat &v) { return v.isZero(); }) ||
           isInteger([](const APInt &v) { return v.isZero(); });
  case planner::ReduceOp::Product:
    return isFloat([](const APFloat &v) { return v.isExactlyValue(1.0); }) ||
           isInteger([](const APInt &v) { return v.isOne(); });
  case planner::ReduceOp::BOr:
  case planner::ReduceOp::BXor:
    return isInteger([](const APInt &v) { return v.isZero(); });
  case planner::ReduceOp::BAnd:
    return isInteger([](const APInt &v) { return v.isAllOnes(); });
  case planner::ReduceOp::Min:
  case planner::ReduceOp::Max:
  case planner::ReduceOp::UMin:
  case planner::ReduceOp::UMax:
    // Idempotent: any uniform start may be applied on every rank.
    return static_cast<bool>(uniform);
  case planner::ReduceOp::Avg:
    return false;
  }
  return false;
}

void ShardingRule::carry(Type type, ArrayRef<unsigned> operands) {
  auto element = getElementType(getElementTypeOrSelf(type));
  if (!element ||
      !planner::isReductionSupported(planner::ReduceOp::Sum, *element))
    return;
  carried.push_back({static_cast<int>(factors.size()),
                     llvm::SmallVector<unsigned, 2>(operands)});
  factors.push_back({1, FactorKind::Carried});
}

LinearForm mlir::dtensor::getLinearForm(Operation *op) {
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(op))
    return LinearForm::Sum;
  if (isa<arith::MulIOp>(op))
    return LinearForm::Product;
  // Of floats only by a constant that is finite and not zero: a contribution of
  // 0 times an infinity, or over 0, is no number where the sum would be one.
  if (isa<arith::MulFOp, arith::DivFOp>(op)) {
    auto scale =
        dyn_cast_or_null<FloatAttr>(getUniformValue(op->getOperand(1)));
    if (scale && scale.getValue().isFiniteNonZero())
      return LinearForm::Quotient;
  }
  if (isa<arith::NegFOp, arith::ExtFOp>(op))
    return LinearForm::Unary;
  return LinearForm::None;
}

/// What `op` hands on of sums that are not finished.
static void addCarriedSums(Operation *op, ShardingRule &rule) {
  Type type = op->getResult(0).getType();
  switch (getLinearForm(op)) {
  case LinearForm::None:
    return;
  case LinearForm::Unary:
  case LinearForm::Quotient:
    return rule.carry(type, {0});
  case LinearForm::Sum:
    return rule.carry(type, {0, 1});
  case LinearForm::Product:
    rule.carry(type, {0});
    return rule.carry(type, {1});
  }
}

ShardingRule mlir::dtensor::getElementwiseRule(Operation *op) {
  ShardingRule rule;
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  DimFactors all;
  for (auto [dim, size] : llvm::enumerate(result.getShape())) {
    rule.factors.push_back({size, FactorKind::Parallel});
    all.push_back({static_cast<int>(dim)});
  }
  for (Type type : op->getOperandTypes()) {
    bool isTensor = isa<RankedTensorType>(type);
    rule.roles.push_back(isTensor ? OperandRole::Read : OperandRole::None);
    rule.operands.push_back(isTensor ? all : DimFactors());
  }
  rule.results.assign(op->getNumResults(), all);
  addCarriedSums(op, rule);
  return rule;
}
