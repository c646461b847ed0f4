// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports functions op by op. Calls are inlined: a program is one function.

#include "ProgramImporter.h"

#include "ParameterNames.h"
#include "dtensor/Import/StubDialects.h"

using namespace mlir;
using namespace mlir::dtensor;

ProgramImporter::ProgramImporter(ModuleOp module, Shardings &shardings)
    : shardings(shardings), symbols(module) {
  addElementwiseRules(rules);
  addValueRules(rules);
  addShapeRules(rules);
  addDotRules(rules);
  addReduceRules(rules);
  addCollectiveRules(rules);
  addStructuredRules(rules);
  addDynamicSliceRules(rules);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FailureOr<Type> ProgramImporter::getType(Type type, const Twine &value,
                                         EmitFn emit) {
  if (Type converted = BodyForm().convert(type))
    return converted;
  return emit() << value << " has type " << type
                << "; needs a tensor of static shape and of floats (f64, f32, "
                   "f16, bf16, f8) or integers (8 to 64 bits, i1)";
}

/// Shardings from before Shardy: strings that this importer does not read.
static constexpr StringLiteral kGspmdSharding = "mhlo.sharding";
static constexpr StringLiteral kNotImported =
    "' is not imported, the layout stays open; export with Shardy";

/// The attributes that stay on an argument or result: ours.
static NamedAttrList keepOwnAttributes(DictionaryAttr attributes) {
  NamedAttrList kept;
  if (attributes)
    for (NamedAttribute attribute : attributes)
      if (isa_and_present<DTensorDialect>(attribute.getNameDialect()))
        kept.append(attribute);
  return kept;
}

LogicalResult ProgramImporter::importFunction(func::FuncOp func) {
  if (func.isExternal())
    return func.emitOpError() << "@" << func.getName()
                              << " has no body; make it private or define it";
  if (!func.getBody().hasOneBlock())
    return func.emitOpError()
           << "@" << func.getName() << " has more than one block";
  SmallVector<Type> inputs, results;
  SmallVector<DictionaryAttr> inputAttrs, resultAttrs;
  ParameterNames names;
  MLIRContext *context = func.getContext();
  auto convert = [&](Type type, DictionaryAttr attributes, NamedAttrList &kept,
                     const Twine &what, Location loc) -> FailureOr<Type> {
    auto emit = [&] {
      return mlir::emitError(loc) << what << " of @" << func.getName() << ": ";
    };
    FailureOr<Type> converted = getType(type, "it", emit);
    if (failed(converted))
      return failure();
    kept = keepOwnAttributes(attributes);
    FailureOr<LayoutAttr> layout = shardings.getLayout(attributes, type, emit);
    if (failed(layout))
      return failure();
    if (*layout)
      kept.set(kLayoutAttr, *layout);
    else if (attributes && attributes.get(kGspmdSharding))
      mlir::emitWarning(loc) << what << " of @" << func.getName() << ": '"
                             << kGspmdSharding << kNotImported;
    return converted;
  };
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    DictionaryAttr attributes = func.getArgAttrDict(index);
    NamedAttrList kept;
    Location loc = argument.getLoc();
    FailureOr<Type> type = convert(argument.getType(), attributes, kept,
                                   "argument " + Twine(index),
                                   isa<UnknownLoc>(loc) ? func.getLoc() : loc);
    if (failed(type))
      return failure();
    inputs.push_back(*type);
    if (StringAttr name = names.choose(attributes, loc))
      kept.set(kNameAttr, name);
    inputAttrs.push_back(kept.getDictionary(context));
  }
  for (auto [index, resultType] : llvm::enumerate(func.getResultTypes())) {
    NamedAttrList kept;
    FailureOr<Type> type =
        convert(resultType, func.getResultAttrDict(index), kept,
                "result " + Twine(index), func.getLoc());
    if (failed(type))
      return failure();
    results.push_back(*type);
    resultAttrs.push_back(kept.getDictionary(context));
  }

  OpBuilder builder(func);
  auto made = func::FuncOp::create(builder, func.getLoc(), func.getName(),
                                   builder.getFunctionType(inputs, results));
  made.setAllArgAttrs(inputAttrs);
  made.setAllResultAttrs(resultAttrs);
  made.setVisibility(func.getVisibility());
  Block *entry = made.addEntryBlock();
  IRMapping values;
  for (auto [old, argument] :
       llvm::zip_equal(func.getArguments(), entry->getArguments())) {
    argument.setLoc(old.getLoc());
    values.map(old, argument);
  }
  builder.setInsertionPointToEnd(entry);
  active.push_back(func);
  Block &body = func.getBody().front();
  FailureOr<SmallVector<Value>> returned =
      importBlock(body, values, BodyForm(), builder);
  active.pop_back();
  if (failed(returned))
    return failure();
  func::ReturnOp::create(builder, body.back().getLoc(), *returned);
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks and ops
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> ProgramImporter::importBlock(Block &block,
                                                           IRMapping &values,
                                                           const BodyForm &form,
                                                           OpBuilder &builder) {
  if (block.empty())
    return block.getParentOp()->emitOpError() << "has an empty body";
  for (Operation &op : llvm::drop_end(block.getOperations()))
    if (failed(importOp(&op, values, form, builder)))
      return failure();
  Operation &last = block.back();
  StringRef name = last.getName().getStringRef();
  if (name != "func.return" && name != "stablehlo.return" &&
      name != "sdy.return")
    return last.emitOpError() << "ends a body; needs a return there";
  SmallVector<Value> returned;
  for (Value operand : last.getOperands()) {
    Value value = values.lookupOrNull(operand);
    if (!value)
      return last.emitOpError() << "returns a value from outside of its region";
    returned.push_back(value);
  }
  return returned;
}

LogicalResult ProgramImporter::importOp(Operation *op, IRMapping &values,
                                        const BodyForm &form,
                                        OpBuilder &builder) {
  constexpr int64_t kMaxOps = 4'000'000;
  if (++numOps > kMaxOps)
    return op->emitOpError() << "makes the program one of more than " << kMaxOps
                             << " operations, with what its calls bring in";
  OpImport import{op, builder, *this, form, {}, {}};
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    Value value = values.lookupOrNull(operand);
    if (!value)
      return op->emitOpError() << "uses a value from outside of its region as "
                                  "operand "
                               << index;
    import.operands.push_back(value);
  }
  bool isNative = !isForeignOp(op) && !isa<func::CallOp>(op) &&
                  (form.kind == BodyForm::Program ||
                   !rules.contains(op->getName().getStringRef()));
  if (isNative)
    return importNative(import, values);
  if (failed(importForeign(import)))
    return failure();
  // What an importing function made must be what its users were promised.
  if (import.results.size() != op->getNumResults())
    return op->emitOpError()
           << "has " << op->getNumResults() << " results; what it calls gives "
           << import.results.size();
  if (failed(constrainResults(import)))
    return failure();
  for (auto [old, value] : llvm::zip_equal(op->getResults(), import.results)) {
    if (value.getType() != form.convert(old.getType()))
      return op->emitOpError() << "has a result of type " << old.getType()
                               << "; its operands give " << value.getType();
    values.map(old, value);
  }
  return success();
}

