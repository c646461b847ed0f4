// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-parallelize: writes the layouts that a plan gives to parameters.
//
//   dtensor.style "*.w1" colwise "tp"
// gives an argument %w1 that is the right operand of a linalg.matmul
//   {dtensor.layout = #dtensor.layout<@mesh, ["tp" = shard(1)]>}

#include "dtensor/Transforms/Passes.h"

#include "Parallelization/ParameterUses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::dtensor {
#define GEN_PASS_DEF_PARALLELIZEPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

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
  LogicalResult apply(StyleOp style, BlockArgument parameter);
  LogicalResult apply(PlaceOp place, BlockArgument parameter);
  LogicalResult apply(PrepareInputOp prepare);
  LogicalResult apply(PrepareOutputOp prepare);
  template <typename OpTy> LogicalResult applyToMatches(OpTy entry);
  LogicalResult shardSequence(StyleOp style, BlockArgument parameter);
  LogicalResult setLayout(Operation *entry, BlockArgument argument,
                          ArrayRef<PlacementAttr> placements, bool open);
  FailureOr<int64_t> findDim(StyleOp style, BlockArgument parameter);
  std::optional<int64_t> findLargestDim(StyleOp style, RankedTensorType type);
  LogicalResult reportNoMatch(Operation *entry, StringRef pattern);
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
  /// The same of results, by function and number.
  DenseMap<std::pair<Operation *, unsigned>, Operation *> resultsLaidOutBy;
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

/// (C3) and (C4): `what` is laid out by `entry` alone. `other` is the entry
/// that did so before, `own` the layout that the program gives.
static LogicalResult checkFree(Operation *entry, StringRef what,
                               Operation *&other, Attribute own, Location at) {
  if (other) {
    InFlightDiagnostic diag =
        entry->emitOpError()
        << "lays out " << what
        << ", which another entry of the plan does already; narrow one of them";
    diag.attachNote(other->getLoc()) << "the other entry is here";
    return diag;
  }
  other = entry;
  if (!own)
    return success();
  InFlightDiagnostic diag = entry->emitOpError()
                            << "lays out " << what
                            << ", which has a dtensor.layout of its own; "
                               "keep one of the two";
  diag.attachNote(at) << "it is here";
  return diag;
}

