// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of how each op is sharded, by price.

#include "ShardingChoice.h"

#include "dtensor/Interfaces/ControlFlow.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::dtensor;
using planner::AxisRef;
using planner::Layout;
using Axes = std::vector<AxisRef>;

namespace {

/// A tensor whose layout suggests how to shard the factors of an op.
struct Suggestion {
  const DimFactors *dims;
  const Layout *layout;
  /// Factors that can carry what the tensor is partial over.
  SmallVector<int, 1> carried;
};

class ShardingChoice {
public:
  ShardingChoice(PropagationState &state, LayoutPricing &pricing)
      : state(state), pricing(pricing) {}
  void run();

private:
  SmallVector<FactorAxes> getCandidates(Operation *op,
                                        const ShardingRule &rule);
  ShardingPrice getParts(Operation *op, const ShardingRule &rule,
                         const FactorAxes &axes);
  double getPrice(Operation *op, const ShardingRule &rule,
                  const FactorAxes &axes) {
    return getParts(op, rule, axes).total();
  }
  void explain(Operation *op);
  double getResultPrice(Value result, const Layout &produced);
  double getOperandPrice(Operation *op, Value operand, const Layout &from,
                         const Layout &needed);
  /// Notes (`count` 1) or forgets (-1) which layouts `op` takes its operands
  /// in.
  void countTaken(Operation *op, int count);
  Layout completeResult(const Layout &annotation, const Layout &value);
  /// The layouts that users of `result` take it in, each once; `produced`
  /// without partials stands for an open result of the function.
  SmallVector<Layout> getUserLayouts(Value result, const Layout &produced);
  bool improve(Operation *op);
  void touchNeighbours(Operation *op);
  void apply(Operation *op, const ShardingRule &rule, const FactorAxes &axes);
  void choose(Operation *op);
  void chooseConstrained(Operation *op);
  void chooseTies(Operation *op);
  void layOutReturn();
  /// Gives a freely laid out value, and what it is made of, a layout.
  void layOutFree(Value value, const Layout &layout);
  /// What the users of `result` were found to want.
  const Layout &getTarget(Value result);

  PropagationState &state;
  LayoutPricing &pricing;
  /// Uses of values that have several, and in how many of them the value is
  /// taken in which layout.
  DenseMap<Value, unsigned> useCounts;
  DenseMap<Value, std::map<Layout, int>> takenLayouts;
  /// The sharding of the factors of each op.
  DenseMap<Operation *, FactorAxes> chosen;
  /// Ops to look at again, since something near them has changed. Asked for
  /// ops, never walked.
  DenseSet<Operation *> touched;
  /// False during the first walk, when users have not chosen yet.
  bool usersAreKnown = false;
};

} // namespace

/// Bounds the walks that improve on the first choice. Each is linear.
static constexpr int kMaxImprovementWalks = 8;
/// More users than this of one value do not look again at what they take it in
/// when one of them changes its mind.
static constexpr unsigned kMaxTouchedSiblings = 64;
/// A change must save more than this, so that rounding causes none.
static constexpr double kMinImprovementUs = 1e-6;

/// Takes from `wanted` what extends `axes` without using an axis twice.
static void extendFactor(Axes &axes, const Axes &wanted,
                         SmallVectorImpl<AxisRef> &used) {
  if (wanted.size() <= axes.size() ||
      !std::equal(axes.begin(), axes.end(), wanted.begin()))
    return;
  for (size_t i = axes.size(); i < wanted.size(); ++i) {
    auto overlaps = [&](const AxisRef &axis) {
      return overlap(axis, wanted[i]);
    };
    if (llvm::any_of(used, overlaps))
      return;
    axes.push_back(wanted[i]);
    used.push_back(wanted[i]);
  }
}

/// Clears what some dimension cannot show: unequal pieces of a factor that it
/// joins with others, and minor factors where the major one is not cut into
/// single elements.
static void dropUnreachable(const ShardingRule &rule, FactorAxes &axes) {
  for (auto [factor, own] : llvm::zip_equal(rule.factors, axes))
    keepAllowed(factor, own);
  auto visit = [&](const DimFactors &dims) {
    for (ArrayRef<int> factors : dims) {
      bool reachable = true;
      for (int factor : factors) {
        if (!reachable)
          axes[factor].clear();
        reachable &=
            planner::totalSize(axes[factor]) == rule.factors[factor].size;
      }
    }
  };
  for (const DimFactors &dims : rule.operands)
    visit(dims);
  for (const DimFactors &dims : rule.results)
    visit(dims);
}

