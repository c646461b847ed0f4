// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each step ran, in Chrome's trace event format: a process per rank, in
// it a track for each queue.
#include "Driver/Driver.h"

#include "dtrt/PlanTypes.h"

#include <cstdio>

using namespace dtrt;

namespace {

/// What a step is called, and its track: 0 compute, 1 communication, 2 the
/// second queue.
struct StepLabel {
  std::string name, category;
  int track = 0;
};

StepLabel labelOf(const ProgramRun &run, const PlanFile &file, size_t step) {
  const schema::ProgramT &program = *run.program;
  uint32_t index = program.steps[step].index();
  switch (program.steps[step].kind()) {
  case schema::StepKind::kernel:
    return {file.plan.kernels[program.kernel_calls[index]->kernel]->symbol,
            "kernel"};
  case schema::StepKind::gemm: {
    const schema::GemmT &gemm = *program.gemms[index];
    return {"gemm " + std::to_string(gemm.m) + "x" + std::to_string(gemm.n) +
                "x" + std::to_string(gemm.k),
            "gemm"};
  }
  case schema::StepKind::copy:
    return {"copy", "copy"};
  case schema::StepKind::collective: {
    const schema::CollectiveT &collective = *program.collectives[index];
    dtensor::StepKind kind = toStepKind(collective.kind);
    return {collective.name, std::string(dtensor::stepKindName(kind)),
            dtensor::isCollective(kind) ? 1 : 0};
  }
  case schema::StepKind::start:
    return {"start " + std::to_string(program.starts[index]->event), "queue"};
  case schema::StepKind::wait:
    return {"wait " + std::to_string(program.waits[index]->event), "queue"};
  case schema::StepKind::loop:
  case schema::StepKind::branch:
    break; // their steps are shown
  }
  return {};
}

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.3f", value);
  return text;
}

std::string metadata(const char *what, size_t rank, int track,
                     const std::string &name) {
  return std::string("{\"ph\": \"M\", \"name\": \"") + what +
         "\", \"pid\": " + std::to_string(rank) +
         ", \"tid\": " + std::to_string(track) +
         ", \"args\": {\"name\": " + quotedJson(name) + "}}";
}

} // namespace

std::string dtrt::traceJson(const ProgramRun &run, const PlanFile &file) {
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  const char *separator = "\n";
  auto add = [&](const std::string &event) {
    text += separator + event;
    separator = ",\n";
  };
  std::vector<StepLabel> labels;
  size_t covered = 0; // steps before it are handed to the second queue
  for (size_t step = 0; step < run.program->steps.size(); ++step) {
    labels.push_back(labelOf(run, file, step));
    const schema::Step &made = run.program->steps[step];
    if (step < covered)
      labels.back().track = 2;
    if (made.kind() == schema::StepKind::start)
      covered = step + 1 + run.program->starts[made.index()]->count;
  }
  for (size_t rank = 0; rank < run.events.size(); ++rank) {
    add(metadata("process_name", rank, 0, "rank " + std::to_string(rank)));
    add(metadata("thread_name", rank, 0, "compute"));
    add(metadata("thread_name", rank, 1, "communication"));
    if (!run.program->starts.empty())
      add(metadata("thread_name", rank, 2, "queue 1"));
    for (const StepEvent &event : run.events[rank]) {
      const StepLabel &label = labels[event.step];
      add("{\"ph\": \"X\", \"name\": " + quotedJson(label.name) +
          ", \"cat\": " + quotedJson(label.category) + ", \"pid\": " +
          std::to_string(rank) + ", \"tid\": " + std::to_string(label.track) +
          ", \"ts\": " + number(event.startUs) +
          ", \"dur\": " + number(event.endUs - event.startUs) +
          ", \"args\": {\"step\": " + std::to_string(event.step) + "}}");
    }
  }
  return text + "\n]}\n";
}
