// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one program on all ranks of its mesh, as threads.
#include "Driver/Driver.h"

#include "dtrt/PlanTypes.h"

#include <chrono>

using namespace dtrt;

Status dtrt::loadRanks(const PlanFile &file, size_t program,
                       const KernelLibrary &kernels, ProgramRun &run) {
  run.program = file.plan.programs[program].get();
  Expected<dtensor::Mesh> mesh = toMesh(*run.program->mesh);
  if (!mesh)
    return mesh.error();
  for (int64_t rank = 0; rank < mesh->numRanks(); ++rank) {
    Expected<std::unique_ptr<RankProgram>> loaded =
        RankProgram::create(file, program, kernels, rank);
    if (!loaded)
      return loaded.error();
    run.ranks.push_back(std::move(*loaded));
  }
  run.recvBytes.assign(run.program->collectives.size(), 0);
  for (const auto &rank : run.ranks)
    for (size_t i = 0; i < run.program->steps.size(); ++i)
      if (run.program->steps[i].kind() == schema::StepKind::collective) {
        int64_t &bytes = run.recvBytes[run.program->steps[i].index()];
        bytes = std::max(bytes, rank->receivedBytes(i));
      }
  return Status::success();
}

namespace {

/// What one rank does: place inputs, run, again.
class RankLoop {
public:
  RankLoop(ProgramRun &run, const std::vector<GlobalTensor> &inputs,
           int64_t repeat, bool timed)
      : run(run), inputs(inputs), repeat(repeat), timed(timed) {}

  RunStatus operator()(Communicator &communicator) {
    int64_t rank = communicator.rank();
    RankProgram &program = *run.ranks[rank];
    if (Status status = program.attach(communicator); !status)
      return Failure{FailureCode::Setup, rank, -1, "", status.message()};
    StepTimes *times = timed ? &run.times[rank] : nullptr;
    for (int64_t i = 0; i < repeat; ++i) {
      for (size_t k = 0; k < inputs.size(); ++k)
        distributeTensor(program.mesh(), program.inputs()[k].layout, inputs[k],
                         rank, program.inputs()[k].data);
      communicator.resetStats();
      if (RunStatus failure = communicator.barrier("start"))
        return failure;
      auto start = std::chrono::steady_clock::now();
      if (RunStatus failure = program.run(communicator, times))
        return failure;
      if (RunStatus failure = communicator.barrier("end"))
        return failure;
      std::chrono::duration<double, std::milli> wall =
          std::chrono::steady_clock::now() - start;
      if (rank == 0)
        run.wallMs.push_back(wall.count());
    }
    run.comm[rank] = communicator.stats();
    return std::nullopt;
  }

private:
  ProgramRun &run;
  const std::vector<GlobalTensor> &inputs;
  int64_t repeat;
  bool timed;
};

} // namespace

void dtrt::executeRanks(ProgramRun &run,
                        const std::vector<GlobalTensor> &inputs,
                        const RankOptions &options, int64_t repeat,
                        bool timed) {
  run.comm.resize(run.ranks.size());
  run.times.resize(run.ranks.size());
  RankLoop loop(run, inputs, repeat, timed);
  run.report =
      runRanks(static_cast<int64_t>(run.ranks.size()), options,
               [&](Communicator &communicator) { return loop(communicator); });
  for (StepTimes &times : run.times)
    for (double &time : times)
      time /= static_cast<double>(repeat);
}
