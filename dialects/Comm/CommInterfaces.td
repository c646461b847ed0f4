// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all collectives answer: which change of layout they are.
#ifndef COMM_INTERFACES_TD
#define COMM_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Comm_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::mlir::comm";
  let description = [{
    A collective is a change of layout inside groups of ranks. The interface
    states it in the planner's terms: the tensor that a group holds as a whole,
    its layout before and after.
  }];
  let methods = [
    InterfaceMethod<"The change of layout that this collective makes.",
      "::mlir::comm::CollectiveChange", "getChange">,
    InterfaceMethod<"The mesh whose axes the collective names.",
      "::mlir::FlatSymbolRefAttr", "getMeshAttr">,
    InterfaceMethod<"The axes that the ranks of a group differ on.",
      "::mlir::ArrayAttr", "getAxesAttr">,
    InterfaceMethod<"The ranks of each group, in the place of axes, or null.",
      "::mlir::ArrayAttr", "getGroupsAttr">
  ];
}

#endif // COMM_INTERFACES_TD
