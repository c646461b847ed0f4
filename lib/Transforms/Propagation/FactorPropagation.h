// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixpoint of propagation: axes spread along factors.
#ifndef DTENSOR_LIB_TRANSFORMS_PROPAGATION_FACTORPROPAGATION_H
#define DTENSOR_LIB_TRANSFORMS_PROPAGATION_FACTORPROPAGATION_H

#include "State.h"

namespace mlir::dtensor {

/// Lets the open layouts of `state` grow along the factors of its ops until
/// nothing changes: from operands to results first, so that what the inputs
/// say comes before what the results ask, then in both directions. A
/// dimension grows only minor to what it has, by axes that its tensor does not
/// use, and that no other tensor of the op contradicts. Annotations of priority
/// 0 spread first; each following priority takes part once those before it are
/// done (as in Shardy's rounds).
void propagateFactors(PropagationState &state);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PROPAGATION_FACTORPROPAGATION_H
