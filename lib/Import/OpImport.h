// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions that import one foreign op share.
#ifndef DTENSOR_LIB_IMPORT_OPIMPORT_H
#define DTENSOR_LIB_IMPORT_OPIMPORT_H

#include "dtensor/Dialect/DTensor/DTensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::dtensor {

/// Kinds of elements of a foreign type. Ours are signless; what they mean
/// follows from the foreign type.
enum class ElementKind { Float, Signed, Unsigned, Bool };
ElementKind getElementKind(Type type);

/// What stands for a foreign tensor. In the body of a reduction, where all
/// tensors have rank 0, that is a scalar, or a tensor to which the body is
/// applied element by element.
struct BodyForm {
  enum Kind { Program, Scalars, Elementwise } kind = Program;
  llvm::SmallVector<int64_t> shape; ///< Elementwise only

  /// Our type for the foreign `type`; null where there is none (C1).
  Type convert(Type type) const;
};

/// Imports blocks of foreign ops.
class BlockImporter {
public:
  virtual ~BlockImporter() = default;
  /// Imports `block`, whose arguments (and nothing else) `values` maps, at
  /// `builder`, and returns what it yields.
  virtual FailureOr<SmallVector<Value>> importBlock(Block &block,
                                                    IRMapping &values,
                                                    const BodyForm &form,
                                                    OpBuilder &builder) = 0;
  /// The mesh of the manual computation around, null where there is none.
  virtual FlatSymbolRefAttr getManualMesh() const = 0;
};

/// One op on its way in: the op, our values for its operands, and after the
/// import our values for its results.
struct OpImport {
  Operation *op;
  OpBuilder &builder;
  BlockImporter &blocks;
  const BodyForm &form;
  SmallVector<Value> operands;
  SmallVector<Value> results;

  Location loc() const { return op->getLoc(); }
  StringRef name() const { return op->getName().getStringRef(); }
  InFlightDiagnostic emitError() const { return op->emitOpError(); }
  LogicalResult yield(Value value) {
    results.push_back(value);
    return success();
  }

  /// The kind of elements of operand `i`.
  ElementKind kind(unsigned i = 0) const {
    return getElementKind(op->getOperand(i).getType());
  }
  /// Our type of the (first) result.
  Type resultType() const { return form.convert(op->getResult(0).getType()); }
  /// The same in the program, where it is a tensor.
  RankedTensorType resultTensor() const {
    return cast<RankedTensorType>(resultType());
  }
  RankedTensorType operandTensor(unsigned i) const {
    return cast<RankedTensorType>(operands[i].getType());
  }

  /// A scalar, or a tensor that repeats it.
  Value constant(Type type, double value) const;
  Value constant(Type type, const APInt &value) const;
  Value empty(ArrayRef<int64_t> shape, Type element) const;
  Value fill(Value scalar, ArrayRef<int64_t> shape) const;
  /// `value` as a tensor of another shape of as many elements.
  Value reshape(Value value, ArrayRef<int64_t> shape) const;
  Value transpose(Value value, ArrayRef<int64_t> permutation) const;
  /// Changes the element type, between the foreign types `from` and `to`.
  Value convertElements(Value value, Type from, Type to) const;

  /// The integers of attribute `name`; reports where it is missing.
  FailureOr<SmallVector<int64_t>> integers(StringRef name) const;
  /// The keyword of `#stablehlo<kind KEYWORD>`; empty where it is missing.
  StringRef keyword(StringRef name) const;
};

/// The reduce op that the body `region` of a reduction applies to its two
/// arguments, elements of `kind`; none where it is more than one of add,
/// multiply, maximum, minimum, and, or, xor.
std::optional<ReduceOp> getBodyReduceOp(Region &region, ElementKind kind);

/// The one element of a constant that repeats it; null for other values.
TypedAttr getSplatElement(Value value);

using ImportFn = LogicalResult (*)(OpImport &import);

/// How to import an op of one name.
struct ImportRule {
  ImportFn import = nullptr;
  /// -1: any number.
  int numOperands = -1;
  /// Also in the body of a reduction.
  bool inBodies = false;
  bool hasManyResults = false;
};
using ImportRules = llvm::StringMap<ImportRule>;

/// Add the rules of one topic each.
void addElementwiseRules(ImportRules &rules);
void addValueRules(ImportRules &rules);
void addShapeRules(ImportRules &rules);
void addDotRules(ImportRules &rules);
void addReduceRules(ImportRules &rules);
void addCollectiveRules(ImportRules &rules);
void addStructuredRules(ImportRules &rules);
void addDynamicSliceRules(ImportRules &rules);

} // namespace mlir::dtensor

#endif // DTENSOR_LIB_IMPORT_OPIMPORT_H
