// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom assembly of the foreign operations. Attributes get the names that the
// generic form uses, so that the importer sees one form.

#include "ParseOps.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::dtensor;

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Skips `<...>` with balanced brackets inside and returns its text.
static FailureOr<StringRef> parseBalanced(OpAsmParser &parser) {
  const char *begin = parser.getCurrentLocation().getPointer();
  if (parser.parseLess())
    return failure();
  const char *last = begin;
  for (int depth = 1; depth > 0;) {
    last = parser.getCurrentLocation().getPointer();
    std::string text;
    StringRef keyword;
    StringAttr symbol;
    APInt integer;
    OptionalParseResult number;
    if (succeeded(parser.parseOptionalLess()) ||
        succeeded(parser.parseOptionalLBrace()) ||
        succeeded(parser.parseOptionalLSquare()))
      ++depth;
    else if (succeeded(parser.parseOptionalGreater()) ||
             succeeded(parser.parseOptionalRBrace()) ||
             succeeded(parser.parseOptionalRSquare()))
      --depth;
    else if (failed(parser.parseOptionalComma()) &&
             failed(parser.parseOptionalColon()) &&
             failed(parser.parseOptionalEqual()) &&
             failed(parser.parseOptionalQuestion()) &&
             failed(parser.parseOptionalLParen()) &&
             failed(parser.parseOptionalRParen()) &&
             failed(parser.parseOptionalString(&text)) &&
             failed(parser.parseOptionalSymbolName(symbol)) &&
             failed(parser.parseOptionalKeyword(&keyword)) &&
             !((number = parser.parseOptionalInteger(integer)).has_value() &&
               succeeded(*number)))
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a closing bracket");
  }
  return StringRef(begin, last + 1 - begin);
}

/// `<...>` as the attribute `#dialect.mnemonic<...>`.
static FailureOr<Attribute> parseOpaque(OpAsmParser &parser, StringRef dialect,
                                        StringRef mnemonic) {
  FailureOr<StringRef> text = parseBalanced(parser);
  if (failed(text))
    return failure();
  Builder &builder = parser.getBuilder();
  return Attribute(OpaqueAttr::get(builder.getStringAttr(dialect),
                                   (mnemonic + *text).str(),
                                   builder.getNoneType()));
}

/// Parses `%a, %b` up to what is no operand. `afterComma` tells whether a
/// clause has to follow.
static ParseResult parseOperands(OpAsmParser &parser, Operands &operands,
                                 bool &afterComma) {
  do {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value()) {
      afterComma = !operands.empty();
      return success();
    }
    if (failed(*parsed))
      return failure();
    operands.push_back(operand);
  } while (succeeded(parser.parseOptionalComma()));
  afterComma = false;
  return success();
}

/// Parses the types after the colon, resolves the operands and adds the
/// results: `(T, U) -> V`; or `T` for all; or `T -> V`; or `T, U` for the
/// operands, where results are like the operands or, after a predicate, like
/// the last one.
static ParseResult parseTypes(OpAsmParser &parser, const Operands &operands,
                              OperationState &state, bool hasResults = true) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types, results;
  if (parser.parseColon() || parser.parseCommaSeparatedList([&] {
        return parser.parseType(types.emplace_back());
      }))
    return failure();
  if (auto function = dyn_cast<FunctionType>(types.front())) {
    state.addTypes(function.getResults());
    return parser.resolveOperands(operands, function.getInputs(), loc,
                                  state.operands);
  }
  if (succeeded(parser.parseOptionalArrow())) {
    if (parser.parseType(results.emplace_back()))
      return failure();
  } else if (types.size() == 1 || types.size() != operands.size()) {
    results.push_back(types.back());
  } else {
    results = types;
  }
  // `P, T` stands for one predicate and values of one type.
  if (types.size() < operands.size())
    types.append(operands.size() - types.size(), types.back());
  if (operands.empty())
    types.clear();
  if (hasResults)
    state.addTypes(results);
  return parser.resolveOperands(operands, types, loc, state.operands);
}

