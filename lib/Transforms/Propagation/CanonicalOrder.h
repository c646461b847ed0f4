// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An order of ops that does not depend on how the program is written down.
#ifndef DTENSOR_LIB_TRANSFORMS_PROPAGATION_CANONICALORDER_H
#define DTENSOR_LIB_TRANSFORMS_PROPAGATION_CANONICALORDER_H

#include "State.h"

namespace mlir::dtensor {

/// Sorts the ops of `state` by what they compute: operands before users, then
/// by a hash of all that an op is made of, then by one of all that is made of
/// it. Ops that are alike in both keep their order. What is in a loop or branch
/// follows it. Decisions that are taken op by op then do not depend on the
/// order of independent ops, nor on names, nor on the process.
void sortCanonically(PropagationState &state);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PROPAGATION_CANONICALORDER_H