LogicalResult ProgramImporter::importForeign(OpImport &import) {
  Operation *op = import.op;
  if (isa<func::CallOp>(op))
    return importCall(import);
  StringRef name = import.name();
  if (name == "stablehlo.custom_call")
    return importCustomCall(import);
  if (name == "sdy.manual_computation")
    return importManual(import);
  if (name == "sdy.sharding_constraint" || name == "sdy.reshard")
    return importConstraint(import);
  auto rule = rules.find(name);
  if (rule == rules.end())
    return import.emitError() << "is not among the operations that the "
                                 "importer knows";
  if (import.form.kind != BodyForm::Program && !rule->second.inBodies)
    return import.emitError()
           << "stands in the body of a reduction; only elementwise operations "
              "are imported there";
  int numOperands = rule->second.numOperands;
  if (numOperands >= 0 &&
      op->getNumOperands() != static_cast<unsigned>(numOperands))
    return import.emitError() << "has " << op->getNumOperands()
                              << " operands, needs " << numOperands;
  if (op->getNumResults() == 0)
    return import.emitError() << "has no result";
  for (auto [index, type] : llvm::enumerate(op->getResultTypes())) {
    if (failed(getType(type, "result " + Twine(index),
                       [&] { return import.emitError(); })))
      return failure();
    if (!import.form.convert(type))
      return import.emitError() << "has a result of type " << type
                                << " in the body of a reduction; needs rank 0";
  }
  if (!rule->second.hasManyResults && op->getNumResults() != 1)
    return import.emitError()
           << "has " << op->getNumResults() << " results, needs 1";
  return rule->second.import(import);
}

