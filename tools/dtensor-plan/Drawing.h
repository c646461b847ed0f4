// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small drawing of a layout.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_DRAWING_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_DRAWING_H

#include "dtensor/Planner/Layout.h"

namespace dtensor {

/// Who holds which piece of a tensor of rank one or two: a grid of its pieces,
/// each with the ranks that hold it, `devices[rank]` in place of the rank where
/// that is not empty. Nothing for other tensors and where there are too many
/// pieces for a page.
std::string drawLayout(const Mesh &mesh, const Layout &layout,
                       const std::vector<int64_t> &shape,
                       const std::vector<int64_t> &devices);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_DRAWING_H
