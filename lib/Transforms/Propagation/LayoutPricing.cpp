// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changes of layout and local work cost, by the planner's model.

#include "LayoutPricing.h"

#include <limits>

using namespace mlir;
using namespace mlir::dtensor;

planner::Expected<planner::RedistributionPlan>
LayoutPricing::plan(RankedTensorType type, const planner::Layout &from,
                    const planner::Layout &to) const {
  planner::RedistributionRequest request;
  request.mesh = mesh;
  request.shape = type.getShape().vec();
  request.type = *getElementType(type);
  request.from = from;
  request.to = to;
  request.topology = topology;
  return planner::planRedistribution(request);
}

double LayoutPricing::redistribution(RankedTensorType type,
                                     const planner::Layout &from,
                                     const planner::Layout &to) {
  if (from == to)
    return 0;
  auto &known = prices[type];
  auto it = known.find(ChangeRef(from, to));
  if (it != known.end())
    return it->second;
  auto found = plan(type, from, to);
  double price =
      found ? found->timeUs : std::numeric_limits<double>::infinity();
  known.emplace(Change(from, to), price);
  return price;
}

double LayoutPricing::compute(double points, double bytes) const {
  return topology.kernelFloorUs + points / topology.flopsPerUs +
         bytes / topology.memoryBytesPerUs;
}