/// An op of our own dialects stays as it is.
LogicalResult ProgramImporter::importNative(OpImport &import,
                                            IRMapping &values) {
  Operation *op = import.op;
  if (import.form.kind != BodyForm::Program)
    return import.emitError() << "stands in the body of a reduction; only "
                                 "operations of stablehlo are imported there";
  Operation *foreign = nullptr;
  op->walk([&](Operation *inner) {
    foreign = isForeignOp(inner) ? inner : nullptr;
    return foreign ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (foreign)
    return foreign->emitOpError()
           << "stands inside of '" << import.name()
           << "'; only bodies of functions and reductions are imported";
  for (auto [index, operand] : llvm::enumerate(import.operands))
    if (operand.getType() != op->getOperand(index).getType())
      return import.emitError() << "takes operand " << index << " as "
                                << op->getOperand(index).getType()
                                << ", which the import makes signless";
  import.builder.clone(*op, values);
  return success();
}

LogicalResult ProgramImporter::importCall(OpImport &import) {
  auto call = cast<func::CallOp>(import.op);
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
    return import.emitError() << "calls @" << call.getCallee()
                              << ", which has no body of one block";
  if (llvm::is_contained(active, callee))
    return import.emitError()
           << "calls @" << call.getCallee() << ", which calls itself";
  if (import.form.kind != BodyForm::Program)
    return import.emitError() << "stands in the body of a reduction";
  constexpr size_t kMaxDepth = 1000; // a recursion here for each
  if (active.size() >= kMaxDepth)
    return import.emitError() << "calls nest deeper than " << kMaxDepth;

  auto constrain = [&](Value value, DictionaryAttr attributes, Type type,
                       const Twine &what) -> FailureOr<Value> {
    FailureOr<LayoutAttr> layout =
        shardings.getLayout(attributes, type, [&]() -> InFlightDiagnostic {
          return callee.emitOpError()
                 << "@" << callee.getName() << ": " << what << ' ';
        });
    if (failed(layout))
      return failure();
    if (!*layout || manualMesh)
      return value; // of axes that the body replicates
    return ConstrainOp::create(import.builder, import.loc(), value, *layout)
        .getResult();
  };
  IRMapping values;
  for (auto [index, argument] : llvm::enumerate(callee.getArguments())) {
    FailureOr<Value> value =
        constrain(import.operands[index], callee.getArgAttrDict(index),
                  argument.getType(), "argument " + Twine(index));
    if (failed(value))
      return failure();
    values.map(argument, *value);
  }
  active.push_back(callee);
  FailureOr<SmallVector<Value>> returned = importBlock(
      callee.getBody().front(), values, import.form, import.builder);
  active.pop_back();
  if (failed(returned))
    return failure();
  if (returned->size() != callee.getNumResults())
    return import.emitError()
           << "calls @" << callee.getName() << ", which returns "
           << returned->size() << " values for " << callee.getNumResults()
           << " results";
  for (auto [index, value] : llvm::enumerate(*returned)) {
    FailureOr<Value> result =
        constrain(value, callee.getResultAttrDict(index),
                  callee.getResultTypes()[index], "result " + Twine(index));
    if (failed(result))
      return failure();
    import.results.push_back(*result);
  }
  return success();
}

LogicalResult ProgramImporter::importCustomCall(OpImport &import) {
  auto target = import.op->getAttrOfType<StringAttr>("call_target_name");
  StringRef name = target ? target.getValue() : "";
  // StableHLO's test assertions compute nothing.
  if (name.starts_with("check.") && import.op->getNumResults() == 0) {
    import.op->emitWarning() << "assertion @" << name << " is not imported";
    return success();
  }
  bool isAnnotation =
      name == "Sharding" || name == "xla.sdy.FuncResultSharding";
  if (!isAnnotation ||
      import.op->getOperandTypes() != import.op->getResultTypes())
    return import.emitError()
           << "calls @" << name << ", which the importer does not know";
  if (!import.op->hasAttr("sdy.sharding") &&
      !import.op->hasAttr("mhlo.frontend_attributes"))
    import.op->emitWarning()
        << "@" << name << ": '" << kGspmdSharding << kNotImported;
  import.results = import.operands; // the layout follows, as with any op
  return success();
}

LogicalResult ProgramImporter::importConstraint(OpImport &import) {
  if (import.op->getNumOperands() != 1 ||
      import.op->getOperandTypes() != import.op->getResultTypes())
    return import.emitError() << "needs one operand and a result of its type";
  FailureOr<LayoutAttr> layout = shardings.getLayout(
      import.op->getAttr("sharding"), import.op->getOperand(0).getType(),
      [&] { return import.emitError(); });
  if (failed(layout))
    return failure();
  if (!*layout || manualMesh)
    return import.yield(import.operands[0]);
  return import.yield(ConstrainOp::create(import.builder, import.loc(),
                                          import.operands[0], *layout));
}

LogicalResult ProgramImporter::constrainResults(OpImport &import) {
  SmallVector<LayoutAttr> layouts;
  if (failed(shardings.getLayouts(import.op, layouts)))
    return failure();
  for (auto [index, layout] : llvm::enumerate(layouts)) {
    if (!layout || manualMesh)
      continue;
    if (import.form.kind != BodyForm::Program)
      return import.emitError() << "has a sharding in the body of a reduction";
    import.results[index] = ConstrainOp::create(import.builder, import.loc(),
                                                import.results[index], layout);
  }
  return success();
}
