// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of steps under construction, and the two ways of making them: by fixed
// rules (any sizes) and by search (sizes that divide).
#ifndef DTENSOR_LIB_PLANNER_PLANSTEPS_H
#define DTENSOR_LIB_PLANNER_PLANSTEPS_H

#include "AxisCuts.h"
#include "dtensor/Planner/Redistribution.h"

#include <optional>

namespace dtensor {

/// Steps that begin at `current`'s first value and lead to `current`.
class StepList {
public:
  StepList(const RedistributionRequest &request, Layout start)
      : request(&request), here(std::move(start)) {}

  const Layout &current() const { return here; }
  const std::vector<RedistributionStep> &steps() const { return list; }

  /// Appends the step if its result can be built on every rank.
  bool tryAdd(RedistributionStep step);

  bool slice(int dim, std::vector<AxisRef> axes);
  bool allGather(int dim, std::vector<AxisRef> axes);
  bool allToAll(int fromDim, int toDim, std::vector<AxisRef> suffix,
                const std::vector<AxisRef> &appended);
  bool reduceScatter(int dim, std::vector<AxisRef> axes, ReduceOp op);
  bool allReduce(std::vector<AxisRef> axes, ReduceOp op);
  /// Combines contributions over `axes` straight into the chunks of `to`, which
  /// may cut several dimensions, also by axes that replicate here.
  bool reduceInto(std::vector<AxisRef> axes, ReduceOp op, const Layout &to);
  /// Contributions of a value that `axes` replicate or, with `dim` >= 0, shard
  /// at the minor end of that dimension.
  bool toPartial(int dim, std::vector<AxisRef> axes, ReduceOp op);
  /// Partial `axes` from `from` (sum or avg) to the other of the two.
  bool scale(std::vector<AxisRef> axes, ReduceOp from);
  /// Slices every dimension whose next pieces in `to` are unused, where most is
  /// cut off first; false where there is none. `cuts` are of `to` and of what
  /// the steps make of the source.
  bool sliceTowards(const Layout &to, const AxisCuts &cuts);
  /// One direct exchange, or a permute where every box stays whole.
  void exchange(const Layout &to);
  /// One exchange that also combines what is partial here and creates what is
  /// partial in `to`; all with one op on either side.
  bool exchangeAndCombine(const Layout &to);

private:
  const RedistributionRequest *request;
  Layout here;
  std::vector<RedistributionStep> list;
};

/// Steps by fixed rules from `from` to `to`, where `to` is partial on a subset
/// of `from`'s partials with the same ops. Returns every variant it sees; at
/// least one.
std::vector<StepList> planByRules(const RedistributionRequest &request,
                                  const Layout &from, const Layout &to);

/// The cheapest sequence of collectives, with at most one permute, by search
/// over layouts, and the cheapest reductions followed by a direct exchange;
/// nothing where the space is too large, the layouts' cuts do not nest, or
/// nothing beats `bound` (in the objective's unit). Conditions on `to` as for
/// planByRules. Where the request asks for alternatives, `others` gets plans
/// that the search passed by.
std::vector<StepList> planBySearch(const RedistributionRequest &request,
                                   const Layout &from, const Layout &to,
                                   double bound, std::vector<StepList> &others);

/// What the objective minimises.
double objectiveValue(const RedistributionRequest &request,
                      const std::vector<RedistributionStep> &steps);
/// The largest peak among the steps.
int64_t peakOf(const std::vector<RedistributionStep> &steps);

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_PLANSTEPS_H