/// The sharding of factors that follows `suggestions`, earlier ones first.
/// With `carries` sums stay unfinished where the op can hand them on.
static FactorAxes followSuggestions(const ShardingRule &rule,
                                    ArrayRef<Suggestion> suggestions,
                                    bool carries) {
  FactorAxes axes(rule.factors.size());
  SmallVector<AxisRef> used;
  for (const Suggestion &suggestion : suggestions)
    for (auto [dim, factors] : llvm::enumerate(*suggestion.dims)) {
      auto parts = splitByFactors(rule, factors, suggestion.layout->dims[dim]);
      for (auto [factor, wanted] : llvm::zip_equal(factors, parts))
        if (rule.factors[factor].kind != FactorKind::NeedReplication)
          extendFactor(axes[factor], wanted, used);
    }
  for (const Suggestion &suggestion : suggestions)
    for (int factor :
         carries ? ArrayRef<int>(suggestion.carried) : ArrayRef<int>())
      for (const planner::PartialAxis &partial : suggestion.layout->partials) {
        if (partial.op != planner::ReduceOp::Sum)
          continue;
        Axes wanted = axes[factor];
        wanted.push_back(partial.axis);
        extendFactor(axes[factor], wanted, used);
      }
  dropUnreachable(rule, axes);
  return axes;
}

SmallVector<FactorAxes>
ShardingChoice::getCandidates(Operation *op, const ShardingRule &rule) {
  SmallVector<Suggestion> all;
  // Suggestions point to layouts; those of users are kept here.
  SmallVector<SmallVector<Layout>> userLayouts;
  userLayouts.reserve(op->getNumResults());
  bool carries = false;
  auto suggest = [&](const DimFactors &dims, const Layout &layout,
                     std::optional<unsigned> operand = std::nullopt) {
    SmallVector<int, 1> carried;
    if (!layout.partials.empty())
      for (const CarriedSum &sum : rule.carried)
        if (!operand || llvm::is_contained(sum.operands, *operand))
          carried.push_back(sum.factor);
    if (!operand && carried.size() > 1)
      carried.resize(1); // which one brings it is not known
    carries |= !carried.empty();
    for (const Suggestion &other : all)
      if (*other.dims == dims && other.layout->dims == layout.dims &&
          other.carried == carried)
        return;
    all.push_back({&dims, &layout, std::move(carried)});
  };
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    auto it = state.layouts.find(result);
    if (it == state.layouts.end())
      continue;
    if (!usersAreKnown) {
      suggest(rule.results[index], getTarget(result));
      continue;
    }
    for (const Layout &layout :
         userLayouts.emplace_back(getUserLayouts(result, it->second)))
      suggest(rule.results[index], layout);
  }
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    if ((rule.roles[index] == OperandRole::Read ||
         rule.roles[index] == OperandRole::Accumulated) &&
        !isFreeValue(operand))
      suggest(rule.operands[index], state.layouts.find(operand)->second, index);

  SmallVector<FactorAxes> candidates;
  auto add = [&](ArrayRef<Suggestion> suggestions) {
    for (bool carry : {true, false}) {
      if (carry && !carries)
        continue;
      FactorAxes axes = followSuggestions(rule, suggestions, carry);
      if (!llvm::is_contained(candidates, axes))
        candidates.push_back(std::move(axes));
    }
  };
  for (size_t first = 0; first < all.size(); ++first) {
    // Each suggestion leads once; the others complete it, operands first.
    SmallVector<Suggestion> order{all[first]};
    for (size_t other = 1; other <= all.size(); ++other)
      if (size_t index = other % all.size(); index != first)
        order.push_back(all[index]);
    add(order);
    // And alone: completing it may cost more than it saves.
    add(all[first]);
  }
  add({});
  return candidates;
}

const Layout &ShardingChoice::getTarget(Value result) {
  if (result.hasOneUse()) {
    OpOperand &use = *result.use_begin();
    if (isa<func::ReturnOp>(use.getOwner()) &&
        state.resultLayouts[use.getOperandNumber()])
      return *state.resultLayouts[use.getOperandNumber()];
    // Loops and branches have chosen before what is in them.
    if (endsControlFlow(use.getOwner()))
      return state.operandLayouts[use.getOwner()][use.getOperandNumber()];
  }
  return state.layouts.find(result)->second;
}

