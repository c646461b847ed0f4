// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler driver as a library: a program in, any stage or a plan out.

#include "dtensor/Pipelines/Compile.h"

#include "ParallelizePlanFile.h"

#include "dtensor/Dialect/Comm/Comm.h"
#include "dtensor/Dialect/Sched/Sched.h"
#include "dtensor/Import/Passes.h"
#include "dtensor/Import/StubDialects.h"
#include "dtensor/InitAll.h"
#include "dtensor/Planner/Redistribution.h"
#include "dtensor/Target/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::dtensor;

/// The stages of a module: none, or what it has passed already.
enum class InputStage { Program, LaidOut, Explicit, Local, Scheduled };

/// Tells the stage by what only it has.
static InputStage detectStage(ModuleOp module) {
  if (!module.getOps<sched::ProgramOp>().empty())
    return InputStage::Scheduled;
  auto stage = InputStage::Program;
  for (auto func : module.getOps<func::FuncOp>()) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, kGlobalTypeAttr))
        return InputStage::Local;
    for (unsigned i = 0; i < func.getNumResults(); ++i)
      if (func.getResultAttr(i, kGlobalTypeAttr))
        return InputStage::Local;
    for (Block &block : func.getBody())
      for (Operation &op : block)
        if (op.hasAttr(kLayoutsAttr) || op.hasAttr(kOperandLayoutsAttr))
          stage = InputStage::LaidOut;
  }
  return stage;
}

/// Replaces sizes of mesh axes.
static LogicalResult overrideMeshes(ModuleOp module,
                                    ArrayRef<planner::MeshAxis> sizes) {
  for (const planner::MeshAxis &size : sizes) {
    bool found = false;
    for (auto mesh : module.getOps<MeshOp>()) {
      SmallVector<Attribute> axes;
      for (auto axis : mesh.getAxes().getAsRange<MeshAxisAttr>()) {
        bool matches = axis.getName() == size.name;
        found |= matches;
        axes.push_back(MeshAxisAttr::get(module.getContext(), axis.getName(),
                                         matches ? size.size : axis.getSize()));
      }
      mesh.setAxesAttr(ArrayAttr::get(module.getContext(), axes));
    }
    if (!found)
      return module.emitError() << "--mesh names axis '" << size.name
                                << "', which no dtensor.mesh of the program "
                                   "has";
  }
  return verify(module);
}

/// Keeps only the program called `entry`.
static LogicalResult selectEntry(ModuleOp module, StringRef entry) {
  if (entry.empty())
    return success();
  SmallVector<std::string> names;
  bool found = false;
  for (auto func : module.getOps<func::FuncOp>()) {
    names.push_back(func.getName().str());
    found |= func.getName() == entry && func.isPublic();
  }
  if (!found)
    return module.emitError()
           << "has no public function @" << entry
           << " (its functions: " << llvm::join(names, ", ") << ")";
  for (auto func : module.getOps<func::FuncOp>())
    if (func.getName() != entry)
      func.setPrivate();
  return success();
}

/// Refuses ops of dialects that nobody knows. Attributes of such dialects are
/// fine: frontends leave them everywhere.
static LogicalResult checkDialects(ModuleOp module) {
  return failure(module
                     ->walk([](Operation *op) {
                       if (op->getDialect())
                         return WalkResult::advance();
                       op->emitOpError()
                           << "belongs to a dialect that is not known here";
                       return WalkResult::interrupt();
                     })
                     .wasInterrupted());
}

/// Takes in a program of another frontend.
static LogicalResult importProgram(ModuleOp module) {
  if (!needsImport(module))
    return success();
  PassManager pm(module.getContext());
  pm.addPass(createImportStableHLOPass());
  return pm.run(module);
}

/// How often `op` runs: loops around it have constant bounds at stage local.
static int64_t countRuns(Operation *op) {
  int64_t runs = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    if (std::optional<llvm::APInt> count = loop.getStaticTripCount())
      if (__builtin_mul_overflow(runs, count->getSExtValue(), &runs))
        return INT64_MAX;
  return runs;
}

/// Adds up what each rank receives at most in each program, from its
/// collectives at stage local.
static LogicalResult checkMaxRecvBytes(ModuleOp module, int64_t limit,
                                       const planner::Topology &topology) {
  WalkResult result = module.walk([&](func::FuncOp func) {
    if (func.isPrivate())
      return WalkResult::advance(); // not the entry
    int64_t total = 0;
    return func.walk([&](comm::CollectiveOpInterface op) {
      planner::RedistributionStep step = comm::priceCollective(op, topology);
      if (__builtin_mul_overflow(step.recvBytesMax, countRuns(op),
                                 &step.recvBytesMax) ||
          __builtin_add_overflow(total, step.recvBytesMax, &total))
        total = INT64_MAX;
      if (total <= limit)
        return WalkResult::advance();
      op->emitOpError() << "brings the bytes received per rank to " << total
                        << ", more than --max-recv-bytes " << limit;
      return WalkResult::interrupt();
    });
  });
  return failure(result.wasInterrupted());
}

