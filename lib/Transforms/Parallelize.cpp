// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-parallelize: writes the layouts that a plan gives to parameters.
//
//   dtensor.style "*.w1" colwise "tp"
// gives an argument %w1 that is the right operand of a linalg.matmul
//   {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>}

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_PARALLELIZEPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// What matrix products do with a parameter
//===----------------------------------------------------------------------===//

namespace {

/// Dimensions of a parameter by what its first product does with them.
struct ProductDims {
  Operation *product = nullptr;
  SmallVector<int64_t> kept, summed;
};

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
  if (auto ruled = dyn_cast<ShardingRuleOpInterface>(op))
    return ruled.getShardingRule();
  return std::nullopt;
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

/// Finds the first product, in program order, that `parameter` is an operand
/// of. (A backward pass uses it the other way round, after the forward pass.)
static ProductDims findProduct(BlockArgument parameter) {
  ProductDims first;
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
      auto reads = llvm::count(rule->roles, OperandRole::Read);
      if (hasReduction(*rule)) {
        if (reads < 2 || (first.product && first.product->isBeforeInBlock(op)))
          continue;
        first = sortDims(*rule, use, derived);
      } else if (reads == 1 && op->getNumResults() == 1) {
        worklist.push_back(follow(op, *rule, own, derived));
      }
    }
  }
  return first;
}

//===----------------------------------------------------------------------===//
// Applying a plan
//===----------------------------------------------------------------------===//

namespace {

class PlanApplication {
public:
  PlanApplication(ModuleOp module, ParallelizePlanOp plan)
      : plan(plan), mesh(plan.getMeshAttr()) {
    for (auto func : module.getOps<func::FuncOp>())
      if (func.isPublic() && !func.isExternal())
        programs.push_back(func);
  }
  LogicalResult run();

private:
  LogicalResult apply(StyleOp style);
  LogicalResult apply(StyleOp style, BlockArgument parameter);
  LogicalResult apply(PrepareInputOp prepare);
  LogicalResult setLayout(Operation *entry, BlockArgument argument,
                          ArrayRef<PlacementAttr> placements, bool open);
  FailureOr<int64_t> findDim(StyleOp style, BlockArgument parameter);
  LogicalResult reportNoMatch(StyleOp style);
  static func::FuncOp getFunc(BlockArgument argument) {
    return cast<func::FuncOp>(argument.getOwner()->getParentOp());
  }
  static StringAttr getName(BlockArgument argument) {
    return getFunc(argument).getArgAttrOfType<StringAttr>(
        argument.getArgNumber(), kNameAttr);
  }

  ParallelizePlanOp plan;
  FlatSymbolRefAttr mesh;
  SmallVector<func::FuncOp> programs;
  /// The entry of the plan that gave an argument its layout.
  DenseMap<Value, Operation *> laidOutBy;
};

struct ParallelizePass
    : mlir::dtensor::impl::ParallelizePassBase<ParallelizePass> {
  using Base::Base;
  void runOnOperation() override;

private:
  FailureOr<ParallelizePlanOp> findPlan();
};

} // namespace

/// "argument 1 of @main, "w1"".
static std::string describe(BlockArgument argument, StringAttr name) {
  auto func = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  std::string text =
      ("argument " + Twine(argument.getArgNumber()) + " of @" + func.getName())
          .str();
  if (name)
    text += ", \"" + name.getValue().str() + '"';
  return text;
}

/// Gives `argument` its layout. (C3), (C4), (C6)
LogicalResult PlanApplication::setLayout(Operation *entry,
                                         BlockArgument argument,
                                         ArrayRef<PlacementAttr> placements,
                                         bool open) {
  func::FuncOp func = getFunc(argument);
  std::string what = describe(argument, getName(argument));
  if (Operation *&other = laidOutBy[argument]) {
    InFlightDiagnostic diag =
        entry->emitOpError()
        << "lays out " << what
        << ", which another entry of the plan does already; narrow one of them";
    diag.attachNote(other->getLoc()) << "the other entry is here";
    return diag;
  } else {
    other = entry;
  }
  if (func.getArgAttr(argument.getArgNumber(), kLayoutAttr)) {
    InFlightDiagnostic diag = entry->emitOpError()
                              << "lays out " << what
                              << ", which has a dtensor.layout of its own; "
                                 "keep one of the two";
    diag.attachNote(argument.getLoc()) << "the argument is here";
    return diag;
  }
  auto layout =
      LayoutAttr::get(func.getContext(), mesh, placements, open, {}, 0);
  if (failed(verifyLayout(func, layout, argument.getType(), [&] {
        return entry->emitOpError() << "lays out " << what << ": ";
      })))
    return failure();
  func.setArgAttr(argument.getArgNumber(), kLayoutAttr, layout);
  return success();
}

