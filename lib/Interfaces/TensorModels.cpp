// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharding rules of tensor ops.

#include "dtensor/Interfaces/ShardingRule.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::dtensor;

namespace {

/// Every dimension on its own.
struct EmptyRule
    : ShardingRuleOpInterface::ExternalModel<EmptyRule, tensor::EmptyOp> {
  std::optional<ShardingRule> getShardingRule(Operation *op) const {
    if (op->getNumOperands() != 0)
      return std::nullopt; // dynamic extents
    return getElementwiseRule(op);
  }
};

} // namespace

void mlir::dtensor::registerTensorShardingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<EmptyRule>(*context);
  });
}
