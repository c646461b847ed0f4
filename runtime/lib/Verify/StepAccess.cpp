// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each step reads and writes.
#include "Verify/StepAccess.h"

using namespace dtrt;

std::string ByteRange::text() const {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

StepAccess dtrt::accessOf(const schema::ProgramT &program,
                          const schema::Step &step) {
  StepAccess access;
  switch (step.kind()) {
  case schema::StepKind::kernel: {
    const schema::KernelCallT &call = *program.kernel_calls[step.index()];
    access.reads.assign(call.reads.begin(), call.reads.end());
    access.writes.assign(call.writes.begin(), call.writes.end());
    break;
  }
  case schema::StepKind::gemm: {
    const schema::GemmT &gemm = *program.gemms[step.index()];
    access.reads = {*gemm.a, *gemm.b};
    if (gemm.accumulate)
      access.reads.push_back(*gemm.c);
    access.writes = {*gemm.c};
    break;
  }
  case schema::StepKind::copy: {
    const schema::CopyT &copy = *program.copies[step.index()];
    access.reads = {*copy.source};
    access.writes = {*copy.target};
    break;
  }
  case schema::StepKind::collective: {
    const schema::CollectiveT &op = *program.collectives[step.index()];
    access.reads = {*op.source};
    access.writes = {*op.target};
    break;
  }
  case schema::StepKind::branch:
    access.reads = {*program.branches[step.index()]->condition};
    break;
  case schema::StepKind::start:
  case schema::StepKind::wait:
  case schema::StepKind::loop:
    break;
  }
  return access;
}

std::string dtrt::stepName(const schema::PlanT &plan,
                           const schema::ProgramT &program,
                           const schema::Step &step) {
  switch (step.kind()) {
  case schema::StepKind::kernel:
    return plan.kernels[program.kernel_calls[step.index()]->kernel]->symbol;
  case schema::StepKind::gemm:
    return "gemm";
  case schema::StepKind::copy:
    return "copy";
  case schema::StepKind::collective:
    return program.collectives[step.index()]->name;
  case schema::StepKind::start:
    return "start " + std::to_string(program.starts[step.index()]->event);
  case schema::StepKind::wait:
    return "wait " + std::to_string(program.waits[step.index()]->event);
  case schema::StepKind::loop:
    return "loop " + std::to_string(program.loops[step.index()]->number);
  case schema::StepKind::branch:
    return "branch";
  }
  return "";
}