SmallVector<Layout> ShardingChoice::getUserLayouts(Value result,
                                                   const Layout &produced) {
  SmallVector<Layout> layouts;
  // A value has users in few layouts, however many they are.
  auto add = [&](const Layout &layout) {
    if (!llvm::is_contained(layouts, layout))
      layouts.push_back(layout);
  };
  for (OpOperand &use : result.getUses()) {
    Operation *user = use.getOwner();
    unsigned index = use.getOperandNumber();
    if (isa<func::ReturnOp>(user)) {
      if (state.resultLayouts[index]) {
        add(*state.resultLayouts[index]);
        continue;
      }
      Layout open = produced;
      open.partials.clear();
      add(open);
      continue;
    }
    auto it = state.operandLayouts.find(user);
    if (it != state.operandLayouts.end())
      add(it->second[index]);
  }
  // Uses come in the order of a list in memory; the price must not.
  if (layouts.size() > 1)
    llvm::sort(layouts);
  return layouts;
}

double ShardingChoice::getResultPrice(Value result, const Layout &produced) {
  auto type = cast<RankedTensorType>(result.getType());
  if (!usersAreKnown)
    return pricing.redistribution(type, produced, getTarget(result));
  double price = 0;
  for (const Layout &layout : getUserLayouts(result, produced))
    price += pricing.redistribution(type, produced, layout);
  return price;
}

/// Users of one value that want the same layout share a redistribution. Before
/// the users have chosen, all of them may; after, those that have are known.
double ShardingChoice::getOperandPrice(Operation *op, Value operand,
                                       const Layout &from,
                                       const Layout &needed) {
  // Pinned or not, what repeats one scalar is made anew.
  auto pinned = operand.getDefiningOp<ConstrainOp>();
  if (pinned && isFreeValue(pinned.getInput()) && needed.partials.empty())
    return 0;
  double price = pricing.redistribution(
      cast<RankedTensorType>(operand.getType()), from, needed);
  if (price == 0)
    return price;
  // Outside of the loops in which the operand stays the same it is done once.
  Block *hoisted = getHoistedBlock(op, operand);
  for (Block *at = op->getBlock(); at != hoisted;
       at = at->getParentOp()->getBlock())
    price /= getTripCount(at->getParentOp());
  if (operand.hasOneUse())
    return price;
  if (!usersAreKnown)
    return price / useCounts.lookup(operand);
  auto shared = takenLayouts.find(operand);
  if (shared == takenLayouts.end())
    return price;
  auto users = shared->second.find(needed);
  if (users == shared->second.end())
    return price;
  // Another op than this one takes it so already.
  bool byThis = state.operandLayouts.count(op) &&
                llvm::any_of(llvm::enumerate(op->getOperands()), [&](auto it) {
                  return it.value() == operand &&
                         state.operandLayouts[op][it.index()] == needed;
                });
  return users->second > (byThis ? 1 : 0) ? 0 : price;
}

ShardingPrice ShardingChoice::getParts(Operation *op, const ShardingRule &rule,
                                       const FactorAxes &axes) {
  ShardingPrice price;
  double bytes = 0;
  auto addBytes = [&](RankedTensorType type, const Layout &layout) {
    double size = planner::elementBytes(*getElementType(type));
    for (int64_t extent :
         planner::maxLocalShape(state.mesh, layout, type.getShape().vec()))
      size *= extent;
    bytes += size;
  };
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (rule.roles[index] == OperandRole::None ||
        rule.roles[index] == OperandRole::Destination)
      continue;
    Layout needed = projectOperandLayout(rule, op, index, axes);
    auto type = cast<RankedTensorType>(operand.getType());
    addBytes(type, needed);
    if (!isFreeValue(operand)) {
      price.operands += getOperandPrice(
          op, operand, state.layouts.find(operand)->second, needed);
    } else if (!needed.partials.empty()) {
      Layout made = needed;
      made.partials.clear();
      price.operands += getOperandPrice(op, operand, made, needed);
    }
  }
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    if (!state.layouts.count(result))
      continue;
    Layout produced = projectResultLayout(rule, rule.results[index], axes);
    auto type = cast<RankedTensorType>(result.getType());
    addBytes(type, produced);
    price.results += getResultPrice(result, produced);
  }
  double points = 1;
  for (auto [index, factor] : llvm::enumerate(rule.factors))
    if (factor.kind != FactorKind::Carried)
      points *=
          static_cast<double>(factor.size) / planner::totalSize(axes[index]);
  price.compute = pricing.compute(points, bytes);
  return price;
}