/// Runs the passes from where the module is to where it shall be.
static LogicalResult runPipeline(ModuleOp module, const CompileOptions &options,
                                 const planner::Topology &topology) {
  InputStage stage = detectStage(module);
  PassManager pm(module.getContext());
  if (stage != InputStage::Scheduled &&
      llvm::none_of(module.getOps<func::FuncOp>(), [](func::FuncOp func) {
        return func.isPublic() && !func.isExternal();
      }))
    return module.emitError() << "has no public function to compile";
  if (stage == InputStage::LaidOut)
    return module.emitError()
           << "carries layouts from dtensor-propagate; compile the program "
              "itself, or one that is past convert-dtensor-to-comm";
  if (stage == InputStage::Program) {
    SpmdPipelineOptions spmd;
    spmd.topology = options.topology;
    spmd.implicit = options.implicit;
    spmd.unknownOps = options.unknownOps;
    spmd.explain = options.explain;
    spmd.reference = options.reference && (options.emit == Emit::Plan ||
                                           options.emit == Emit::PlanJson);
    Stage last = options.emit == Emit::LaidOut    ? Stage::LaidOut
                 : options.emit == Emit::Explicit ? Stage::Explicit
                                                  : Stage::Local;
    buildSpmdPipelineUntil(pm, spmd, last);
  } else if (options.emit == Emit::LaidOut || options.emit == Emit::Explicit ||
             (stage == InputStage::Scheduled && options.emit == Emit::Local)) {
    return module.emitError()
           << "is past the stage that --emit asks for; stages go one way";
  }
  if (failed(pm.run(module)))
    return failure();
  bool schedules = options.emit == Emit::Scheduled ||
                   options.emit == Emit::Plan || options.emit == Emit::PlanJson;
  if (options.maxRecvBytes >= 0 &&
      failed(checkMaxRecvBytes(module, options.maxRecvBytes, topology)))
    return failure();
  if (stage == InputStage::Scheduled || !schedules)
    return success();
  PassManager schedule(module.getContext());
  buildSchedulePipeline(schedule);
  return schedule.run(module);
}

static FailureOr<std::string> compileModule(ModuleOp module, StringRef path,
                                            const CompileOptions &options) {
  auto topology = planner::parseTopology(options.topology);
  if (!topology)
    return module.emitError() << topology.error().message;
  if (failed(checkDialects(module)) ||
      failed(selectEntry(module, options.entry)) ||
      failed(importProgram(module)) ||
      failed(overrideMeshes(module, options.meshSizes)))
    return failure();
  if (!options.parallelize.empty()) {
    if (detectStage(module) != InputStage::Program)
      return module.emitError()
             << "has its layouts already; --parallelize is for programs before "
                "dtensor-propagate";
    if (failed(addParallelizePlan(module, options.parallelize)))
      return failure();
  }
  // Before the passes change it. Placed steps have no interpreter.
  std::string programText;
  if (options.reference && detectStage(module) != InputStage::Scheduled)
    llvm::raw_string_ostream(programText) << module << '\n';
  if (failed(runPipeline(module, options, *topology)))
    return failure();
  std::string output;
  if (options.emit != Emit::Plan && options.emit != Emit::PlanJson) {
    llvm::raw_string_ostream(output) << module << '\n';
    return output;
  }
  EmitPlanOptions emit;
  emit.topology = options.topology;
  emit.source = llvm::sys::path::filename(path).str();
  FailureOr<dtrt::PlanFile> plan = emitPlan(module, emit);
  if (failed(plan))
    return failure();
  plan->programText = std::move(programText);
  if (options.emit == Emit::PlanJson)
    return dtrt::planToJson(*plan);
  std::vector<uint8_t> bytes = dtrt::serializePlan(*plan);
  return std::string(bytes.begin(), bytes.end());
}

FailureOr<std::string>
mlir::dtensor::compileFile(StringRef path, const CompileOptions &options,
                           llvm::raw_ostream &diagnostics) {
  std::string message;
  auto file = openInputFile(path, &message);
  if (!file) {
    diagnostics << "error: " << message << '\n';
    return failure();
  }
  return compileBuffer(std::move(file), options, diagnostics);
}

FailureOr<std::string>
mlir::dtensor::compileBuffer(std::unique_ptr<llvm::MemoryBuffer> file,
                             const CompileOptions &options,
                             llvm::raw_ostream &diagnostics) {
  std::string path = file->getBufferIdentifier().str();
  auto *start = reinterpret_cast<const uint8_t *>(file->getBufferStart());
  if (dtrt::looksLikePlan(start, file->getBufferSize())) {
    diagnostics << path << ": error: is a plan file already, not a program\n";
    return failure();
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  // One thread: programs are one function, and ranks may wait for the cores.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // A located message names the op; its generic form would only hide it.
  context.printOpOnDiagnostic(false);
  // For attributes; checkDialects refuses the ops.
  context.allowUnregisteredDialects();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context, diagnostics);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  return compileModule(*module, path, options);
}
