// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dtensor-expand-factories: writes factories, dtensor.distribute and
// dtensor.full_tensor with plain ops, so that no later pass knows of them.
//
//   %0 = dtensor.ones : tensor<8xf32> to #row
// becomes
//   %1 = arith.constant dense<1.0> : tensor<8xf32>
//   %0 = dtensor.constrain %1 : tensor<8xf32> to #row

#include "dtensor/Transforms/Passes.h"

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include <array>

namespace mlir::dtensor {
#define GEN_PASS_DEF_EXPANDFACTORIESPASS
#include "dtensor/Transforms/Passes.h.inc"
} // namespace mlir::dtensor

using namespace mlir;
using namespace mlir::dtensor;

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

namespace {

/// Builds, in the body of a linalg.generic, the random number of its current
/// element. Words are i64 below 2^32, since their products need 64 bits.
class RandomElement {
public:
  RandomElement(OpBuilder &builder, Location loc, RankedTensorType type)
      : builder(builder), loc(loc), type(type) {}

  Value rand(uint64_t key);
  Value randn(uint64_t key);
  Value bits(uint64_t key);

private:
  using Block = std::array<Value, 4>;

  Value word(uint64_t value) {
    return arith::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(static_cast<int64_t>(value)));
  }
  Value real(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(value));
  }
  Value low(Value value) {
    return arith::AndIOp::create(builder, loc, value, word(0xffffffff));
  }
  Value shifted(Value value, uint64_t bits) {
    return arith::ShRUIOp::create(builder, loc, value, word(bits));
  }
  Value xored(Value a, Value b) {
    return arith::XOrIOp::create(builder, loc, a, b);
  }
  Value position();
  Block philox(uint64_t key);
  /// The upper 53 bits of two words.
  Value join(Value upper, Value lower);
  /// `bits` / 2^`scale` in `element`, exact for that many bits.
  Value fraction(Value bits, int scale, FloatType element);

  OpBuilder &builder;
  Location loc;
  RankedTensorType type;
};

} // namespace

/// The row-major position in the whole tensor: the loops are kept whole, so
/// their indices are global ones.
Value RandomElement::position() {
  Value at = word(0);
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    Value index =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                   linalg::IndexOp::create(builder, loc, dim));
    if (dim != 0)
      index = arith::AddIOp::create(
          builder, loc,
          arith::MulIOp::create(builder, loc, at,
                                word(static_cast<uint64_t>(size))),
          index);
    at = index;
  }
  return at;
}