/// Keeps what `op` could have cost, now that all others have chosen.
void ShardingChoice::explain(Operation *op) {
  const ShardingRule &rule = *state.rules.find(op)->second;
  const FactorAxes &own = chosen.find(op)->second;
  SmallVector<ShardingPrice> &prices = state.prices[op];
  SmallVector<FactorAxes> candidates = getCandidates(op, rule);
  llvm::erase(candidates, own);
  for (const FactorAxes &axes : candidates) {
    prices.push_back(getParts(op, rule, axes));
    prices.back().axes = axes;
  }
  llvm::sort(prices, [](const ShardingPrice &a, const ShardingPrice &b) {
    return a.total() != b.total() ? a.total() < b.total() : a.axes < b.axes;
  });
  prices.insert(prices.begin(), getParts(op, rule, own));
  prices.front().axes = own;
}

void ShardingChoice::layOutFree(Value value, const Layout &layout) {
  state.layouts[value] = layout;
  Operation *op = value.getDefiningOp();
  SmallVector<Layout> operands(op->getNumOperands());
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    if (isa<RankedTensorType>(operand.getType())) {
      operands[index] = layout;
      layOutFree(operand, layout);
    }
  state.operandLayouts[op] = std::move(operands);
}

void ShardingChoice::choose(Operation *op) {
  const ShardingRule &rule = *state.rules.find(op)->second;
  SmallVector<FactorAxes> candidates = getCandidates(op, rule);
  size_t best = 0;
  double bestPrice = std::numeric_limits<double>::infinity();
  for (size_t i = 0; candidates.size() > 1 && i < candidates.size(); ++i) {
    double price = getPrice(op, rule, candidates[i]);
    if (price < bestPrice) {
      best = i;
      bestPrice = price;
    }
  }
  apply(op, rule, candidates[best]);
}

void ShardingChoice::countTaken(Operation *op, int count) {
  auto it = state.operandLayouts.find(op);
  if (it == state.operandLayouts.end())
    return;
  // An op that uses a value twice in one layout is one user.
  SmallVector<std::pair<Value, const Layout *>> seen;
  for (auto [operand, layout] :
       llvm::zip_equal(op->getOperands(), it->second)) {
    Value value = operand;
    const Layout *taken = &layout;
    if (!isa<RankedTensorType>(value.getType()) || value.hasOneUse() ||
        llvm::any_of(seen, [&](const auto &other) {
          return other.first == value && *other.second == *taken;
        }))
      continue;
    seen.emplace_back(value, taken);
    takenLayouts[value][layout] += count;
  }
}

void ShardingChoice::apply(Operation *op, const ShardingRule &rule,
                           const FactorAxes &axes) {
  countTaken(op, -1);
  SmallVector<Layout> needed(op->getNumOperands());
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (rule.roles[index] == OperandRole::None)
      continue;
    needed[index] = projectOperandLayout(rule, op, index, axes);
    if (!isFreeValue(operand))
      continue;
    Layout made = needed[index];
    made.partials.clear();
    layOutFree(operand, made);
  }
  state.operandLayouts[op] = std::move(needed);
  countTaken(op, 1);
  chosen[op] = axes;
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    if (auto it = state.layouts.find(result); it != state.layouts.end())
      it->second = projectResultLayout(rule, rule.results[index], axes);
}

/// Takes a better sharding for `op`, the others staying as they are. Returns
/// true on a change.
bool ShardingChoice::improve(Operation *op) {
  const ShardingRule &rule = *state.rules.find(op)->second;
  const FactorAxes current = chosen.find(op)->second;
  SmallVector<FactorAxes> candidates = getCandidates(op, rule);
  llvm::erase(candidates, current);
  if (candidates.empty())
    return false;
  double bestPrice = getPrice(op, rule, current) - kMinImprovementUs;
  std::optional<FactorAxes> best;
  for (FactorAxes &axes : candidates) {
    double price = getPrice(op, rule, axes);
    if (price >= bestPrice)
      continue;
    bestPrice = price;
    best = std::move(axes);
  }
  if (!best)
    return false;
  apply(op, rule, *best);
  touchNeighbours(op);
  return true;
}

/// What an op costs depends on who makes its operands, who else takes them, and
/// who takes its results.
void ShardingChoice::touchNeighbours(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (Operation *def = operand.getDefiningOp())
      touched.insert(def);
    // Of a value that many take, one more or less is no news to the others.
    if (useCounts.lookup(operand) <= kMaxTouchedSiblings)
      touched.insert_range(operand.getUsers());
  }
  touched.insert_range(op->getUsers());
}

