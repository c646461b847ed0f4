// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #dtensor.rule: the sharding rule of an op, written down.

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

namespace {

/// Reads "([i,k],[k,j])->([i,j])".
class RuleParser {
public:
  explicit RuleParser(StringRef text) : text(text), rest(text) {}

  planner::Expected<RuleText> parse() {
    RuleText rule;
    if (!parseTensors(rule.operands) || !take("->") ||
        !parseTensors(rule.results))
      return error();
    rest = rest.ltrim();
    if (!rest.empty())
      return error();
    return rule;
  }

private:
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  bool parseTensors(SmallVector<RuleText::Dims> &tensors) {
    if (!take("("))
      return false;
    if (take(")"))
      return true;
    do {
      tensors.emplace_back();
      if (!parseDims(tensors.back()))
        return false;
    } while (take(","));
    return take(")");
  }

  bool parseDims(RuleText::Dims &dims) {
    if (!take("["))
      return false;
    if (take("]"))
      return true;
    do {
      dims.emplace_back();
      if (take("-"))
        continue;
      if (!parseFactors(dims.back()))
        return false;
    } while (take(","));
    return take("]");
  }

  /// One or more names: a letter each, and a number.
  bool parseFactors(SmallVector<std::string, 1> &names) {
    rest = rest.ltrim();
    while (!rest.empty() && llvm::isAlpha(rest.front())) {
      size_t length = 1;
      while (length < rest.size() && llvm::isDigit(rest[length]))
        ++length;
      names.push_back(rest.take_front(length).str());
      rest = rest.drop_front(length);
    }
    return !names.empty();
  }

  planner::Error error() const {
    return planner::Error{"cannot read the rule '" + text.str() +
                          "' at position " +
                          std::to_string(text.size() - rest.size()) +
                          "; write one list of factors per tensor, as in "
                          "([i,k],[k,j])->([i,j])"};
  }

  StringRef text, rest;
};

/// Finds the sizes of a rule's factors and what contradicts them.
class FactorSizes {
public:
  using Result =
      planner::Expected<SmallVector<std::pair<std::string, int64_t>>>;

  FactorSizes(RuleAttr rule, const RuleText &text) : rule(rule), text(text) {}

  Result find(TypeRange operands, TypeRange results) {
    for (auto [tensors, types, what] :
         {std::tuple(&text.operands, operands, "operand"),
          std::tuple(&text.results, results, "result")})
      if (auto status = checkCounts(*tensors, types, what); !status)
        return status.error();
    for (auto [tensors, types, what] :
         {std::tuple(&text.operands, operands, "operand"),
          std::tuple(&text.results, results, "result")})
      if (auto status = readSizes(*tensors, types, what); !status)
        return status.error();
    for (auto [tensors, types, what] :
         {std::tuple(&text.operands, operands, "operand"),
          std::tuple(&text.results, results, "result")})
      if (auto status = checkJoined(*tensors, types, what); !status)
        return status.error();
    for (Type type : results)
      if (auto status = checkReduceOp(type); !status)
        return status.error();
    return sizes;
  }

private:
  static planner::Error at(StringRef what, size_t index, const Twine &message) {
    return planner::Error{(what + " " + Twine(index) + " " + message).str()};
  }

