// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places where two layouts cut the axes of their mesh. Planning works on
// the pieces between the cuts.
#ifndef DTENSOR_LIB_PLANNER_AXISCUTS_H
#define DTENSOR_LIB_PLANNER_AXISCUTS_H

#include "dtensor/Planner/Layout.h"

namespace dtensor {

class AxisCuts {
public:
  AxisCuts(const Mesh &mesh, const Layout &a, const Layout &b);

  /// False where some axis is cut at sizes that do not divide each other:
  /// then no common pieces exist on it.
  bool allNest() const { return nestEverywhere; }

  /// `refs` cut into pieces, in order; parts of axes without common pieces
  /// stay as they are.
  std::vector<AxisRef> split(const std::vector<AxisRef> &refs) const;
  std::vector<PartialAxis> split(const std::vector<PartialAxis> &refs) const;
  /// As `split`, and each piece into parts of prime size, major first.
  std::vector<AxisRef> splitPrimes(const std::vector<AxisRef> &refs) const;

private:
  /// Sorted per axis; empty where they do not nest.
  std::vector<std::vector<int64_t>> cuts;
  bool nestEverywhere = true;
};

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_AXISCUTS_H
