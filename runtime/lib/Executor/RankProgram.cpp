// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank's program: resolved when loaded, walked when run.
#include "dtrt/Executor.h"

#include "dtrt/PlanTypes.h"

#include "Executor/StepQueue.h"

#include <cstdlib>
#include <cstring>
#include <system_error>

using namespace dtrt;

RankProgram::RankProgram(dtensor::Mesh mesh, int64_t rank)
    : programMesh(std::move(mesh)), rank(rank) {}

RankProgram::~RankProgram() {
  queue = nullptr; // its steps use the slab
  std::free(slab);
}

Expected<std::unique_ptr<RankProgram>>
RankProgram::create(const PlanFile &file, size_t program,
                    const KernelLibrary &kernels, int64_t rank) {
  const schema::ProgramT &source = *file.plan.programs[program];
  Expected<dtensor::Mesh> mesh = toMesh(*source.mesh);
  if (!mesh)
    return mesh.error();
  std::unique_ptr<RankProgram> out(new RankProgram(*mesh, rank));
  auto fail = [&](const std::string &what) {
    return Error{"program '" + source.name + "' rank " + std::to_string(rank) +
                 ": " + what};
  };
  if (Status status = out->allocate(source.slab_bytes); !status)
    return fail(status.message());
  if (Status status = out->resolveTensors(source.inputs, out->inputTensors);
      !status)
    return fail(status.message());
  if (Status status = out->resolveTensors(source.results, out->resultTensors);
      !status)
    return fail(status.message());
  for (size_t i = 0; i < source.steps.size(); ++i)
    if (Status status = out->resolveStep(source, i, kernels); !status)
      return fail("step " + std::to_string(i) + ": " + status.message());
  return out;
}

Status RankProgram::allocate(uint64_t bytes) {
  size_t rounded = (static_cast<size_t>(bytes) + 64) / 64 * 64;
  slab = static_cast<std::byte *>(std::aligned_alloc(64, rounded));
  if (!slab)
    return Error{"cannot allocate a slab of " + std::to_string(bytes) +
                 " bytes"};
  // The same start on every run, and the pages lie near the thread that loads.
  std::memset(slab, 0, rounded);
  return Status::success();
}

Status RankProgram::resolveTensors(
    const std::vector<std::unique_ptr<schema::TensorT>> &tensors,
    std::vector<RankTensor> &out) {
  for (const auto &tensor : tensors) {
    Expected<dtensor::Layout> layout = dtensor::parseLayout(
        programMesh, static_cast<int>(tensor->shape.size()), tensor->layout);
    if (!layout)
      return layout.error();
    out.push_back({tensor->name, toElementType(tensor->type), tensor->shape,
                   *layout, at(*tensor->view)});
  }
  return Status::success();
}

Status RankProgram::resolveStep(const schema::ProgramT &program,
                                size_t position, const KernelLibrary &kernels) {
  const schema::Step &step = program.steps[position];
  ResolvedStep resolved{step.kind(), 0};
  Status status;
  switch (step.kind()) {
  case schema::StepKind::kernel:
    resolved.index = static_cast<uint32_t>(calls.size());
    status = resolveCall(*program.kernel_calls[step.index()], kernels);
    break;
  case schema::StepKind::gemm:
    resolved.index = static_cast<uint32_t>(products.size());
    status = resolveGemm(*program.gemms[step.index()]);
    break;
  case schema::StepKind::copy: {
    const schema::CopyT &copy = *program.copies[step.index()];
    resolved.index = static_cast<uint32_t>(copies.size());
    copies.push_back({at(*copy.source), at(*copy.target),
                      static_cast<size_t>(copy.source->bytes())});
    break;
  }
  case schema::StepKind::collective:
    resolved.index = static_cast<uint32_t>(communications.size());
    status = resolveCollective(*program.collectives[step.index()], position);
    break;
  case schema::StepKind::start:
  case schema::StepKind::wait:
  case schema::StepKind::loop:
  case schema::StepKind::branch:
    resolveControl(program, position, resolved);
    break;
  }
  steps.push_back(resolved);
  return status;
}

/// Steps that say which others run where and how often; validated.
void RankProgram::resolveControl(const schema::ProgramT &program,
                                 size_t position, ResolvedStep &resolved) {
  const schema::Step &step = program.steps[position];
  size_t next = position + 1;
  switch (step.kind()) {
  case schema::StepKind::start:
    resolved.index = static_cast<uint32_t>(starts.size());
    startOf[program.starts[step.index()]->event] = resolved.index;
    starts.push_back({{next, next + program.starts[step.index()]->count}, 0});
    return;
  case schema::StepKind::wait: {
    // Its start came before.
    resolved.index = startOf.at(program.waits[step.index()]->event);
    return;
  }
  case schema::StepKind::loop: {
    const schema::LoopT &loop = *program.loops[step.index()];
    resolved.index = static_cast<uint32_t>(loops.size());
    loops.push_back({loop.number, loop.count, {next, next + loop.steps}, 0});
    return;
  }
  default: {
    const schema::BranchT &branch = *program.branches[step.index()];
    size_t between = next + branch.then_steps;
    resolved.index = static_cast<uint32_t>(branches.size());
    branches.push_back({at(*branch.condition),
                        {next, between},
                        {between, between + branch.else_steps}});
    return;
  }
  }
}

