// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dtensor dialect: attributes, operations, and the bridge between layout
// attributes and the planner's layouts.
#ifndef DTENSOR_DIALECT_DTENSOR_DTENSOR_H
#define DTENSOR_DIALECT_DTENSOR_DTENSOR_H

#include "dtensor/Planner/Layout.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dtensor/Dialect/DTensor/DTensorDialect.h.inc"
#include "dtensor/Dialect/DTensor/DTensorEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dtensor/Dialect/DTensor/DTensorAttrs.h.inc"

#define GET_OP_CLASSES
#include "dtensor/Dialect/DTensor/DTensorOps.h.inc"

namespace mlir::dtensor {

/// The planner's namespace, from inside mlir::dtensor.
namespace planner = ::dtensor;

/// Names of the discardable attributes (see the dialect's description).
inline constexpr llvm::StringLiteral kLayoutAttr = "dtensor.layout";
inline constexpr llvm::StringLiteral kLayoutsAttr = "dtensor.layouts";
inline constexpr llvm::StringLiteral kOperandLayoutsAttr =
    "dtensor.operand_layouts";
inline constexpr llvm::StringLiteral kGlobalTypeAttr = "dtensor.global_type";
inline constexpr llvm::StringLiteral kNameAttr = "dtensor.name";
inline constexpr llvm::StringLiteral kReferenceOfAttr = "dtensor.reference_of";
inline constexpr llvm::StringLiteral kLocalAttr = "dtensor.local";
inline constexpr llvm::StringLiteral kLocalValuesAttr = "dtensor.local_values";
inline constexpr llvm::StringLiteral kRequiresGradAttr =
    "dtensor.requires_grad";
inline constexpr llvm::StringLiteral kRuleAttr = "dtensor.rule";

/// The planner's element type of `type`; none for complex, index and others
/// that cannot lie on a mesh.
std::optional<planner::ElementType> getElementType(Type type);

/// The mesh called `name`, seen from `from`; null if there is none.
MeshOp lookupMesh(Operation *from, FlatSymbolRefAttr name);
/// The planner's form of that mesh; for verifiers: reports at `emit` where
/// there is none, or where it does not verify itself.
FailureOr<planner::Mesh>
verifyMesh(Operation *from, FlatSymbolRefAttr name,
           llvm::function_ref<InFlightDiagnostic()> emit);

/// The planner's form of an axis.
planner::Expected<planner::AxisRef> getAxisRef(const planner::Mesh &mesh,
                                               AxisAttr axis);
/// All of `axes` (an array of AxisAttr).
planner::Expected<std::vector<planner::AxisRef>>
getAxisRefs(const planner::Mesh &mesh, ArrayAttr axes);
AxisAttr getAxisAttr(MLIRContext *context, const planner::Mesh &mesh,
                     const planner::AxisRef &ref);
ArrayAttr getAxesAttr(MLIRContext *context, const planner::Mesh &mesh,
                      llvm::ArrayRef<planner::AxisRef> refs);

/// The canonical layout of a tensor of type `type`, checked against mesh and
/// type: constraints (C2) to (C6) of LayoutAttr.
planner::Expected<planner::Layout>
getLayout(const planner::Mesh &mesh, LayoutAttr attr, RankedTensorType type);
/// The attribute of a layout, in canonical print order.
LayoutAttr getLayoutAttr(FlatSymbolRefAttr meshName, const planner::Mesh &mesh,
                         const planner::Layout &layout);
/// Checks `attr` on a value of type `type`, (C1) to (C6); reports at `emit`.
LogicalResult verifyLayout(Operation *from, LayoutAttr attr, Type type,
                           llvm::function_ref<InFlightDiagnostic()> emit);

/// The type that a rank holds: dimensions that do not divide by their axes are
/// `?`, since their extent differs by rank.
RankedTensorType getLocalType(const planner::Layout &layout,
                              RankedTensorType type);

/// Parses and prints `["dp", "x":(1)2]`; for custom<AxisList>.
ParseResult parseAxisList(AsmParser &parser, ArrayAttr &axes);
void printAxisList(AsmPrinter &printer, ArrayAttr axes);
inline void printAxisList(OpAsmPrinter &printer, Operation *, ArrayAttr axes) {
  printAxisList(printer, axes);
}

/// Parses and prints `sum`; for custom<ReduceOp>.
ParseResult parseReduceOp(OpAsmParser &parser, ReduceOpAttr &op);
void printReduceOp(OpAsmPrinter &printer, Operation *, ReduceOpAttr op);
/// The same where there may be none; for custom<OptionalReduceOp>.
ParseResult parseOptionalReduceOp(OpAsmParser &parser, ReduceOpAttr &op);
void printOptionalReduceOp(OpAsmPrinter &printer, Operation *, ReduceOpAttr op);

/// Parses and prints `colwise`; for custom<Style>.
ParseResult parseStyle(OpAsmParser &parser, StyleAttr &style);
void printStyle(OpAsmPrinter &printer, Operation *, StyleAttr style);

/// Parses and prints `["dp" = shard(0), ...]`; for custom<Placements>.
ParseResult parsePlacements(OpAsmParser &parser, ArrayAttr &placements,
                            UnitAttr &open);
void printPlacements(OpAsmPrinter &printer, Operation *, ArrayAttr placements,
                     UnitAttr open);

/// The text of a rule, read: the names of the factors of each dimension of each
/// tensor.
struct RuleText {
  using Dims = llvm::SmallVector<llvm::SmallVector<std::string, 1>>;
  llvm::SmallVector<Dims> operands, results;
};
/// Reads the text of a `#dtensor.rule`.
planner::Expected<RuleText> parseRuleText(llvm::StringRef text);
/// The sizes of the factors of `rule` on an op with these types, in the order
/// in which the text names them; constraints (C1) to (C5) of RuleAttr.
planner::Expected<llvm::SmallVector<std::pair<std::string, int64_t>>>
getRuleFactors(RuleAttr rule, TypeRange operands, TypeRange results);

/// True where `name` is one that the pattern of a `dtensor.style` stands for.
bool matchesPattern(llvm::StringRef pattern, llvm::StringRef name);

} // namespace mlir::dtensor

#endif // DTENSOR_DIALECT_DTENSOR_DTENSOR_H