/// A layout that the program fixes: the operand is brought to it.
void ShardingChoice::chooseConstrained(Operation *op) {
  Layout &layout = state.layouts.find(op->getResult(0))->second;
  layout.openness = {};
  layout.pinned.clear();
  Layout wanted = layout;
  if (isFreeValue(op->getOperand(0))) {
    Layout made = wanted;
    made.partials.clear();
    layOutFree(op->getOperand(0), made);
  }
  state.operandLayouts[op] = {wanted};
}

/// The layout of what a loop or branch hands on is that which propagation found
/// for it, never partial: it is brought to it in all places.
void ShardingChoice::chooseTies(Operation *op) {
  for (const ControlTie &tie : getControlTies(op)) {
    if (!isa<RankedTensorType>(tie.values.front().getType()))
      continue;
    Layout layout = state.layouts.find(tie.values.front())->second;
    layout.openness = {};
    layout.pinned.clear();
    layout.partials.clear();
    for (Value value : tie.values)
      state.layouts[value] = layout;
    for (OpOperand *source : tie.sources) {
      SmallVector<Layout> &taken = state.operandLayouts[source->getOwner()];
      taken.resize(source->getOwner()->getNumOperands());
      taken[source->getOperandNumber()] = layout;
      if (isFreeValue(source->get()))
        layOutFree(source->get(), layout);
    }
  }
}

/// What an open annotation and the layout of the value make together: the
/// annotation, continued by the value where it is open and agrees.
Layout ShardingChoice::completeResult(const Layout &annotation,
                                      const Layout &value) {
  Layout result = annotation;
  result.openness = {};
  auto isTaken = [&](const AxisRef &axis) {
    auto overlaps = [&](const AxisRef &other) { return overlap(axis, other); };
    return llvm::any_of(annotation.pinned, overlaps) ||
           llvm::any_of(result.dims, [&](const Axes &axes) {
             return llvm::any_of(axes, overlaps);
           });
  };
  for (auto [dim, axes] : llvm::enumerate(value.dims)) {
    bool open = annotation.openness.dims.empty() ||
                llvm::is_contained(annotation.openness.dims, dim);
    Axes &own = result.dims[dim];
    if (!open || own.size() > axes.size() ||
        !std::equal(own.begin(), own.end(), axes.begin()))
      continue;
    for (size_t i = own.size(); i < axes.size() && !isTaken(axes[i]); ++i)
      own.push_back(axes[i]);
  }
  return result;
}

/// Open results: what their value has, but never partial.
void ShardingChoice::layOutReturn() {
  func::ReturnOp ret = state.getReturn();
  for (auto [index, value] : llvm::enumerate(ret.getOperands())) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    std::optional<Layout> &wanted = state.resultLayouts[index];
    if (!wanted) {
      wanted = isFreeValue(value) ? Layout::replicated(type.getRank())
                                  : state.layouts.find(value)->second;
      wanted->partials.clear();
      if (const auto &annotation = state.openResultLayouts[index])
        wanted = completeResult(*annotation, *wanted);
    }
    if (isFreeValue(value)) {
      Layout made = *wanted;
      made.partials.clear();
      layOutFree(value, made);
    }
  }
}

void ShardingChoice::run() {
  for (Operation *op : getProgramOps(state.func))
    for (Value operand : op->getOperands())
      ++useCounts[operand];
  for (Operation *op : state.ops) {
    if (isControlFlow(op))
      chooseTies(op);
    else if (isa<ConstrainOp, RedistributeOp>(op))
      chooseConstrained(op);
    else if (!endsControlFlow(op))
      choose(op);
  }
  usersAreKnown = true;
  bool changed = true;
  for (int walk = 0; changed && walk < kMaxImprovementWalks; ++walk) {
    changed = false;
    for (Operation *op : state.ops)
      if (state.rules.count(op) && !isa<ConstrainOp, RedistributeOp>(op) &&
          (walk == 0 || touched.erase(op)))
        changed |= improve(op);
  }
  layOutReturn();
  for (Operation *op : state.ops)
    if (state.explains && chosen.count(op))
      explain(op);
}

void mlir::dtensor::chooseShardings(PropagationState &state,
                                    LayoutPricing &pricing) {
  ShardingChoice(state, pricing).run();
}
