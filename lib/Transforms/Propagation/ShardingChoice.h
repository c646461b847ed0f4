// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of how each op is sharded, by price.
#ifndef DTENSOR_LIB_TRANSFORMS_PROPAGATION_SHARDINGCHOICE_H
#define DTENSOR_LIB_TRANSFORMS_PROPAGATION_SHARDINGCHOICE_H

#include "LayoutPricing.h"
#include "State.h"

namespace mlir::dtensor {

/// For each op in program order: of the shardings of its factors that its
/// operands and results suggest, takes the one with the lowest price for
/// redistributing operands, local work, and redistributing the results to what
/// propagation found for them. Then, as long as it helps, lets single ops
/// change their mind, now that the needs of their users are known; the total
/// price falls with every change. Replaces the layouts of results by what the
/// op then produces, partial where a reduction factor is sharded, and fills in
/// `operandLayouts`.
void chooseShardings(PropagationState &state, LayoutPricing &pricing);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_TRANSFORMS_PROPAGATION_SHARDINGCHOICE_H
