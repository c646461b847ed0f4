// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of what ranks want under one layout they hold under another, where
// sizes divide: by counting digits instead of ranks.
#ifndef DTENSOR_LIB_PLANNER_EVENOVERLAP_H
#define DTENSOR_LIB_PLANNER_EVENOVERLAP_H

#include "dtensor/Planner/Layout.h"

namespace dtensor {

struct EvenOverlap {
  double keptTotal = 0; ///< elements, over all ranks of the mesh
  bool someKeepNothing = false;
  int64_t keptMost = 0; ///< elements that a rank keeps if it keeps any
};

/// For two even layouts of a tensor. Coordinates of ranks and positions in the
/// tensor are read as digits that both layouts set equal; ranks and elements
/// that agree are the free choices that are left. Nothing where the two cut a
/// dimension, or an axis, at places that do not divide each other.
std::optional<EvenOverlap> evenOverlap(const Mesh &mesh, const Layout &from,
                                       const Layout &to,
                                       const std::vector<int64_t> &shape);

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_EVENOVERLAP_H