  /// (C1).
  planner::Status checkCounts(ArrayRef<RuleText::Dims> tensors, TypeRange types,
                              StringRef what) {
    if (tensors.size() != types.size())
      return planner::Error{("has " + Twine(types.size()) + " " + what +
                             "s, the rule '" + rule.getText() + "' is for " +
                             Twine(tensors.size()))
                                .str()};
    for (auto [index, dims, type] : llvm::enumerate(tensors, types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      int64_t rank = tensor ? tensor.getRank() : 0;
      if (static_cast<int64_t>(dims.size()) != rank)
        return at(what, index,
                  "has rank " + Twine(rank) + ", the rule '" + rule.getText() +
                      "' lists " + Twine(dims.size()) + " dimensions");
      if (tensor && !tensor.hasStaticShape())
        return at(what, index, "has a dynamic shape");
    }
    return planner::Status::success();
  }

  /// (C2), for dimensions of one factor.
  planner::Status readSizes(ArrayRef<RuleText::Dims> tensors, TypeRange types,
                            StringRef what) {
    for (auto [index, dims, type] : llvm::enumerate(tensors, types))
      for (auto [dim, names] : llvm::enumerate(dims)) {
        if (names.size() != 1)
          continue;
        int64_t size = cast<RankedTensorType>(type).getDimSize(dim);
        auto [known, isNew] = add(names[0], size);
        if (!isNew && known != size)
          return at(what, index,
                    "has size " + Twine(size) + " in dimension " + Twine(dim) +
                        ", but factor " + names[0] + " of the rule has " +
                        Twine(known) + " elsewhere");
      }
    return planner::Status::success();
  }

  /// (C2) and (C4), for dimensions of several.
  planner::Status checkJoined(ArrayRef<RuleText::Dims> tensors, TypeRange types,
                              StringRef what) {
    for (auto [index, dims, type] : llvm::enumerate(tensors, types))
      for (auto [dim, names] : llvm::enumerate(dims)) {
        if (names.size() < 2)
          continue;
        int64_t product = 1;
        for (const std::string &name : names) {
          auto it = llvm::find_if(
              sizes, [&](const auto &entry) { return entry.first == name; });
          if (it == sizes.end())
            return at(what, index,
                      "joins factor " + Twine(name) + " in dimension " +
                          Twine(dim) +
                          ", which is no dimension of its own elsewhere");
          product *= it->second;
        }
        int64_t size = cast<RankedTensorType>(type).getDimSize(dim);
        if (product != size)
          return at(what, index,
                    "has size " + Twine(size) + " in dimension " + Twine(dim) +
                        ", but its factors make " + Twine(product));
      }
    return planner::Status::success();
  }

  /// (C5).
  planner::Status checkReduceOp(Type type) {
    auto element = getElementType(getElementTypeOrSelf(type));
    if (rule.getReduction().empty() || !element ||
        planner::isReductionSupported(rule.getReduceOp(), *element))
      return planner::Status::success();
    return planner::Error{
        ("has results of type " + Twine(planner::elementTypeName(*element)) +
         ", which have no " + planner::reduceOpName(rule.getReduceOp()))
            .str()};
  }

  std::pair<int64_t, bool> add(const std::string &name, int64_t size) {
    for (auto &[known, knownSize] : sizes)
      if (known == name)
        return {knownSize, false};
    sizes.push_back({name, size});
    return {size, true};
  }

  RuleAttr rule;
  const RuleText &text;
  SmallVector<std::pair<std::string, int64_t>> sizes;
};

} // namespace

planner::Expected<RuleText> mlir::dtensor::parseRuleText(StringRef text) {
  return RuleParser(text).parse();
}

planner::Expected<SmallVector<std::pair<std::string, int64_t>>>
mlir::dtensor::getRuleFactors(RuleAttr rule, TypeRange operands,
                              TypeRange results) {
  auto text = parseRuleText(rule.getText());
  if (!text)
    return text.error();
  return FactorSizes(rule, *text).find(operands, results);
}

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

/// (C3).
LogicalResult RuleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringRef text, ArrayRef<StringAttr> reduction,
                               ArrayRef<StringAttr> needReplication,
                               planner::ReduceOp) {
  auto rule = parseRuleText(text);
  if (!rule)
    return emitError() << rule.error().message;
  auto appears = [](ArrayRef<RuleText::Dims> tensors, StringRef name) {
    return llvm::any_of(tensors, [&](const RuleText::Dims &dims) {
      return llvm::any_of(dims, [&](const auto &names) {
        return llvm::is_contained(names, name);
      });
    });
  };
  for (ArrayRef<StringAttr> list : {reduction, needReplication})
    for (StringAttr name : list)
      if (!appears(rule->operands, name) && !appears(rule->results, name))
        return emitError() << "factor " << name.getValue()
                           << " is not in the rule '" << text << "'";
  for (StringAttr name : reduction) {
    if (llvm::is_contained(needReplication, name))
      return emitError() << "factor " << name.getValue()
                         << " is both a reduction and needed whole";
    if (appears(rule->results, name))
      return emitError() << "factor " << name.getValue()
                         << " is a reduction, but a dimension of a result";
  }
  return success();
}

/// Parses `[i, j]`.
static ParseResult parseFactorList(AsmParser &parser,
                                   SmallVector<StringAttr> &names) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  });
}

Attribute RuleAttr::parse(AsmParser &parser, Type) {
  std::string text;
  SmallVector<StringAttr> reduction, needReplication;
  planner::ReduceOp op = planner::ReduceOp::Sum;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseString(&text))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return {};
    if (key == "reduction" || key == "need_replication") {
      if (parseFactorList(parser,
                          key == "reduction" ? reduction : needReplication))
        return {};
      continue;
    }
    if (key != "reduce_op") {
      parser.emitError(loc) << "unknown part '" << key
                            << "' of a rule (one of reduction, "
                               "need_replication, reduce_op)";
      return {};
    }
    loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return {};
    std::optional<planner::ReduceOp> parsed = planner::parseReduceOp(name);
    if (!parsed) {
      parser.emitError(loc) << "unknown reduce op '" << name << "'";
      return {};
    }
    op = *parsed;
  }
  if (parser.parseGreater())
    return {};
  return RuleAttr::getChecked([&] { return parser.emitError(start); },
                              parser.getContext(), StringRef(text),
                              ArrayRef<StringAttr>(reduction),
                              ArrayRef<StringAttr>(needReplication), op);
}

void RuleAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getText());
  auto printList = [&](StringRef key, ArrayRef<StringAttr> names) {
    if (names.empty())
      return;
    printer << ", " << key << " = [";
    llvm::interleaveComma(names, printer,
                          [&](StringAttr name) { printer << name.getValue(); });
    printer << ']';
  };
  printList("reduction", getReduction());
  printList("need_replication", getNeedReplication());
  if (getReduceOp() != planner::ReduceOp::Sum)
    printer << ", reduce_op = " << planner::reduceOpName(getReduceOp());
  printer << '>';
}