/// Philox 4x32-10 as dtrt::philox has it, for stream 0. The keys of the rounds
/// follow from the seed and are constants.
RandomElement::Block RandomElement::philox(uint64_t key) {
  Value at = position();
  Block counter{low(at), shifted(at, 32), word(0), word(0)};
  auto key0 = static_cast<uint32_t>(key);
  auto key1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    Value a =
        arith::MulIOp::create(builder, loc, word(0xD2511F53u), counter[0]);
    Value b =
        arith::MulIOp::create(builder, loc, word(0xCD9E8D57u), counter[2]);
    counter = {xored(xored(shifted(b, 32), counter[1]), word(key0)), low(b),
               xored(xored(shifted(a, 32), counter[3]), word(key1)), low(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

Value RandomElement::join(Value upper, Value lower) {
  Value high = arith::ShLIOp::create(builder, loc, upper, word(32));
  return shifted(arith::OrIOp::create(builder, loc, high, lower), 11);
}

Value RandomElement::fraction(Value bits, int scale, FloatType element) {
  // Of at most 53 bits, so that the sign is no matter.
  Value value = arith::SIToFPOp::create(builder, loc, element, bits);
  Value unit = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(element, std::ldexp(1.0, -scale)));
  return arith::MulFOp::create(builder, loc, value, unit);
}

Value RandomElement::rand(uint64_t key) {
  Block words = philox(key);
  auto element = cast<FloatType>(type.getElementType());
  if (element.isF64())
    return fraction(join(words[0], words[1]), 53, element);
  // As many bits as the type holds: nothing rounds, and 1 is never reached.
  // Small types are computed in f32, where every step is exact as well.
  int precision = static_cast<int>(element.getFPMantissaWidth());
  Value value = fraction(shifted(words[0], 32 - precision), precision,
                         builder.getF32Type());
  if (element.isF32())
    return value;
  return arith::TruncFOp::create(builder, loc, element, value);
}

Value RandomElement::randn(uint64_t key) {
  Block words = philox(key);
  FloatType f64 = builder.getF64Type();
  // In (0, 1], so that the logarithm is finite.
  Value u = fraction(
      arith::AddIOp::create(builder, loc, join(words[0], words[1]), word(1)),
      53, f64);
  Value v = fraction(join(words[2], words[3]), 53, f64);
  Value radius = math::SqrtOp::create(
      builder, loc,
      arith::MulFOp::create(builder, loc, real(-2.0),
                            math::LogOp::create(builder, loc, u)));
  Value angle =
      arith::MulFOp::create(builder, loc, real(2.0 * llvm::numbers::pi), v);
  Value value = arith::MulFOp::create(builder, loc, radius,
                                      math::CosOp::create(builder, loc, angle));
  auto element = cast<FloatType>(type.getElementType());
  if (element.isF64())
    return value;
  value = arith::TruncFOp::create(builder, loc, builder.getF32Type(), value);
  if (element.isF32())
    return value;
  return arith::TruncFOp::create(builder, loc, element, value);
}

Value RandomElement::bits(uint64_t key) {
  Block words = philox(key);
  if (type.getElementType().isInteger(64))
    return arith::OrIOp::create(
        builder, loc, words[0],
        arith::ShLIOp::create(builder, loc, words[1], word(32)));
  return arith::TruncIOp::create(builder, loc, type.getElementType(), words[0]);
}

/// A tensor whose elements `build` makes from their index.
template <typename OpTy>
static Value makeRandom(OpBuilder &builder, OpTy op,
                        Value (RandomElement::*build)(uint64_t)) {
  auto type = cast<RankedTensorType>(op.getType());
  Location loc = op.getLoc();
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, type, ValueRange(), init,
      builder.getMultiDimIdentityMap(type.getRank()), iterators,
      [&](OpBuilder &body, Location, ValueRange) {
        RandomElement element(body, loc, type);
        linalg::YieldOp::create(body, loc, (element.*build)(op.getKey()));
      });
  // Not every number needs all four words.
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(*generic.getBody())))
    if (isOpTriviallyDead(&inner))
      inner.erase();
  return generic.getResult(0);
}

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

static Value makeSplat(OpBuilder &builder, Operation *op, Attribute element) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return arith::ConstantOp::create(builder, op->getLoc(),
                                   DenseElementsAttr::get(type, element));
}

/// The number `value` of the element type of the result.
static Attribute makeElement(OpBuilder &builder, Operation *op, int value) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<FloatType>(element))
    return builder.getFloatAttr(element, value);
  return builder.getIntegerAttr(element, value);
}

/// The value that a factory makes, on no layout yet; null for other ops.
static Value makeValue(OpBuilder &builder, Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](OnesOp) {
        return makeSplat(builder, op, makeElement(builder, op, 1));
      })
      .Case([&](ZerosOp) {
        return makeSplat(builder, op, makeElement(builder, op, 0));
      })
      .Case(
          [&](FullOp full) { return makeSplat(builder, op, full.getValue()); })
      .Case([&](EmptyOp empty) -> Value {
        auto type = cast<RankedTensorType>(empty.getType());
        return tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(),
                                       type.getElementType());
      })
      .Case([&](RandOp rand) {
        return makeRandom(builder, rand, &RandomElement::rand);
      })
      .Case([&](RandnOp randn) {
        return makeRandom(builder, randn, &RandomElement::randn);
      })
      .Case([&](RngBitsOp bits) {
        return makeRandom(builder, bits, &RandomElement::bits);
      })
      .Default([](Operation *) { return Value(); });
}

