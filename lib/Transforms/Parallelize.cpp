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
  LogicalResult apply(StyleOp style);
  LogicalResult apply(StyleOp style, BlockArgument parameter);
  LogicalResult apply(PrepareInputOp prepare);
  LogicalResult shardSequence(StyleOp style, BlockArgument parameter);
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

LogicalResult PlanApplication::apply(StyleOp style, BlockArgument parameter) {
  if (!isa<RankedTensorType>(parameter.getType()))
    return style.emitOpError()
           << "matches " << describe(parameter, getName(parameter))
           << ", which is no tensor but a " << parameter.getType();
  if (style.getStyle() == Style::Sequence &&
      failed(shardSequence(style, parameter)))
    return failure();
  if (style.getStyle() != Style::Colwise && style.getStyle() != Style::Rowwise)
    return setLayout(style, parameter, {}, /*open=*/false);
  FailureOr<int64_t> dim = findDim(style, parameter);
  if (failed(dim))
    return failure();
  return setLayout(style, parameter, getShard(style, *dim), /*open=*/false);
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
