// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changes of layout and local work cost, by the planner's model.
#ifndef DTENSOR_LIB_TRANSFORMS_PROPAGATION_LAYOUTPRICING_H
#define DTENSOR_LIB_TRANSFORMS_PROPAGATION_LAYOUTPRICING_H

#include "dtensor/Dialect/DTensor/DTensor.h"
#include "dtensor/Planner/Redistribution.h"

#include <map>

namespace mlir::dtensor {

/// Prices redistributions on one mesh; equal questions are answered once.
class LayoutPricing {
public:
  LayoutPricing(planner::Mesh mesh, planner::Topology topology)
      : mesh(std::move(mesh)), topology(std::move(topology)) {}

  /// Modelled microseconds to bring a tensor of type `type` from one layout to
  /// another; infinity where that is impossible.
  double redistribution(RankedTensorType type, const planner::Layout &from,
                        const planner::Layout &to);

  /// Modelled microseconds of `points` scalar steps and `bytes` of memory
  /// traffic on one rank.
  double compute(double points, double bytes) const;

  /// The plan that redistribution() prices.
  planner::Expected<planner::RedistributionPlan>
  plan(RankedTensorType type, const planner::Layout &from,
       const planner::Layout &to) const;

private:
  /// From, to. Looked up by reference: copies would take longer than the rest.
  using Change = std::pair<planner::Layout, planner::Layout>;
  using ChangeRef = std::pair<const planner::Layout &, const planner::Layout &>;
  struct LessChange {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A &a, const B &b) const {
      if (a.first < b.first)
        return true;
      return !(b.first < a.first) && a.second < b.second;
    }
  };
  planner::Mesh mesh;
  planner::Topology topology;
  llvm::DenseMap<Type, std::map<Change, double, LessChange>> prices;
};

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PROPAGATION_LAYOUTPRICING_H
