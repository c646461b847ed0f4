// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a scheduled module (S4) to a plan file (S5).

#include "dtensor/Target/Plan.h"

#include "Kernels/CompileKernels.h"
#include "dtensor/Dialect/Sched/Sched.h"
#include "dtensor/Planner/Redistribution.h"
#include "dtrt/ElfCheck.h"
#include "dtrt/PlanTypes.h"
#include "dtrt/VerifyPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::dtensor;
namespace schema = dtrt::schema;

namespace {

/// Emits one program.
class ProgramEmitter {
public:
  ProgramEmitter(sched::ProgramOp program,
                 const llvm::StringMap<unsigned> &kernels,
                 const planner::Topology &topology)
      : program(program), kernels(kernels), topology(topology) {}
  FailureOr<std::unique_ptr<schema::ProgramT>> run();

private:
  LogicalResult emit(Operation &op);
  void emitMesh();
  void emitKernel(sched::KernelOp op);
  void emitGemm(sched::GemmOp op);
  void emitCollective(sched::CollectiveOp op);
  void emitStart(sched::StartOp op);
  LogicalResult emitSteps(Block &block);
  LogicalResult emitLoop(sched::LoopOp op);
  LogicalResult emitBranch(sched::IfOp op);
  void addStep(schema::StepKind kind, size_t index);
  schema::View getView(Value view);
  std::unique_ptr<schema::View> makeView(Value view) {
    return std::make_unique<schema::View>(getView(view));
  }
  template <typename OpTy> std::unique_ptr<schema::TensorT> makeTensor(OpTy op);
  std::unique_ptr<schema::LocalExtentT> makeExtent(sched::ExtentAttr extent);
  std::unique_ptr<schema::LocalExtentT> makeIndex(sched::AxisIndexAttr index);
  std::unique_ptr<schema::LocalExtentT> makeCounter(sched::CounterAttr counter);
  std::string getLayoutText(LayoutAttr attr, RankedTensorType type);

  sched::ProgramOp program;
  const llvm::StringMap<unsigned> &kernels;
  const planner::Topology &topology;
  planner::Mesh mesh;
  std::unique_ptr<schema::ProgramT> result =
      std::make_unique<schema::ProgramT>();
};

} // namespace

static schema::ElementType toSchemaType(Type type) {
  return dtrt::toSchema(*getElementType(type));
}

static std::unique_ptr<schema::MeshT> makeMesh(StringRef name,
                                               const planner::Mesh &mesh) {
  auto result = std::make_unique<schema::MeshT>();
  result->name = name.str();
  for (const planner::MeshAxis &axis : mesh.axes()) {
    auto made = std::make_unique<schema::MeshAxisT>();
    made->name = axis.name;
    made->size = axis.size;
    result->axes.push_back(std::move(made));
  }
  result->devices = mesh.devices();
  return result;
}

void ProgramEmitter::emitMesh() {
  // The unsharded program runs on one rank.
  result->mesh = makeMesh(program.getMesh(),
                          program.getReferenceOf() ? planner::Mesh() : mesh);
}

schema::View ProgramEmitter::getView(Value view) {
  auto op = view.getDefiningOp<sched::ViewOp>();
  return schema::View(op.getOffset(),
                      sched::getByteSize(cast<MemRefType>(view.getType())));
}

std::string ProgramEmitter::getLayoutText(LayoutAttr attr,
                                          RankedTensorType type) {
  // Verified with the op.
  return planner::printLayout(mesh, *getLayout(mesh, attr, type));
}

static std::vector<std::string> getAxesText(const planner::Mesh &mesh,
                                            ArrayAttr attr) {
  std::vector<std::string> texts;
  std::vector<planner::AxisRef> axes = *getAxisRefs(mesh, attr); // verified
  for (const planner::AxisRef &axis : axes)
    texts.push_back(planner::printAxisRef(mesh, axis));
  return texts;
}

template <typename OpTy>
std::unique_ptr<schema::TensorT> ProgramEmitter::makeTensor(OpTy op) {
  auto type = cast<RankedTensorType>(op.getGlobalType());
  auto tensor = std::make_unique<schema::TensorT>();
  tensor->name = op.getTensorName().str();
  tensor->type = toSchemaType(type);
  tensor->shape = type.getShape().vec();
  tensor->layout = getLayoutText(op.getLayout(), type);
  tensor->view = makeView(op.getView());
  tensor->requires_grad = op.getRequiresGrad();
  return tensor;
}

