// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why values lie as they do, as remarks.

#include "Explain.h"

#include "dtensor/Interfaces/ControlFlow.h"
#include "dtensor/Interfaces/ValueLayouts.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::dtensor;
using planner::Layout;
namespace json = llvm::json;

namespace {

/// Where one axis of one dimension comes from.
struct Reason {
  int64_t dim;
  std::string axis;
  std::string source; ///< "operand 0 of 'math.exp'", "the annotation"
};

class Explanation {
public:
  Explanation(PropagationState &state, bool asJson)
      : state(state), asJson(asJson) {}
  void run();

private:
  std::string name(const planner::AxisRef &axis) const {
    return planner::printAxisRefs(state.mesh, {axis});
  }
  /// The layout as it is written in the end: what is open has been decided.
  std::string printed(Value value) const {
    Layout layout = state.layouts.find(value)->second;
    layout.openness = {};
    layout.pinned.clear();
    return planner::printLayout(state.mesh, layout);
  }
  std::string describeSource(const AxisOrigin &origin) const;
  SmallVector<Reason> getReasons(Value value) const;
  std::string describe(const ShardingRule &rule, const FactorAxes &axes) const;
  void explainValueText(raw_ostream &os, StringRef what, Value value) const;
  json::Object explainValueJson(Value value) const;
  void explainArgument(BlockArgument argument) const;
  void explainOp(Operation *op) const;
  void explainOpText(Operation *op, raw_ostream &os) const;
  json::Object explainOpJson(Operation *op) const;

  PropagationState &state;
  bool asJson;
};

} // namespace

/// Prices to three digits: more say nothing about a model.
static std::string formatUs(double us) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g us", us);
  return text;
}

/// What brought an axis, seen from the value that got it.
std::string Explanation::describeSource(const AxisOrigin &origin) const {
  if (!origin.from)
    return isa<func::ReturnOp>(origin.via) ? "what the function returns"
                                           : "the layouts of its neighbours";
  std::string op = ("'" + origin.via->getName().getStringRef() + "'").str();
  for (OpOperand &operand : origin.via->getOpOperands())
    if (operand.get() == origin.from)
      return "operand " + std::to_string(operand.getOperandNumber()) + " of " +
             op;
  for (OpResult result : origin.via->getResults())
    if (result == origin.from)
      return "result " + std::to_string(result.getResultNumber()) + " of " + op;
  return "what " + op + " hands on";
}

/// In the order of dimensions. Axes that the choice by price put there, or took
/// away again, have no origin.
SmallVector<Reason> Explanation::getReasons(Value value) const {
  SmallVector<Reason> reasons;
  auto it = state.origins.find(value);
  bool isMade = value.getDefiningOp() &&
                !isa<ConstrainOp, RedistributeOp>(value.getDefiningOp());
  const Layout &layout = state.layouts.find(value)->second;
  for (auto [dim, axes] : llvm::enumerate(layout.dims))
    for (const planner::AxisRef &axis : axes) {
      Reason reason{static_cast<int64_t>(dim), name(axis),
                    isMade ? "the op's own price" : "the annotation"};
      if (it != state.origins.end())
        for (const AxisOrigin &origin : it->second)
          if (origin.dim == reason.dim && overlap(origin.axis, axis))
            reason.source = describeSource(origin);
      reasons.push_back(std::move(reason));
    }
  return reasons;
}

/// "i over dp, k over tp", or "nothing".
std::string Explanation::describe(const ShardingRule &rule,
                                  const FactorAxes &axes) const {
  std::string text;
  for (auto [factor, own] : llvm::enumerate(axes)) {
    if (own.empty())
      continue;
    bool isCarried = rule.factors[factor].kind == FactorKind::Carried;
    text += (text.empty() ? "" : ", ") +
            (isCarried ? "contributions" : ShardingRule::factorName(factor)) +
            " over " + planner::printAxisRefs(state.mesh, own);
  }
  return text.empty() ? "nothing" : text;
}

void Explanation::explainValueText(raw_ostream &os, StringRef what,
                                   Value value) const {
  std::string layout = printed(value);
  os << what << " is " << (layout.empty() ? "replicated" : layout);
  for (const Reason &reason : getReasons(value))
    os << "; dim " << reason.dim << " over " << reason.axis << " from "
       << reason.source;
}

json::Object Explanation::explainValueJson(Value value) const {
  json::Array reasons;
  for (const Reason &reason : getReasons(value))
    reasons.push_back(json::Object{
        {"dim", reason.dim}, {"axis", reason.axis}, {"from", reason.source}});
  return json::Object{{"layout", printed(value)},
                      {"reasons", std::move(reasons)}};
}

void Explanation::explainArgument(BlockArgument argument) const {
  if (!isDistributable(argument.getType()))
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  unsigned index = argument.getArgNumber();
  if (asJson) {
    json::Object object = explainValueJson(argument);
    object["argument"] = index;
    object["function"] = state.func.getName();
    os << json::Value(std::move(object));
  } else {
    explainValueText(os, ("argument " + Twine(index)).str(), argument);
  }
  emitRemark(argument.getLoc()) << text;
}

void Explanation::explainOpText(Operation *op, raw_ostream &os) const {
  constexpr size_t kMostAlternatives = 3;
  llvm::ListSeparator separator("; ");
  for (OpResult result : op->getResults())
    if (isDistributable(result.getType())) {
      os << separator;
      explainValueText(os, ("result " + Twine(result.getResultNumber())).str(),
                       result);
    }
  auto prices = state.prices.find(op);
  if (prices == state.prices.end())
    return;
  const ShardingRule &rule = *state.rules.find(op)->second;
  const ShardingPrice &own = prices->second.front();
  os << separator << "rule " << rule.str() << "; sharded "
     << describe(rule, own.axes) << ": " << formatUs(own.total())
     << " (operands " << formatUs(own.operands) << ", compute "
     << formatUs(own.compute) << ", results " << formatUs(own.results) << ")";
  for (size_t i = 1; i < prices->second.size() && i <= kMostAlternatives; ++i)
    os << "; instead " << describe(rule, prices->second[i].axes) << ": "
       << formatUs(prices->second[i].total());
}

json::Object Explanation::explainOpJson(Operation *op) const {
  json::Object object{{"op", op->getName().getStringRef()}};
  json::Array results;
  for (OpResult result : op->getResults())
    results.push_back(isDistributable(result.getType())
                          ? json::Value(explainValueJson(result))
                          : json::Value(nullptr));
  object["results"] = std::move(results);
  auto prices = state.prices.find(op);
  if (prices == state.prices.end())
    return object;
  const ShardingRule &rule = *state.rules.find(op)->second;
  object["rule"] = rule.str();
  json::Array shardings;
  for (const ShardingPrice &price : prices->second)
    shardings.push_back(json::Object{{"sharded", describe(rule, price.axes)},
                                     {"time_us", price.total()},
                                     {"operands_us", price.operands},
                                     {"compute_us", price.compute},
                                     {"results_us", price.results}});
  object["shardings"] = std::move(shardings);
  return object;
}

void Explanation::explainOp(Operation *op) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (asJson)
    os << json::Value(explainOpJson(op));
  else
    explainOpText(op, os);
  if (!text.empty())
    op->emitRemark() << text;
}

void Explanation::run() {
  for (BlockArgument argument : state.func.getArguments())
    explainArgument(argument);
  for (Operation *op : state.ops)
    if (!endsControlFlow(op))
      explainOp(op);
}

void mlir::dtensor::explainLayouts(PropagationState &state, bool asJson) {
  Explanation(state, asJson).run();
}
