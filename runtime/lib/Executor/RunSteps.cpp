// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a rank's steps: its own one after the other, those of a start
// on the second queue. Collectives keep one order: one of the rank's own begins
// when the queue is empty, so the communicator is used by one thread at a time.
#include "Executor/StepQueue.h"
#include "dtrt/Executor.h"

#include <chrono>
#include <cstring>

using namespace dtrt;

static double nowUs() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

RunStatus RankProgram::runStep(const ResolvedStep &step,
                               Communicator &communicator) {
  switch (step.kind) {
  case schema::StepKind::kernel: {
    Call &call = calls[step.index];
    for (const Counted &counted : call.counted)
      call.extents[counted.argument] =
          counted.start + counted.step * loops[counted.loop].iteration;
    call.function(call.buffers.data(), call.extents.data());
    return std::nullopt;
  }
  case schema::StepKind::gemm: {
    const Product &product = products[step.index];
    gemm(product.shape, product.a, product.b, product.c);
    return std::nullopt;
  }
  case schema::StepKind::copy: {
    const CopyBytes &copy = copies[step.index];
    std::memcpy(copy.target, copy.source, copy.bytes);
    return std::nullopt;
  }
  case schema::StepKind::collective: {
    const Communication &communication = communications[step.index];
    return communicator.run(communication.prepared, communication.source,
                            communication.target);
  }
  case schema::StepKind::start:
    return startSteps(starts[step.index], communicator);
  case schema::StepKind::wait:
    return queue ? queue->waitFor(starts[step.index].number) : std::nullopt;
  case schema::StepKind::loop:
  case schema::StepKind::branch:
    break; // runControl
  }
  return std::nullopt;
}

RunStatus RankProgram::runControl(const ResolvedStep &step,
                                  Communicator &communicator) {
  if (step.kind == schema::StepKind::branch) {
    const Branch &branch = branches[step.index];
    bool isTrue = *branch.condition != std::byte(0);
    return runSteps(isTrue ? branch.whenTrue : branch.whenFalse, communicator);
  }
  Loop &loop = loops[step.index];
  for (uint64_t i = 0; i < loop.count; ++i) {
    loop.iteration = static_cast<int64_t>(i);
    if (RunStatus failure = runSteps(loop.body, communicator))
      return failure;
  }
  return std::nullopt;
}

/// Hands the steps over, or runs them where there is no queue.
RunStatus RankProgram::startSteps(Start &start, Communicator &communicator) {
  if (queue) {
    recording.lastStart = start.range.begin - 1;
    start.number = queue->submit(start.range);
    return std::nullopt;
  }
  for (size_t i = start.range.begin; i < start.range.end; ++i)
    if (RunStatus failure = measureStep(i, communicator, recording.events))
      return failure;
  return std::nullopt;
}

/// Runs on the queue's thread; the wait reports a failure.
RunStatus RankProgram::runOnQueue(StepRange range) {
  for (size_t i = range.begin; i < range.end; ++i)
    if (RunStatus failure =
            measureStep(i, *recording.communicator, &queueEvents))
      return failure;
  return std::nullopt;
}

RunStatus RankProgram::measureStep(size_t position, Communicator &communicator,
                                   std::vector<StepEvent> *events) {
  if (!recording.times && !recording.events)
    return runStep(steps[position], communicator);
  double start = nowUs();
  if (RunStatus failure = runStep(steps[position], communicator))
    return failure;
  double end = nowUs();
  if (recording.times)
    (*recording.times)[position] += end - start;
  if (recording.events)
    events->push_back({position, start, end});
  return std::nullopt;
}

size_t RankProgram::stepAfter(size_t position) const {
  const ResolvedStep &step = steps[position];
  switch (step.kind) {
  case schema::StepKind::start:
    return starts[step.index].range.end;
  case schema::StepKind::loop:
    return loops[step.index].body.end;
  case schema::StepKind::branch:
    return branches[step.index].whenFalse.end;
  default:
    return position + 1;
  }
}

RunStatus RankProgram::runSteps(StepRange range, Communicator &communicator) {
  for (size_t i = range.begin; i < range.end; i = stepAfter(i)) {
    const ResolvedStep &step = steps[i];
    if (queue && queue->isBusy() && step.kind == schema::StepKind::collective) {
      double start = recording.times ? nowUs() : 0;
      if (RunStatus failure = queue->drain())
        return failure;
      if (recording.times) // as the wait that comes later would have
        (*recording.times)[recording.lastStart] += nowUs() - start;
    }
    // The time of a loop or branch is that of the steps in it.
    bool isControl = step.kind == schema::StepKind::loop ||
                     step.kind == schema::StepKind::branch;
    if (RunStatus failure =
            isControl ? runControl(step, communicator)
                      : measureStep(i, communicator, recording.events))
      return failure;
  }
  return std::nullopt;
}

RunStatus RankProgram::run(Communicator &communicator, StepTimes *times,
                           std::vector<StepEvent> *events) {
  recording = {&communicator, times, events, 0};
  queueEvents.clear();
  if (times)
    times->resize(steps.size());
  if (!queue)
    return runSteps({0, steps.size()}, communicator);
  queue->reset();
  RunStatus end;
  // The queue may be waiting for ranks that wait for this one.
  auto giveUp = [&](const std::string &detail) {
    communicator.abort({FailureCode::Kernel, rank, -1, "", detail});
    queue->drain();
  };
  try {
    end = runSteps({0, steps.size()}, communicator);
  } catch (const std::exception &exception) {
    giveUp(std::string("threw: ") + exception.what());
    throw;
  } catch (...) {
    giveUp("threw something that is not a std::exception");
    throw;
  }
  queue->drain();
  if (events)
    events->insert(events->end(), queueEvents.begin(), queueEvents.end());
  return end;
}
