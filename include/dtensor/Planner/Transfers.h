// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which box each rank takes from which rank when a tensor changes its layout:
// the one description of data movement that the cost model counts, the
// checker proves and the runtime executes.
#ifndef DTENSOR_PLANNER_TRANSFERS_H
#define DTENSOR_PLANNER_TRANSFERS_H

#include "dtensor/Planner/Layout.h"

namespace dtensor {

/// `box` (global coordinates) comes from rank `source`.
struct Transfer {
  int64_t source = 0;
  Box box;
};

/// One change of layout inside groups: ranks exchange only with ranks that
/// differ on `axes`. The layouts may name other axes; those must be equal on
/// both sides.
struct LayoutChange {
  Layout from, to;
  std::vector<AxisRef> axes;
};

/// The non-empty boxes that make up what `rank` holds under `change.to`, each
/// from one holder under `change.from` in its group: the rank itself where it
/// holds the box, else the holders in turn, so that equal receivers spread
/// over equal sources. Deterministic; boxes are disjoint and ordered.
/// Neither side may be partial on `change.axes`.
std::vector<Transfer> transfersInto(const Mesh &mesh,
                                    const std::vector<int64_t> &shape,
                                    const LayoutChange &change, int64_t rank);

/// transfersInto for every rank of `rank`'s group over `change.axes`, in group
/// order: one pass, where asking rank by rank would repeat the work.
std::vector<std::vector<Transfer>>
groupTransfers(const Mesh &mesh, const std::vector<int64_t> &shape,
               const LayoutChange &change, int64_t rank);

/// The same between any two sets of boxes: participant i holds held[i] and
/// wants wanted[i], nothing where it has no part in that side. Entry i of the
/// result lists what it takes; sources are participants. The boxes held must
/// be equal or disjoint, pair by pair.
std::vector<std::vector<Transfer>>
boxTransfers(const std::vector<std::optional<Box>> &held,
             const std::vector<std::optional<Box>> &wanted);

/// True where an exchange between the two layouts also combines contributions
/// or creates them: their partial axes differ.
bool combinesOnTheWay(const Layout &from, const Layout &to);

/// A box that one rank makes from one source per contribution.
struct Combination {
  Box box;
  std::vector<int64_t> sources; ///< ranks, in the order of their contributions
};

/// What `rank` takes when partial axes change on the way: the boxes that make
/// up what it holds under `change.to`, each from the holders of all its
/// contributions; the rank itself where it is one, else holders in turn. The
/// axes that become partial are written by coordinate 0 alone and hold the
/// operator's identity elsewhere, except with operators for which repeating a
/// value does no harm, and avg. `change.axes` contain all axes that change.
std::vector<Combination> combinationsInto(const Mesh &mesh,
                                          const std::vector<int64_t> &shape,
                                          const LayoutChange &change,
                                          int64_t rank);

/// For a reduction: the holders of contributions to the box that `rank` holds
/// under `change.to`, in the order of their places on `change.axes`, on which
/// `change.from` is partial. Not of rank numbers: groups beside each other that
/// hold replicas must sum alike, whatever the device order.
std::vector<int64_t> contributors(const Mesh &mesh, const LayoutChange &change,
                                  int64_t rank);

} // namespace dtensor

#endif // DTENSOR_PLANNER_TRANSFERS_H
