// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why values lie as they do.
#ifndef DTENSOR_LIB_TRANSFORMS_PROPAGATION_EXPLAIN_H
#define DTENSOR_LIB_TRANSFORMS_PROPAGATION_EXPLAIN_H

#include "State.h"

namespace mlir::dtensor {

/// A remark per argument and per op that says which annotation or rule put
/// which axis on which dimension, and what the op's sharding costs beside its
/// others. With `asJson` each remark is one JSON object. For a state whose
/// layouts are chosen, with its reasons kept.
void explainLayouts(PropagationState &state, bool asJson);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PROPAGATION_EXPLAIN_H