void ProgramEmitter::addStep(schema::StepKind kind, size_t index) {
  result->steps.emplace_back(kind, index);
}

std::unique_ptr<schema::LocalExtentT>
ProgramEmitter::makeExtent(sched::ExtentAttr extent) {
  auto made = std::make_unique<schema::LocalExtentT>();
  made->size = extent.getSize();
  made->axes = getAxesText(mesh, extent.getAxes());
  return made;
}

std::unique_ptr<schema::LocalExtentT>
ProgramEmitter::makeIndex(sched::AxisIndexAttr index) {
  auto made = std::make_unique<schema::LocalExtentT>();
  made->is_index = true;
  made->axes = getAxesText(mesh, index.getAxes());
  return made;
}

std::unique_ptr<schema::LocalExtentT>
ProgramEmitter::makeCounter(sched::CounterAttr counter) {
  auto made = std::make_unique<schema::LocalExtentT>();
  made->counter = counter.getLoop();
  made->counter_start = counter.getStart();
  made->counter_step = counter.getStep();
  return made;
}

void ProgramEmitter::emitKernel(sched::KernelOp op) {
  auto call = std::make_unique<schema::KernelCallT>();
  call->kernel = kernels.lookup(op.getKernel().getLeafReference());
  for (Value input : op.getInputs())
    call->reads.push_back(getView(input));
  for (Value output : op.getOutputs())
    call->writes.push_back(getView(output));
  if (std::optional<ArrayAttr> extents = op.getExtents())
    for (Attribute extent : *extents) {
      if (auto index = dyn_cast<sched::AxisIndexAttr>(extent))
        call->extents.push_back(makeIndex(index));
      else if (auto counter = dyn_cast<sched::CounterAttr>(extent))
        call->extents.push_back(makeCounter(counter));
      else
        call->extents.push_back(makeExtent(cast<sched::ExtentAttr>(extent)));
    }
  addStep(schema::StepKind::kernel, result->kernel_calls.size());
  result->kernel_calls.push_back(std::move(call));
}

void ProgramEmitter::emitGemm(sched::GemmOp op) {
  auto a = cast<MemRefType>(op.getA().getType());
  auto b = cast<MemRefType>(op.getB().getType());
  int64_t rank = a.getRank();
  auto gemm = std::make_unique<schema::GemmT>();
  gemm->type = toSchemaType(a.getElementType());
  gemm->m = a.getDimSize(rank - 2);
  gemm->k = a.getDimSize(rank - 1);
  gemm->n = b.getDimSize(rank - 1);
  gemm->accumulate = op.getAccumulate();
  if (rank == 3) {
    gemm->batch = a.getDimSize(0);
    gemm->stride_a = gemm->m * gemm->k;
    gemm->stride_b = gemm->k * gemm->n;
    gemm->stride_c = gemm->m * gemm->n;
  }
  if (std::optional<ArrayAttr> extents = op.getExtents()) {
    std::unique_ptr<schema::LocalExtentT> *places[] = {
        &gemm->local_m, &gemm->local_n, &gemm->local_k, &gemm->local_batch};
    for (auto [place, extent] : llvm::zip_equal(places, *extents))
      if (auto varying = dyn_cast<sched::ExtentAttr>(extent))
        *place = makeExtent(varying);
  }
  gemm->a = makeView(op.getA());
  gemm->b = makeView(op.getB());
  gemm->c = makeView(op.getOutput());
  addStep(schema::StepKind::gemm, result->gemms.size());
  result->gemms.push_back(std::move(gemm));
}

