// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of the operations that make tensors, and that put whole ones
// onto a mesh or take them off it.

#include "dtensor/Dialect/DTensor/DTensor.h"

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// Factories
//===----------------------------------------------------------------------===//

/// (C2) to (C4) of every factory.
template <typename OpTy> static LogicalResult verifyFactory(OpTy op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  // (C2)
  if (!type.hasStaticShape())
    return op.emitOpError() << "makes a tensor of dynamic shape " << type
                            << "; write its global shape";
  // (C3)
  if (!getElementType(type))
    return op.emitOpError()
           << "makes elements of type " << type.getElementType()
           << ", which cannot lie on a mesh; use a float or integer type";
  // (C4)
  if (op.getRequiresGrad() && !isa<FloatType>(type.getElementType()))
    return op.emitOpError()
           << "requires a gradient of elements of type "
           << type.getElementType() << "; only floats have one, leave it out";
  return success();
}

/// (C5) of rand and randn.
template <typename OpTy> static LogicalResult verifyRandom(OpTy op) {
  Type element =
      cast<RankedTensorType>(op.getResult().getType()).getElementType();
  if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() < 16)
    return op.emitOpError() << "makes random elements of type " << element
                            << "; use f16, bf16, f32 or f64, and convert them";
  return success();
}

/// (C1)
template <typename OpTy> static LogicalResult verifyFactoryLayout(OpTy op) {
  LayoutAttr layout = op.getLayoutAttr();
  if (!layout)
    return success();
  return verifyLayout(op, layout, op.getResult().getType(),
                      [&] { return op.emitOpError(); });
}

LogicalResult OnesOp::verify() { return verifyFactory(*this); }
LogicalResult ZerosOp::verify() { return verifyFactory(*this); }
LogicalResult EmptyOp::verify() { return verifyFactory(*this); }
LogicalResult RandOp::verify() {
  return failure(failed(verifyFactory(*this)) || failed(verifyRandom(*this)));
}
LogicalResult RandnOp::verify() {
  return failure(failed(verifyFactory(*this)) || failed(verifyRandom(*this)));
}

LogicalResult RngBitsOp::verify() {
  if (failed(verifyFactory(*this)))
    return failure();
  // (C5)
  Type element = cast<RankedTensorType>(getResult().getType()).getElementType();
  if (!element.isInteger(8) && !element.isInteger(16) &&
      !element.isInteger(32) && !element.isInteger(64))
    return emitOpError() << "makes random bits of type " << element
                         << "; use i8, i16, i32 or i64";
  return success();
}

LogicalResult FullOp::verify() {
  if (failed(verifyFactory(*this)))
    return failure();
  // (C5)
  Type element = getResult().getType().getElementType();
  if (!isa<FloatAttr, IntegerAttr>(getValue()) ||
      getValue().getType() != element)
    return emitOpError() << "repeats " << getValue()
                         << " in a tensor of element type " << element
                         << "; write a number of that type";
  return success();
}

LogicalResult OnesOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyFactoryLayout(*this);
}
LogicalResult ZerosOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyFactoryLayout(*this);
}
LogicalResult EmptyOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyFactoryLayout(*this);
}
LogicalResult FullOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyFactoryLayout(*this);
}
LogicalResult RandOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyFactoryLayout(*this);
}
LogicalResult RandnOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyFactoryLayout(*this);
}
LogicalResult RngBitsOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyFactoryLayout(*this);
}

//===----------------------------------------------------------------------===//
// DistributeOp, FullTensorOp
//===----------------------------------------------------------------------===//

LogicalResult DistributeOp::verifySymbolUses(SymbolTableCollection &) {
  // (C1)
  if (failed(verifyLayout(*this, getLayout(), getInput().getType(),
                          [&] { return emitOpError(); })))
    return failure();
  // (C2)
  if (getLayout().getOpen())
    return emitOpError() << "has the open layout " << getLayout()
                         << "; name what every axis does and leave out '...'";
  // (C3) The mesh was verified with the layout.
  int64_t ranks =
      lookupMesh(*this, getLayout().getMesh()).getPlannerMesh().numRanks();
  if (std::optional<int64_t> rank = getSrcRank();
      rank && (*rank < 0 || *rank >= ranks))
    return emitOpError() << "takes the value of rank " << *rank << ", mesh "
                         << getLayout().getMesh() << " has ranks 0.."
                         << ranks - 1;
  return success();
}

LogicalResult FullTensorOp::verifySymbolUses(SymbolTableCollection &) {
  // (C1)
  if (!getMeshAttr())
    return success();
  return verifyMesh(*this, getMeshAttr(), [&] { return emitOpError(); });
}
