// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixpoint of propagation: axes spread along factors.

#include "FactorPropagation.h"

#include "dtensor/Interfaces/ControlFlow.h"

#include <set>

using namespace mlir;
using namespace mlir::dtensor;
using planner::AxisRef;
using planner::Layout;
using Axes = std::vector<AxisRef>;

namespace {

/// One tensor of an op: its layout and the factors of its dimensions.
struct Participant {
  Layout *layout;
  const DimFactors *dims;
  Value value;
};

class FactorPropagation {
public:
  explicit FactorPropagation(PropagationState &state) : state(state) {}
  void run();

private:
  bool sweepForward();
  bool sweepBackward();
  bool visit(Operation *op, bool bothWays);
  bool visitTies(Operation *op);
  bool visitReturn();
  void runLevel();
  /// True where the annotation of `value` does not count yet.
  bool isHeldBack(Value value) const {
    return state.priorities.lookup(value) > level;
  }

  DenseMap<Value, SmallVector<AxisOrigin>> *getOrigins() {
    return state.explains ? &state.origins : nullptr;
  }

  PropagationState &state;
  /// Annotations of this priority and of stronger ones count.
  int64_t level = 0;
};

} // namespace

/// True where `a` is a beginning of `b`.
static bool isPrefix(const Axes &a, const Axes &b) {
  return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// The axes that all of `lists` agree on: the longest, if the others are
/// beginnings of it, else what is common.
static Axes mergeAxes(ArrayRef<Axes> lists) {
  Axes merged;
  bool contradicted = false;
  for (const Axes &list : lists) {
    if (isPrefix(merged, list)) {
      if (!contradicted)
        merged = list;
      continue;
    }
    if (isPrefix(list, merged))
      continue;
    auto end =
        std::mismatch(merged.begin(), merged.end(), list.begin(), list.end())
            .first;
    merged.erase(end, merged.end());
    contradicted = true;
  }
  return merged;
}

static bool isOpen(const Layout &layout, int dim) {
  return layout.openness.open &&
         (layout.openness.dims.empty() ||
          llvm::is_contained(layout.openness.dims, dim));
}

static bool uses(const Layout &layout, const AxisRef &axis) {
  auto overlaps = [&](const AxisRef &other) { return overlap(axis, other); };
  return llvm::any_of(
             layout.dims,
             [&](const Axes &axes) { return llvm::any_of(axes, overlaps); }) ||
         llvm::any_of(layout.pinned, overlaps) ||
         llvm::any_of(layout.partials,
                      [&](const planner::PartialAxis &partial) {
                        return overlaps(partial.axis);
                      });
}

/// Lets dimension `dim` grow towards `wanted`. Returns true on a change.
static bool extend(Layout &layout, int dim, const Axes &wanted) {
  if (!isOpen(layout, dim) || wanted.size() <= layout.dims[dim].size() ||
      !isPrefix(layout.dims[dim], wanted))
    return false;
  bool changed = false;
  for (size_t i = layout.dims[dim].size(); i < wanted.size(); ++i) {
    if (uses(layout, wanted[i]))
      break;
    layout.dims[dim].push_back(wanted[i]);
    changed = true;
  }
  return changed;
}

/// True where all tensors have the same dimensions, sharded alike: nothing can
/// spread. Most ops of most programs, most of the time.
static bool areAlike(ArrayRef<Participant> participants) {
  return llvm::all_of(participants, [&](const Participant &other) {
    const Participant &first = participants.front();
    return other.layout->dims == first.layout->dims &&
           *other.dims == *first.dims;
  });
}

/// The tensor of `readers` that shards a factor of `factors` by `axis`, not
/// `writer` itself.
static Value findSource(ArrayRef<Participant> readers, Value writer,
                        ArrayRef<int> factors, const AxisRef &axis) {
  for (const Participant &reader : readers)
    for (auto [dim, own] : llvm::enumerate(*reader.dims))
      if (reader.value != writer &&
          llvm::any_of(own,
                       [&](int factor) {
                         return llvm::is_contained(factors, factor);
                       }) &&
          llvm::any_of(reader.layout->dims[dim], [&](const AxisRef &used) {
            return overlap(used, axis);
          }))
        return reader.value;
  return {};
}

/// Merges every factor over `readers` and lets `writers` grow. What grows is
/// noted in `origins`, where that is given.
static bool propagateRule(const ShardingRule &rule,
                          ArrayRef<Participant> readers,
                          ArrayRef<Participant> writers, Operation *via,
                          DenseMap<Value, SmallVector<AxisOrigin>> *origins) {
  SmallVector<SmallVector<Axes>> lists(rule.factors.size());
  for (const Participant &reader : readers)
    for (auto [dim, factors] : llvm::enumerate(*reader.dims)) {
      auto parts = splitByFactors(rule, factors, reader.layout->dims[dim]);
      for (auto [factor, axes] : llvm::zip_equal(factors, parts))
        lists[factor].push_back(std::move(axes));
    }
  FactorAxes merged(rule.factors.size());
  for (auto [index, factor] : llvm::enumerate(rule.factors)) {
    if (factor.kind == FactorKind::NeedReplication)
      continue;
    merged[index] = mergeAxes(lists[index]);
    keepAllowed(factor, merged[index]);
  }
  bool changed = false;
  for (const Participant &writer : writers)
    for (auto [dim, factors] : llvm::enumerate(*writer.dims)) {
      const Axes &axes = writer.layout->dims[dim];
      size_t before = axes.size();
      if (!extend(*writer.layout, dim, joinFactors(rule, factors, merged)))
        continue;
      changed = true;
      for (size_t i = before; origins && i < axes.size(); ++i)
        (*origins)[writer.value].push_back(
            {static_cast<int64_t>(dim), axes[i], via,
             findSource(readers, writer.value, factors, axes[i])});
    }
  return changed;
}

/// What a loop or branch hands on lies alike in all its places.
bool FactorPropagation::visitTies(Operation *op) {
  bool changed = false;
  for (const ControlTie &tie : getControlTies(op)) {
    auto type = dyn_cast<RankedTensorType>(tie.values.front().getType());
    if (!type)
      continue;
    ShardingRule rule;
    DimFactors dims;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      rule.factors.push_back({size, FactorKind::Parallel});
      dims.push_back({static_cast<int>(dim)});
    }
    SmallVector<Participant> places;
    auto add = [&](Value value) {
      if (!isFreeValue(value) && !isHeldBack(value))
        places.push_back({&state.layouts.find(value)->second, &dims, value});
    };
    for (OpOperand *source : tie.sources)
      add(source->get());
    for (Value value : tie.values)
      add(value);
    if (!areAlike(places))
      changed |= propagateRule(rule, places, places, op, getOrigins());
  }
  return changed;
}

