// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of layouts that keep them canonical: what each kind of step does to a
// layout. The planner builds steps with them, the checker compares with them.
#ifndef DTENSOR_PLANNER_LAYOUTOPS_H
#define DTENSOR_PLANNER_LAYOUTOPS_H

#include "dtensor/Planner/Layout.h"

namespace dtensor {

/// Merges adjacent parts of one axis and drops size-1 axes; keeps the order.
void canonicalizeAxes(std::vector<AxisRef> &axes);
/// Sorts, merges adjacent parts with one op, and drops size-1 axes.
void canonicalizePartials(std::vector<PartialAxis> &partials);

/// True when `a` and `b` are parts of one axis that share a coordinate.
bool overlaps(const AxisRef &a, const AxisRef &b);

/// `list` without `suffix` at its end; nothing where it does not end so.
std::optional<std::vector<AxisRef>>
dropSuffix(std::vector<AxisRef> list, const std::vector<AxisRef> &suffix);
/// What `list` has after `prefix`; nothing where it does not begin so.
std::optional<std::vector<AxisRef>>
dropPrefix(const std::vector<AxisRef> &list,
           const std::vector<AxisRef> &prefix);

/// `layout` with `axes` appended to dimension `dim`.
Layout withAppended(Layout layout, int dim, const std::vector<AxisRef> &axes);
/// `layout` without the axes at the end of dimension `dim`.
std::optional<Layout> withoutSuffix(const Layout &layout, int dim,
                                    const std::vector<AxisRef> &axes);
/// `layout` with `axes` no longer partial; nothing where one is not partial
/// with `op`.
std::optional<Layout> withoutPartials(const Layout &layout,
                                      const std::vector<AxisRef> &axes,
                                      ReduceOp op);
/// `layout` with `axes` partial.
Layout withPartials(Layout layout, const std::vector<AxisRef> &axes,
                    ReduceOp op);

/// The smallest set of disjoint (sub-)axes, in mesh order, that contains all
/// of `refs`, which may overlap and need not nest.
std::vector<AxisRef> coveringAxes(std::vector<AxisRef> refs);

/// The layout's data part: without pins and openness.
Layout dataLayout(const Layout &layout);

} // namespace dtensor

#endif // DTENSOR_PLANNER_LAYOUTOPS_H
