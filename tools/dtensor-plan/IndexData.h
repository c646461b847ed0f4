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

/// Calls `visit(global index, local index)` for the elements of `box`.
template <typename Visit>
void forEachElement(const Box &box, const std::vector<int64_t> &shape,
                    const Visit &visit) {
  int64_t count = box.numElements();
  std::vector<int64_t> at = box.lo;
  for (int64_t local = 0; local < count; ++local) {
    int64_t global = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      global = global * shape[d] + at[d];
    visit(global, local);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < box.hi[d])
        break;
      at[d] = box.lo[d];
    }
  }
}

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
