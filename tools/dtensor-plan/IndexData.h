// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data whose right result is known without computing it: element i of the
// tensor is a small whole number that follows from i, and contributions are
// chosen so that every reduce op combines them to it.
#ifndef DTENSOR_TOOLS_DTENSOR_PLAN_INDEXDATA_H
#define DTENSOR_TOOLS_DTENSOR_PLAN_INDEXDATA_H

#include "dtensor/Planner/Layout.h"

#include <cstddef>

namespace dtensor {

/// A decoded element: `real` for floats, `whole` for integers.
struct Element {
  double real = 0;
  int64_t whole = 0;
};

/// The value of element `index` of a tensor of `type`; exact in that type.
int64_t indexValue(ElementType type, int64_t index);

/// What the contributor at `coordinates` (one per partial axis) of `partials`
/// holds for a value.
int64_t contributionTo(int64_t value, int64_t index, ElementType type,
                       const std::vector<PartialAxis> &partials,
                       const std::vector<int64_t> &coordinates);

void encodeElement(ElementType type, int64_t value, std::byte *target);
Element decodeElement(ElementType type, const std::byte *source);

/// a op b, for avg their sum.
Element combineElements(ReduceOp op, ElementType type, Element a, Element b);

} // namespace dtensor

#endif // DTENSOR_TOOLS_DTENSOR_PLAN_INDEXDATA_H