static ParseResult parseIntegers(OpAsmParser &parser,
                                 SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static void addIntegers(OperationState &state, StringRef name,
                        ArrayRef<int64_t> values) {
  state.addAttribute(name, DenseI64ArrayAttr::get(state.getContext(), values));
}

/// `#stablehlo<kind value>`, as the generic form has it.
static void addKeyword(OperationState &state, StringRef name, StringRef kind,
                       StringRef value) {
  Builder builder(state.getContext());
  state.addAttribute(name,
                     OpaqueAttr::get(builder.getStringAttr("stablehlo"),
                                     ("<" + kind + " " + value + ">").str(),
                                     builder.getNoneType()));
}

//===----------------------------------------------------------------------===//
// Clauses: `name = value` after the operands
//===----------------------------------------------------------------------===//

namespace {
/// The clauses of one op, under the names of the generic form.
struct ClauseParser {
  OpAsmParser &parser;
  OperationState &state;
  /// `contracting_dims = [1] x [0]` and `batching_dims` of dot_general.
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;

  ParseResult parse();
  void addDotDimensions();

private:
  ParseResult parseInts(StringRef name);
  ParseResult parsePair(SmallVectorImpl<int64_t> &lhs,
                        SmallVectorImpl<int64_t> &rhs);
};
} // namespace

ParseResult ClauseParser::parseInts(StringRef name) {
  SmallVector<int64_t> values;
  if (parser.parseEqual() || parseIntegers(parser, values))
    return failure();
  addIntegers(state, name, values);
  return success();
}

ParseResult ClauseParser::parsePair(SmallVectorImpl<int64_t> &lhs,
                                    SmallVectorImpl<int64_t> &rhs) {
  return failure(parser.parseEqual() || parseIntegers(parser, lhs) ||
                 parser.parseKeyword("x") || parseIntegers(parser, rhs));
}

/// The name of attribute `dims` (or `dim`) in the generic form.
static StringRef getDimsName(StringRef op, StringRef clause) {
  if (op == "stablehlo.broadcast_in_dim")
    return "broadcast_dimensions";
  if (op == "stablehlo.transpose")
    return "permutation";
  if (op == "stablehlo.iota")
    return "iota_dimension";
  return clause == "dim" ? "dimension" : "dimensions";
}

ParseResult ClauseParser::parse() {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef op = state.name.getStringRef(), clause;
  if (parser.parseKeyword(&clause))
    return failure();
  if (clause == "dims")
    return parseInts(getDimsName(op, clause));
  if (clause == "sizes")
    return parseInts("slice_sizes");
  if (clause == "low" || clause == "high")
    return parseInts(clause == "low" ? "edge_padding_low"
                                     : "edge_padding_high");
  if (clause == "interior")
    return parseInts("interior_padding");
  if (clause == "batching_dims")
    return parsePair(lhsBatch, rhsBatch);
  if (clause == "contracting_dims")
    return parsePair(lhsContract, rhsContract);
  if (clause == "dim") {
    int64_t value = 0;
    if (parser.parseEqual() || parser.parseInteger(value))
      return failure();
    state.addAttribute(getDimsName(op, clause),
                       parser.getBuilder().getI64IntegerAttr(value));
    return success();
  }
  if (clause == "precision") // a hint; products are computed in full
    return failure(
        parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          StringRef precision;
          return parser.parseKeyword(&precision);
        }));
  if (clause == "algorithm") {
    FailureOr<Attribute> value = failure();
    if (parser.parseEqual() ||
        failed(value = parseOpaque(parser, "stablehlo", "dot_algorithm")))
      return failure();
    state.addAttribute("algorithm", *value);
    return success();
  }
  if (op == "stablehlo.compare") {
    addKeyword(state, "compare_type", "comparison_type", clause);
    return success();
  }
  return parser.emitError(loc)
         << "has a clause '" << clause << "' that the importer does not read";
}