void ProgramEmitter::emitCollective(sched::CollectiveOp op) {
  auto local = cast<MemRefType>(op.getSource().getType());
  auto type = RankedTensorType::get(op.getShape(), local.getElementType());
  FlatSymbolRefAttr meshName = op.getFrom().getMesh();
  planner::Mesh on = lookupMesh(op, meshName).getPlannerMesh();
  planner::RedistributionRequest request;
  request.mesh = on;
  request.shape = op.getShape().vec();
  request.type = *getElementType(type);
  request.topology = topology;
  planner::RedistributionStep step;
  step.kind = static_cast<planner::StepKind>(op.getKind());
  step.axes = *getAxisRefs(on, op.getAxes());
  step.fromDim = op.getFromDim().value_or(-1);
  step.toDim = op.getToDim().value_or(-1);
  if (op.getOp())
    step.op = static_cast<planner::ReduceOp>(*op.getOp());
  if (std::optional<uint64_t> root = op.getRoot())
    step.root = static_cast<int64_t>(*root);
  step.from = *getLayout(on, op.getFrom(), type);
  step.to = *getLayout(on, op.getTo(), type);
  planner::priceStep(request, step);

  auto made = std::make_unique<schema::CollectiveT>();
  made->name = planner::stepKindName(step.kind);
  made->name += "." + std::to_string(result->collectives.size());
  made->kind = dtrt::toSchema(step.kind);
  made->axes = getAxesText(on, op.getAxes());
  made->root = step.root;
  made->from_dim = step.fromDim;
  made->to_dim = step.toDim;
  made->op = dtrt::toSchema(step.op);
  made->type = toSchemaType(type);
  made->shape = request.shape;
  made->from = planner::printLayout(on, step.from);
  made->to = planner::printLayout(on, step.to);
  made->source = makeView(op.getSource());
  made->target = makeView(op.getTarget());
  if (meshName != program.getMeshAttr())
    made->mesh = makeMesh(meshName.getValue(), on);
  made->recv_bytes = step.recvBytesMax;
  made->modelled_us = step.timeUs;
  addStep(schema::StepKind::collective, result->collectives.size());
  result->collectives.push_back(std::move(made));
}

void ProgramEmitter::emitStart(sched::StartOp op) {
  auto made = std::make_unique<schema::StartT>();
  made->event = op.getEvent();
  made->queue = op.getQueue();
  Block &body = op.getBody().front();
  made->count = llvm::range_size(body);
  addStep(schema::StepKind::start, result->starts.size());
  result->starts.push_back(std::move(made));
  for (auto collective : body.getOps<sched::CollectiveOp>())
    emitCollective(collective);
}

LogicalResult ProgramEmitter::emitSteps(Block &block) {
  for (Operation &op : block)
    if (failed(emit(op)))
      return failure();
  return success();
}

/// A step that others belong to stands before them, and counts them after.
LogicalResult ProgramEmitter::emitLoop(sched::LoopOp op) {
  size_t index = result->loops.size();
  auto made = std::make_unique<schema::LoopT>();
  made->number = op.getNumber();
  made->count = op.getCount();
  for (Value carried : op.getCarried())
    made->carried.push_back(getView(carried));
  addStep(schema::StepKind::loop, index);
  result->loops.push_back(std::move(made));
  size_t before = result->steps.size();
  if (failed(emitSteps(op.getBody().front())))
    return failure();
  result->loops[index]->steps = result->steps.size() - before;
  return success();
}

LogicalResult ProgramEmitter::emitBranch(sched::IfOp op) {
  size_t index = result->branches.size();
  auto made = std::make_unique<schema::BranchT>();
  made->condition = makeView(op.getCondition());
  for (Value kept : op.getResultsOf())
    made->results.push_back(getView(kept));
  addStep(schema::StepKind::branch, index);
  result->branches.push_back(std::move(made));
  size_t before = result->steps.size();
  if (failed(emitSteps(op.getThenSteps().front())))
    return failure();
  size_t between = result->steps.size();
  if (failed(emitSteps(op.getElseSteps().front())))
    return failure();
  result->branches[index]->then_steps = between - before;
  result->branches[index]->else_steps = result->steps.size() - between;
  return success();
}