Expected<int64_t>
RankProgram::localExtent(const schema::LocalExtentT &extent) const {
  if (extent.is_index) {
    std::vector<dtensor::AxisRef> axes;
    for (const std::string &name : extent.axes) {
      Expected<dtensor::AxisRef> axis =
          dtensor::parseAxisRef(programMesh, name);
      if (!axis)
        return axis.error();
      axes.push_back(*axis);
    }
    return programMesh.flatCoordinate(rank, axes);
  }
  std::string text;
  for (const std::string &axis : extent.axes)
    text += (text.empty() ? "" : ", ") + axis + "=shard(0)";
  Expected<dtensor::Layout> layout = dtensor::parseLayout(programMesh, 1, text);
  if (!layout)
    return layout.error();
  return dtensor::localBox(programMesh, *layout, {extent.size}, rank)
      .numElements();
}

Status RankProgram::resolveCall(const schema::KernelCallT &call,
                                const KernelLibrary &kernels) {
  Call resolved;
  resolved.function = kernels.function(call.kernel);
  for (const schema::View &view : call.reads)
    resolved.buffers.push_back(at(view));
  for (const schema::View &view : call.writes)
    resolved.buffers.push_back(at(view));
  for (const auto &extent : call.extents) {
    if (extent->counter >= 0) {
      // Validated: the loop is around this step, so it is resolved.
      uint32_t loop = 0;
      while (loops[loop].number != static_cast<uint32_t>(extent->counter))
        ++loop;
      resolved.counted.push_back({resolved.extents.size(), loop,
                                  extent->counter_start, extent->counter_step});
      resolved.extents.push_back(0);
      continue;
    }
    Expected<int64_t> local = localExtent(*extent);
    if (!local)
      return local.error();
    resolved.extents.push_back(*local);
  }
  calls.push_back(std::move(resolved));
  return Status::success();
}

Status RankProgram::resolveGemm(const schema::GemmT &gemm) {
  GemmShape shape{toElementType(gemm.type),
                  gemm.m,
                  gemm.n,
                  gemm.k,
                  gemm.transpose_a,
                  gemm.transpose_b,
                  gemm.accumulate,
                  gemm.batch,
                  gemm.stride_a,
                  gemm.stride_b,
                  gemm.stride_c};
  bool isLocal = false;
  auto replace = [&](const std::unique_ptr<schema::LocalExtentT> &extent,
                     int64_t &size) -> Status {
    if (!extent)
      return Status::success();
    Expected<int64_t> local = localExtent(*extent);
    if (!local)
      return local.error();
    if (*local > size)
      return Error{"a local gemm size " + std::to_string(*local) +
                   " is above the largest, " + std::to_string(size)};
    isLocal = true;
    size = *local;
    return Status::success();
  };
  if (Status status = replace(gemm.local_m, shape.m); !status)
    return status;
  if (Status status = replace(gemm.local_n, shape.n); !status)
    return status;
  if (Status status = replace(gemm.local_k, shape.k); !status)
    return status;
  if (Status status = replace(gemm.local_batch, shape.batch); !status)
    return status;
  if (isLocal) {
    shape.strideA = shape.strideA ? shape.m * shape.k : 0;
    shape.strideB = shape.strideB ? shape.k * shape.n : 0;
    shape.strideC = shape.strideC ? shape.m * shape.n : 0;
  }
  products.push_back({shape, at(*gemm.a), at(*gemm.b), at(*gemm.c)});
  return Status::success();
}

Status RankProgram::resolveCollective(const schema::CollectiveT &op,
                                      size_t position) {
  Expected<dtensor::Mesh> on = meshOf(programMesh, op);
  if (!on)
    return on.error();
  Expected<dtensor::LayoutChange> change = toLayoutChange(*on, op);
  if (!change)
    return change.error();
  CollectiveSpec spec{static_cast<int64_t>(position),
                      op.name,
                      toStepKind(op.kind),
                      toElementType(op.type),
                      toReduceOp(op.op),
                      op.reduction,
                      op.shape,
                      *change,
                      op.root};
  Expected<PreparedCollective> prepared = prepareCollective(*on, spec, rank);
  if (!prepared)
    return prepared.error();
  communications.push_back({*prepared, at(*op.source), at(*op.target)});
  return Status::success();
}

Status RankProgram::attach(Communicator &communicator) {
  for (const ResolvedStep &step : steps)
    if (step.kind == schema::StepKind::collective)
      if (Status status =
              communicator.attach(communications[step.index].prepared);
          !status)
        return status;
  queue = nullptr;
  if (starts.empty() || !communicator.runsOnOtherThreads())
    return Status::success();
  try {
    queue = std::make_unique<StepQueue>(
        [this](StepRange range) { return runOnQueue(range); }, starts.size());
  } catch (const std::system_error &error) {
    return Error{std::string("cannot start the thread of queue 1: ") +
                 error.what()};
  }
  return Status::success();
}