/// The mesh of the layouts of `func`, or the only one of the module; null
/// where that is not one. (One function with layouts on several meshes is
/// refused by dtensor-propagate.)
static FlatSymbolRefAttr findMesh(func::FuncOp func) {
  LayoutAttr layout;
  for (unsigned i = 0; !layout && i < func.getNumArguments(); ++i)
    layout = func.getArgAttrOfType<LayoutAttr>(i, kLayoutAttr);
  for (unsigned i = 0; !layout && i < func.getNumResults(); ++i)
    layout = func.getResultAttrOfType<LayoutAttr>(i, kLayoutAttr);
  func.walk([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs())
      if (!layout)
        layout = dyn_cast<LayoutAttr>(attr.getValue());
  });
  if (layout)
    return layout.getMesh();
  auto meshes = func->getParentOfType<ModuleOp>().getOps<MeshOp>();
  if (!llvm::hasSingleElement(meshes))
    return {};
  return FlatSymbolRefAttr::get((*meshes.begin()).getSymNameAttr());
}

static LayoutAttr getReplicated(FlatSymbolRefAttr mesh) {
  return LayoutAttr::get(mesh.getContext(), mesh, {}, false, {}, 0);
}

/// (C1)
static LogicalResult expandFullTensor(OpBuilder &builder, FullTensorOp op) {
  FlatSymbolRefAttr mesh = op.getMeshAttr();
  if (!mesh)
    mesh = findMesh(op->getParentOfType<func::FuncOp>());
  if (!mesh)
    return op.emitOpError()
           << "names no mesh, and neither its function's layouts nor the "
              "module say which; write `dtensor.full_tensor %value on @mesh`";
  op.getResult().replaceAllUsesWith(RedistributeOp::create(
      builder, op.getLoc(), op.getType(), op.getInput(), getReplicated(mesh)));
  op.erase();
  return success();
}

/// The operand is whole on every rank before a part of it is kept.
static void expandDistribute(OpBuilder &builder, DistributeOp op) {
  Value whole =
      ConstrainOp::create(builder, op.getLoc(), op.getType(), op.getInput(),
                          getReplicated(op.getLayout().getMesh()));
  op.getResult().replaceAllUsesWith(RedistributeOp::create(
      builder, op.getLoc(), op.getType(), whole, op.getLayout()));
  op.erase();
}

/// True where `value` is a tensor made with requires_grad, or one that only
/// lies elsewhere: moving it changes no number.
static bool requiresGrad(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (def->hasAttr("requiresGrad"))
      return true;
    if (!isa<ConstrainOp, RedistributeOp, DistributeOp, FullTensorOp, ToLocalOp,
             FromLocalOp>(def))
      return false;
    value = def->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return func && argument.getOwner()->isEntryBlock() &&
         func.getArgAttr(argument.getArgNumber(), kRequiresGradAttr);
}

/// Keeps the flag where the program ends.
static void markResults(func::FuncOp func) {
  func.walk([&](func::ReturnOp ret) {
    for (OpOperand &operand : ret->getOpOperands())
      if (requiresGrad(operand.get()))
        func.setResultAttr(operand.getOperandNumber(), kRequiresGradAttr,
                           UnitAttr::get(func.getContext()));
  });
}

static LogicalResult expand(Operation *op) {
  OpBuilder builder(op);
  if (auto full = dyn_cast<FullTensorOp>(op))
    return expandFullTensor(builder, full);
  if (auto distribute = dyn_cast<DistributeOp>(op)) {
    expandDistribute(builder, distribute);
    return success();
  }
  Value value = makeValue(builder, op);
  if (!value)
    return success();
  if (auto layout = op->getAttrOfType<LayoutAttr>("layout"))
    value = ConstrainOp::create(builder, op->getLoc(), value.getType(), value,
                                layout);
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return success();
}

namespace {
struct ExpandFactoriesPass
    : mlir::dtensor::impl::ExpandFactoriesPassBase<ExpandFactoriesPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      markResults(func);
      func.walk([&](Operation *op) {
        if (isa_and_nonnull<DTensorDialect>(op->getDialect()))
          ops.push_back(op);
      });
    }
    for (Operation *op : ops)
      if (failed(expand(op)))
        return signalPassFailure();
  }
};
} // namespace