LogicalResult ProgramEmitter::emit(Operation &op) {
  if (auto slab = dyn_cast<sched::SlabOp>(op)) {
    result->slab_bytes =
        cast<MemRefType>(slab.getSlab().getType()).getNumElements();
  } else if (auto input = dyn_cast<sched::InputOp>(op)) {
    result->inputs.push_back(makeTensor(input));
  } else if (auto output = dyn_cast<sched::ResultOp>(op)) {
    result->results.push_back(makeTensor(output));
  } else if (auto kernel = dyn_cast<sched::KernelOp>(op)) {
    emitKernel(kernel);
  } else if (auto gemm = dyn_cast<sched::GemmOp>(op)) {
    emitGemm(gemm);
  } else if (auto collective = dyn_cast<sched::CollectiveOp>(op)) {
    emitCollective(collective);
  } else if (auto loop = dyn_cast<sched::LoopOp>(op)) {
    return emitLoop(loop);
  } else if (auto branch = dyn_cast<sched::IfOp>(op)) {
    return emitBranch(branch);
  } else if (auto start = dyn_cast<sched::StartOp>(op)) {
    emitStart(start);
  } else if (auto wait = dyn_cast<sched::WaitOp>(op)) {
    auto made = std::make_unique<schema::WaitT>();
    made->event = wait.getEvent();
    addStep(schema::StepKind::wait, result->waits.size());
    result->waits.push_back(std::move(made));
  } else if (auto copy = dyn_cast<sched::CopyOp>(op)) {
    auto made = std::make_unique<schema::CopyT>();
    made->source = makeView(copy.getSource());
    made->target = makeView(copy.getTarget());
    addStep(schema::StepKind::copy, result->copies.size());
    result->copies.push_back(std::move(made));
  } else if (!isa<sched::ViewOp>(op)) {
    return op.emitOpError() << "has no form in a plan file";
  }
  return success();
}

FailureOr<std::unique_ptr<schema::ProgramT>> ProgramEmitter::run() {
  mesh = lookupMesh(program, program.getMeshAttr()).getPlannerMesh();
  result->name = program.getSymName().str();
  result->peak_bytes = program.getPeakBytes();
  result->local_values = program.getLocalValues();
  emitMesh();
  for (Operation &op : program.getBody().front())
    if (failed(emit(op)))
      return failure();
  return std::move(result);
}

/// Lets each program know its unsharded form.
static void linkReferences(ModuleOp module, schema::PlanT &plan) {
  unsigned index = 0;
  for (auto program : module.getOps<sched::ProgramOp>()) {
    if (std::optional<StringRef> of = program.getReferenceOf())
      for (auto &other : plan.programs)
        if (other->name == *of)
          other->reference = index;
    ++index;
  }
}

FailureOr<dtrt::PlanFile>
mlir::dtensor::emitPlan(ModuleOp module, const EmitPlanOptions &options) {
  auto topology = planner::parseTopology(options.topology);
  if (!topology)
    return module.emitError() << topology.error().message;
  dtrt::PlanFile file;
  file.plan.producer = "dtensor-opt 0.1.0";
  file.plan.source = options.source;
  file.plan.topology = topology->name;

  llvm::StringMap<unsigned> kernels;
  auto kernelModule = module.lookupSymbol<ModuleOp>("kernels");
  if (kernelModule && !kernelModule.getOps<func::FuncOp>().empty()) {
    for (auto func : kernelModule.getOps<func::FuncOp>()) {
      auto kernel = std::make_unique<schema::KernelT>();
      kernel->symbol = func.getName().str();
      kernels[func.getName()] = file.plan.kernels.size();
      file.plan.kernels.push_back(std::move(kernel));
    }
    FailureOr<KernelImage> image = compileKernels(kernelModule);
    if (failed(image))
      return failure();
    file.kernels = std::move(image->object);
    // What the runtime will ask: say it here, where the program is.
    if (dtrt::Status status =
            dtrt::checkKernelObject(file.kernels.data(), file.kernels.size());
        !status)
      return module.emitError()
             << "an op of the program has no form in kernels: "
             << status.message();
    file.plan.kernel_target = image->target;
  }
  for (auto program : module.getOps<sched::ProgramOp>()) {
    auto emitted = ProgramEmitter(program, kernels, *topology).run();
    if (failed(emitted))
      return failure();
    file.plan.programs.push_back(std::move(*emitted));
  }
  linkReferences(module, file.plan);
  // The same checks that a reader makes, before anything is written.
  if (dtrt::Status status = dtrt::validatePlan(file); !status)
    return module.emitError() << "the plan is not valid: " << status.message();
  if (dtrt::Status status = dtrt::verifyPlan(file); !status)
    return module.emitError()
           << "the schedule is not correct: " << status.message();
  return file;
}