bool FactorPropagation::visit(Operation *op, bool bothWays) {
  if (isControlFlow(op))
    return visitTies(op);
  if (endsControlFlow(op))
    return visitTies(op->getParentOp());
  const ShardingRule &rule = *state.rules.find(op)->second;
  SmallVector<Participant> operands, results;
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    if ((rule.roles[index] == OperandRole::Read ||
         rule.roles[index] == OperandRole::Accumulated) &&
        !isFreeValue(operand) && !isHeldBack(operand))
      operands.push_back({&state.layouts.find(operand)->second,
                          &rule.operands[index], operand});
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    if (auto it = state.layouts.find(result);
        it != state.layouts.end() && !isHeldBack(result))
      results.push_back({&it->second, &rule.results[index], result});
  SmallVector<Participant> all(operands);
  llvm::append_range(all, results);
  if (areAlike(all))
    return false;
  if (!bothWays)
    return propagateRule(rule, operands, results, op, getOrigins());
  return propagateRule(rule, all, all, op, getOrigins());
}

/// What the function's results must look like, as a wish of their values.
bool FactorPropagation::visitReturn() {
  bool changed = false;
  func::ReturnOp ret = state.getReturn();
  for (auto [index, value] : llvm::enumerate(ret.getOperands())) {
    const std::optional<Layout> &wanted = state.resultLayouts[index]
                                              ? state.resultLayouts[index]
                                              : state.openResultLayouts[index];
    auto it = state.layouts.find(value);
    if (!wanted || it == state.layouts.end() || isFreeValue(value) ||
        state.resultPriorities[index] > level || isHeldBack(value))
      continue;
    for (auto [dim, axes] : llvm::enumerate(wanted->dims)) {
      const Axes &own = it->second.dims[dim];
      size_t before = own.size();
      if (!extend(it->second, dim, axes))
        continue;
      changed = true;
      for (size_t i = before; state.explains && i < own.size(); ++i)
        state.origins[value].push_back(
            {static_cast<int64_t>(dim), own[i], ret, {}});
    }
  }
  return changed;
}

bool FactorPropagation::sweepForward() {
  bool changed = false;
  for (Operation *op : state.ops)
    changed |= visit(op, /*bothWays=*/false);
  return changed;
}

bool FactorPropagation::sweepBackward() {
  bool changed = visitReturn();
  for (Operation *op : llvm::reverse(state.ops))
    changed |= visit(op, /*bothWays=*/true);
  return changed;
}

void FactorPropagation::runLevel() {
  // In straight-line code an op sees all that can reach its operands, so one
  // sweep is enough; a loop hands on what comes later in it.
  bool loops = llvm::any_of(state.ops, isControlFlow);
  // Layouts only grow, by at most all axes each, so this ends.
  do {
    while (sweepForward() && loops)
      ;
  } while (sweepBackward());
}

void FactorPropagation::run() {
  std::set<int64_t> levels{0};
  for (auto [value, priority] : state.priorities)
    levels.insert(priority); // a set: the order of the map is no matter
  levels.insert(state.resultPriorities.begin(), state.resultPriorities.end());
  for (int64_t next : levels) {
    level = next;
    runLevel();
  }
}

void mlir::dtensor::propagateFactors(PropagationState &state) {
  FactorPropagation(state).run();
}
