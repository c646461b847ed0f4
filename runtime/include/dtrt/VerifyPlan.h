// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static checks of a schedule: that running it cannot hang, read what is not
// there, or end with anything but what its layouts say.
#ifndef DTRT_VERIFYPLAN_H
#define DTRT_VERIFYPLAN_H

#include "dtrt/PlanFile.h"

namespace dtrt {

/// What a program that passed is like.
struct ProgramSummary {
  std::string name;
  size_t steps = 0;
  size_t collectives = 0;
  uint64_t peakBytes = 0;
};

/// Checks every program of a plan that has passed validatePlan:
///
///  1. One total order of communication. All ranks run the same steps in the
///     same order; every collective is met in exactly one step, by the groups
///     that its axes make of the mesh, with one kind, count, type and op.
///  2. No step reads bytes that nothing has written, and none writes over a
///     buffer that is read later. Inputs are written before the first step,
///     results are read after the last. A read takes one buffer, several
///     whole ones, or a part of one whose parts are all read, one by one.
///  3. The most bytes live at once are the header's peak_bytes. A buffer takes
///     its bytes rounded up to kBufferLine, lives from the step that writes it
///     to the last that reads it, and inputs and results live to the end.
///  4. Data flow. What a collective does follows from its kind, axes and
///     dimensions; every rank ends with exactly its box and every contribution
///     counts once (proved on index sets, or by classes of ranks
///     where the ranks are many). Where a buffer's layout is known (inputs,
///     and what copies and collectives make of them) the next collective and
///     the results must agree with it. Every result is written, and every step
///     writes something that is read. Kernels and matrix products are trusted.
///
/// The message names the first violation: "program 'main' step 3
/// (all_reduce.0): rule 2: ...". Takes n log n time in the number of steps.
Status verifyPlan(const PlanFile &file,
                  std::vector<ProgramSummary> *summaries = nullptr);

constexpr uint64_t kBufferLine = 64;

} // namespace dtrt

#endif // DTRT_VERIFYPLAN_H