void ClauseParser::addDotDimensions() {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool isFirst = true;
  auto print = [&](StringRef name, ArrayRef<int64_t> dims) {
    os << (isFirst ? "" : ", ") << name << " = [";
    llvm::interleaveComma(dims, os);
    os << ']';
    isFirst = false;
  };
  os << "dot<";
  print("lhs_batching_dimensions", lhsBatch);
  print("rhs_batching_dimensions", rhsBatch);
  print("lhs_contracting_dimensions", lhsContract);
  print("rhs_contracting_dimensions", rhsContract);
  os << '>';
  Builder builder(state.getContext());
  state.addAttribute("dot_dimension_numbers",
                     OpaqueAttr::get(builder.getStringAttr("stablehlo"), text,
                                     builder.getNoneType()));
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// `%a, %b, clause = value, ... {attributes} : types`.
static ParseResult parseClausedOp(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  bool more = false;
  ClauseParser clauses{parser, state, {}, {}, {}, {}};
  if (parseOperands(parser, operands, more))
    return failure();
  while (more || (operands.empty() && state.attributes.empty())) {
    if (clauses.parse())
      return failure();
    more = succeeded(parser.parseOptionalComma());
  }
  if (state.name.getStringRef() == "stablehlo.dot_general")
    clauses.addDotDimensions();
  return failure(parser.parseOptionalAttrDict(state.attributes) ||
                 parseTypes(parser, operands, state));
}

/// `LT, %a, %b, FLOAT : types`.
static ParseResult parseCompare(OpAsmParser &parser, OperationState &state) {
  StringRef direction;
  if (parser.parseKeyword(&direction) || parser.parseComma())
    return failure();
  addKeyword(state, "comparison_direction", "comparison_direction", direction);
  return parseClausedOp(parser, state);
}

/// `%a, %b {attributes} : types`.
static ParseResult parseSimpleOp(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  return failure(parser.parseOperandList(operands) ||
                 parser.parseOptionalAttrDict(state.attributes) ||
                 parseTypes(parser, operands, state));
}

/// `%a, %b : T, U`, or nothing.
static ParseResult parseReturn(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  if (operands.empty())
    return success();
  return parseTypes(parser, operands, state, /*hasResults=*/false);
}

/// `{attributes} dense<...> : T`.
static ParseResult parseConstant(OpAsmParser &parser, OperationState &state) {
  llvm::SMLoc loc;
  Attribute value;
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.getCurrentLocation(&loc) || parser.parseAttribute(value))
    return failure();
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed)
    return parser.emitError(loc, "expected a constant with a type");
  state.addAttribute("value", value);
  state.addTypes(typed.getType());
  return success();
}

/// `%a [0:3, 0:8:2] : types`.
static ParseResult parseSlice(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand operand;
  SmallVector<int64_t> starts, limits, strides;
  if (parser.parseOperand(operand) ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&]() -> ParseResult {
            strides.push_back(1);
            if (parser.parseInteger(starts.emplace_back()) ||
                parser.parseColon() ||
                parser.parseInteger(limits.emplace_back()))
              return failure();
            if (failed(parser.parseOptionalColon()))
              return success();
            return parser.parseInteger(strides.back());
          }) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  addIntegers(state, "start_indices", starts);
  addIntegers(state, "limit_indices", limits);
  addIntegers(state, "strides", strides);
  return parseTypes(parser, {operand}, state);
}

/// `(%a, k = 5) {attributes} : T -> (U, V)`.
static ParseResult parseTopK(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand operand;
  int64_t k = 0;
  llvm::SMLoc loc;
  Type type;
  SmallVector<Type> results;
  if (parser.parseLParen() || parser.parseOperand(operand) ||
      parser.parseComma() || parser.parseKeyword("k") || parser.parseEqual() ||
      parser.parseInteger(k) || parser.parseRParen() ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&loc) || parser.parseType(type) ||
      parser.parseArrow() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Paren,
          [&] { return parser.parseType(results.emplace_back()); }) ||
      parser.resolveOperand(operand, type, state.operands))
    return failure();
  state.addAttribute("k", parser.getBuilder().getI64IntegerAttr(k));
  state.addTypes(results);
  return success();
}