/// The dimension that `style` shards. (C5)
FailureOr<int64_t> PlanApplication::findDim(StyleOp style,
                                            BlockArgument parameter) {
  ProductDims dims = findProduct(parameter);
  bool isColwise = style.getStyle() == Style::Colwise;
  const SmallVector<int64_t> &found = isColwise ? dims.kept : dims.summed;
  if (found.size() == 1)
    return found[0];
  InFlightDiagnostic diag = style.emitOpError();
  diag << '\'' << stringifyStyle(style.getStyle()) << "' of "
       << describe(parameter, getName(parameter)) << ": ";
  if (!dims.product) {
    diag << "no matrix product uses it, directly or through transpositions, "
            "reshapes and conversions";
  } else {
    diag << "the matrix product that uses it "
         << (isColwise ? "keeps " : "sums over ") << found.size()
         << " of its dimensions";
    diag.attachNote(dims.product->getLoc()) << "the product is here";
  }
  diag << "; give the argument a dtensor.layout instead";
  return diag;
}

LogicalResult PlanApplication::apply(StyleOp style, BlockArgument parameter) {
  if (!isa<RankedTensorType>(parameter.getType()))
    return style.emitOpError()
           << "matches " << describe(parameter, getName(parameter))
           << ", which is no tensor but a " << parameter.getType();
  if (style.getStyle() == Style::Replicate)
    return setLayout(style, parameter, {}, /*open=*/false);
  FailureOr<int64_t> dim = findDim(style, parameter);
  if (failed(dim))
    return failure();
  MLIRContext *context = style.getContext();
  auto placement = PlacementAttr::get(
      context, AxisAttr::get(context, style.getAxis()),
      planner::PlacementEntry::Kind::Shard, *dim, planner::ReduceOp::Sum);
  return setLayout(style, parameter, placement, /*open=*/false);
}

/// (C2): with what there is to match.
LogicalResult PlanApplication::reportNoMatch(StyleOp style) {
  constexpr size_t kMaxNames = 8;
  SmallVector<StringRef> names;
  size_t count = 0;
  for (func::FuncOp func : programs)
    for (BlockArgument argument : func.getArguments())
      if (StringAttr name = getName(argument); name && ++count <= kMaxNames)
        names.push_back(name);
  InFlightDiagnostic diag = style.emitOpError()
                            << "pattern \"" << style.getPattern()
                            << "\" matches no parameter; ";
  if (names.empty())
    return diag << "no argument has a dtensor.name";
  return diag << "the program's are " << llvm::join(names, ", ")
              << (count > kMaxNames ? ", ..." : "");
}

LogicalResult PlanApplication::apply(StyleOp style) {
  // (C7)
  if (style.getStyle() == Style::Sequence)
    return style.emitOpError()
           << "'sequence' is not supported: no parameter says which dimension "
              "of its activations is the sequence; use 'replicate', and "
              "dtensor.constrain on the activations";
  bool matched = false;
  for (func::FuncOp func : programs)
    for (BlockArgument argument : func.getArguments()) {
      StringAttr name = getName(argument);
      if (!name || !matchesPattern(style.getPattern(), name))
        continue;
      matched = true;
      if (failed(apply(style, argument)))
        return failure();
    }
  return matched ? success() : reportNoMatch(style);
}

LogicalResult PlanApplication::apply(PrepareInputOp prepare) {
  SmallVector<PlacementAttr> placements(
      prepare.getPlacements().getAsRange<PlacementAttr>());
  for (func::FuncOp func : programs) {
    // (C6)
    if (prepare.getIndex() >= func.getNumArguments())
      return prepare.emitOpError()
             << "prepares argument " << prepare.getIndex() << ", @"
             << func.getName() << " has " << func.getNumArguments()
             << " (counted from 0)";
    if (failed(setLayout(prepare, func.getArgument(prepare.getIndex()),
                         placements, prepare.getOpen())))
      return failure();
  }
  return success();
}

LogicalResult PlanApplication::run() {
  for (Operation &entry : plan.getEntries().getOps()) {
    if (auto style = dyn_cast<StyleOp>(entry)) {
      if (failed(apply(style)))
        return failure();
    } else if (failed(apply(cast<PrepareInputOp>(entry)))) {
      return failure();
    }
  }
  return success();
}

/// (C1); null where there is none.
FailureOr<ParallelizePlanOp> ParallelizePass::findPlan() {
  SmallVector<ParallelizePlanOp> plans(
      getOperation().getOps<ParallelizePlanOp>());
  if (plan.empty() && plans.size() <= 1)
    return plans.empty() ? ParallelizePlanOp() : plans.front();
  SmallVector<std::string> names;
  for (ParallelizePlanOp candidate : plans) {
    if (candidate.getSymName() == plan)
      return candidate;
    names.push_back(("@" + candidate.getSymName()).str());
  }
  if (plan.empty())
    return plans[1].emitOpError()
           << "is another plan; name the one to apply (the module has "
           << llvm::join(names, ", ") << ')';
  InFlightDiagnostic diag = getOperation().emitError()
                            << "has no dtensor.parallelize_plan @" << plan;
  if (!names.empty())
    diag << " (it has " << llvm::join(names, ", ") << ')';
  return diag;
}

void ParallelizePass::runOnOperation() {
  FailureOr<ParallelizePlanOp> found = findPlan();
  if (failed(found) ||
      (*found && failed(PlanApplication(getOperation(), *found).run())))
    return signalPassFailure();
  for (auto done :
       llvm::make_early_inc_range(getOperation().getOps<ParallelizePlanOp>()))
    done.erase();
}
