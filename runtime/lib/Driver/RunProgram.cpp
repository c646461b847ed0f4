// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one program on all ranks of its mesh, as threads or as one process
// each, and brings what the ranks recorded to rank 0.
#include "Driver/Driver.h"

#include "dtrt/PlanTypes.h"

#include <chrono>
#include <cstring>

using namespace dtrt;

Status dtrt::loadRanks(const PlanFile &file, size_t program,
                       const KernelLibrary &kernels, ProgramRun &run) {
  run.program = file.plan.programs[program].get();
  Expected<dtensor::Mesh> mesh = toMesh(*run.program->mesh);
  if (!mesh)
    return mesh.error();
  run.ranks.resize(static_cast<size_t>(mesh->numRanks()));
  run.recvBytes.assign(run.program->collectives.size(), 0);
  for (int64_t rank = 0; rank < mesh->numRanks(); ++rank) {
    if (run.world && run.world->rank() != rank)
      continue;
    Expected<std::unique_ptr<RankProgram>> loaded =
        RankProgram::create(file, program, kernels, rank);
    if (!loaded)
      return loaded.error();
    for (size_t i = 0; i < run.program->steps.size(); ++i)
      if (run.program->steps[i].kind() == schema::StepKind::collective) {
        int64_t &bytes = run.recvBytes[run.program->steps[i].index()];
        bytes = std::max(bytes, (*loaded)->receivedBytes(i));
      }
    run.ranks[rank] = std::move(*loaded);
  }
  return Status::success();
}

namespace {

/// What one rank does: place inputs, run, again.
class RankLoop {
public:
  RankLoop(ProgramRun &run, const InputSources &inputs, int64_t repeat,
           const RunRecord &record)
      : run(run), inputs(inputs), repeat(repeat), record(record) {}

  RunStatus operator()(Communicator &communicator) {
    int64_t rank = communicator.rank();
    RankProgram &program = *run.ranks[rank];
    if (Status status = program.attach(communicator); !status)
      return Failure{FailureCode::Setup, rank, -1, "", status.message()};
    StepTimes *times = record.times ? &run.times[rank] : nullptr;
    std::vector<StepEvent> *events =
        record.events ? &run.events[rank] : nullptr;
    double origin = 0;
    for (int64_t i = 0; i < repeat; ++i) {
      for (size_t k = 0; k < inputs.size(); ++k)
        inputs[k]->fill(program.mesh(), program.inputs()[k].layout, rank,
                        program.inputs()[k].data);
      communicator.resetStats();
      if (RunStatus failure = communicator.barrier("start"))
        return failure;
      auto start = std::chrono::steady_clock::now();
      if (i == 0)
        origin =
            std::chrono::duration<double, std::micro>(start.time_since_epoch())
                .count();
      if (RunStatus failure = program.run(communicator, times, events))
        return failure;
      if (RunStatus failure = communicator.barrier("end"))
        return failure;
      std::chrono::duration<double, std::milli> wall =
          std::chrono::steady_clock::now() - start;
      if (rank == 0)
        run.wallMs.push_back(wall.count());
    }
    run.comm[rank] = communicator.stats();
    // Ranks leave the first barrier together, but have clocks of their own.
    for (StepEvent &event : run.events[rank]) {
      event.startUs -= origin;
      event.endUs -= origin;
    }
    return std::nullopt;
  }

private:
  ProgramRun &run;
  const InputSources &inputs;
  int64_t repeat;
  RunRecord record;
};

template <typename T>
void put(std::vector<std::byte> &out, const T *values, size_t count) {
  const auto *bytes = reinterpret_cast<const std::byte *>(values);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

template <typename T>
void take(const std::byte *&from, T *values, size_t count) {
  if (count > 0)
    std::memcpy(values, from, count * sizeof(T));
  from += count * sizeof(T);
}

/// Brings the ranks' records to rank 0. All ranks run the same program with
/// the same options, so their records have the same number of entries.
RunStatus gatherRecords(ProgramRun &run) {
  size_t mine = static_cast<size_t>(run.world->rank());
  std::vector<std::byte> bytes;
  const CommStats &comm = run.comm[mine];
  size_t numTimes = run.times[mine].size();
  size_t numEvents = run.events[mine].size();
  put(bytes, &comm.recvBytes, 1);
  put(bytes, comm.collectives.data(), comm.collectives.size());
  put(bytes, run.recvBytes.data(), run.recvBytes.size());
  put(bytes, run.times[mine].data(), numTimes);
  put(bytes, run.events[mine].data(), numEvents);
  std::vector<std::vector<std::byte>> all;
  if (RunStatus failure = run.world->gather(bytes.data(), bytes.size(), all))
    return failure;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].size() != bytes.size())
      return Failure{FailureCode::Mismatch, 0, -1, "records",
                     "rank " + std::to_string(rank) +
                         " recorded other steps than rank 0"};
    const std::byte *at = all[rank].data();
    take(at, &run.comm[rank].recvBytes, 1);
    take(at, run.comm[rank].collectives.data(), comm.collectives.size());
    std::vector<int64_t> received(run.recvBytes.size());
    take(at, received.data(), received.size());
    for (size_t i = 0; i < received.size(); ++i)
      run.recvBytes[i] = std::max(run.recvBytes[i], received[i]);
    run.times[rank].resize(numTimes);
    take(at, run.times[rank].data(), numTimes);
    run.events[rank].resize(numEvents);
    take(at, run.events[rank].data(), numEvents);
  }
  return std::nullopt;
}

} // namespace

void dtrt::executeRanks(ProgramRun &run, const InputSources &inputs,
                        const RankOptions &options, int64_t repeat,
                        const RunRecord &record) {
  run.comm.resize(run.ranks.size());
  run.times.resize(run.ranks.size());
  run.events.resize(run.ranks.size());
  RankLoop loop(run, inputs, repeat, record);
  if (run.world)
    run.report = run.world->run([&](Communicator &communicator) -> RunStatus {
      if (RunStatus failure = loop(communicator))
        return failure;
      return gatherRecords(run);
    });
  else
    run.report = runRanks(
        static_cast<int64_t>(run.ranks.size()), options,
        [&](Communicator &communicator) { return loop(communicator); });
  for (StepTimes &times : run.times)
    for (double &time : times)
      time /= static_cast<double>(repeat);
}

RunStatus dtrt::fetchResult(ProgramRun &run, size_t index) {
  if (!run.world)
    return std::nullopt;
  const RankTensor &result = run.results()[index];
  dtensor::Box box = dtensor::localBox(run.mesh(), result.layout, result.shape,
                                       run.world->rank());
  size_t bytes = static_cast<size_t>(box.numElements() *
                                     dtensor::elementBytes(result.type));
  return run.world->gather(result.data, bytes, run.fetched);
}