/// `@target(%a, %b) {attributes} : types`.
static ParseResult parseCustomCall(OpAsmParser &parser, OperationState &state) {
  StringAttr target;
  Operands operands;
  if (parser.parseSymbolName(target) ||
      parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  state.addAttribute("call_target_name", target);
  return parseTypes(parser, operands, state);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The body of `applies stablehlo.add`: that op on two elements.
static ParseResult addAppliedBody(OpAsmParser &parser, OperationState &state,
                                  llvm::SMLoc loc, StringRef applied) {
  auto type = dyn_cast<ShapedType>(state.operands.front().getType());
  if (!type || state.operands.size() != 2)
    return parser.emitError(loc, "with 'applies' needs one tensor");
  Type element = RankedTensorType::get({}, type.getElementType());
  Block *block = new Block();
  state.addRegion()->push_back(block);
  block->addArguments({element, element}, {state.location, state.location});
  // Not atBlockEnd: the region belongs to no op yet, so knows no context.
  OpBuilder builder(state.getContext());
  builder.setInsertionPointToEnd(block);
  OperationState inner(state.location, applied);
  inner.addOperands(block->getArguments());
  inner.addTypes(element);
  OperationState yield(state.location, "stablehlo.return");
  yield.addOperands(builder.create(inner)->getResults());
  builder.create(yield);
  return success();
}

/// `reducer(%a: T, %b: T) (%c: U, %d: U) {...}`: one pair per tensor; the
/// block takes all first ones, then all second ones.
static ParseResult parseReducer(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> lhs, rhs;
  if (parser.parseKeyword("reducer"))
    return failure();
  while (succeeded(parser.parseOptionalLParen()))
    if (parser.parseArgument(lhs.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(rhs.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  lhs.append(rhs);
  return parser.parseRegion(*state.addRegion(), lhs);
}

/// `(%a init: %c), (%b init: %d) [applies op] across dimensions = [1]
/// {attributes} : types [reducer...]`.
static ParseResult parseReduce(OpAsmParser &parser, OperationState &state) {
  Operands operands, inits;
  SmallVector<int64_t> dims;
  std::string applied;
  llvm::SMLoc loc = parser.getCurrentLocation();
  do {
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    applied = name.str();
  }
  operands.append(inits);
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || parseIntegers(parser, dims) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parseTypes(parser, operands, state))
    return failure();
  addIntegers(state, "dimensions", dims);
  return applied.empty() ? parseReducer(parser, state)
                         : addAppliedBody(parser, state, loc, applied);
}

//===----------------------------------------------------------------------===//
// Shardy
//===----------------------------------------------------------------------===//

/// `@name = <["x"=2]>`.
static ParseResult parseMesh(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  if (parser.parseSymbolName(name) || parser.parseEqual())
    return failure();
  FailureOr<Attribute> mesh = parseOpaque(parser, "sdy", "mesh");
  if (failed(mesh))
    return failure();
  state.addAttribute(SymbolTable::getSymbolAttrName(), name);
  state.addAttribute("mesh", *mesh);
  return parser.parseOptionalAttrDict(state.attributes);
}

/// `%a <@mesh, [...]> : T`.
static ParseResult parseConstraint(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand operand;
  if (parser.parseOperand(operand))
    return failure();
  FailureOr<Attribute> sharding = parseOpaque(parser, "sdy", "sharding");
  if (failed(sharding))
    return failure();
  state.addAttribute("sharding", *sharding);
  return failure(parser.parseOptionalAttrDict(state.attributes) ||
                 parseTypes(parser, {operand}, state));
}

/// `in_shardings=[<...>, <...>]`.
static ParseResult parseShardingList(OpAsmParser &parser, OperationState &state,
                                     StringRef name) {
  SmallVector<Attribute> shardings;
  if (parser.parseKeyword(name) || parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            FailureOr<Attribute> one = parseOpaque(parser, "sdy", "sharding");
            if (failed(one))
              return failure();
            shardings.push_back(*one);
            return success();
          }))
    return failure();
  state.addAttribute(name, parser.getBuilder().getArrayAttr(shardings));
  return success();
}

/// `(%a) in_shardings=[...] out_shardings=[...] manual_axes={"x"} (%b: T) {...}
/// : types`.
static ParseResult parseManual(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> axes;
  if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
      parseShardingList(parser, state, "in_shardings") ||
      parseShardingList(parser, state, "out_shardings") ||
      parser.parseKeyword("manual_axes") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     [&] {
                                       StringAttr axis;
                                       if (parser.parseAttribute(axis))
                                         return failure();
                                       axes.push_back(axis);
                                       return success();
                                     }) ||
      parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseRegion(*state.addRegion(), arguments) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  state.addAttribute("manual_axes", parser.getBuilder().getArrayAttr(axes));
  return parseTypes(parser, operands, state);
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static ParseResult parseUnknown(OpAsmParser &parser, OperationState &state) {
  // The parser puts the name of the op before the message.
  return parser.emitError(parser.getNameLoc())
         << "has a text form that the importer does not read";
}

/// Ops of the form of parseSimpleOp.
static constexpr StringLiteral kSimpleOps[] = {
    "stablehlo.abs",
    "stablehlo.add",
    "stablehlo.and",
    "stablehlo.atan2",
    "stablehlo.bitcast_convert",
    "stablehlo.cbrt",
    "stablehlo.ceil",
    "stablehlo.clamp",
    "stablehlo.convert",
    "stablehlo.cosine",
    "stablehlo.count_leading_zeros",
    "stablehlo.divide",
    "stablehlo.dynamic_update_slice",
    "stablehlo.exponential",
    "stablehlo.exponential_minus_one",
    "stablehlo.floor",
    "stablehlo.is_finite",
    "stablehlo.log",
    "stablehlo.log_plus_one",
    "stablehlo.logistic",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.multiply",
    "stablehlo.negate",
    "stablehlo.not",
    "stablehlo.optimization_barrier",
    "stablehlo.or",
    "stablehlo.partition_id",
    "stablehlo.popcnt",
    "stablehlo.power",
    "stablehlo.remainder",
    "stablehlo.replica_id",
    "stablehlo.reshape",
    "stablehlo.round_nearest_afz",
    "stablehlo.round_nearest_even",
    "stablehlo.rsqrt",
    "stablehlo.select",
    "stablehlo.shift_left",
    "stablehlo.shift_right_arithmetic",
    "stablehlo.shift_right_logical",
    "stablehlo.sign",
    "stablehlo.sine",
    "stablehlo.sqrt",
    "stablehlo.subtract",
    "stablehlo.tan",
    "stablehlo.tanh",
    "stablehlo.xor",
    "chlo.acos",
    "chlo.asin",
    "chlo.atan",
    "chlo.cosh",
    "chlo.erf",
    "chlo.erf_inv",
    "chlo.erfc",
    "chlo.sinh",
    "chlo.square",
    "chlo.tan"};

/// Ops of the form of parseClausedOp.
static constexpr StringLiteral kClausedOps[] = {"stablehlo.broadcast_in_dim",
                                                "stablehlo.concatenate",
                                                "stablehlo.dot",
                                                "stablehlo.dot_general",
                                                "stablehlo.dynamic_slice",
                                                "stablehlo.iota",
                                                "stablehlo.pad",
                                                "stablehlo.reverse",
                                                "stablehlo.transpose"};

static llvm::StringMap<ParseFn> makeParsers() {
  llvm::StringMap<ParseFn> parsers;
  for (StringLiteral name : kSimpleOps)
    parsers[name] = parseSimpleOp;
  for (StringLiteral name : kClausedOps)
    parsers[name] = parseClausedOp;
  parsers["stablehlo.compare"] = parseCompare;
  parsers["stablehlo.constant"] = parseConstant;
  parsers["stablehlo.custom_call"] = parseCustomCall;
  parsers["stablehlo.reduce"] = parseReduce;
  parsers["stablehlo.return"] = parseReturn;
  parsers["stablehlo.slice"] = parseSlice;
  parsers["chlo.top_k"] = parseTopK;
  parsers["sdy.constant"] = parseConstant;
  parsers["sdy.manual_computation"] = parseManual;
  parsers["sdy.mesh"] = parseMesh;
  parsers["sdy.reshard"] = parseConstraint;
  parsers["sdy.return"] = parseReturn;
  parsers["sdy.sharding_constraint"] = parseConstraint;
  return parsers;
}

const ParseFn &mlir::dtensor::getForeignParser(StringRef name) {
  // The hook that MLIR asks for refers to the function, so the table stays.
  static const llvm::StringMap<ParseFn> parsers = makeParsers();
  static const ParseFn unknown = parseUnknown;
  auto it = parsers.find(name);
  return it == parsers.end() ? unknown : it->second;
}