/// Gives `argument` its layout. (C3), (C4), (C6)
LogicalResult PlanApplication::setLayout(Operation *entry,
                                         BlockArgument argument,
                                         ArrayRef<PlacementAttr> placements,
                                         bool open) {
  func::FuncOp func = getFunc(argument);
  std::string what = describe(argument, getName(argument));
  unsigned index = argument.getArgNumber();
  if (failed(checkFree(entry, what, laidOutBy[argument],
                       func.getArgAttr(index, kLayoutAttr), argument.getLoc())))
    return failure();
  auto layout =
      LayoutAttr::get(func.getContext(), mesh, placements, open, {}, 0);
  if (failed(verifyLayout(func, layout, argument.getType(), [&] {
        return entry->emitOpError() << "lays out " << what << ": ";
      })))
    return failure();
  func.setArgAttr(index, kLayoutAttr, layout);
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

/// Dimension `dim` sharded over the axis of `style`.
static PlacementAttr getShard(StyleOp style, int64_t dim) {
  MLIRContext *context = style.getContext();
  return PlacementAttr::get(context, AxisAttr::get(context, style.getAxis()),
                            planner::PlacementEntry::Kind::Shard, dim,
                            planner::ReduceOp::Sum);
}

/// Shards what `parameter` is applied to along its sequence, and the result of
/// that; other axes may be used besides. (C7)
LogicalResult PlanApplication::shardSequence(StyleOp style,
                                             BlockArgument parameter) {
  SmallVector<Application> applications = findApplications(parameter);
  if (applications.empty())
    return style.emitOpError()
           << "'sequence' of " << describe(parameter, getName(parameter))
           << ": nothing applies it, element by element, to a tensor with a "
              "dimension that it has not; use 'replicate', and "
              "dtensor.constrain on the activations";
  OpBuilder builder(style.getContext());
  auto constrain = [&](Value value, int64_t dim) {
    return ConstrainOp::create(builder, style.getLoc(), value.getType(), value,
                               LayoutAttr::get(builder.getContext(), mesh,
                                               getShard(style, dim),
                                               /*open=*/true, {}, 0));
  };
  for (const Application &application : applications) {
    OpOperand &activation =
        application.op->getOpOperand(application.activation);
    builder.setInsertionPoint(application.op);
    activation.set(constrain(activation.get(), application.activationDim));
    builder.setInsertionPointAfter(application.op);
    Value result = application.op->getResult(application.result);
    Value constrained = constrain(result, application.resultDim);
    result.replaceAllUsesExcept(constrained, constrained.getDefiningOp());
  }
  return success();
}

/// The largest dimension that the axis of `style` divides, the first of equals.
std::optional<int64_t> PlanApplication::findLargestDim(StyleOp style,
                                                       RankedTensorType type) {
  planner::Mesh planned = lookupMesh(plan, mesh).getPlannerMesh();
  int64_t parts =
      getAxisRef(planned, AxisAttr::get(style.getContext(), style.getAxis()))
          ->size;
  std::optional<int64_t> best;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (size > 0 && size % parts == 0 &&
        (!best || size > type.getDimSize(*best)))
      best = dim;
  return best;
}

LogicalResult PlanApplication::apply(StyleOp style, BlockArgument parameter) {
  std::string what = describe(parameter, getName(parameter));
  auto type = dyn_cast<RankedTensorType>(parameter.getType());
  if (!type)
    return style.emitOpError()
           << "matches " << what << ", which is no tensor but a "
           << parameter.getType();
  std::optional<int64_t> dim;
  switch (style.getStyle()) {
  case Style::Replicate:
    break;
  case Style::Sequence:
    if (failed(shardSequence(style, parameter)))
      return failure();
    break;
  case Style::FullySharded:
    dim = findLargestDim(style, type);
    break;
  case Style::Expert:
    // (C8)
    if (type.getRank() == 0)
      return style.emitOpError() << "'expert' of " << what
                                 << ": a tensor of rank 0 has no dimension "
                                    "that counts experts";
    dim = 0;
    break;
  case Style::Colwise:
  case Style::Rowwise: {
    FailureOr<int64_t> found = findDim(style, parameter);
    if (failed(found))
      return failure();
    dim = *found;
  }
  }
  if (dim)
    return setLayout(style, parameter, getShard(style, *dim), /*open=*/false);
  return setLayout(style, parameter, {}, /*open=*/false);
}

LogicalResult PlanApplication::apply(PlaceOp place, BlockArgument parameter) {
  SmallVector<PlacementAttr> placements(
      place.getPlacements().getAsRange<PlacementAttr>());
  return setLayout(place, parameter, placements, place.getOpen());
}

/// (C2): with what there is to match.
LogicalResult PlanApplication::reportNoMatch(Operation *entry,
                                             StringRef pattern) {
  constexpr size_t kMaxNames = 8;
  SmallVector<StringRef> names;
  size_t count = 0;
  for (func::FuncOp func : programs)
    for (BlockArgument argument : func.getArguments())
      if (StringAttr name = getName(argument); name && ++count <= kMaxNames)
        names.push_back(name);
  InFlightDiagnostic diag = entry->emitOpError() << "pattern \"" << pattern
                                                 << "\" matches no parameter; ";
  if (names.empty())
    return diag << "no argument has a dtensor.name";
  return diag << "the program's are " << llvm::join(names, ", ")
              << (count > kMaxNames ? ", ..." : "");
}

template <typename OpTy>
LogicalResult PlanApplication::applyToMatches(OpTy entry) {
  bool matched = false;
  for (func::FuncOp func : programs)
    for (BlockArgument argument : func.getArguments()) {
      StringAttr name = getName(argument);
      if (!name || !matchesPattern(entry.getPattern(), name))
        continue;
      matched = true;
      if (failed(apply(entry, argument)))
        return failure();
    }
  return matched ? success() : reportNoMatch(entry, entry.getPattern());
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

LogicalResult PlanApplication::apply(PrepareOutputOp prepare) {
  SmallVector<PlacementAttr> placements(
      prepare.getPlacements().getAsRange<PlacementAttr>());
  auto layout = LayoutAttr::get(prepare.getContext(), mesh, placements,
                                prepare.getOpen(), {}, 0);
  unsigned index = prepare.getIndex();
  for (func::FuncOp func : programs) {
    // (C6)
    if (prepare.getIndex() >= func.getNumResults())
      return prepare.emitOpError()
             << "prepares result " << prepare.getIndex() << ", @"
             << func.getName() << " has " << func.getNumResults()
             << " (counted from 0)";
    std::string what =
        ("result " + Twine(index) + " of @" + func.getName()).str();
    if (failed(checkFree(prepare, what, resultsLaidOutBy[{func, index}],
                         func.getResultAttr(index, kLayoutAttr),
                         func.getLoc())) ||
        failed(verifyLayout(func, layout, func.getResultTypes()[index], [&] {
          return prepare.emitOpError() << "lays out " << what << ": ";
        })))
      return failure();
    func.setResultAttr(index, kLayoutAttr, layout);
  }
  return success();
}

LogicalResult PlanApplication::run() {
  for (Operation &entry : plan.getEntries().getOps()) {
    LogicalResult applied =
        TypeSwitch<Operation *, LogicalResult>(&entry)
            .Case([&](StyleOp style) { return applyToMatches(style); })
            .Case([&](PlaceOp place) { return applyToMatches(place); })
            .Case<PrepareInputOp, PrepareOutputOp>(
                [&](auto prepare) { return apply(prepare); })
            .Default(success());
    if (failed(applied))
      return failure();
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
