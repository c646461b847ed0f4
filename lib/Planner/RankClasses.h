// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that hold boxes of equal sizes, counted instead of listed: what is
// asked of every rank of a large mesh is asked of one rank per class.
#ifndef DTENSOR_LIB_PLANNER_RANKCLASSES_H
#define DTENSOR_LIB_PLANNER_RANKCLASSES_H

#include "dtensor/Planner/Layout.h"

namespace dtensor {

/// Ranks among which every layout's box has the same extents.
struct RankClass {
  int64_t rank = 0;  ///< one of them
  int64_t count = 1; ///< how many there are
};

/// Classes of the ranks whose coordinates on `fixed` are 0, for a tensor of
/// shape `shape` under each of `layouts`. Chunks of one axis have at most three
/// sizes (full, short, empty), so their number does not grow with the mesh as
/// long as axes are used whole. Where the lists of a dimension are a prefix one
/// of the other, the common part of the boxes is the same too.
std::vector<RankClass> rankClasses(const Mesh &mesh,
                                   const std::vector<int64_t> &shape,
                                   const std::vector<const Layout *> &layouts,
                                   const std::vector<AxisRef> &fixed = {});

/// The elements that both lists begin with, compared one by one.
size_t commonPrefix(const std::vector<AxisRef> &a,
                    const std::vector<AxisRef> &b);

/// True when dimension `dim` of `shape` divides under `layout`.
bool isEvenDim(const Layout &layout, const std::vector<int64_t> &shape,
               int dim);

} // namespace dtensor

#endif // DTENSOR_LIB_PLANNER_RANKCLASSES_H
