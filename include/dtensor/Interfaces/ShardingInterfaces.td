// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What propagation and lowering need to know of an operation.
#ifndef DTENSOR_SHARDING_INTERFACES_TD
#define DTENSOR_SHARDING_INTERFACES_TD

include "mlir/IR/OpBase.td"

def ShardingRuleOpInterface : OpInterface<"ShardingRuleOpInterface"> {
  let cppNamespace = "::mlir::dtensor";
  let description = [{
    Maps the dimensions of the op's operands and results to factors. Two
    dimensions with the same factor are sharded alike.
  }];
  let methods = [
    InterfaceMethod<[{
        The rule of this op, or none where this very op has none (an indexing
        map that the rules cannot express, say).
      }],
      "::std::optional<::mlir::dtensor::ShardingRule>", "getShardingRule">
  ];
}

def LocalizeOpInterface : OpInterface<"LocalizeOpInterface"> {
  let cppNamespace = "::mlir::dtensor";
  let description = [{
    Rebuilds an op for the shapes that one rank holds. An op with a sharding
    rule and without this interface keeps its attributes and regions, and only
    its result types change.
  }];
  let methods = [
    InterfaceMethod<[{
        Gives the results the types `localTypes` (one per result, null for
        results that are no tensors), in place or by replacing the op, and
        returns the results.
      }],
      "::llvm::SmallVector<::mlir::Value>", "localize",
      (ins "::llvm::ArrayRef<::mlir::RankedTensorType>":$localTypes,
           "const ::mlir::dtensor::RankNumbers &":$numbers)>
  ];
}

#endif // DTENSOR_SHARDING_INTERFACES_TD
